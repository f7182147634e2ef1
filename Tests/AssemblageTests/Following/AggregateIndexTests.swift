@testable import Assemblage
import Foundation
import TestSupport
import Testing

@Suite struct AggregateIndexTests: MisuseSuite {
  @Test func theExampleHolds() {
    let work = BranchNode(value: "work", leaves: ["memo", "report"])
    let home = BranchNode(value: "home", leaves: ["letter"])
    let tree = BranchNode([work, home])
    let lengths = AggregateIndex(of: tree, .sum(\.count))
    #expect(lengths.total == 24 && lengths.total(at: [0]) == 14 && lengths.total(at: [0, 1]) == 6)
    tree.move(from: [0, 1], to: [1, 0])
    #expect(lengths.total(at: [0]) == 8 && lengths.total(at: [1]) == 16 && lengths.total(at: []) == 24)
  }

  @Test func theOwnValuesOfBranchesCount() {
    let name = BranchNode(value: "name", leaves: ["Ada", "Lovelace"])
    let form = BranchNode([name, BranchNode(value: "address", leaves: ["London"])])
    let invalid = AggregateIndex(of: form, .sum { $0.isEmpty ? 1 : 0 })
    #expect(invalid.total == 0)
    name.value = ""
    form.value = ""
    #expect(invalid.total == 2 && invalid.total(at: [0]) == 1 && invalid.total(at: [0, 0]) == 0)
    form.value = "form"
    #expect(invalid.total == 1)
  }

  @Test func whatContributesNothingTakesNoMemory() {
    let tree = BranchNode([BranchNode(leaves: 1...100), BranchNode(leaves: 1...100)])
    let index = AggregateIndex(of: tree, .sum { $0 > 99 ? $0 : 0 })
    #expect(index.total == 200 && index.current.tree.count == 5)
    tree.replace(at: [0, 99], with: 1)
    tree.remove(at: [1, 99])
    #expect(index.total == 0 && index.current.tree.count == 1)
    index.checkInvariants()
  }

  @Test func sumsOfFractionsAreZeroWhereNothingIsLeft() {
    let tree = BranchNode([BranchNode(leaves: [0.1, 0.2, 0.3])])
    let index = AggregateIndex(of: tree, .sum { $0 })
    #expect(abs(index.total(at: [0]) - 0.6) < 1e-9)
    for _ in 0..<3 { tree.remove(at: [0, 0]) }
    #expect(index.total(at: [0]) == 0 && index.total == 0)
    tree.insert(0.5, at: [0, 0])
    #expect(index.total(at: [0]) == 0.5)
  }

  @Test func theLatestBelowIsFound() {
    let thread = BranchNode(value: 3, leaves: [8, 5])
    let tree = BranchNode([thread, BranchNode(value: 6)])
    let latest = AggregateIndex(of: tree, .maximum { $0 < 0 ? nil : $0 })
    let earliest = AggregateIndex(of: tree, .minimum { $0 })
    #expect(latest.total == 8 && latest.total(at: [1]) == 6 && earliest.total(at: [0]) == 3)
    thread.remove(at: 0)
    #expect(latest.total(at: [0]) == 5 && latest.total == 6)
    tree.replace(at: [1], with: -1)
    #expect(latest.total(at: [1]) == nil && latest.total == 5 && earliest.total == -1)
  }

  @Test func aSubtreeThatMovesIsNotAskedAgain() {
    let inner = BranchNode(value: 1, leaves: 1...50)
    let tree = BranchNode([BranchNode([inner]), BranchNode<Int>()])
    var calls = 0
    let index = AggregateIndex(
      of: tree,
      .sum { element in
        calls += 1
        return element % 2
      })
    calls = 0
    tree.move(from: [0, 0], to: [1, 0])
    #expect(index.total(at: [1, 0]) == 26 && index.total(at: [0]) == 0 && calls == 0)
    tree.performUpdates {
      inner.append(.leaf(3))
      tree.move(from: [1, 0], to: [0, 0])
      tree.insert(.node(BranchNode<Int>()), at: 0)
      tree.move(from: [1, 0], to: [0, 0])
    }
    #expect(index.total(at: [0, 0]) == 27 && index.total == 27 && calls == 1)
    index.checkInvariants()
  }

  @Test func theClosureMayReadTheIndex() {
    let names = ArrayNode([1, 2])
    var seen: [Int] = []
    var index: AggregateIndex<Int, Int>?
    index = AggregateIndex(
      of: names,
      .sum { element in
        if let index { seen.append(index.total) }
        return element
      })
    names.append(3)
    names[0] = 5
    #expect(index?.total == 10 && seen == [3, 6])
    index = nil
  }

