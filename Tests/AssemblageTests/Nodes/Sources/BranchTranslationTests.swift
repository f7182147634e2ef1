@testable import Assemblage
import TestSupport
import Testing

/// `BranchTranslation` alone, beside an array of slots.
@Suite struct BranchTranslationTests {
  /// The slot of each child, nil for a leaf.
  private func model(_ isNode: [Bool]) -> [Int?] {
    var next = 0
    return isNode.map { isNode in
      if isNode { next += 1 }
      return isNode ? next - 1 : nil
    }
  }

  private func check(_ translation: BranchTranslation, _ slots: [Int?], _ what: String) {
    let isRight = slots.indices.allSatisfy { position in
      translation.slot(at: position) == slots[position]
        && slots[position].map { translation.position(ofSlot: $0) == position } ?? true
    }
    #expect(isRight, "\(what): it should be \(slots)")
  }

  /// Calls `body` with every edit of `slots`, as it is after it.
  private func forEachEdit(
    _ translation: BranchTranslation, _ slots: [Int?],
    _ body: (_ translation: BranchTranslation, _ slots: [Int?], _ what: String) -> Void
  ) {
    for position in 0...slots.count {
      var withLeaf = translation
      var withNode = translation
      withLeaf.insertLeaf(at: position)
      let slot = withNode.insertNode(at: position)
      #expect(!slots.contains(slot), "the slot of a new node is in use")
      body(withLeaf, slots[..<position] + [nil] + slots[position...], "a leaf at \(position) of \(slots)")
      body(withNode, slots[..<position] + [slot] + slots[position...], "a node at \(position) of \(slots)")
    }
    for position in slots.indices {
      var without = translation
      let slot = without.remove(at: position)
      #expect(slot == slots[position])
      var rest = slots
      rest.remove(at: position)
      body(without, rest, "removal of \(position) of \(slots)")
      for destination in slots.indices {
        var moved = translation
        moved.move(from: position, to: destination)
        var after = slots
        after.insert(after.remove(at: position), at: destination)
        body(moved, after, "move of \(position) to \(destination) in \(slots)")
      }
    }
  }

  /// Every mixture of up to four leaves and nodes, every edit, and every second one after it up to three.
  @Test func everyPairOfEdits() {
    Exhaustive.forEachVector(over: [false, true], upTo: 4) { isNode in
      let slots = model(isNode)
      let translation = BranchTranslation(isNode: isNode)
      check(translation, slots, "\(isNode)")
      forEachEdit(translation, slots) { translation, slots, what in
        check(translation, slots, what)
        guard isNode.count < 3 else { return }
        forEachEdit(translation, slots) { check($0, $1, "\(what), \($2)") }
      }
    }
  }

  /// Every set of nodes that report: each change arrives below its node's position.
  @Test func reportsArriveBelowTheirNodes() {
    Exhaustive.forEachVector(over: [false, true], upTo: 4) { isNode in
      let slots = model(isNode)
      let translation = BranchTranslation(isNode: isNode)
      let nodes = slots.indices.filter { slots[$0] != nil }
      for reporting in Exhaustive.subsets(of: nodes.count) where !reporting.isEmpty {
        for updatesValue in [false, true] {
          let changes = reporting.map { number in
            (
              position: nodes[number],
              change: ChangeSet(.insertion(0..<number + 1), updatesValue: updatesValue)
            )
          }
          let reports = changes.map { SourceChange(slot: slots[$0.position]!, change: $0.change) }
          let updates = updatesValue ? changes.map { $0.position..<$0.position + 1 } : []
          let expected = ChangeSet(delta: Delta(updates: updates), children: changes)
          #expect(SourceChanges(reports).wrapped { translation.position(ofSlot: $0) } == expected)
          #expect(SourceChanges(reports.reversed()).wrapped { translation.position(ofSlot: $0) } == expected)
        }
      }
    }
  }

  @Test func anUpdateOfTheValueAloneIsAnUpdateOfTheChild() {
    let translation = BranchTranslation(isNode: [false, true])
    let changes = SourceChanges([SourceChange(slot: 0, change: ChangeSet(updatesValue: true))])
    let change = changes.wrapped { translation.position(ofSlot: $0) }
    #expect(change == ChangeSet(.update(1..<2)))
  }
}
