@testable import Assemblage
import AssemblageTesting
import TestSupport
import Testing

/// Sorts by the totals of an `AggregateIndex`.
@Suite struct AggregateSortingTests: MisuseSuite {
  private struct Sale: Equatable {
    var country: String
    var amount: Int
  }

  @Test func sectionsAreInTheOrderOfTheirTotals() {
    let sales = ArrayNode([
      Sale(country: "France", amount: 30), Sale(country: "Italy", amount: 20), Sale(country: "France", amount: 10),
    ])
    let sections = GroupNode(sales, by: \.country)
    let totals = AggregateIndex(of: sections, .sum(\.amount))
    let sorted = SortNode(sections, by: totals, order: .reverse)
    var changes: [ChangeSet] = []
    let token = sorted.observe { changes.append($0) }
    func countries() -> [String?] { (0..<sorted.count).map { sorted.element(at: [$0, 0])?.country } }
    #expect(countries() == ["France", "Italy"])
    sales.update(at: 1) { $0.amount = 50 }
    #expect(countries() == ["Italy", "France"])
    // The section has moved; only its row has another value.
    #expect(changes.last?.delta == .move(0..<1, to: 1) || changes.last?.delta == .move(1..<2, to: 0))
    #expect(changes.last?.paths.updates == [[0, 0]])
    sales.performUpdates {
      sales.append(Sale(country: "Spain", amount: 45))
      sales.update(at: 0) { $0.country = "Spain" }
      sales.remove(at: 1)
    }
    #expect(countries() == ["Spain", "France"] && totals.total(at: [0]) == 75 && changes.count == 2)
    sorted.setComparator(totals)
    #expect(countries() == ["France", "Spain"] && !sorted.allows(.move(to: 1), at: 0))
    sorted.setComparator(nil)
    sales.append(Sale(country: "France", amount: 99))
    // The sections are in the order of their first sales.
    #expect(countries() == ["Spain", "France"])
    withExtendedLifetime(token) {}
  }

  @Test func foldersAreInTheOrderOfTheirSizes() {
    let letters = BranchNode(value: 0, leaves: [5, 7])
    let home = BranchNode(value: 0, [.leaf(9), .node(letters), .node(BranchNode(value: 0, leaves: [10]))])
    let root = BranchNode([.node(home), .leaf(40)])
    let sizes = AggregateIndex(of: root, .sum { $0 })
    let sorted = TreeSortNode(root, by: sizes, order: .reverse)
    #expect(sorted.elements == [40, 0] && sorted.child(at: 1)!.child(at: 0)!.elements == [7, 5])
    letters.replace(at: 0, with: 20)
    // Each level above has changed: 20 before 7, letters before the others, home before 40.
    #expect(sorted.elements == [0, 40] && sorted.element(at: [0, 0, 0]) == 20 && sizes.total == 86)
    root.move(from: [0, 1], to: [2])
    #expect(sorted.elements == [40, 0, 0] && sorted.element(at: [1, 0]) == 20)
  }

  @Test func threadsAreInTheOrderOfTheirLatestMessages() {
    struct Message { var id: Int; var parent: Int?; var date: Int }
    let messages = ArrayNode([
      Message(id: 1, date: 1), Message(id: 2, date: 2), Message(id: 3, parent: 1, date: 3),
      Message(id: 4, parent: 1, date: 4),
    ])
    let threads = NestNode(messages, id: \.id, parent: \.parent)
    let sorted = TreeSortNode(threads, by: AggregateIndex(of: threads, .maximum(\.date)), order: .reverse)
    func ids(at position: Int? = nil) -> [Int] {
      (position.map { sorted.child(at: $0)!.elements } ?? sorted.elements).map(\.id)
    }
    #expect(ids() == [1, 2] && ids(at: 0) == [4, 3])
    messages.append(Message(id: 5, parent: 2, date: 5))
    #expect(ids() == [2, 1] && ids(at: 0) == [5])
    // A reply moves the thread, and its own branch in the thread.
    messages.append(Message(id: 6, parent: 3, date: 6))
    #expect(ids() == [1, 2] && ids(at: 0) == [3, 4])
    messages.update(at: 5) { $0.parent = 2 }
    #expect(ids() == [2, 1] && ids(at: 0) == [6, 5] && ids(at: 1) == [4, 3])
  }

  /// The totals of all levels are found in one walk.
  @Test(.smallStack) func allLevelsAreInTheOrderOfTheirTotals() {
    let tree = DeepTree(.comb, depth: 10_000)
    let sorted = TreeSortNode(tree.root) { $0 > $1 }
    do {
      // The outline looks at all levels.
      let outline = OutlineNode(sorted, expansion: ExpansionState(policy: .expanded), id: { $0 })
      #expect(outline.element(at: tree.depth - 1) == tree.depth)
    }
    sorted.setComparator(AggregateIndex(of: tree.root, .sum { $0 }))
    #expect(sorted.element(at: tree.lastPath) == tree.depth)
  }

  /// Rows that have no total are last in both directions.
  @Test func nothingIsLast() {
    let tree = BranchNode([BranchNode(value: 1, leaves: [-4]), BranchNode(value: 9), BranchNode(value: -2)])
    let least = AggregateIndex(of: tree, .minimum { $0 < 0 ? nil : $0 })
    #expect(SortNode(tree, by: least).elements == [1, 9, -2])
    #expect(TreeSortNode(tree, by: least, order: .reverse).elements == [9, 1, -2])
  }

