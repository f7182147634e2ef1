import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// The changes that a nest reports, and their rollbacks.
@Suite struct NestChangeTests {
  @Test func aSubtreeMovesAsOne() {
    let items = ArrayNode<NestItem>(["a", "b<a", "c<b", "d<c", "e"])
    let nest = NestItem.nest(items)
    let (a, branch) = (nest.child(at: 0)!, BranchNode([nest]))
    var received: [String: ChangeSet] = [:]
    let tokens = [
      nest.observe { received["nest"] = $0 }, a.observe { received["a"] = $0 },
      branch.observe { received["branch"] = $0 },
    ]
    items.update(at: 1) { $0.parent = "e" }
    #expect(NestItem.text(nest) == "a e(b(c(d)))")
    let change = ChangeSet(
      delta: .update(0..<2), children: [(0, ChangeSet(.removal(0..<1))), (1, ChangeSet(.insertion(0..<1)))],
      transfers: [.init(from: [0, 0], to: [1, 0], change: ChangeSet(updatesValue: true))])
    #expect(received == ["nest": change, "a": ChangeSet(.removal(0..<1)), "branch": change.wrapped(at: 0)])
    #expect(a.count == 0 && nest.child(at: 0) == nil && nest[[1, 0, 0, 0]]?.id == "d")
    items.update(at: 1) { $0.parent = "a" }
    #expect(nest.child(at: 0) === a && received["a"] == ChangeSet(.insertion(0..<1)), "the element's node is the same")
    withExtendedLifetime(tokens) {}
  }

  @Test func whatComesBackInATransactionHasSurvived() {
    let items = ArrayNode<NestItem>(["a", "b<a", "c<b", "d"])
    let nest = NestItem.nest(items)
    let a = nest.child(at: 0)!
    var received: [String] = []
    let tokens = [nest.observe { received.append("\($0)") }, a.observe { received.append("\($0)") }]
    nest.performUpdates {
      items.update(at: 1) { $0.parent = "d" }
      items.update(at: 1) { $0.parent = "a" }
    }
    #expect(received == ["[; 0: [~0]]", "[~0]"])
    received = []
    nest.performUpdates {
      items.update(at: 0) { $0.id = "x" }
      items.update(at: 0) { $0.id = "a" }
    }
    #expect(received == ["[~0]", "~[]"])
    withExtendedLifetime(tokens) {}
  }

  /// A nest that is read inside a transaction is settled then. The nest reports the steps of returning rows as they
  /// happened, and the change leads to the present contents.
  @Test func whatIsReadInATransactionIsReplayed() throws {
    let items = ArrayNode<NestItem>(["a", "b<a", "c<b", "d"])
    let nest = NestItem.nest(items)
    let nodes = [nest, nest.child(at: 0)!, nest.child(at: [0, 0])!]
    let shadows = nodes.map { ShadowTree(of: $0, id: \.id, minimality: []) }
    nest.performUpdates {
      items.update(at: 1) { $0.parent = "d" }
      #expect(NestItem.text(nest) == "a d(b(c))")
      items.update(at: 1) { $0.parent = "a" }
      items.update(at: 0) { $0.id = "x" }
      #expect(NestItem.text(nest) == "x b(c) d")
      items.update(at: 0) { $0.id = "a" }
    }
    #expect(NestItem.text(nest) == "a(b(c)) d")
    for shadow in shadows { try shadow.check() }
  }

  /// e moves below a row of the source, whose children the nest does not show. After that row has moved, e leaves it.
  ///
  /// The same holds when all this is undone.
  @Test(arguments: [false, true]) func aRowThatComesOutFromBelowAnotherHasSurvived(isAlone: Bool) throws {
    let c = BranchNode<NestItem>(value: "c", leaves: isAlone ? [] : ["x"])
    let source = BranchNode<NestItem>([.node(BranchNode(value: "a", [.node(c)])), .leaf("d"), .leaf("e")])
    let nest = NestNode(source, id: \.id, parent: \.parent)
    let shadow = ShadowTree(of: nest, id: \.id, minimality: [.survivors, .fewestMoves, .acrossParents])
    let log = UndoLog(of: source)
    source.performUpdates {
      source.move([2], into: [0, 0], at: 0)
      source.move([0, 0], into: [], at: 0)
      source.move([0, 0], into: [], at: 3)
      source.remove(at: 0)
    }
    try shadow.check()
    #expect(NestItem.text(nest) == "a d e")
    log.undo()
    try shadow.check()
    #expect(NestItem.text(nest) == "a d e")
    log.redo()
    try shadow.check()
    #expect(NestItem.text(nest) == "a d e")
  }

