@testable import Assemblage
import AssemblageTesting
import Foundation
import OffsetIndexing
import TestSupport
import Testing

/// `GroupTranslation`, `GroupPlan` and `KeyOrder` alone, compared with a model that knows every row. The key of a row
/// is its slot.
@Suite struct GroupTranslationTests {
  /// Slots with keys that are equal for the comparator have the same class. Without a comparator, all have the same
  /// class.
  private struct Model {
    var slots: [Int]
    let classes: [Int]?
    let keepsEmptySections: Bool
    /// The sections that stay without rows, in the order in which they lost their rows.
    var emptied: [Int] = []

    /// The sections that are shown, in order.
    var display: [Int] {
      func rank(_ slot: Int) -> (Int, Int, Int) {
        (
          slot == 0 ? .max : classes?[slot] ?? 0, slots.firstIndex(of: slot) ?? .max, emptied.firstIndex(of: slot) ?? 0
        )
      }
      return (Set(slots).union(emptied)).sorted { rank($0) < rank($1) }
    }

    /// Returns the path of a row.
    func path(_ position: Int) -> IndexPath {
      let row = slots[..<position].count { $0 == slots[position] }
      return [display.firstIndex(of: slots[position])!, row]
    }

    mutating func show(_ next: [Int]) {
      let former = display
      slots = next
      emptied.removeAll { slots.contains($0) }
      if keepsEmptySections { emptied += former.filter { !slots.contains($0) && !emptied.contains($0) } }
    }
  }

  private static let slotCount = 5
  private static let classes: [[Int]?] = [nil, [0, 3, 1, 3, 1], [0, 4, 3, 2, 1]]

  private func order(_ classes: [Int]?, of slots: [Int]) -> KeyOrder? {
    classes.map { classes in
      KeyOrder(slots.sorted { (classes[$0], $0) < (classes[$1], $1) }) { classes[$0] < classes[$1] }
    }
  }

