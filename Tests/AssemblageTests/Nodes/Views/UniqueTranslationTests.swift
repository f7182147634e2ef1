@testable import Assemblage
import AssemblageTesting
import OffsetIndexing
import TestSupport
import Testing

/// `UniqueTranslation` alone, compared with a model that knows every child's slot.
@Suite struct UniqueTranslationTests {
  /// Returns the children that are shown: the first of each slot, and all of slot 0.
  private func shown(_ slots: [Int]) -> [Int] {
    slots.indices.filter { slots[$0] == 0 || slots.firstIndex(of: slots[$0]) == $0 }
  }

  /// Random changes. The test checks the shown children, and the reports of children that stay shown and of ids that
  /// other children show now.
  @Test func scriptsAgreeWithAModel() {
    var made: [String: Int] = [:]
    for iteration in 0..<TestSeed.iterations(200) {
      var generator = TestSeed.generator("unique-translation", iteration: iteration)
      func slot() -> Int { Int.random(in: 0...4, using: &generator) }
      var slots = (0..<Int.random(in: 0...10, using: &generator)).map { _ in slot() }
      // In every other script, children are nodes. A node is never reported as another node.
      let areNodes = iteration % 2 == 0
      var translation = UniqueTranslation(
        slots, slotCount: 5, isNode: slots.map { _ in areNodes })
      for step in 0..<8 {
        let edit = DeltaModel.random(oldCount: slots.count, using: &generator, made: &made)
        let delta = edit.delta
        let next = edit.origins.enumerated().map { position, origin in
          guard let origin, !edit.isUpdated[position] else { return slot() }
          return slots[origin]
        }
        let asked = Array(delta.insertions.joined()) + Array(delta.updates.joined())
        var freed: [Int] = []
        let change = translation.translate(
          ChangeSet(delta), inserted: delta.insertions.joined().map { next[$0] },
          updated: delta.updates.joined().map { next[$0] },
          isNode: Dictionary(uniqueKeysWithValues: asked.map { ($0, areNodes) }), freed: &freed)

        let place = "script \(iteration), step \(step): \(slots) to \(next): \(change)"
        let (before, after) = (shown(slots), shown(next))
        #expect((0..<after.count).map { translation.visible.select($0) } == after, "\(place)")
        #expect(Set(freed) == Set(slots).subtracting(next).subtracting([0]), "\(place)")
        for (rank, position) in after.enumerated() {
          let former = change.delta.position(before: rank)
          if let origin = edit.origins[position], let rank = before.firstIndex(of: origin) {
            #expect(former == rank, "a child that was shown stays the same: \(place)")
          } else if let former {
            // Another child, but the same id.
            #expect(!areNodes && slots[before[former]] == next[position] && next[position] > 0, "\(place)")
            #expect(change.delta.updates.contains(position: rank), "\(place)")
          } else if !areNodes, next[position] > 0, let first = slots.firstIndex(of: next[position]) {
            // The former first child of the id is still shown, with another id.
            #expect(edit.origins.firstIndex(of: first).map { after.contains($0) } == true, "\(place)")
          }
        }
        slots = next
      }
    }
    #expect(made.count == 5 || TestSeed.isResized)
  }

  /// Single children that arrive and leave. The short way gives the same results as the general way.
  @Test func singleChildrenAreTranslatedLikeOthers() {
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("unique-translation/single", iteration: iteration)
      let slotCount = Int.random(in: 2...30, using: &generator)
      func slot() -> Int { Int.random(in: 0..<slotCount, using: &generator) }
      var slots = (0..<Int.random(in: 0...60, using: &generator)).map { _ in slot() }
      var translation = UniqueTranslation(slots, slotCount: slotCount, isNode: slots.map { _ in false })
      for step in 0..<20 {
        var other = translation
        let change: ChangeSet
        var freed: [Int] = []
        let result: (delta: Delta, freed: Int?)
        if slots.isEmpty || Bool.random(using: &generator) {
          let (position, slot) = (Int.random(in: 0...slots.count, using: &generator), slot())
          slots.insert(slot, at: position)
          result = (translation.insert(at: position, inSlot: slot), nil)
          change = other.translate(
            ChangeSet(.insertion(position..<position + 1)), inserted: [slot], updated: [], isNode: [:], freed: &freed)
        } else {
          let position = Int.random(in: 0..<slots.count, using: &generator)
          slots.remove(at: position)
          result = translation.remove(at: position)
          change = other.translate(
            ChangeSet(.removal(position..<position + 1)), inserted: [], updated: [], isNode: [:], freed: &freed)
        }
        let isRight =
          ChangeSet(result.delta) == change && result.freed == freed.first && freed.count < 2
          && translation.visible == other.visible
          && (0..<translation.visible.setCount).map { translation.visible.select($0) } == shown(slots)
        #expect(isRight, "script \(iteration), step \(step): \(slots): \(result), not \(change)")
      }
    }
  }
}
