@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import TestSupport
import Testing

/// `BranchTranslation` alone, compared with an array of slots.
@Suite struct BranchTranslationTests {
  /// Returns the slot of each child, nil for a leaf.
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

  /// Calls `body` with the result of every edit of `slots`.
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

  /// Every mixture of up to four leaves and nodes, and every edit. Of up to two children, also every second edit.
  @Test func everyPairOfEdits() {
    Exhaustive.forEachVector(over: [false, true], upTo: 4) { isNode in
      let slots = model(isNode)
      let translation = BranchTranslation(isNode.run)
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
      let translation = BranchTranslation(isNode.run)
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

  /// Random edits, mostly of nodes. The numbers of children and of nodes pass the limits at which they are stored in
  /// another way.
  @Test func randomEditsOfManyChildren() {
    var most = 0
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("branch-translation", iteration: iteration)
      // Every other script has more nodes than fit in a word, whatever is drawn.
      let count = Int.random(in: iteration % 2 == 0 ? 100...120 : 40...80, using: &generator)
      let isNode = (0..<count).map { _ in
        Int.random(in: 0..<8, using: &generator) > 0
      }
      var slots = model(isNode)
      var translation = BranchTranslation(isNode.run)
      var done: Set<String> = []
      for step in 0..<160 {
        let position = Int.random(in: 0...slots.count, using: &generator)
        let isLast = position == slots.count
        switch Int.random(in: 0..<(step < 80 ? 8 : 5), using: &generator) {
        case 0 where !isLast, 1 where !isLast:
          #expect(translation.remove(at: position) == slots.remove(at: position))
          done.insert("remove")
        case 2 where !isLast, 3 where !isLast:
          let destination = Int.random(in: 0..<slots.count, using: &generator)
          translation.move(from: position, to: destination)
          slots.insert(slots.remove(at: position), at: destination)
          done.insert("move")
        case 4:
          translation.insertLeaf(at: position)
          slots.insert(nil, at: position)
          done.insert("leaf")
        default:
          let slot = translation.insertNode(at: position)
          #expect(!slots.contains(slot), "the slot of a new node is in use")
          slots.insert(slot, at: position)
          done.insert("node")
        }
        most = max(most, slots.count { $0 != nil })
        check(translation, slots, "step \(step) of iteration \(iteration)")
      }
      #expect(done == ["remove", "move", "leaf", "node"])
    }
    #expect(most > 64)
  }

  @Test func anUpdateOfTheValueAloneIsAnUpdateOfTheChild() {
    let translation = BranchTranslation([false, true].run)
    let changes = SourceChanges([SourceChange(slot: 0, change: ChangeSet(updatesValue: true))])
    let change = changes.wrapped { translation.position(ofSlot: $0) }
    #expect(change == ChangeSet(.update(1..<2)))
  }
}

extension [Bool] {
  fileprivate var run: BitRun {
    var run = BitRun(repeating: false, count: count)
    for (position, bit) in enumerated() { run.set(position, to: bit) }
    return run
  }
}
