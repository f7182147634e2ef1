@testable import Assemblage
import TestSupport
import Testing

/// Totals of a tree that is edited at random, compared with sums over a walk.
@Suite struct PlaceTotalsTests {
  /// The value of each element; the root has the id 0.
  private struct Model {
    var walked: WalkedTree
    var values: [Int: Int] = [:]

    /// The path of each element, including the root's.
    var paths: [Int: [Int]] { walked.paths.merging([0: []]) { first, _ in first } }

    func ids(below path: [Int]) -> [Int] { paths.filter { $0.value.starts(with: path) }.map(\.key) }

    func check(_ totals: PlaceTotals<Int>) throws {
      totals.checkInvariants()
      let valued = paths.filter { values[$0.key, default: 0] != 0 }.values
        .sorted { $0.lexicographicallyPrecedes($1) }
      for path in paths.values {
        let sum = ids(below: path).reduce(0) { $0 + values[$1, default: 0] }
        try #require(totals.total(at: path) == sum, "at \(path)")
        guard let place = totals.tree.place(at: path) else { continue }
        let below = valued.filter { $0.starts(with: path) }
        try #require(totals.paths(below: place) == below)
      }
      try #require(totals.total == values.values.reduce(0, +))
      let places = Set(valued.flatMap { path in (0...path.count).map { Array(path.prefix($0)) } } + [[]])
      try #require(totals.tree.count == places.count)
    }
  }

  private enum Edit: CaseIterable { case setOne, setRun, removeAll, follow }

  @Test func totalsAreSumsOverAWalk() throws {
    var tally = OperationTally<Edit>()
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("place totals", iteration: iteration)
      let script = TreeScript(&generator)
      var changes: [ChangeSet] = []
      let token = script.root.observe { changes.append($0) }
      var totals = PlaceTotals<Int>(Monoid(identity: 0, combine: +))
      var model = Model(walked: WalkedTree(script.root))
      for _ in 0..<TestSeed.length(40) {
        let edit = tally.random(using: &generator)
        let (id, path) = model.paths.sorted { $0.key < $1.key }.randomElement(using: &generator)!
        let before = model.values
        switch edit {
        case .setOne:
          let value = Int.random(in: 0...2, using: &generator)
          totals.set(value, at: place(at: path, in: &totals))
          totals.prune()
          model.values[id] = value
        case .setRun:
          let children = model.walked.children[id == 0 ? nil : id] ?? []
          let range = generator.range(in: children.count)
          let values = range.map { _ in Int.random(in: 0...2, using: &generator) }
          totals.set(values, from: range.lowerBound, in: place(at: path, in: &totals))
          totals.prune()
          for (child, value) in zip(children[range], values) { model.values[child] = value }
        case .removeAll:
          guard let place = totals.tree.place(at: path) else { continue }
          totals.removeAll(below: place)
          for id in model.ids(below: path) { model.values[id] = nil }
        case .follow:
          script.step(using: &generator)
          model.walked = WalkedTree(script.root)
          for change in changes { totals.finish(totals.follow(change)) }
          changes = []
          model.values = model.values.filter { model.paths[$0.key] != nil }
        }
        tally.count(edit)
        try model.check(totals)
        let hasChanged = totals.takeChange()
        if model.values.values.reduce(0, +) != before.values.reduce(0, +) { #expect(hasChanged) }
        let changesAgain = totals.takeChange()
        #expect(!changesAgain)
      }
      token.cancel()
    }
    try tally.check()
  }

  /// Returns the place at a path, and makes the places that are not known yet.
  private func place(at path: [Int], in totals: inout PlaceTotals<Int>) -> Int {
    path.reduce(PlaceTree.root) { totals.makePlace(at: $1, in: $0) }
  }
}
