@testable import Assemblage
import TestSupport
import Testing

/// A level against an array of its children, with lists and with tables.
@Suite struct OutlineLevelTests {
  /// The extra rows and the record of each child; -1: none.
  private struct Model {
    var children: [(extra: Int, record: Int)] = []

    var rows: [OutlineLevel.Location] {
      children.enumerated().flatMap { position, child in
        [OutlineLevel.Location(position: position, record: child.record)]
          + (0..<child.extra).map {
            OutlineLevel.Location(position: position, record: child.record, inside: $0)
          }
      }
    }

    func entries(in range: Range<Int>) -> [OutlineLevel.Entry] {
      range.filter { children[$0].record >= 0 }.map {
        OutlineLevel.Entry(position: $0, extra: children[$0].extra, record: children[$0].record)
      }
    }
  }

  @Test(arguments: [0, 1, 10, 200]) func aLevelIsAnArrayOfChildren(_ initial: Int) {
    for iteration in 0..<TestSeed.iterations(4) {
      var generator = TestSeed.generator("outline level \(initial)", iteration: iteration)
      var model = Model()
      var records = 0
      for _ in 0..<initial {
        records += 1
        let hasRecord = generator.chance(1, in: 2)
        model.children.append(
          (hasRecord ? Int.random(in: 0...3, using: &generator) : 0, hasRecord ? records : -1))
      }
      var level = OutlineLevel(count: initial, entries: model.entries(in: 0..<initial))
      check(level, model)
      for _ in 0..<TestSeed.length(60) {
        let count = model.children.count
        switch Int.random(in: 0..<5, using: &generator) {
        case 0:
          let position = Int.random(in: 0...count, using: &generator)
          let added = Int.random(in: 1...5, using: &generator)
          level.insertChildren(added, at: position)
          model.children.insert(contentsOf: Array(repeating: (0, -1), count: added), at: position)
        case 1:
          let range = generator.range(in: count, longest: 6)
          #expect(level.removeChildren(range) == model.entries(in: range))
          model.children.removeSubrange(range)
        case 2, 3:
          guard let position = model.children.indices.randomElement(using: &generator) else { continue }
          if model.children[position].record >= 0 {
            level.addExtra(2, ofRecord: model.children[position].record)
            model.children[position].extra += 2
          } else {
            records += 1
            model.children[position] = (Int.random(in: 0...2, using: &generator), records)
            level.insert(
              OutlineLevel.Entry(position: position, extra: model.children[position].extra, record: records))
          }
        default:
          guard let entry = model.entries(in: 0..<count).randomElement(using: &generator) else { continue }
          level.remove(record: entry.record)
          model.children[entry.position] = (0, -1)
        }
        check(level, model)
      }
    }
  }

  /// Among billions of children, where a gap needs more than 32 bits from the beginning, or at last.
  @Test(arguments: [9_000_000_000, 4_000_000_000]) func aLevelMayHaveBillionsOfChildren(_ count: Int) {
    var level = OutlineLevel(count: count, entries: [OutlineLevel.Entry(position: 1, extra: 2, record: 5)])
    level.insert(OutlineLevel.Entry(position: count - 1, extra: 3, record: 6))
    level.insertChildren(8_000_000_000, at: 2)
    let last = count - 1 + 8_000_000_000
    #expect(level.count == last + 1 && level.total == last + 6)
    #expect(level.place(ofChild: last) == OutlineLevel.Place(row: last + 2, record: 6))
    #expect(level.place(ofRecord: 5) == (1, 1))
    #expect(level.locate(last + 4) == OutlineLevel.Location(position: last, record: 6, inside: 1))
    #expect(level.removeChildren(0..<last) == [OutlineLevel.Entry(position: 1, extra: 2, record: 5)])
    #expect(level.entries == [OutlineLevel.Entry(position: 0, extra: 3, record: 6)] && level.total == 4)
  }

  private func check(_ level: OutlineLevel, _ model: Model) {
    let rows = model.rows
    let count = model.children.count
    #expect(level.count == count)
    #expect(level.total == rows.count)
    #expect(rows.indices.map { level.locate($0) } == rows)
    #expect(level.entries == model.entries(in: 0..<count))
    var row = 0
    for (position, child) in model.children.enumerated() {
      #expect(level.place(ofChild: position) == OutlineLevel.Place(row: row, record: child.record))
      if child.record >= 0 { #expect(level.place(ofRecord: child.record) == (position, row)) }
      let next = model.entries(in: position..<count).first { $0.extra > 0 }
      #expect(level.nextEntry(from: position) == next)
      row += 1 + child.extra
    }
    #expect(level.place(ofChild: count).row == row)
    let middle = count / 3..<count * 2 / 3
    #expect(level.rows(ofChildren: middle).count == model.children[middle].reduce(0) { $0 + 1 + $1.extra })
    let own = rows.indices.filter { rows[$0].inside < 0 && (count / 3..<count).contains(rows[$0].position) }
    #expect(level.ownRows(ofChildren: count / 3..<count).flatMap(Array.init) == own)
  }
}
