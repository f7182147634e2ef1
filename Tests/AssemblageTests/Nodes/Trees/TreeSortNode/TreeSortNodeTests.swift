@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct TreeSortNodeTests: MisuseSuite {
  /// d (c, b, a (z, y)), x
  private static func letters() -> (root: BranchNode<String>, d: BranchNode<String>, a: BranchNode<String>) {
    let a = BranchNode(value: "a", leaves: ["z", "y"])
    let d = BranchNode(value: "d", [.leaf("c"), .leaf("b"), .node(a)])
    return (BranchNode([.node(d), .leaf("x")]), d, a)
  }

  @Test func theExampleHolds() {
    let notes = BranchNode(value: "notes", leaves: ["pear.md", "apple.md"])
    let home = BranchNode(value: "home", [.leaf("todo.txt"), .node(notes)])
    let sorted = TreeSortNode(home)
    #expect(sorted.value == "home" && sorted.elements == ["notes", "todo.txt"])
    #expect(sorted.child(at: 0)?.elements == ["apple.md", "pear.md"])
    var received: [ChangeSet] = []
    let token = sorted.observe { received.append($0) }
    notes.append("fig.md")
    #expect(received == [ChangeSet(.insertion(1..<2)).wrapped(at: 0)])
    sorted.setComparator(>)
    #expect(sorted.elements == ["todo.txt", "notes"])
    #expect(sorted.child(at: 1)?.elements == ["pear.md", "fig.md", "apple.md"])
    #expect(
      received.count == 2 && received[1].delta == .move(0..<1, to: 1) && received[1].children.map(\.position) == [1])
    token.cancel()
  }

  // MARK: Reported changes

  /// 300 and 301 move below 7001, and 7000 arrives below 301.
  @Test func aLeafThatBecomesABranchOnItsWayBringsItsChildren() throws {
    let source = ArrayNode([300, 301])
    let sorted = TreeSortNode(NestNode(source, id: { $0 % 13 }, parent: { $0 / 2 % 11 }))
    let shadow = ShadowTree(of: sorted, id: \.self)
    var received: [ChangeSet] = []
    let token = sorted.observe { received.append($0) }
    source.insert(contentsOf: [7000, 7001], at: 0)
    #expect(sorted.elements == [7001] && sorted.child(at: 0)?.child(at: 1)?.elements == [7000])
    #expect(received.map(\.transfers.count) == [2])
    try shadow.check()
    token.cancel()
  }

  /// A branch that is a row becomes a section, and its contents become the row. So parts of the row that leaves return
  /// alone.
  @Test func partsOfARowThatBecomesASectionSurvive() throws {
    let top = TreeSnapshot(value: "d", children: [TreeSnapshot(leaf: "b")])
    let forest = try ForestNode(TreeSnapshot(children: [top]))
    let sorted = TreeSortNode(FlattenNode(forest, levels: 1))
    let shadow = ShadowTree(of: sorted, id: \.self)
    let section = try ForestNode(
      TreeSnapshot(
        value: "s",
        children: [
          TreeSnapshot(
            value: "r",
            children: [
              TreeSnapshot(leaf: "z"), TreeSnapshot(value: "a", children: [TreeSnapshot(leaf: "y")]),
            ])
        ]))
    forest.insert(section, at: 0)
    #expect(sorted.elements == ["b", "r"] && sorted.child(at: 1)?.elements == ["a", "z"])
    var received: [ChangeSet] = []
    let token = sorted.observe { received.append($0) }
    forest.move(from: [0, 0], to: [0])
    #expect(sorted.elements == ["a", "b", "z"] && received.map(\.transfers.count) == [2])
    try shadow.check()
    token.cancel()
  }

  /// A row is a section for a while, and is reported to leave under both names.
  @Test func whatLeavesByTwoNamesIsGivenUpOnce() throws {
    let source = ArrayNode([1700, 1701, 1702, 1703])
    let nest = NestNode(source, id: { $0 }, parent: { $0 - 1 })
    let sorted = TreeSortNode(FlattenNode(nest, levels: 2), by: nil)
    let shadow = ShadowTree(of: sorted, id: \.self)
    #expect(sorted.child(at: 0)?.elements == [1703])
    sorted.performUpdates { source[0] = 2200 }
    #expect(sorted.elements == [2200, 1703])
    try shadow.check()
  }

  /// Between the departure and the return, another edit is made in the tree.
  @Test func whatLeavesAndComesBackLaterInATransactionStays() throws {
    let source = try ForestNode(
      TreeSnapshot(children: [TreeSnapshot(value: "a", leaves: ["x"]), TreeSnapshot(leaf: "c")]))
    let unique = UniqueNode(source) { "ab".contains($0) ? 0 : nil }
    let sorted = TreeSortNode(unique, by: nil)
    let shadow = ShadowTree(of: sorted, id: \.self)
    var received: [ChangeSet] = []
    let token = sorted.observe { received.append($0) }
    sorted.performUpdates {
      source.insert("b", at: 0)
      source[2] = "c"
      source.remove(at: 0)
    }
    #expect(sorted.elements == ["a", "c"] && sorted.child(at: 0)?.elements == ["x"])
    #expect(received == [ChangeSet(.update(1..<2))])
    try shadow.check()
    token.cancel()
  }

  /// A section that was sorted when it left, and a branch with rows.
  @Test(arguments: [nil, { $0 > $1 }] as [(@Sendable (String, String) -> Bool)?])
  func whatComesBackIsSortedAsTheOthersAreByThen(_ comparator: (@Sendable (String, String) -> Bool)?) throws {
    let words = ArrayNode(["ant", "auk", "bee"])
    let source = try ForestNode(
      TreeSnapshot(children: [TreeSnapshot(value: "a", leaves: ["y", "x", "z"]), TreeSnapshot(leaf: "c")]))
    let sorted = TreeSortNode(
      JoinNode([GroupNode(words) { $0.first! }, UniqueNode(source) { "ab".contains($0) ? 0 : nil }]))
    let shadow = ShadowTree(of: sorted, id: \.self)
    #expect((0..<sorted.count).contains { sorted.child(at: $0)?.elements == ["x", "y", "z"] })
    shadow.minimality = .fewestMoves
    sorted.performUpdates {
      words.removeAll { $0.hasPrefix("a") }
      source.insert("b", at: 0)
      sorted.setComparator(comparator)
      source.remove(at: 0)
      words.insert(contentsOf: ["asp", "ant"], at: 0)
    }
    let parts = Set((0..<sorted.count).map { sorted.child(at: $0)?.elements ?? [] })
    #expect(parts == [["asp", "ant"], ["bee"], comparator == nil ? ["y", "x", "z"] : ["z", "y", "x"], []])
    try shadow.check()
  }

  @Test func oneUpdateMovesOneElement() {
    let (root, _, a) = Self.letters()
    let sorted = TreeSortNode(root)
    #expect(NaiveTree(of: sorted).children.map(\.value) == ["d", "x"])
    var received: [ChangeSet] = []
    let token = sorted.observe { received.append($0) }
    a.replace(at: 0, with: "b")
    let change = ChangeSet(Delta(updates: [0..<1], moves: [Delta.Move(from: 1..<2, to: 0..<1)]))
    #expect(received == [change.wrapped(at: 0).wrapped(at: 0)])
    a.value = "e"
    #expect(
      received.last == ChangeSet(Delta(updates: [2..<3], moves: [Delta.Move(from: 0..<1, to: 2..<3)])).wrapped(at: 0))
    #expect(sorted.child(at: [0, 2])?.elements == ["b", "y"])
    token.cancel()
  }

  @Test func aBranchThatMovesToAnotherParentIsOneMove() {
    let (root, d, a) = Self.letters()
    let sorted = TreeSortNode(root)
    let node = sorted.child(at: [0, 0])!
    #expect(node.elements == ["y", "z"])
    var received: [ChangeSet] = []
    let token = sorted.observe { received.append($0) }
    root.performUpdates {
      root.move(from: [0, 2], to: [2])
      a.append("a")
    }
    #expect(sorted.elements == ["a", "d", "x"] && sorted.child(at: 0) === node)
    #expect(node.elements == ["a", "y", "z"] && d.count == 2)
    #expect(received.count == 1 && received[0].paths.moves.map(\.source) == [[0, 0]])
    #expect(received[0].paths.moves.map(\.destination) == [[0]] && received[0].paths.insertions == [[0, 0]])
    token.cancel()
  }

  @Test func theNodeOfAChildThatLeftIsEmpty() {
    let (root, d, _) = Self.letters()
    let sorted = TreeSortNode(root)
    let (outer, inner) = (sorted.child(at: 0)!, sorted.child(at: [0, 0])!)
    #expect(outer.count == 3 && inner.count == 2)
    var received: [ChangeSet] = []
    let token = inner.observe { received.append($0) }
    root.remove(at: 0)
    #expect(outer.count == 0 && inner.count == 0 && inner.value == nil && inner.child(at: 0) == nil)
    #expect(received == [ChangeSet(.removal(0..<2), updatesValue: true)])
    root.append(.node(d))
    #expect(sorted.child(at: 0) !== outer && sorted.child(at: [0, 0])?.elements == ["y", "z"])
    token.cancel()
  }

  @Test func anotherOrderIsTheFewestMovesAtEveryDepth() {
    let (root, _, a) = Self.letters()
    let sorted = TreeSortNode(root, by: nil)
    #expect(sorted.elements == ["d", "x"] && sorted.child(at: [0, 2])?.elements == ["z", "y"])
    var (received, below): ([ChangeSet], [ChangeSet]) = ([], [])
    let child = sorted.child(at: 0)!
    let tokens = [sorted.observe { received.append($0) }, child.observe { below.append($0) }]
    (child as! TreeSortNode<String>).setComparator(<)
    #expect(received == [below[0].wrapped(at: 0)] && below[0].delta.moves.count == 2)
    #expect(below[0].children.map(\.change.delta) == [.move(0..<1, to: 1)])
    #expect(child.elements == ["a", "b", "c"] && child.child(at: 0)?.elements == ["y", "z"])
    sorted.setComparator(<)
    #expect(received.count == 1, "the order is the same")
    #expect(throws: CancellationError.self) {
      try sorted.performUpdates {
        sorted.setComparator(>)
        a.append("x")
        throw CancellationError()
      }
    }
    #expect(received.count == 1 && child.child(at: 0)?.elements == ["y", "z"])
    tokens.forEach { $0.cancel() }
  }

  @Test func objectsThatChangedAreSortedAgain() {
    final class Item {
      var rank: Int
      init(_ rank: Int) { self.rank = rank }
    }
    let items = [3, 1, 2].map(Item.init)
    let sort = TreeSortNode(BranchNode([BranchNode(leaves: items)]), by: \.rank)
    #expect(sort.child(at: 0)?.elements.map(\.rank) == [1, 2, 3])
    items[1].rank = 9
    sort.refresh()
    #expect(sort.child(at: 0)?.elements.map(\.rank) == [2, 3, 9])
    sort.setComparator(\.rank, order: .reverse)
    #expect(sort.child(at: 0)?.elements.map(\.rank) == [9, 3, 2])
    #expect(TreeSortNode(ArrayNode([2, 3, 1]), order: .reverse).elements == [3, 2, 1])
  }

  @Test func whatNobodyLooksAtIsNotLoaded() {
    var asked: [String] = []
    let tree = HierarchyNode(
      "", id: { $0 }, hasChildren: { $0.count < 3 },
      children: { value in
        asked.append(value)
        return ["b", "a"].map { value + $0 }
      })
    let sorted = TreeSortNode(tree)
    #expect(sorted.elements == ["a", "b"] && asked == [""])
    #expect(sorted.child(at: 0)?.hasChildren == true && asked == [""])
    let outline = OutlineNode(sorted, id: { $0 })
    outline.expand(row: 1)
    #expect(outline.elements == ["a", "b", "ba", "bb"] && asked == ["", "b"])
  }

  // MARK: Places and writing

  /// A branch that has not been read is reported when it becomes a leaf, or was a leaf: a client may have requested
  /// this.
  @Test func whatNobodyLooksAtIsNotReported() throws {
    let forest = try ForestNode(rows: [(0, "folder"), (1, "b"), (1, "a"), (0, "x"), (0, "y")])
    let sorted = TreeSortNode(forest)
    var received: [String] = []
    let token = sorted.observe { received.append("\($0)") }
    forest.insert("c", at: [0, 0])
    forest.insert("z", at: [1, 0])
    #expect(received == ["[~1]"] && sorted.family.translation.value.loadedRecords.count == 1)

    received = []
    #expect(sorted.child(at: 0)?.hasChildren == true && sorted.child(at: 2) == nil)
    forest.insert("d", at: [0, 3])
    forest.remove(at: [0, 1])
    #expect(received.isEmpty && sorted.family.translation.value.loadedRecords.count == 1)
    forest.insert("w", at: [2, 0])
    #expect(received == ["[~2; 2: [+0]]"], "it was a leaf")
    forest.insert("v", at: [2, 0])
    #expect(received.last == "[; 2: [+0]]")

    received = []
    while forest.child(at: 0)!.count > 0 { forest.remove(at: [0, 0]) }
    #expect(received == ["[; 0: [-0]]"], "that the last one left")
    forest.performUpdates { for name in ["f", "e"] { forest.insert(name, at: [0, 0]) } }
    #expect(received.last == "[; 0: [+0..<2]]" && sorted.child(at: 0)?.elements == ["e", "f"])

    received = []
    forest.move(from: [2, 0], to: [1, 0])
    #expect(
      received.count == 1 && received[0].hasSuffix("{[2, 0]→[1, 0]}") && sorted.child(at: 1)?.elements == ["v", "z"])
    token.cancel()
  }

  /// A leaf is known from its former place. It moves into a row that has just arrived, and then gets a child itself.
  @Test func aLeafBecomesABranchWhereNobodyHasLookedYet() throws {
    struct Row: Equatable {
      let name: String
      let key: Int
      var parent: Int?
    }
    let rows = ArrayNode([Row(name: "a", key: 1), Row(name: "b", key: 2, parent: 1)])
    let sort = TreeSortNode(NestNode(rows, id: { $0.key }, parent: { $0.parent }), by: nil)
    let shadow = ShadowTree(of: sort, id: \.name)
    rows.performUpdates {
      // The first row with the key gets the children.
      rows.insert(Row(name: "c", key: 1), at: 0)
      rows.append(Row(name: "d", key: 3, parent: 2))
    }
    try shadow.check()
    #expect(sort.child(at: 0)?.child(at: 0)?.elements.map(\.name) == ["d"])
  }

  @Test func pathsLeadBothWays() {
    let (root, _, _) = Self.letters()
    let sorted = TreeSortNode(root)
    #expect(sorted.sourcePath(of: [0, 0, 1]) == [0, 2, 0] && sorted.path(ofSource: [0, 2, 0]) == [0, 0, 1])
    #expect(sorted.sourcePath(of: [0, 1, 0]) == nil && sorted.path(ofSource: [5]) == nil)
    #expect(sorted.sourcePosition(of: 1) == 1 && sorted.position(ofSource: 0) == 0)
  }

  @Test func writingGoesToTheSource() {
    let (root, d, a) = Self.letters()
    let sorted = TreeSortNode(root)
    sorted.insert("m", at: [0, 0, 0])
    #expect(a.elements == ["z", "y", "m"] && sorted.child(at: [0, 0])?.elements == ["m", "y", "z"])
    sorted.remove(at: [0, 1])
    #expect(d.elements == ["c", "a"])
    sorted.move(from: [0, 0], to: [0])
    #expect(root.child(at: 2) === a && sorted.elements == ["a", "d", "x"])
    #expect(!sorted.allows(.move(to: 1), at: 0))
  }

  static let misuses = [
    Misuse("TreeSortNode: the child 0 cannot be moved to 1, because the comparator decides where each child is;") {
      TreeSortNode(ArrayNode([2, 1])).move(from: 0, to: 1)
    },
    Misuse("was changed from a closure that must only read") {
      let source = ArrayNode([2, 1])
      let sort = TreeSortNode(
        source,
        by: { left, right in
          if source.count == 3 { source.removeLast() }
          return left < right
        })
      _ = sort.count
      withExtendedLifetime(sort) { source.append(3) }
    },
    Misuse("TreeSortNode: the position 1 is out of range 0..<1.") {
      _ = TreeSortNode(ArrayNode([1])).sourcePosition(of: 1)
    },
    Misuse("TreeSortNode's source: the position -1 is out of range 0..<1.") {
      _ = TreeSortNode(ArrayNode([1])).position(ofSource: -1)
    },
    Misuse("TreeSortNode: the position 2 of an insertion is out of range 0...1.") {
      TreeSortNode(ArrayNode([1])).insert(2, at: 2)
    },
    Misuse("TreeSortNode: the range 0..<2 is out of range 0..<1.") {
      TreeSortNode(ArrayNode([1])).forEachSpan(in: 0..<2) { _, _ in }
    },
    Misuse("TreeSortNode: nothing can be inserted, because it shows no member, or because the child") {
      let branch = BranchNode([BranchNode(leaves: [1])])
      let child = TreeSortNode(branch).child(at: 0) as! TreeSortNode<Int>
      branch.remove(at: 0)
      child.insert(BranchNode(leaves: [2]), at: 0)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  // MARK: Scripts

  struct Stop: Error {}

  /// Random edits at every depth, compared with a model that sorts everything. An outline and nodes of children follow.
  @Test func scriptsAgreeWithAModel() throws {
    let comparators: [TreeSortNode<OutlineItem>.Comparator?] = [
      { $0.version < $1.version }, { $0.id > $1.id }, { $0.id % 3 < $1.id % 3 }, nil,
    ]
    var tally = OperationTally<TreeModelEdit>()
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("tree sort", iteration: iteration)
      var nextID = 0
      let tree = OutlineModel.branch(
        nil,
        (0..<4).map { _ in OutlineModel.random(depth: 4, &nextID, using: &generator) })
      var comparator = comparators.randomElement(using: &generator)!
      let sorted = TreeSortNode(tree.branch, by: comparator)
      var checker = NodeChecker<OutlineItem>(id: \.id)
      checker.emptyLeaves = .allowed
      let shadow = ShadowTree(of: sorted, checker: checker)
      let outline = OutlineNode(sorted, expansion: ExpansionState(policy: .expanded))
      let rows = ShadowTree(of: outline, checker: checker)
      var watched: [ShadowTree<OutlineItem>] = []

      func edit() {
        if generator.chance(1, in: 10) {
          comparator = comparators.randomElement(using: &generator)!
          return sorted.setComparator(comparator)
        }
        let edit = tally.random(using: &generator)
        if tree.edit(edit, nextID: &nextID, using: &generator) { tally.count(edit) }
      }
      for step in 0..<TestSeed.length(40) {
        // A branch reports a leaf that becomes a node as a removal and an insertion.
        for shadow in [shadow, rows] + watched { shadow.minimality = .fewestMoves }
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: sorted.performUpdates { for _ in 0..<4 { edit() } }
        case 1:
          let (restore, former) = (tree.memento(), comparator)
          #expect(throws: Stop.self) {
            try sorted.performUpdates {
              for _ in 0..<4 { edit() }
              throw Stop()
            }
          }
          restore()
          comparator = former
        case 2:
          let node = sorted.child(at: Int.random(in: 0..<max(1, sorted.count), using: &generator))
          if let node { watched.append(ShadowTree(of: node, checker: checker)) }
        default: edit()
        }
        let expected = Self.sorted(tree, by: comparator)
        try #require(NaiveTree(of: sorted).children == expected, "script \(iteration), step \(step)")
        for shadow in [shadow, rows] + watched { try shadow.check() }
        try checker.check(sorted)
        for (path, place) in tree.places(where: { $0 !== tree }).prefix(8) {
          let shown = try #require(sorted.path(ofSource: IndexPath(indexes: path)))
          #expect(sorted.sourcePath(of: shown) == IndexPath(indexes: path) && sorted.element(at: shown) == place.item)
        }
      }
    }
    try tally.check()
  }

  private static func sorted(
    _ tree: OutlineModel, by comparator: TreeSortNode<OutlineItem>.Comparator?
  ) -> [NaiveTree<OutlineItem>] {
    var children = tree.children
    if let comparator {
      children =
        children.filter { $0.item != nil }.sorted { comparator($0.item!, $1.item!) }
        + children.filter { $0.item == nil }
    }
    return children.map { NaiveTree(value: $0.item, children: sorted($0, by: comparator)) }
  }
}
