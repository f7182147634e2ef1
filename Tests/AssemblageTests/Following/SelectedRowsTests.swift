@testable import Assemblage
import OffsetIndexing
import TestSupport
import Testing

@Suite struct SelectedRowsTests {
  private enum Edit: CaseIterable {
    case select, deselect, deselectAll, replaceAll, translate, rename
  }

  /// The ids of the rows, the selected rows, and the selected rows that have left.
  private struct Model {
    var ids: [Int]
    var selected: [Bool]
    var absent: Set<Int> = []

    /// Follows rows that leave, move and arrive. A selected row that returns is selected again.
    mutating func replace(by new: [Int]) -> (hasLost: Bool, hasFound: Bool) {
      let chosen = Set(ids.indices.filter { selected[$0] }.map { ids[$0] })
      let lost = chosen.subtracting(new)
      let found = absent.intersection(new)
      absent = absent.union(lost).subtracting(found)
      ids = new
      selected = new.map { chosen.contains($0) || found.contains($0) }
      return (!lost.isEmpty, !found.isEmpty)
    }

    func check(_ rows: SelectedRows<Int>) throws {
      try #require(rows.bits.count == ids.count && rows.bits.setCount == selected.count { $0 })
      let ranges = rows.ranges
      try #require(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
      try #require(ranges.flatMap(Array.init) == ids.indices.filter { selected[$0] })
      guard rows.keepsIDs else { return }
      try #require(rows.ids.elements(in: 0..<rows.ids.count) == ids.indices.filter { selected[$0] }.map { ids[$0] })
      try #require(rows.absent == absent)
    }
  }

  @Test(arguments: [true, false]) func itSelectsAsAListOfFlagsDoes(keepsIDs: Bool) throws {
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("selected rows \(keepsIDs)", iteration: iteration)
      let count = Int.random(in: 0...12, using: &generator)
      var model = Model(ids: Array(0..<count), selected: Array(repeating: false, count: count))
      var rows = SelectedRows<Int>(count: count, keepsIDs: keepsIDs)
      var nextID = count
      for _ in 0..<TestSeed.length(60) {
        let edit = tally.random(using: &generator)
        let range = generator.range(in: model.ids.count)
        let named: [Int?] = keepsIDs ? Array(model.ids[range]) : []
        let before = model.selected
        switch edit {
        case .select:
          for row in range { model.selected[row] = true }
          let isChanged = rows.select(range, named)
          #expect(isChanged == (model.selected != before))
        case .deselect:
          for row in range { model.selected[row] = false }
          let isChanged = rows.deselect(range)
          #expect(isChanged == (model.selected != before))
        case .deselectAll:
          model.selected = before.map { _ in false }
          model.absent = []
          let isChanged = rows.deselectAll()
          #expect(isChanged == (model.selected != before))
        case .replaceAll:
          guard let row = model.ids.indices.randomElement(using: &generator) else { continue }
          model.selected = model.ids.indices.map { $0 == row }
          model.absent = []
          let isChanged = rows.replaceAll(by: row, keepsIDs ? [model.ids[row]] : [])
          #expect(isChanged == (model.selected != before))
        case .translate:
          var new = model.ids.filter { _ in !generator.chance(1, in: 5) }
          if generator.chance(1, in: 2) { new.shuffle(using: &generator) }
          for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let absent = model.absent.subtracting(new).sorted()
            let id = generator.chance(1, in: 2) ? absent.randomElement(using: &generator) : nil
            if id == nil { nextID += 1 }
            new.insert(id ?? nextID, at: Int.random(in: 0...new.count, using: &generator))
          }
          let delta = Delta(from: model.ids, to: new)
          let (hasLost, hasFound) = model.replace(by: new)
          let toldLoss = rows.translate(delta)
          #expect(toldLoss == hasLost)
          if !keepsIDs { model.absent = [] }
          let strangers = rows.strangers(in: delta).flatMap { range in range.map { (row: $0, id: Int?(new[$0])) } }
          #expect(rows.recognize(strangers).returned == (keepsIDs && hasFound))
        case .rename:
          guard let row = model.ids.indices.randomElement(using: &generator) else { continue }
          nextID += 1
          model.ids[row] = nextID
          let strangers = rows.strangers(in: .update(row..<row + 1))
          try #require(
            strangers.flatMap(Array.init) == (keepsIDs && (model.selected[row] || !model.absent.isEmpty) ? [row] : []))
          let recognition = rows.recognize(strangers.flatMap { $0.map { ($0, nextID) } })
          #expect(!recognition.returned && recognition.renamed == (keepsIDs && model.selected[row]))
        }
        tally.count(edit)
        try model.check(rows)
      }
    }
    try tally.check()
  }
}
