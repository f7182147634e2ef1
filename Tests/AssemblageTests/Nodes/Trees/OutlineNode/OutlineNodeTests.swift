@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import OffsetIndexing
import TestSupport
import Testing

@Suite struct OutlineNodeTests {
  /// Returns `a`, and `b` with `c` and `d`, which contains `e`.
  private static func letters() -> (root: BranchNode<String>, b: BranchNode<String>, d: BranchNode<String>) {
    let d = BranchNode(value: "d", leaves: ["e"])
    let b = BranchNode(value: "b", [.leaf("c"), .node(d)])
    return (BranchNode([.leaf("a"), .node(b)]), b, d)
  }

  /// Returns the number of records below the root: of nodes that are, or were, expanded.
  private func recordCount<Element, ID>(of outline: OutlineNode<Element, ID>) -> Int {
    outline.state.value.translation.records(below: TreeIndex.root).count
  }

  @Test func theExampleHolds() {
    let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
    let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes)])
    let outline = OutlineNode(home, id: { $0 })
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    #expect(outline.elements == ["x.txt", "notes"])
    outline.expand(row: 1)
    #expect(received == [ChangeSet(.insertion(2..<4))])
    #expect(outline.elements == ["x.txt", "notes", "a.md", "b.md"])
    #expect(outline.path(ofRow: 3) == [1, 1])
    notes.append(.leaf("c.md"))
    #expect(received.last == ChangeSet(.insertion(4..<5)))
    #expect(outline.value == "home")
    token.cancel()
  }

  // MARK: Rows

  @Test func aRowKnowsItsPlace() {
    let (root, _, _) = Self.letters()
    let outline = OutlineNode(root, expansion: ExpansionState(policy: .depth(1)), id: { $0 })
    #expect(outline.elements == ["a", "b", "c", "d"])
    #expect(
      outline.row(at: 1)
        == OutlineRow(value: "b", depth: 0, hasChildren: true, isExpanded: true, isLastSibling: true))
    #expect(
      outline.row(at: 3)
        == OutlineRow(value: "d", depth: 1, hasChildren: true, isExpanded: false, isLastSibling: true))
    #expect(
      outline.row(at: 2)
        == OutlineRow(value: "c", depth: 1, hasChildren: false, isExpanded: false, isLastSibling: false))
    #expect(outline.rows(in: 1..<4) == [1, 2, 3].map { outline.row(at: $0) })
    #expect(outline.path(ofRow: 3) == [1, 1])
    #expect(outline.row(ofPath: [1, 1]) == 3)
    for path: IndexPath in [[], [1, 1, 0], [1, 2], [7], [-1], [0, 0]] { #expect(outline.row(ofPath: path) == nil) }
    #expect(outline.descendants(ofRow: 1) == 2..<4)
    #expect(outline.descendants(ofRow: 0).isEmpty)
    #expect(outline.node(atRow: 3)?.value == "d")
    #expect(outline.node(atRow: 0) == nil)
    #expect(outline.node(atRow: 4) == nil)
    #expect(outline.description == #"OutlineNode ["a", "b", "c", "d"]"#)
  }

  @Test func aFolderOfAMillionFilesCostsOneRecord() {
    let count = 1_000_000
    let folder = BranchNode<Int>(value: -2, [ProviderNode(count: count) { $0 }])
    let outline = OutlineNode(BranchNode([folder]), expansion: ExpansionState(policy: .depth(1)), id: { $0 })
    #expect(outline.count == 2)
    outline.expand(row: 1)
    #expect(outline.count == count + 2)
    #expect(outline.path(ofRow: count) == [0, 0, count - 2])
    #expect(outline.row(ofPath: [0, 0, 500_000]) == 500_002)
    #expect(outline.element(at: 500_002) == 500_000)
    #expect(recordCount(of: outline) == 2)
    outline.collapse(row: 0)
    #expect(outline.count == 1)
    outline.expand(row: 0)
    #expect(outline.count == count + 2)
  }

  /// Elements are read as the pieces in which they are stored.
  @Test func valuesArePassedInRunsOfSiblings() {
    let folders = (0..<3).map { folder in BranchNode(value: folder, [ArrayNode((0..<100).map { 10 * $0 })]) }
    let outline = OutlineNode(BranchNode(folders), expansion: ExpansionState(policy: .expanded), id: { $0 })
    var runs = 0
    outline.forEachSpan(in: 0..<outline.count) { _, _ in runs += 1 }
    // A folder's row is a run of one. The array has no value, and its hundred rows are another run.
    #expect(runs == 6)
    #expect(outline.elements == (0..<3).flatMap { [$0] + (0..<100).map { 10 * $0 } })
  }

  // MARK: Expanding

  @Test func whatWasExpandedBelowACollapsedNodeIsFoundAgain() {
    let (root, _, d) = Self.letters()
    let outline = OutlineNode(root, id: { $0 })
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    outline.expand(row: 1)
    outline.expand(row: 3)
    outline.collapse(row: 1)
    #expect(received.last == ChangeSet(.removal(2..<5)))
    // The change is not visible, but the outline follows it.
    d.append(.leaf("f"))
    #expect(received.count == 3)
    outline.expand(row: 1)
    #expect(received.last == ChangeSet(.insertion(2..<6)))
    #expect(outline.elements == ["a", "b", "c", "d", "e", "f"])
    // Leaves, and rows that have the wanted state already, do not change.
    outline.expand(row: 0)
    outline.expand(row: 1)
    outline.toggle(row: 0)
    #expect(received.count == 4)
    outline.toggle(row: 3)
    #expect(received.last == ChangeSet(.removal(4..<6)))
    outline.toggle(row: 3)
    #expect(received.last == ChangeSet(.insertion(4..<6)))
    token.cancel()
  }

  @Test func expansionIsFoundAgainById() throws {
    let (root, b, _) = Self.letters()
    let outline = OutlineNode(root, id: { $0 })
    outline.setExpanded(true, at: [1, 1])
    #expect(outline.elements == ["a", "b"])
    #expect(outline.isExpanded(at: [1, 1]))
    #expect(!outline.isExpanded(at: [1]))
    #expect(!outline.isExpanded(at: [0]))
    #expect(!outline.isExpanded(at: [9, 1]))
    #expect(outline.isExpanded(at: []))
    outline.expand(row: 1)
    #expect(outline.elements == ["a", "b", "c", "d", "e"])
    // d leaves, and returns in another transaction, as another node.
    let former = b.remove(at: 1)
    #expect(outline.elements == ["a", "b", "c"])
    b.insert(.node(BranchNode(value: "d", leaves: ["x"])), at: 0)
    #expect(outline.elements == ["a", "b", "d", "x", "c"])
    withExtendedLifetime(former) {}
    // A stored state shows another tree in the same way.
    let data = try JSONEncoder().encode(outline.expansion)
    let stored = try JSONDecoder().decode(ExpansionState<String>.self, from: data)
    #expect(stored == outline.expansion)
    #expect(OutlineNode(Self.letters().root, expansion: stored, id: { $0 }).elements == ["a", "b", "c", "d", "e"])
  }

  @Test func policiesHoldAtDepths() {
    let (root, _, _) = Self.letters()
    let outline = OutlineNode(root, id: { $0 })
    outline.expand(toDepth: 1)
    #expect(outline.elements == ["a", "b", "c", "d"])
    outline.expand(toDepth: 2)
    #expect(outline.elements == ["a", "b", "c", "d", "e"])
    outline.collapseAll()
    #expect(outline.elements == ["a", "b"])
    #expect(recordCount(of: outline) == 0)
    outline.expandAll()
    #expect(outline.count == 5)
    root.append(.node(BranchNode(value: "g", leaves: ["h"])))
    #expect(outline.count == 7)
  }

  @Test func theUsersChoicesDifferFromTheProgramsOwn() {
    let (root, _, _) = Self.letters()
    let outline = OutlineNode(root, id: { $0 })
    #expect(outline.reveal([1, 1, 0]) == 4)
    #expect(outline.expansion.userChoices.isEmpty)
    #expect(outline.expansion.programChoices == ["b": true, "d": true])
    outline.collapse(row: 3)
    outline.expand(row: 3)
    #expect(outline.expansion.userChoices == ["d": true])
    outline.expansion.forgetChoices(by: .program)
    #expect(outline.elements == ["a", "b"])
    #expect(outline.expansion.isExpanded("d", depth: 1))
    outline.expansion.forgetChoices(for: "d")
    outline.expansion.forgetChoices(by: .user)
    #expect(outline.expansion == ExpansionState())
  }

  /// An observer removes the row that is being revealed.
  @Test func aRowIsRevealedBeforeObserversEdit() {
    let b = BranchNode(value: "b", leaves: ["x"])
    let outline = OutlineNode(BranchNode([b]), id: { $0 })
    let token = outline.observe { _ in if b.count > 0 { b.remove(at: 0) } }
    #expect(outline.reveal([0, 0]) == 1)
    #expect(outline.elements == ["b"])
    token.cancel()
  }

  /// To make a choice does not copy the other choices.
  @Test func manyRowsAreRevealedOneByOne() {
    let choices = Dictionary(uniqueKeysWithValues: (1...1_000_000).map { (-$0, true) })
    let root = BranchNode<Int>((0..<10_000).map { .node(BranchNode(value: $0, leaves: [$0])) })
    let expansion = ExpansionState(policy: .collapsed, userChoices: [:], programChoices: choices)
    let outline = OutlineNode(root, expansion: expansion, id: { $0 })
    for position in 0..<root.count { outline.reveal([position, 0]) }
    #expect(outline.count == 2 * root.count)
  }

  @Test func aSearchExpandsForAWhile() {
    let (root, b, _) = Self.letters()
    let outline = OutlineNode(root, id: { $0 })
    outline.expand(row: 1)
    let before = outline.expansion
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    outline.beginTemporaryExpansion()
    #expect(outline.isTemporarilyExpanded)
    #expect(outline.elements == ["a", "b", "c", "d", "e"])
    #expect(received == [ChangeSet(.insertion(4..<5))])
    outline.collapse(row: 1)
    b.append(.leaf("x"))
    outline.beginTemporaryExpansion(.depth(1))
    outline.endTemporaryExpansion()
    #expect(outline.expansion == before)
    #expect(outline.elements == ["a", "b", "c", "d", "x"])
    #expect(!outline.isTemporarilyExpanded)
    let count = received.count
    outline.endTemporaryExpansion()
    #expect(received.count == count)
    token.cancel()
  }

  // MARK: Changes of the tree

  @Test func aSectionMovesWithItsRows() {
    let (root, b, d) = Self.letters()
    let outline = OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    root.move(from: 1, to: 0)
    // "a" passes four rows. This is one move, and the other way would be four.
    #expect(received == [ChangeSet(.move(0..<1, to: 4))])
    b.value = "B"
    #expect(received.last == ChangeSet(.update(0..<1)))
    d.value = "D"
    #expect(received.last == ChangeSet(.update(2..<3)))
    // From one parent to another, with the visible rows below.
    root.move(from: [0, 1], to: [2])
    #expect(outline.elements == ["B", "c", "a", "D", "e"])
    #expect(received.last == ChangeSet(.move(4..<5, to: 2)))
    root.value = "root"
    #expect(received.last == ChangeSet(updatesValue: true))
    token.cancel()
  }

  /// A join removes the child from one member, and inserts it in the other. The outline reports two changes.
  @Test func aSectionMovesFromMemberToMember() {
    let (first, _, _) = Self.letters()
    let second = BranchNode<String>(leaves: ["x", "y"])
    let join = JoinNode([first, second])
    let outline = OutlineNode(join, expansion: ExpansionState(policy: .expanded), id: { $0 })
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    let above = FilterNode(outline) { $0 != "c" }
    var heardAbove: [ChangeSet] = []
    let tokenAbove = above.observe { heardAbove.append($0) }
    join.move(from: 1, to: 3)
    #expect(outline.elements == ["a", "x", "y", "b", "c", "d", "e"])
    #expect(received == [ChangeSet(.move(1..<5, to: 3))])
    #expect(heardAbove == [ChangeSet(.move(1..<4, to: 3))])
    token.cancel()
    tokenAbove.cancel()
  }

  /// One change moves a child out of a removed node, and another child into an inserted node.
  @Test func transfersOutOfRemovedAndIntoInsertedNodes() throws {
    let tree = Announcer()
    tree.show([
      .init("a", [.init("b", [.init("c"), .init("d", [.init("e")])]), .init("f")]), .init("g"),
    ])
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: \.self)
    // "a" leaves, "h" arrives. "b" moves into "h" without "c", and "d" out of "b" to the top. "e" moves to "b".
    tree.show([.init("h", [.init("x"), .init("b", [.init("e")])]), .init("g"), .init("d")])
    try shadow.check()
    #expect(outline.elements == ["h", "x", "b", "e", "g", "d"])
    tree.show([.init("b", [.init("e"), .init("h", [.init("d")])]), .init("g", [.init("k")])])
    try shadow.check()
    #expect(outline.elements == ["b", "e", "h", "d", "g", "k"])
    outline.collapseAll()
    tree.show([.init("g", [.init("b", [.init("e")])])])
    outline.expand(row: 0)
    #expect(outline.elements == ["g", "b"])
    try shadow.check()
    shadow.cancel()
  }

  /// The laws hold for a node's children, whatever the node itself reports.
  @Test func anAnnouncersChildrenTell() throws {
    let tree = Announcer()
    tree.show([.init("a", [.init("b", [.init("c")])]), .init("d")])
    let shadows = [tree.child(at: 0)!, tree.child(at: [0, 0])!, tree].map { ShadowTree(of: $0, id: \.self) }
    for trees: [Announcer.Tree] in [
      [.init("d", [.init("a", [.init("b", [.init("e")])])])], [.init("b", [.init("a", [.init("c")])])],
    ] {
      tree.show(trees)
      for shadow in shadows { try shadow.check() }
    }
  }

  @Test func aNodeMayStandInSeveralPlaces() throws {
    let shared = BranchNode(value: "s", leaves: ["x"])
    let root = BranchNode(value: nil, [.node(shared), .node(BranchNode(value: "t", [.node(shared)]))])
    let outline = OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline)
    #expect(outline.elements == ["s", "x", "t", "s", "x"])
    shared.insert(.leaf("y"), at: 0)
    #expect(outline.elements == ["s", "y", "x", "t", "s", "y", "x"])
    outline.collapse(row: 4)
    #expect(outline.elements == ["s", "y", "x", "t", "s"])
    shared.remove(at: 1)
    #expect(outline.elements == ["s", "y", "t", "s"])
    try shadow.check()
    shadow.cancel()
  }

  /// The outline has no observer, but its rows must still follow.
  @Test func rowsFollowNestedChangesWithoutObservers() {
    let (root, _, d) = Self.letters()
    var outline: OutlineNode<String, String>? = OutlineNode(
      root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    d.append(.leaf("f"))
    #expect(outline?.elements == ["a", "b", "c", "d", "e", "f"])
    #expect(d.hub.isListenedTo)
    outline = nil
    #expect(!d.hub.isListenedTo)
    #expect(!root.hub.isListenedTo)
  }

  @Test func rowsAreWrittenThrough() {
    let (root, b, _) = Self.letters()
    let outline = OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    outline.insert("x", at: [3])
    #expect(outline.elements == ["a", "b", "c", "x", "d", "e"])
    #expect(b.elements == ["c", "x", "d"])
    outline.replace(at: [3], with: "y")
    outline.insert("z", at: [6])
    #expect(outline.elements == ["a", "b", "c", "y", "d", "e", "z"])
    #expect(root.elements == ["a", "b", "z"])
    outline.move(from: [4], to: [0])
    #expect(outline.elements == ["d", "e", "a", "b", "c", "y", "z"])
    #expect(outline.remove(at: [3]).value == "b")
    #expect(outline.elements == ["d", "e", "a", "z"])
  }

  @Test func theLawsHoldAroundTransactions() throws {
    let (root, b, d) = Self.letters()
    let outline = OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let checker = NodeChecker<String>(id: { $0 })
    try checker.checkTransaction(of: outline) {
      root.performUpdates {
        b.move(from: 1, to: 0)
        d.append(.leaf("f"))
        root.remove(at: 0)
        outline.collapse(row: 0)
      }
    }
    try checker.checkTransaction(of: outline) { outline.expand(row: 0) }
    #expect(outline.elements == ["b", "d", "e", "f", "c"])
  }

  // MARK: All at once

  /// A node that is collapsed with all others is kept, follows its source in the meantime, and is expanded with all
  /// others.
  @Test func whatIsCollapsedWithAllFollowsItsNode() throws {
    let inner = BranchNode(value: 11, leaves: [111])
    let first = BranchNode(value: 1, [.node(inner), .leaf(12)])
    let second = BranchNode(value: 2, leaves: [21])
    let root = BranchNode<Int>([first, second])
    let outline = OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, checker: NodeChecker(id: { $0 }))
    func check(_ rows: [Int]) throws {
      #expect(outline.elements == rows)
      try shadow.check()
    }
    try check([1, 11, 111, 12, 2, 21])
    outline.collapseAll()
    try check([1, 2])
    #expect(recordCount(of: outline) == 3)
    #expect(!outline.row(at: 0).isExpanded && outline.row(at: 0).hasChildren && !outline.isExpanded(at: [0, 0]))
    outline.expandAll()
    try check([1, 11, 111, 12, 2, 21])

    outline.collapseAll()
    inner.append(.leaf(112))
    second.insert(.node(BranchNode(value: 22, leaves: [221])), at: 0)
    outline.expand(row: 0)
    try check([1, 11, 12, 2])
    outline.expand(row: 1)
    outline.collapse(row: 0)
    outline.collapseAll()
    root.move(from: 0, to: 1)
    try check([2, 1])
    root.move(from: [1, 0], to: [0, 0])
    try check([2, 1])
    outline.expandAll()
    try check([2, 11, 111, 112, 22, 221, 21, 1, 12])

    outline.collapseAll()
    outline.expansion = ExpansionState(policy: .depth(1))
    try check([2, 11, 22, 21, 1, 12])
    outline.expandAll()
    outline.collapse(row: 0)
    outline.collapseAll()
    outline.reveal([0, 0, 1])
    try check([2, 11, 111, 112, 22, 21, 1])
    root.remove(at: 0)
    try check([1])
    outline.expandAll()
    try check([1, 12])
    #expect(recordCount(of: outline) == 1)
  }

  @Test func whatIsCollapsedWithAllIsReleasedWithItsNode() {
    weak var node: BranchNode<Int>?
    let root = BranchNode<Int>()
    do {
      let child = BranchNode(value: 1, [BranchNode(value: 2, leaves: [3])])
      node = child
      root.append(.node(child))
    }
    let outline = OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    outline.collapseAll()
    root.remove(at: 0)
    #expect(outline.count == 0 && node == nil && recordCount(of: outline) == 0)
  }

  // MARK: Depth, lifetime

  @Test(.smallStack) func aTallChain() {
    let depth = TallTree.depth
    var node = BranchNode(value: 0, leaves: [-1])
    let bottom = node
    for level in 1..<depth { node = BranchNode(value: level, [.node(node)]) }
    var outline: OutlineNode<Int, Int>? = OutlineNode(node, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(outline?.count == depth)
    #expect(outline?.element(at: depth - 1) == -1)
    #expect(outline?.element(at: depth - 2) == 0)
    let path = IndexPath(indexes: [Int](repeating: 0, count: depth))
    #expect(outline?.path(ofRow: depth - 1) == path)
    #expect(outline?.row(ofPath: path) == depth - 1)
    var received: [ChangeSet] = []
    var token = outline?.observe { received.append($0) }
    bottom.append(.leaf(-2))
    #expect(received == [ChangeSet(.insertion(depth..<depth + 1))])
    outline?.collapse(row: depth - 2)
    outline?.expand(row: depth - 2)
    outline?.collapse(row: 0)
    #expect(received.last == ChangeSet(.removal(1..<depth + 1)))
    #expect(outline?.count == 1)
    bottom.append(.leaf(-3))
    outline?.expand(row: 0)
    #expect(outline?.count == depth + 2)
    outline?.collapseAll()
    #expect(outline?.count == 1)
    token?.cancel()
    token = nil
    outline?.expandAll()
    // The outline retains the chain. Both are released here, without recursion.
    node = BranchNode(value: 0)
    outline = nil
  }
}
