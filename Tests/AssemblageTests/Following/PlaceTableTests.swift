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
}