  @Test func aFilterThatHidesAParentForAWhileLosesNothing() {
    let items = ArrayNode<NestItem>(["a", "b<a", "c"])
    let filter = FilterNode(items) { $0.id != "z" }
    let nest = NestNode(filter, id: \.id, parent: \.parent)
    var received: [String] = []
    let token = nest.observe { received.append("\($0)") }
    nest.performUpdates {
      items.update(at: 0) { $0.id = "z" }
      items.update(at: 0) { $0.id = "a" }
    }
    #expect(NestItem.text(nest) == "a(b) c" && received == ["[~0]"])
    token.cancel()
  }

  /// A row is updated, and a tree filter hides it because of the update. The filter reports the update with the row's
  /// departure.
  @Test func aRowThatWasUpdatedBeforeItLeftComesBackUpdated() {
    let tree = ForestNode<NestItem>(leaves: ["t"])
    tree.turnIntoBranch(at: 0)
    let branch = tree.child(at: [0])!
    let filter = TreeFilterNode(tree, policy: .keepingAncestors) { $0.parent == nil }
    let nest = NestNode(filter, id: \.id, parent: { _ in nil })
    var received: [String] = []
    let token = nest.observe { received.append("\($0)") }
    nest.performUpdates {
      branch.value = "t<a"
      branch.append("l")
    }
    #expect(nest.elements == ["t<a"] && received == ["[~0]"])
    token.cancel()
  }

  /// 5 has lost its only child when it returns to the node that was 2's and is now 20's.
  @Test func aRowThatBecameALeafBeforeItCameBackIsReportedSo() throws {
    let source = ArrayNode([2, 4, 10, 5])
    let nest = NestNode(source, id: { $0 % 9 }, parent: { $0 / 2 })
    let branch = try #require(nest.child(at: 0))
    let shadow = ShadowTree(of: branch, id: \.self)
    var received: [ChangeSet] = []
    let token = branch.observe { received.append($0) }
    source.performUpdates {
      source.removeSubrange(0..<3)
      source.insert(20, at: 0)
    }
    #expect(branch.value == 20 && branch.elements == [5] && branch.child(at: 0) == nil)
    #expect(received.map(\.delta) == [Delta(removals: [0..<1], updates: [0..<1])])
    try shadow.check()
    token.cancel()
  }

  @Test func rowsThatMoveBetweenListsStayTheRowsThatTheyWere() {
    let (first, second) = (ArrayNode<NestItem>(["a", "b<a"]), ArrayNode<NestItem>(["c<b"]))
    let lists = BranchNode([first, second])
    let nest = NestNode(FlattenNode(lists), id: \.id, parent: \.parent)
    let b = nest.child(at: [0, 0])!
    var received: [String] = []
    let tokens = [nest.observe { received.append("\($0)") }, b.observe { received.append("b: \($0)") }]
    for (path, destination) in [([0, 1], [1, 1]), ([1, 0], [0, 0])] as [(IndexPath, IndexPath)] {
      lists.move(from: path, to: destination)
      #expect(NestItem.text(nest) == "a(b(c))" && nest.child(at: [0, 0]) === b)
      #expect(received.allSatisfy { !$0.contains("-") && !$0.contains("+") }, "\(received)")
    }
    withExtendedLifetime(tokens) {}
  }

  /// One change makes a branch a leaf, and moves the leaf to another parent.
  @Test func anOutlineFollowsABranchThatMovesAndBecomesALeaf() throws {
    let items = ArrayNode<NestItem>(["a", "b<a", "c<b", "d"])
    let nest = NestItem.nest(items)
    let outline = OutlineNode(nest, expansion: ExpansionState(policy: .expanded), id: \.id)
    let leaves = DescendantsNode(nest, .leaves)
    let shadows = [ShadowTree(of: outline, id: \.id), ShadowTree(of: leaves, id: \.id)]
    #expect(leaves.elements.map(\.id) == ["c", "d"])
    items[1] = "x"
    #expect(NestItem.text(nest) == "a x c d" && outline.elements.map(\.id) == ["a", "x", "c", "d"])
    #expect(leaves.elements.map(\.id) == ["a", "x", "c", "d"] && outline.rows(in: 0..<4).allSatisfy { !$0.isExpanded })
    items[1] = "b<d"
    #expect(NestItem.text(nest) == "a d(b(c))" && leaves.elements.map(\.id) == ["a", "c"])
    for shadow in shadows { try shadow.check() }
  }

