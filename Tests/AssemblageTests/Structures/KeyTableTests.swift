@testable import Assemblage
import AssemblageTesting
import TestSupport
import Testing

/// Keys and their slots, compared with a dictionary.
@Suite struct KeyTableTests {
  @Test func slotsAreGivenAgain() {
    let table = KeyTable<String>()
    #expect([nil, "a", "b", "a"].map { table.slot(for: $0) } == [0, 1, 2, 1])
    table.remove(slot: 1)
    table.remove(slot: 0)
    #expect(table.known("a") == nil && table.known("b") == 2 && table.known(nil) == 0)
    #expect(table.slot(for: "c") == 1 && table.slot(for: "a") == 3)
  }

  @Test func keysKeepTheirSlots() {
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = TestSeed.generator("key-table", iteration: iteration)
      let table = KeyTable<Int>()
      var model: [Int: Int] = [:]
      for _ in 0..<60 {
        let key = Int.random(in: 0..<10, using: &generator)
        if let slot = model[key], Bool.random(using: &generator) {
          table.remove(slot: slot)
          model[key] = nil
        } else {
          let slot = table.slot(for: key)
          #expect(model[key] ?? slot == slot && slot > 0 && model.allSatisfy { $0 == key || $1 != slot })
          model[key] = slot
        }
        for key in 0..<10 { #expect(table.known(key) == model[key]) }
        for (key, slot) in model { #expect(table.keys[slot] == key) }
        #expect(table.keys.count <= 11)
      }
    }
  }
}