  @Test func aRefreshAndAnUndoKeepTheOrder() {
    let tree = BranchNode([BranchNode(value: 1, leaves: [4]), BranchNode(value: 2)])
    let totals = AggregateIndex(of: tree, .sum { $0 })
    let (flat, deep) = (SortNode(tree, by: totals), TreeSortNode(tree, by: totals))
    flat.refresh()
    deep.refresh()
    let log = UndoLog(of: tree)
    tree.performUpdates {
      tree.append(.leaf(3))
      flat.setComparator(>)
      deep.setComparator(>)
    }
    #expect(flat.elements == [3, 2, 1] && deep.elements == [3, 2, 1])
    log.undo()
    tree.append(.leaf(0))
    #expect(flat.elements.first == deep.elements.first)
    struct Stop: Error {}
    flat.setComparator(totals, order: .reverse)
    deep.setComparator(totals, order: .reverse)
    #expect(throws: Stop.self) {
      try tree.performUpdates {
        flat.setComparator(<)
        deep.setComparator(<)
        throw Stop()
      }
    }
    tree.append(.leaf(9))
    #expect(flat.elements == [9, 1, 2, 0] && deep.elements == [9, 1, 2, 0])
  }

  @Test func theTotalsAreReleasedWithTheSort() throws {
    try withLifetimeTracking { tracker in
      let source = BranchNode(leaves: tracker.track([3, 1, 2]))
      var sort: SortNode<Tracked<Int>>? = SortNode(source, by: AggregateIndex(of: source, .sum(\.payload)))
      var deep: TreeSortNode<Tracked<Int>>? = TreeSortNode(source, by: AggregateIndex(of: source, .sum(\.payload)))
      tracker.expectRelease(of: sort!, "the sorted view")
      tracker.expectRelease(of: deep!, "the sorted tree")
      #expect(sort?.elements.map(\.payload) == [1, 2, 3] && deep?.elements.map(\.payload) == [1, 2, 3])
      (sort, deep) = (nil, nil)
      source.remove(at: 2)
      #expect(!source.hub.isObserved)
    }
  }

  static let misuses = [
    Misuse("A sort compares the totals of the node that it sorts, but this AggregateIndex follows an ArrayNode<Int>") {
      _ = SortNode(ArrayNode([1]), by: AggregateIndex(of: ArrayNode([1]), .sum { $0 }))
    }
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  // MARK: Random scripts

  private static func sum(_ row: Row) -> Int { [0, 1, -1, 2][(row.id + row.version) % 4] }

  private static func rank(_ row: Row) -> Int? { row.version % 3 == 0 ? nil : (row.id + row.version) % 5 }

  /// Sorts the children of a tree by the totals that a walk finds.
  private static func sorted<Key>(
    _ tree: NaiveTree<Row>, _ isDeep: Bool, _ total: ([Row]) -> Key, _ precedes: (Key, Key) -> Bool
  ) -> NaiveTree<Row> {
    func rows(_ tree: NaiveTree<Row>) -> [Row] { (tree.value.map { [$0] } ?? []) + tree.children.flatMap(rows) }
    let totals = tree.children.map { total(rows($0)) }
    let order = tree.children.indices.sorted { precedes(totals[$0], totals[$1]) }
    return NaiveTree(
      value: tree.value,
      children: order.map { isDeep ? sorted(tree.children[$0], true, total, precedes) : tree.children[$0] })
  }

  @Test(arguments: TreeScript.View.allCases)
  func theOrderIsThatOfAWalk(view: TreeScript.View) throws {
    for iteration in 0..<TestSeed.iterations(12) {
      var generator = TestSeed.generator("aggregate sorting \(view)", iteration: iteration)
      let script = TreeScript(&generator)
      let node = view.node(script.root)
      let sums = AggregateIndex(of: node, .sum(Self.sum))
      let ranks = AggregateIndex(of: node, .maximum(Self.rank))
      let flat = SortNode(node, by: sums)
      let deep = TreeSortNode(node, by: ranks, order: .reverse)
      let outline = OutlineNode(deep, expansion: ExpansionState(policy: .expanded), id: \.id)
      let checker = NodeChecker<Row>(id: \.id).allowingEmptyLeaves()
      let nodes: [any TreeNode<Row>] = [flat, deep, outline]
      let shadows = nodes.map { ShadowTree(of: $0, checker: checker) }
      func check() throws {
        let tree = NaiveTree(of: node)
        try #require(
          NaiveTree(of: flat) == Self.sorted(tree, false, { $0.map(Self.sum).reduce(0, +) }, <), "script \(iteration)")
        try #require(
          NaiveTree(of: deep) == Self.sorted(tree, true, { $0.compactMap(Self.rank).max() ?? -1 }, >),
          "script \(iteration)")
      }
      let log = UndoLog(of: script.root)
      for _ in 0..<TestSeed.length(30) {
        // The script may read in the middle of a transaction, and a leaf may become a branch.
        for shadow in shadows { shadow.minimality = .fewestMoves }
        if view == .treeInTransactions {
          try script.root.performUpdates {
            for _ in 0..<3 {
              script.step(using: &generator)
              if generator.chance(1, in: 4) { try check() }
            }
          }
        } else {
          script.step(using: &generator)
        }
        if generator.chance(1, in: 5) { log.undo() }
        if generator.chance(1, in: 5) { log.redo() }
        try check()
        for shadow in shadows { try shadow.check() }
      }
    }
  }

  @Test func aRollBackIsFollowed() throws {
    try TreeScript.rollBack("aggregate sorting rollback", iterations: 12) { script in
      let sorted = TreeSortNode(script.root, by: AggregateIndex(of: script.root, .sum(Self.sum)))
      func check() throws {
        let expected = Self.sorted(NaiveTree(of: script.root), true, { $0.map(Self.sum).reduce(0, +) }, <)
        try #require(NaiveTree(of: sorted) == expected)
      }
      return (reading: check, checking: check)
    }
  }
}