  /// A source's node that becomes visible as a row of the nest is another node than the one that a join shows beside
  /// the nest.
  @Test func aNodeOfTheSourceIsNotItsRow() throws {
    let forest = try ForestNode<NestItem>(rows: [(0, "a"), (1, "x"), (1, "b<a"), (2, "y")])
    let nest = NestNode(forest, id: \.id, parent: \.parent)
    let shadow = ShadowTree(of: JoinNode([nest, forest]), id: \.id)
    forest.move(from: [0, 1], to: [1])
    #expect(NestItem.text(nest) == "a(b)")
    try shadow.check()
    forest.move(from: [1], to: [0, 0])
    #expect(NestItem.text(nest) == "a")
    try shadow.check()
  }

  private struct Stop: Error {}

  @Test(arguments: [false, true]) func aRollbackBringsBackTheNodesOfBranches(isRead: Bool) throws {
    let items = ArrayNode<NestItem>(["a", "b<a", "c<b"])
    let nest = NestItem.nest(items)
    let (a, b) = (nest.child(at: 0)!, nest.child(at: [0, 0])!)
    let shadows = [nest, a, b].map { ShadowTree(of: $0, id: \.id, minimality: []) }
    var received = 0
    let tokens = [nest, a, b].map { $0.observe { _ in received += 1 } }
    #expect(throws: Stop.self) {
      try nest.performUpdates {
        items.removeAll()
        if isRead { #expect(nest.count == 0 && a.count == 0 && b.value == nil) }
        items.append("b")
        items.append("c<b")
        throw Stop()
      }
    }
    #expect(NestItem.text(nest) == "a(b(c))" && nest.child(at: 0) === a && nest.child(at: [0, 0]) === b)
    #expect(b.value?.id == "b" && received == (isRead ? 3 : 0))
    for shadow in shadows { try shadow.check() }
    received = 0
    items.removeAll()
    #expect(received == 3)
    items.append(contentsOf: ["b", "c<b"])
    #expect(nest.child(at: 0) === b && b.count == 1 && received == 5, "the next element with its id")
    withExtendedLifetime(tokens) {}
  }

