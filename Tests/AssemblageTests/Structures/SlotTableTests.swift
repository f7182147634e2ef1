@testable import Assemblage
import AssemblageTesting
import TestSupport
import Testing

/// Values in slots, compared with a dictionary. A copy is a value of its own.
@Suite struct SlotTableTests {
  @Test func tablesOfSlotsAreValues() {
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = TestSeed.generator("slot-table", iteration: iteration)
      var table = SlotTable(Array(0..<Int.random(in: 0...5, using: &generator)))
      var model = Dictionary(
        uniqueKeysWithValues: (0..<table.capacity).compactMap { slot in table[slot].map { (slot, $0) } })
      var (copy, copied) = (table, model)
      for step in 0..<60 {
        let slot = Int.random(in: 0..<20, using: &generator)
        switch Int.random(in: 0...5, using: &generator) {
        case 0: (copy, copied) = (table, model)
        case 1 where slot < table.capacity:
          table.remove(at: slot)
          model[slot] = nil
        default:
          table.insert(step, at: slot)
          model[slot] = step
        }
        for (table, model) in [(table, model), (copy, copied)] {
          #expect((0..<table.capacity).allSatisfy { table[$0] == model[$0] })
          #expect(model.keys.allSatisfy { $0 < table.capacity })
        }
      }
      #expect(table.removeAll() == model.sorted { $0.key < $1.key }.map(\.value))
      #expect((0..<table.capacity).allSatisfy { table[$0] == nil })
    }
  }

  @Test func tablesOfSlotsReleaseTheirValues() throws {
    try withLifetimeTracking { tracker in
      var table = SlotTable(tracker.track([1, 2]))
      let copy = table
      table.remove(at: 0)
      #expect(table[0] == nil && copy[0]?.payload == 1)
    }
  }
}
