import Assemblage
import AssemblageWidgets
import TestSupport
import Testing

/// A change as splices, with all rows that a widget may ask for between two splices.
@Suite struct RowSplicesTests: MisuseSuite {
  static let misuses = [
    Misuse("RowSplices: the index 1 is out of range 0..<1.") { _ = RowSplices(.insertion(0..<2))[1] }
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test func whatHappensAtOnePlaceIsOneSplice() {
    let delta = Delta(
      removals: [1..<2], insertions: [], updates: [], moves: [Delta.Move(from: 3..<4, to: 0..<1)])
    let splices = RowSplices(delta)
    #expect(splices.map(\.description) == ["0: 0→1", "2: 1→0", "3: 1→0"])
    #expect(splices.row(after: 3, following: 1) == 2)
    #expect(splices.row(after: 2, following: 1) == nil)
    #expect(splices.row(after: 2, following: 3) == 2)
    #expect(RowSplices(Delta(removals: [2..<5], insertions: [2..<3], updates: [])).map(\.description) == ["2: 3→1"])
    #expect(RowSplices(.update(3..<9)).isEmpty)
  }

  @Test func largeReplacementsAreTwoSplices() {
    let delta = Delta(removals: [2..<5], insertions: [2..<6], updates: [])
    #expect(RowSplices(delta, replacingAtMost: 4).map(\.description) == ["2: 3→4"])
    #expect(RowSplices(delta, replacingAtMost: 3).map(\.description) == ["2: 3→0", "2: 0→4"])
    #expect(RowSplices(.insertion(0..<9), replacingAtMost: 3).map(\.description) == ["0: 0→9"])
  }

  /// Every list of up to four rows, in every order. Some rows stay, and some rows are new.
  @Test(arguments: [0, 1, .max]) func everySmallChangeCanBeFollowed(_ limit: Int) {
    var outcomes = (splices: 0, leaving: 0, staying: 0)
    for count in 0...4 {
      let former = Array(0..<count)
      for present in arrangements(of: former + [10, 11], upTo: 4) {
        let delta = Delta(from: former, to: present, id: { $0 })
        let splices = RowSplices(delta, replacingAtMost: limit)
        var rows = former
        for number in 0...splices.count {
          var later = rows
          for splice in splices[number...] { apply(splice, to: &later, of: present) }
          #expect(later == present)
          for row in rows.indices {
            let place = splices.row(after: row, following: number)
            if let place { #expect(present[place] == rows[row]) } else { outcomes.leaving += 1 }
            if place != nil { outcomes.staying += 1 }
          }
          // No row is shown twice.
          let places = rows.indices.compactMap { splices.row(after: $0, following: number) }
          #expect(Set(places).count == places.count)
          if number < splices.count {
            let splice = splices[number]
            if splice.removedCount > 0 { #expect(splices.row(after: splice.position, following: number) == nil) }
            if limit < .max { #expect(splice.removedCount == 0 || splice.insertedCount <= limit) }
            apply(splice, to: &rows, of: present)
            outcomes.splices += 1
          } else {
            #expect(places == Array(present.indices))
          }
        }
      }
    }
    #expect(outcomes.splices > 1_000 && outcomes.leaving > 1_000 && outcomes.staying > 1_000)
  }

  private func apply(_ splice: RowSplices.Splice, to rows: inout [Int], of present: [Int]) {
    let place = splice.position
    rows.replaceSubrange(
      place..<place + splice.removedCount, with: present[place..<place + splice.insertedCount])
  }

  private func arrangements(of rows: [Int], upTo length: Int) -> [[Int]] {
    var result: [[Int]] = [[]]
    var last = result
    for _ in 0..<length {
      last = last.flatMap { list in rows.filter { !list.contains($0) }.map { list + [$0] } }
      result += last
    }
    return result
  }
}