  /// The node does not return to an earlier element with the same id, which had no node.
  @Test func aRollbackBringsANodeBackToItsElement() {
    let items = ArrayNode<NestItem>(["a", "b<a"])
    let nest = NestItem.nest(items)
    let a = nest.child(at: 0)!
    let shadow = ShadowTree(of: a, id: \.id)
    #expect(throws: Stop.self) {
      try nest.performUpdates {
        items.insert("a", at: 0)
        items.removeAll()
        throw Stop()
      }
    }
    #expect(nest.child(at: 0) === a && a.value?.id == "a" && a.count == 1)
    #expect(throws: Never.self) { try shadow.check() }
  }

  @Test func editsAreUndone() {
    let items = ArrayNode<NestItem>(["a", "b<a", "c<b", "d"])
    let nest = NestItem.nest(items)
    let log = UndoLog(of: nest)
    items.update(at: 1) { $0.parent = "d" }
    nest.remove(at: [1, 0])
    items.update(at: 0) { $0.parent = "c" }
    #expect(NestItem.text(nest) == "c(a) d" && log.undoCount == 3)
    while log.undo() {}
    #expect(NestItem.text(nest) == "a(b(c)) d")
    while log.redo() {}
    #expect(NestItem.text(nest) == "c(a) d")
  }

  /// 5200 has the id of 503. The source hides 503 in the same change, and may show it again in the transaction.
  @Test func theNodeOfARowThatMayComeBackIsNotTakenOver() throws {
    let source = try ForestNode(
      TreeSnapshot(
        children: [
          TreeSnapshot(leaf: 500), TreeSnapshot(value: 501, children: []), TreeSnapshot(value: 503, children: []),
        ]))
    let unique = UniqueNode(source) { $0 % 6 == 0 ? nil : $0 % 6 }
    let nest = NestNode(unique, id: { $0 % 11 }, parent: { $0 % 4 == 0 ? nil : $0 * 3 % 13 })
    let rows = DescendantsNode(nest, .leaves)
    let shadow = ShadowTree(of: rows, id: \.self)
    #expect(nest.elements == [500, 503] && nest.child(at: 1)?.elements == [501])
    nest.performUpdates { source.insert(contentsOf: [5200, 5201], at: 0) }
    #expect(nest.elements == [5200, 5201, 500] && rows.elements == [501, 5201, 500])
    try shadow.check()
  }

  /// 2 leaves the source as a row of a flat list, and returns as a branch. Then 3 moves below it.
  ///
  /// 2 is new in the nest. Before, the source had it in two places: as a row and below another row.
  @Test func aRowThatComesBackBringsItsChildren() throws {
    let forest = try ForestNode(
      TreeSnapshot(
        children: [
          TreeSnapshot(
            value: 4,
            children: [
              TreeSnapshot(value: 5, children: [TreeSnapshot(leaf: 6)]),
              TreeSnapshot(value: 1, children: [TreeSnapshot(value: 2, children: [TreeSnapshot(leaf: 3)])]),
            ])
        ]))
    let nest = NestNode(JoinNode([forest, FlattenNode(forest, levels: 2)]), id: { $0 }, parent: { $0 - 1 })
    let shadow = ShadowTree(of: nest, checker: NodeChecker<Int>(id: \.self).allowingEmptyLeaves())
    shadow.minimality = .fewestMoves
    #expect(nest.elements == [4, 6, 2])
    forest.move(from: [0, 1, 0], to: [0])
    #expect(nest.elements == [2, 6] && nest.child(at: 0)?.elements == [3])
    try shadow.check()
  }

  /// 102 moves below another row of its source as a branch, and returns as a leaf, as long as 7 lies before it.
  @Test(arguments: [true, false]) func aRowThatWasABranchOrIsOneHasSurvived(_ wasBranch: Bool) throws {
    let array = ArrayNode([100, 101, 102, 103, 7])
    let inner = NestNode(array, id: { $0 % 11 }, parent: { $0 / 2 % 11 })
    let nest = NestNode(inner, id: { $0 }, parent: { $0 - 1 })
    #expect(inner.elements == [100, 101, 102] && inner.child(at: 2)?.elements == [7])
    func removeSeven() {
      nest.performUpdates {
        array.swapAt(1, 4)
        array.remove(at: 1)
      }
    }
    let log = UndoLog(of: nest)
    if !wasBranch { removeSeven() }
    let shadow = ShadowTree(of: nest, checker: NodeChecker<Int>(id: \.self).allowingEmptyLeaves())
    if wasBranch { removeSeven() } else { log.undo() }
    #expect(inner.elements == (wasBranch ? [100, 102, 103, 101] : [100, 101, 102]))
    #expect(nest[[0, 0, 0]] == 102)
    try shadow.check()
  }

  /// 4 is hidden by the change that moves its parent, and shown by the change that moves the parent again. A version
  /// encodes both.
  @Test(arguments: TreeFilterPolicy.allCases, [1, 2])
  func whatAFilterHidesInARowThatMovesSurvives(_ policy: TreeFilterPolicy, parent: Int) throws {
    func rows(parent: Int, isMatch: Bool) -> [Row] {
      [Row(id: 1), Row(id: 2), Row(id: 3, version: parent * 10), Row(id: 4, version: isMatch ? 30 : 31)]
    }
    let source = ArrayNode(rows(parent: 1, isMatch: true))
    let filter = TreeFilterNode(NestNode(source, id: \.id) { $0.version / 10 }, policy: policy) { $0.version % 10 == 0 }
    let shadow = ShadowTree(of: filter, id: \.id, minimality: [.survivors, .acrossParents])
    filter.performUpdates {
      source.replaceAll(with: rows(parent: 2, isMatch: false), id: \.id)
      source.replaceAll(with: rows(parent: parent, isMatch: true), id: \.id)
    }
    #expect(filter[[parent - 1, 0, 0]]?.id == 4)
    try shadow.check()
  }
}