  /// Random changes. The test checks the places of all sections and rows, and the reported moves to these places.
  @Test(arguments: 0..<3, [false, true]) func scriptsAgreeWithAModel(_ kind: Int, _ keepsEmptySections: Bool) {
    var made: [String: Int] = [:]
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = TestSeed.generator("group-translation/\(kind)", iteration: iteration)
      func slot() -> Int { Int.random(in: 0..<Self.slotCount, using: &generator) }
      // At first every slot but 0 is in use, in the order of first rows.
      let slots = (1..<Self.slotCount) + (0..<Int.random(in: 0...8, using: &generator)).map { _ in slot() }
      var model = Model(slots: slots, classes: Self.classes[kind], keepsEmptySections: keepsEmptySections)
      var translation = GroupTranslation(
        slots, slotCount: Self.slotCount, order: order(model.classes, of: Array(1..<Self.slotCount)),
        keepsEmptySections: keepsEmptySections)
      for step in 0..<8 {
        let edit = DeltaModel.random(oldCount: model.slots.count, using: &generator, made: &made)
        let isRegrouped = step == 5
        let delta = isRegrouped ? Delta() : edit.delta
        let origins = isRegrouped ? model.slots.indices.map(Optional.some) : edit.origins
        let next = origins.enumerated().map { position, origin in
          guard let origin, !isRegrouped, !edit.isUpdated[position] else { return slot() }
          return model.slots[origin]
        }
        let before = model
        model.show(next)
        let plan =
          isRegrouped
          ? translation.regroup(next, slotCount: Self.slotCount)
          : translation.translate(
            ChangeSet(delta), inserted: delta.insertions.joined().map { next[$0] },
            updated: delta.updates.joined().map { next[$0] }, slotCount: Self.slotCount)

        let place = "script \(iteration), step \(step): \(before.slots) to \(next)"
        #expect(translation.display.map(\.number) == model.display, "\(place)")
        for (ordinal, slot) in model.display.enumerated() {
          #expect(translation.slot(at: ordinal) == slot && translation.ordinal(ofSlot: slot) == ordinal)
          #expect(plan.whole.delta.position(before: ordinal) == before.display.firstIndex(of: slot), "\(place)")
        }
        for (position, origin) in origins.enumerated() {
          #expect(plan.whole.path(before: model.path(position)) == origin.map { before.path($0) }, "\(place)")
          let place = translation.rows.place(of: position)
          #expect(model.path(position) == [translation.ordinal(ofSlot: place.slot)!, place.row])
        }
        for slot in 0..<Self.slotCount {
          #expect(translation.isUnused(slot) == !model.display.contains(slot))
          let section = plan.sections[slot]?.change.delta ?? Delta()
          let former = before.slots.indices.filter { before.slots[$0] == slot }
          let present = next.indices.filter { next[$0] == slot }
          for (row, position) in present.enumerated() {
            #expect(section.position(before: row) == origins[position].flatMap { former.firstIndex(of: $0) })
          }
        }
      }
    }
    #expect(made.count == 5 || TestSeed.isResized)
  }

  /// Single rows that arrive and leave. The short way gives the same results as the general way.
  @Test(arguments: 0..<3, [false, true]) func singleRowsAreTranslatedLikeOthers(
    _ kind: Int, _ keepsEmptySections: Bool
  ) {
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = TestSeed.generator("group-translation/single/\(kind)", iteration: iteration)
      func slot() -> Int { Int.random(in: 0..<Self.slotCount, using: &generator) }
      var slots = (1..<Self.slotCount) + (0..<Int.random(in: 0...20, using: &generator)).map { _ in slot() }
      var translation = GroupTranslation(
        slots, slotCount: Self.slotCount, order: order(Self.classes[kind], of: Array(1..<Self.slotCount)),
        keepsEmptySections: keepsEmptySections)
      for step in 0..<20 {
        var other = translation
        let result: GroupTranslation.RowStep
        let plan: GroupPlan
        if slots.isEmpty || generator.chance(2, in: 5) {
          let (position, slot) = (Int.random(in: 0...slots.count, using: &generator), slot())
          slots.insert(slot, at: position)
          let change = ChangeSet(.insertion(position..<position + 1))
          result = translation.insertRow(change, at: position, inSlot: slot, slotCount: Self.slotCount)
          plan = other.translate(change, inserted: [slot], updated: [], slotCount: Self.slotCount)
        } else {
          let position = Int.random(in: 0..<slots.count, using: &generator)
          slots.remove(at: position)
          let change = ChangeSet(.removal(position..<position + 1))
          result = translation.removeRow(change, at: position)
          plan = other.translate(change, inserted: [], updated: [], slotCount: Self.slotCount)
        }
        let whole: ChangeSet
        switch result {
        case .inside(let slot, let ordinal, let delta):
          whole = ChangeSet(delta: Delta(), children: [(ordinal, ChangeSet(delta))])
          #expect(plan.sections[slot]?.change == ChangeSet(delta))
        case .several(let plan): whole = plan.whole
        }
        let isRight =
          whole == plan.whole && translation.display.map(\.number) == other.display.map(\.number)
          && slots.indices.allSatisfy { translation.rows.place(of: $0) == other.rows.place(of: $0) }
        #expect(isRight, "script \(iteration), step \(step): \(slots): \(whole), not \(plan.whole)")
      }
    }
  }

  /// Other comparators need the fewest moves.
  @Test func reorderingSaysWhereSectionsGo() {
    var translation = GroupTranslation([1, 2, 3, 4, 0], slotCount: 5, order: nil, keepsEmptySections: false)
    #expect(translation.display.map(\.number) == [1, 2, 3, 4, 0])
    #expect(translation.reorder(by: order(Self.classes[2], of: [1, 2, 3, 4])).moves.count == 3)
    #expect(translation.display.map(\.number) == [4, 3, 2, 1, 0])
    #expect(translation.reorder(by: order(Self.classes[1], of: [1, 2, 3, 4])).moves.count == 2)
    #expect(translation.display.map(\.number) == [2, 4, 1, 3, 0])
    #expect(translation.reorder(by: order(Self.classes[1], of: [1, 2, 3, 4])) == Delta())
  }

  /// A sorted list of keys, some of them equal, with insertions and removals one by one.
  @Test func keysStandInTheOrderOfTheComparator() {
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("key-order", iteration: iteration)
      let keys = (0..<12).map { _ in Int.random(in: 0...4, using: &generator) }
      func isLess(_ slot: Int, _ other: Int) -> Bool { keys[slot] < keys[other] }
      var order = KeyOrder((0..<4).sorted(by: isLess), isLess: isLess)
      var known = Set(0..<4)
      for _ in 0..<20 {
        let slot = Int.random(in: 0..<12, using: &generator)
        if known.remove(slot) != nil {
          order.remove(slot)
        } else {
          order.insert(slot, at: order.place(of: slot, isLess: isLess))
          known.insert(slot)
        }
        let ranks = Set(known.map { keys[$0] }).sorted()
        for slot in 0..<12 {
          #expect(order.contains(slot) == known.contains(slot))
          if known.contains(slot) { #expect(order.rank(ofSlot: slot) == ranks.firstIndex(of: keys[slot])! + 1) }
        }
      }
    }
  }
}
