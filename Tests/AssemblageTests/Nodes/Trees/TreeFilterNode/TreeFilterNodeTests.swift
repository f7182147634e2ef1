@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct TreeFilterNodeTests: MisuseSuite {
  /// Counts the calls of a predicate.
  private final class Counter {
    var calls = 0
    func reset() -> Int {
      defer { calls = 0 }
      return calls
    }
  }

  /// a, b (c, d (e), f), g
  private static func letters() -> (root: BranchNode<String>, b: BranchNode<String>, d: BranchNode<String>) {
    let d = BranchNode(value: "d", leaves: ["e"])
    let b = BranchNode(value: "b", [.leaf("c"), .node(d), .leaf("f")])
    return (BranchNode([.leaf("a"), .node(b), .leaf("g")]), b, d)
  }

  // MARK: How often the predicate is asked

  @Test(arguments: TreeFilterPolicy.allCases) func oneChangeAsksOnce(_ policy: TreeFilterPolicy) {
    let (root, b, d) = Self.letters()
    let counter = Counter()
    let filter = TreeFilterNode(root, policy: policy) {
      counter.calls += 1
      return "abdeg".contains($0)
    }
    #expect(counter.reset() == (policy == .hidingSubtrees ? 3 : 7))
    #expect(filter.matchCount == 5)
    #expect(counter.reset() == (policy == .hidingSubtrees ? 4 : 0))
    d.append(.leaf("b"))
    #expect(counter.reset() == 1)
    d.replace(at: 1, with: "x")
    #expect(counter.reset() == 1)
    b.value = "a"
    #expect(counter.reset() == 1)
    d.remove(at: 1)
    b.move(from: 0, to: 2)
    #expect(counter.reset() == 0)
    // A subtree moves to another parent. The predicate is called for its root only.
    root.move(from: [1, 0], to: [0])
    #expect(counter.reset() == 1)
    filter.refresh()
    #expect(counter.reset() == 7)
    filter.refresh(at: [0, 0])
    #expect(counter.reset() == 1)
    filter.setPredicate { _ in
      counter.calls += 1
      return true
    }
    #expect(counter.reset() == 7)
    #expect(filter.matchCount == 7)
  }

  /// With a hint, the predicate is called only for elements that may arrive or leave, at every depth. A forest is
  /// evaluated in another way.
  @Test(arguments: TreeFilterPolicy.allCases, [false, true])
  func aHintSparesTheOthers(_ policy: TreeFilterPolicy, isForest: Bool) throws {
    let rows = [(0, "a"), (0, "b"), (1, "c"), (1, "d"), (2, "e"), (1, "f"), (0, "g")]
    let source: any TreeNode<String> = isForest ? try ForestNode(rows: rows) : Self.letters().root
    let counter = Counter()
    func predicate(_ letters: String) -> (String) -> Bool {
      { letter in
        counter.calls += 1
        return letters.contains(letter)
      }
    }
    let filter = TreeFilterNode(source, policy: policy, where: predicate("abdeg"))
    // This reads the whole tree.
    #expect(filter.matchCount == 5)
    _ = counter.reset()
    let shadow = ShadowTree(of: filter, checker: NodeChecker<String>(id: { $0 }))
    func check(_ letters: String, calls: Int) throws {
      #expect(counter.reset() == calls && filter.matchCount == letters.count, "\(letters)")
      #expect(NaiveTree(of: filter) == NaiveTree(of: TreeFilterNode(source, policy: policy, where: predicate(letters))))
      _ = counter.reset()
      try shadow.check()
    }
    filter.setPredicate(hint: .stricter, where: predicate("abe"))
    try check("abe".filter { policy != .hidingSubtrees || $0 != "e" }, calls: 5)
    filter.setPredicate(hint: .looser, where: predicate("abef"))
    try check("abef".filter { policy != .hidingSubtrees || $0 != "e" }, calls: 4)
    // Elements for which the predicate is not called stay, whatever the predicate would return.
    filter.setPredicate(hint: .stricter, where: predicate("g"))
    try check("", calls: 4)
    filter.setPredicate(hint: .looser) { _ in false }
    try check("", calls: 0)
  }

  @Test func whatNobodyLooksAtIsNotLoaded() {
    var asked: [String] = []
    let tree = HierarchyNode(
      "", id: { $0 }, hasChildren: { $0.count < 3 },
      children: { value in
        asked.append(value)
        return ["a", "b", "c"].map { value + $0 }
      })
    let filter = TreeFilterNode(tree, policy: .hidingSubtrees) { !$0.hasSuffix("b") }
    #expect(asked == [""])
    #expect(filter.elements == ["a", "c"])
    #expect(filter.child(at: 0)?.hasChildren == true)
    #expect(asked == [""])
    #expect(filter.child(at: 1)?.elements == ["ca", "cc"])
    #expect(asked == ["", "c"])
    let outline = OutlineNode(filter, id: { $0 })
    outline.expand(row: 0)
    #expect(outline.elements == ["a", "aa", "ac", "c"])
    #expect(asked == ["", "c", "a"])
    #expect(filter.matchCount == 2 + 4 + 8)
    #expect(asked.sorted() == ["", "a", "aa", "ac", "c", "ca", "cc"])
  }

  // MARK: Ancestors

  @Test func ancestorsComeAndGoInOneChange() {
    let (root, _, d) = Self.letters()
    let filter = TreeFilterNode(root) { $0 == "e" || $0 == "x" }
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    #expect(filter.elements == ["b"])
    d.replace(at: 0, with: "y")
    #expect(filter.isEmpty)
    d.append(.leaf("x"))
    #expect(filter[[0, 0, 0]] == "x")
    #expect(received == [ChangeSet(.removal(0..<1)), ChangeSet(.insertion(0..<1))])
    d.append(.leaf("x"))
    #expect(received.last?.paths.insertions == [[0, 0, 1]])
    token.cancel()
  }

  @Test func whoVanishesAndAppearsAgainHasNotBeenAway() {
    let (root, _, d) = Self.letters()
    let filter = TreeFilterNode(root) { $0 == "e" || $0 == "x" }
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    filter.performUpdates {
      d.replace(at: 0, with: "y")
      d.replace(at: 0, with: "x")
    }
    #expect(received.count == 1)
    #expect(received.first?.delta.isEmpty == true)
    #expect(received.first?.paths.updates == [[0, 0, 0]])
    token.cancel()
  }

  @Test func movesBetweenParentsAreTransfers() {
    let (root, _, _) = Self.letters()
    let filter = TreeFilterNode(root) { $0 == "e" || $0 == "a" }
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    root.move(from: [1, 1, 0], to: [1, 0])
    #expect(received.last?.delta.isEmpty == true)
    #expect(received.last?.transfers.map { [$0.source, $0.destination] } == [[[1, 0, 0], [1, 0]]])
    #expect(filter[[1, 0]] == "e")
    root.move(from: [1, 0], to: [0])
    #expect(filter.elements == ["e", "a"])
    #expect(received.last?.transfers.map { [$0.source, $0.destination] } == [[[1, 0], [0]]])
    token.cancel()
  }

  // MARK: The nodes of children

  @Test func aNodeOfAChildFollowsIt() throws {
    let (root, b, d) = Self.letters()
    let filter = TreeFilterNode(root) { "aex".contains($0) }
    let node = try #require(filter.child(at: 1))
    #expect(filter.child(at: 1) === node)
    let inner = try #require(node.child(at: 0))
    let join = JoinNode([node, inner])
    let shadow = ShadowTree(of: join, id: { $0 })
    #expect(join.elements == ["d", "e"])
    d.append(.leaf("x"))
    try shadow.check()
    #expect(join.elements == ["d", "e", "x"])
    root.move(from: 1, to: 0)
    #expect(filter.child(at: 0) === node)
    // The node is hidden, and shown again.
    d.remove(at: 0)
    d.remove(at: 0)
    try shadow.check()
    #expect(join.isEmpty)
    d.append(.leaf("e"))
    try shadow.check()
    #expect(filter.child(at: 0) === node)
    filter.setPredicate { $0 == "f" }
    try shadow.check()
    #expect(join.elements == ["f"])
    filter.setPredicate { $0 == "e" }
    // The node is removed, and inserted again.
    root.remove(at: 0)
    try shadow.check()
    #expect(join.isEmpty)
    root.append(.node(b))
    try shadow.check()
    #expect(join.elements == ["d", "e"])
    #expect(filter.child(at: 0) === node)
  }

  @Test func aRollbackBringsNodesOfChildrenBack() throws {
    struct Stop: Error {}
    let (root, _, d) = Self.letters()
    let filter = TreeFilterNode(root) { "aex".contains($0) }
    let join = JoinNode([try #require(filter.child(at: 1))])
    let shadow = ShadowTree(of: join, id: { $0 })
    #expect(throws: Stop.self) {
      try root.performUpdates {
        d.remove(at: 0)
        root.remove(at: 1)
        throw Stop()
      }
    }
    #expect(join.elements == ["d"])
    #expect(shadow.deliveryCount == 0)
    try shadow.check()
  }

  /// A child that moved away is forgotten at the end of the transaction. A later transaction, which may be rolled back,
  /// does not report the child.
  @Test(arguments: TreeFilterPolicy.allCases) func aMoveAwayEndsWithItsTransaction(_ policy: TreeFilterPolicy) throws {
    let root = BranchNode([.leaf("a"), .node(BranchNode(value: "b", leaves: ["c"]))])
    let filter = TreeFilterNode(root, policy: policy) { $0 != "-" }
    let top = BranchNode<String>([filter])
    let node = try #require(filter.child(at: 1))
    #expect(node.elements == ["c"])
    let recorders = (root: ChangeRecorder(of: root), node: ChangeRecorder(of: node))
    try recorders.node.expecting(["~[-0]"]) {
      try recorders.root.expecting(["[-1]"]) { top.move(from: [0, 1], to: [0]) }
    }
    try recorders.node.expecting([]) {
      try recorders.root.expecting([]) {
        try? top.performUpdates {
          root.replace(at: 0, with: "x")
          throw CancellationError()
        }
      }
    }
    #expect(root.elements == ["a"] && node.isEmpty)
  }

  // MARK: Other sources

  @Test func leavesBecomeNodesAndNodesLeaves() throws {
    var contents = ["/": ["a", "b/"], "b/": ["x"]]
    struct Entry: Hashable {
      var name: String
      var isFolder: Bool
    }
    for policy in TreeFilterPolicy.allCases {
      contents = ["/": ["a", "b/"], "b/": ["x"]]
      let tree = HierarchyNode(
        Entry(name: "/", isFolder: true), id: { $0.name.replacing("/", with: "") }, hasChildren: { $0.isFolder },
        children: { entry in
          contents[entry.name, default: []].map { Entry(name: $0, isFolder: $0.hasSuffix("/")) }
        })
      let filter = TreeFilterNode(tree, policy: policy) { !$0.name.hasPrefix("y") }
      let checker = NodeChecker<Entry>(id: { $0.name.replacing("/", with: "") })
      let shadow = ShadowTree(of: filter, checker: checker)
      contents = ["/": ["a/", "b"], "a/": ["x", "y", "z"]]
      tree.reload()
      try shadow.check()
      let names = policy == .keepingDescendants ? ["x", "y", "z"] : ["x", "z"]
      #expect(filter.child(at: 0)?.elements.map(\.name) == names)
      #expect(filter.child(at: 1) == nil)
      #expect(filter.matchCount == 4)
      contents = ["/": ["a", "b/"], "b/": ["y", "z"]]
      tree.reload()
      try shadow.check()
      #expect(filter.child(at: 0) == nil)
      #expect(filter.matchCount == 3)
    }
  }

  /// A child that leaves the tree is the source's node. The filter's own part of it would show nothing from then on.
  @Test func whatMovesOutOfTheTreeIsTheSourcesNode() {
    let rows = ArrayNode([1, 2])
    let filter = TreeFilterNode(BranchNode([rows])) { $0 > 1 }
    let root = BranchNode([.node(filter)])
    root.move(from: [0, 0], to: [0])
    #expect(root.child(at: 0) === rows)
    rows.append(3)
    #expect(
      NaiveTree(of: root) == NaiveTree(value: nil, children: [NaiveTree(leaves: [1, 2, 3]), NaiveTree(leaves: [])]))
  }

  @Test func treesThatAreMappedAndFilteredTwice() throws {
    let (root, b, d) = Self.letters()
    let mapped = MapNode(root) { $0.uppercased() }
    let first = TreeFilterNode(mapped) { $0 != "C" }
    let second = TreeFilterNode(first, policy: .keepingDescendants) { $0 == "D" || $0 == "A" }
    let shadow = ShadowTree(of: second, id: { $0 })
    #expect(second[[1, 0, 0]] == "E")
    d.append(.leaf("h"))
    b.append(.leaf("i"))
    root.move(from: [1, 1], to: [0])
    try shadow.check()
    #expect(second.elements == ["D", "A"])
    d.value = "x"
    try shadow.check()
    #expect(second.elements == ["A"])
  }

  /// A folder is shown because of a match inside. The folder moves into another folder that arrives in the same change,
  /// and is no match there.
  @Test func aMovedFolderThatLeavesIsCountedOnce() throws {
    let source = Announcer("root")
    source.show([.init("a", [.init("f")])])
    let filter = TreeFilterNode(source) { $0 == "f" }
    let shadow = ShadowTree(of: filter, id: \.self)
    source.show([.init("e", [.init("a", [.init("f")])])])
    #expect(filter.matchCount == 1)
    #expect(filter.isMatch(at: [0, 0]) == false)
    source.show([.init("e")])
    #expect(filter.isEmpty && filter.matchCount == 0)
    source.show([.init("e", [.init("f")])])
    #expect(filter.element(at: [0, 0]) == "f" && filter.matchCount == 1)
    try shadow.check()
  }

  /// The same with a change that a filter reports: the arriving folder was in the source before, without a match.
  @Test func aFolderThatMovesIntoAHiddenOneIsNoMatch() throws {
    let a = BranchNode(value: "a", leaves: ["f"])
    let e = BranchNode(value: "e", leaves: [])
    let root = BranchNode([a, e])
    let filter = TreeFilterNode(TreeFilterNode(root) { $0 == "f" }) { $0 == "f" }
    let shadow = ShadowTree(of: filter, id: \.self)
    root.move(from: [0], to: [0, 0])
    #expect(filter.element(at: [0, 0]) == "a" && filter.isMatch(at: [0, 0]) == false)
    a.remove(at: 0)
    #expect(filter.isEmpty && filter.matchCount == 0)
    e.append(.leaf("f"))
    #expect(filter.element(at: [0, 0]) == "f" && filter.matchCount == 1)
    try shadow.check()
  }

  @Test(arguments: TreeFilterPolicy.allCases) func transfersInOneChangeSet(_ policy: TreeFilterPolicy) throws {
    for iteration in 0..<TestSeed.iterations(50) {
      var generator = TestSeed.generator("tree filter transfers \(policy)", iteration: iteration)
      let source = Announcer("root")
      func trees() -> [Announcer.Tree] {
        var roots: [Announcer.Tree] = []
        for letter in "abcdefgh".shuffled(using: &generator).prefix(Int.random(in: 0...8, using: &generator)) {
          func add(_ trees: inout [Announcer.Tree]) {
            if !trees.isEmpty, generator.chance(1, in: 2) {
              add(&trees[Int.random(in: 0..<trees.count, using: &generator)].children)
            } else {
              trees.insert(Announcer.Tree("\(letter)"), at: Int.random(in: 0...trees.count, using: &generator))
            }
          }
          add(&roots)
        }
        return roots
      }
      source.show(trees())
      let passing = Set("abcdefgh".shuffled(using: &generator).prefix(3).map { "\($0)" })
      let filter = TreeFilterNode(source, policy: policy) { passing.contains($0) }
      var checker = NodeChecker<String>(id: { $0 })
      checker.emptyLeaves = .allowed
      let shadow = ShadowTree(of: filter, checker: checker)
      let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: { $0 })
      // A node that arrives in a parent which arrives itself is not followed.
      let outlineShadow = ShadowTree(of: outline, checker: checker, minimality: .fewestMoves)
      for _ in 0..<6 {
        source.show(trees())
        try shadow.check()
        try outlineShadow.check()
        let fresh = TreeFilterNode(source, policy: policy) { passing.contains($0) }
        try #require(NaiveTree(of: filter) == NaiveTree(of: fresh))
        #expect(filter.matchCount == fresh.matchCount)
      }
    }
  }

  // MARK: Depth, lifetime, faults

  @Test(.smallStack, arguments: TreeFilterPolicy.allCases) func aTallChain(_ policy: TreeFilterPolicy) {
    let depth = TallTree.depth
    var node = BranchNode(value: 0, leaves: [-1])
    let bottom = node
    for level in 1..<depth { node = BranchNode(value: level, [.node(node)]) }
    let hides = policy == .hidingSubtrees
    var filter: TreeFilterNode<Int>? = TreeFilterNode(node, policy: policy) { hides || $0 < 0 && $0 > -9 }
    #expect(filter?.matchCount == (hides ? depth : 1))
    let path = IndexPath(indexes: [Int](repeating: 0, count: depth))
    #expect(filter?.element(at: path) == -1)
    var received: [ChangeSet] = []
    var token = filter?.observe { received.append($0) }
    bottom.append(.leaf(-2))
    #expect(received.last?.paths.insertions == [path.dropLast() + [1]])
    bottom.remove(at: 0)
    bottom.remove(at: 0)
    #expect(filter?.count == (hides ? 1 : 0))
    bottom.append(.leaf(-3))
    #expect(filter?.matchCount(at: path.dropLast()) == 1)
    filter?.setPredicate { $0 == -10 }
    #expect(filter?.count == 0)
    filter?.setPredicate { _ in true }
    #expect(filter?.matchCount == depth)
    token?.cancel()
    token = nil
    // The filter retains the chain. Both are released here, without recursion.
    node = BranchNode(value: 0)
    filter = nil
  }

  static let misuses = [
    Misuse("TreeFilterNode: the position 1 is out of range 0..<1.") {
      _ = TreeFilterNode(ArrayNode([1])) { _ in true }.sourcePosition(of: 1)
    },
    Misuse("TreeFilterNode's source: the position 1 is out of range 0..<1.") {
      _ = TreeFilterNode(ArrayNode([1])) { _ in true }.position(ofSource: 1)
    },
    Misuse("TreeFilterNode: the path [] is the node itself, which the predicate is not asked about.") {
      TreeFilterNode(ArrayNode([1])) { _ in true }.refresh(at: [])
    },
    Misuse("The path [1] is out of range: 1 child has been looked at, at [].") {
      TreeFilterNode(ArrayNode([1])) { _ in true }.refresh(at: [1])
    },
    Misuse("TreeFilterNode: the range 0..<2 is out of range 0..<1.") {
      TreeFilterNode(ArrayNode([1])) { _ in true }.forEachSpan(in: 0..<2) { _, _ in }
    },
    Misuse("TreeFilterNode: its source is a ProviderNode<Int>, which cannot be written.") {
      TreeFilterNode(ProviderNode(count: 1) { $0 }) { _ in true }.insert(7, at: 0)
    },
    Misuse("or because the child that it showed has left the source.") {
      let branch = BranchNode([BranchNode(leaves: [1])])
      let child = TreeFilterNode(branch) { _ in true }.child(at: 0) as! TreeFilterNode<Int>
      branch.remove(at: 0)
      child.insert(2, at: [0])
    },
    Misuse("ArrayNode<Int> was changed from a closure that must only read") {
      let source = ArrayNode([1])
      let filter = TreeFilterNode(source) { _ in true }
      filter.setPredicate { _ in
        source.append(2)
        return true
      }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test func whatIsNotThereIsNil() {
    func filter() -> TreeFilterNode<String> { TreeFilterNode(TreeFilterNodeTests.letters().root) { $0 != "a" } }
    #expect(filter().child(at: -1) == nil && filter().element(at: 2) == nil)
    #expect(filter().sourcePath(of: [0, 9]) == nil && filter().path(ofSource: [0]) == nil)
    #expect(filter().isMatch(at: []) == nil && filter().matchCount(at: [0, 0, 0]) == nil)
  }
}
