@testable import Assemblage
import TestSupport
import Testing

@Suite struct PlaceTableTests {
  private enum Edit: CaseIterable { case set, setNone, remove }

  private func check(_ table: PlaceTable<Int>, _ model: [Int: Int], places: Int) throws {
    try #require(table.count == model.count)
    for place in 0...places { try #require(table[place] == model[place]) }
    for id in 0...4 {
      var found: [Int] = []
      var next = table.first(id)
      while let place = next {
        found.append(place)
        next = table.next(place)
      }
      try #require(found.sorted() == model.filter { $0.value == id }.keys.sorted())
    }
  }

  /// Few ids and more places, so that chains are long and are cut at every link.
  @Test func itFindsPlacesAsADictionaryDoes() throws {
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("place table", iteration: iteration)
      var table = PlaceTable<Int>()
      var model: [Int: Int] = [:]
      for _ in 0..<TestSeed.length(80) {
        let edit = tally.random(using: &generator)
        let place = Int.random(in: 0..<12, using: &generator)
        switch edit {
        case .set:
          let id = Int.random(in: 0...3, using: &generator)
          table.set(id, at: place)
          model[place] = id
        case .setNone:
          table.set(nil, at: place)
          model[place] = nil
        case .remove:
          table.remove(place)
          model[place] = nil
        }
        tally.count(edit)
        try check(table, model, places: 12)
      }
    }
    try tally.check()
  }

  /// A removal takes no search along the chain: otherwise this test would take k² steps for k places.
  @Test(arguments: [false, true]) func manyPlacesWithOneIDLeave(newestFirst: Bool) {
    let count = 100_000
    var table = PlaceTable<Int>()
    table.set(1, at: count)
    for place in 0..<count { table.set(0, at: place) }
    for step in 0..<count { table.remove(newestFirst ? count - 1 - step : step) }
    #expect(table.count == 1 && table.first(0) == nil && table.first(1) == count)
  }
}