  static let misuses = [
    Misuse("The path [1] is out of range: there is 1 child at [].") {
      _ = AggregateIndex(of: ArrayNode([1]), .sum { $0 }).total(at: [1])
    },
    Misuse("The path [0, 0] leads through [0], which is a leaf.") {
      _ = AggregateIndex(of: ArrayNode([1]), .sum { $0 }).total(at: [0, 0])
    },
    Misuse("ArrayNode<Int> was changed from a closure that must only read") {
      let names = ArrayNode([1])
      _ = AggregateIndex(
        of: names,
        .sum { element in
          names.append(2)
          return element
        })
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test(.smallStack) func aTallChainIsSummedAndReleased() {
    let depth = TallTree.depth
    let bottom = BranchNode<Int>(value: 1)
    var node = bottom
    for _ in 1..<depth { node = BranchNode(value: 1, [.node(node)]) }
    let index = AggregateIndex(of: node, .sum { $0 })
    #expect(index.total == depth)
    bottom.append(.leaf(5))
    #expect(index.total == depth + 5)
    let middle = IndexPath(indexes: repeatElement(0, count: depth / 2))
    #expect(index.total(at: middle) == depth / 2 + 5)
    node.insert(.leaf(0), at: 0)
    node.move(from: [1] + middle, to: [0])
    #expect(index.total(at: [0]) == depth / 2 + 4 && index.total == depth + 5)
    node.remove(at: 0)
    #expect(index.total == depth / 2 + 1)
    index.checkInvariants()
    node.remove(at: 1)
    #expect(index.total == 1)
  }

  // MARK: Random scripts

  /// A sum, which has inverses, and a minimum and a union, which have none.
  private struct Indices {
    let sum: AggregateIndex<Row, Int>
    let least: AggregateIndex<Row, Int?>
    let digits: AggregateIndex<Row, Set<Int>>

    init(_ node: any TreeNode<Row>) {
      sum = AggregateIndex(of: node, .sum(\.contribution))
      least = AggregateIndex(of: node, .minimum(\.rank))
      digits = AggregateIndex(of: node, Aggregate(\.digits, identity: []) { $0.union($1) })
    }

    func check(_ node: any TreeNode<Row>) throws {
      sum.checkInvariants()
      least.checkInvariants()
      digits.checkInvariants()
      let walked = WalkedTree(node)
      var rows: [IndexPath: [Row]] = [[]: node.value.map { [$0] } ?? []]
      for path in walked.paths.values {
        let value = node[IndexPath(indexes: path)]!
        for length in 0...path.count { rows[IndexPath(indexes: path.prefix(length)), default: []].append(value) }
      }
      for (path, rows) in rows {
        try #require(sum.total(at: path) == rows.map(\.contribution).reduce(0, +), "at \(path)")
        try #require(least.total(at: path) == rows.compactMap(\.rank).min(), "at \(path)")
        try #require(digits.total(at: path) == rows.map(\.digits).reduce([]) { $0.union($1) }, "at \(path)")
      }
      try #require(sum.total == rows[[]]!.map(\.contribution).reduce(0, +))
    }
  }

  @Test(arguments: TreeScript.View.allCases)
  func theTotalsAreThoseOfAWalk(view: TreeScript.View) throws {
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("aggregate \(view)", iteration: iteration)
      let script = TreeScript(&generator)
      let node = view.node(script.root)
      let indices = Indices(node)
      let log = UndoLog(of: script.root)
      for _ in 0..<TestSeed.length(30) {
        if view == .treeInTransactions {
          try script.root.performUpdates {
            for _ in 0..<3 {
              script.step(using: &generator)
              if generator.chance(1, in: 4) { try indices.check(node) }
            }
          }
        } else {
          script.step(using: &generator)
        }
        if generator.chance(1, in: 5) { log.undo() }
        if generator.chance(1, in: 5) { log.redo() }
        try indices.check(node)
      }
    }
  }

  @Test func aRollBackIsFollowed() throws {
    try TreeScript.rollBack("aggregate rollback", iterations: 20) { script in
      let indices = Indices(script.root)
      return (reading: { try indices.check(script.root) }, checking: { try indices.check(script.root) })
    }
  }
}

extension Row {
  /// The value that a row adds to the totals. Some values are zero or negative, so that a zero total is not only a
  /// total of no rows.
  fileprivate var contribution: Int { [0, 1, -1, 0, 2][(id + version) % 5] }

  /// Nil for some rows; ties are frequent, so that totals often stay the same.
  fileprivate var rank: Int? { (id + version) % 4 == 0 ? nil : (id * 7 + version) % 6 }

  fileprivate var digits: Set<Int> { id % 3 == 0 ? [] : [version % 10] }
}
