@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct NestNodeTests: MisuseSuite {
  private struct Folder: Equatable { var id: Int, parent: Int?, name: String }

  @Test func theExampleHolds() {
    let folders = ArrayNode([
      Folder(id: 2, parent: 1, name: "letters"), Folder(id: 1, parent: nil, name: "home"),
      Folder(id: 3, parent: 9, name: "lost"),
    ])
    let tree = NestNode(folders, id: \.id, parent: \.parent)
    #expect(tree.count == 2 && tree[[0, 0]]?.name == "letters" && tree[[1]]?.name == "lost")
    #expect(tree.path(ofSource: 0) == [0, 0] && tree.path(ofID: 2) == [0, 0] && tree.path(ofID: 7) == nil)
    var heard: [ChangeSet] = []
    let token = tree.observe { heard.append($0) }
    folders[2].parent = 2
    #expect(heard.count == 1 && heard[0].paths.moves == [.init(from: [1], to: [0, 0, 0])])
    #expect(heard[0].paths.removals.isEmpty && heard[0].paths.insertions.isEmpty)
    folders.remove(at: 1)
    #expect(heard.count == 2 && heard[1].paths.moves == [.init(from: [0, 0], to: [0])])
    #expect(heard[1].paths.removals == [[0]] && heard[1].paths.insertions.isEmpty)
    #expect(tree.count == 1 && tree[[0, 0]]?.name == "lost" && tree.descendantCount == 2)
    token.cancel()
  }

  /// An element written as "id<parent", or "id".
  private struct Item: Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    var id: Character
    var parent: Character?

    init(stringLiteral text: String) {
      id = text.first!
      parent = text.count > 1 ? text.last! : nil
    }

    var description: String { "\(id)" }
  }

  private static func nest(_ items: ArrayNode<Item>) -> NestNode<Item, Character> {
    NestNode(items, id: \.id, parent: \.parent)
  }

  /// The tree as text: "a(b c(d)) e".
  private static func text(_ node: any TreeNode<Item>) -> String {
    (0..<node.count).map { position in
      let child = node.child(at: position)
      return "\(node.element(at: position)!)" + (child.map { "(\(text($0)))" } ?? "")
    }.joined(separator: " ")
  }

  // MARK: What is shown

  @Test func aChildMayComeBeforeItsParent() {
    let items = ArrayNode<Item>(["c<b", "b<a"])
    let nest = Self.nest(items)
    #expect(Self.text(nest) == "b(c)")
    var heard: [String] = []
    let token = nest.observe { heard.append("\($0)") }
    items.append("a")
    #expect(Self.text(nest) == "a(b(c))" && nest.count == 1)
    #expect(heard == ["[-0, +0] {[0]→[0, 0]}"])
    items.remove(at: 2)
    #expect(Self.text(nest) == "b(c)" && heard.last == "[-0, +0] {[0, 0]→[0]}")
    token.cancel()
  }

  @Test func siblingsStandInTheOrderOfTheSource() {
    let items = ArrayNode<Item>(["a", "b<a", "c<a", "d"])
    let nest = Self.nest(items)
    var heard: [String] = []
    let token = nest.observe { heard.append("\($0)") }
    items.move(from: 1, to: 3)
    #expect(Self.text(nest) == "a(c b) d")
    #expect(heard == ["\(ChangeSet(.move(1..<2, to: 0)).wrapped(at: 0))"])
    items.move(from: 0, to: 2)
    #expect(Self.text(nest) == "d a(c b)")
    items.move(from: 3, to: 2)
    #expect(Self.text(nest) == "d a(c b)" && heard.count == 2, "another row went past it, and not a sibling")
    token.cancel()
  }

  @Test func theFirstOfEqualIDsHasTheChildren() {
    let items = ArrayNode<Item>(["x", "a", "a<x", "b<a"])
    let nest = Self.nest(items)
    #expect(Self.text(nest) == "x(a) a(b)")
    items.move(from: 2, to: 1)
    #expect(Self.text(nest) == "x(a(b)) a")
    items.remove(at: 1)
    #expect(Self.text(nest) == "x a(b)")
    items.insert("a<x", at: 0)
    #expect(Self.text(nest) == "x(a(b)) a")
    items.update(at: 0) { $0.id = "c" }
    #expect(Self.text(nest) == "x(c) a(b)")
  }

  @Test func theFirstOfACycleStandsOnTheTopLevel() {
    let items = ArrayNode<Item>(["a<c", "b<a", "c<b", "d<c"])
    let nest = Self.nest(items)
    #expect(Self.text(nest) == "a(b(c(d)))")
    items.move(from: 0, to: 3)
    #expect(Self.text(nest) == "b(c(d a))")
    items.update(at: 1) { $0.parent = nil }
    #expect(Self.text(nest) == "c(d a(b))", "the cycle is broken")
    items.update(at: 1) { $0.parent = "b" }
    #expect(Self.text(nest) == "b(c(d a))", "and closed again")
    items.update(at: 2) { $0.parent = "d" }
    #expect(Self.text(nest) == "b(c(a)) d", "an element that is its own parent is a root")
  }

  @Test func aCycleFollowsFromTheContentsAndNotFromTheEdits() {
    // Every way to give four elements parents, in every order, leads to the same tree.
    for code in 0..<625 {
      let digits = [code % 5, code / 5 % 5, code / 25 % 5, code / 125]
      let names: [Character] = ["a", "b", "c", "d"]
      let items = ArrayNode<Item>(["a", "b", "c", "d"])
      let nest = Self.nest(items)
      for step in 0..<4 {
        let position = (step * 3 + code) % 4
        items.update(at: position) { $0.parent = digits[position] == 4 ? nil : names[digits[position]] }
        nest.family.translation.value.checkInvariants()
      }
      #expect(Self.text(nest) == Self.text(Self.nest(ArrayNode(items.elements))))
    }
  }

  @Test func childrenWithoutAValueAreRoots() {
    let source = BranchNode<Item>([
      .leaf("a"), .node(BranchNode(leaves: ["x"])), .node(BranchNode(value: "b<a", leaves: ["y<a"])),
    ])
    let nest = NestNode(source, id: \.id, parent: \.parent)
    #expect(nest.count == 2 && nest.element(at: 1) == nil && nest.child(at: 1) == nil)
    #expect(nest[[0, 0]]?.id == "b" && nest.descendantCount == 3, "what is below them is not shown")
  }

  // MARK: What is heard

  @Test func oneMoveIsToldOfASubtree() {
    let items = ArrayNode<Item>(["a", "b<a", "c<b", "d<c", "e"])
    let nest = Self.nest(items)
    let (a, branch) = (nest.child(at: 0)!, BranchNode([nest]))
    var heard: [String: ChangeSet] = [:]
    let tokens = [
      nest.observe { heard["nest"] = $0 }, a.observe { heard["a"] = $0 }, branch.observe { heard["branch"] = $0 },
    ]
    items.update(at: 1) { $0.parent = "e" }
    #expect(Self.text(nest) == "a e(b(c(d)))")
    let change = ChangeSet(
      delta: .update(0..<2), children: [(0, ChangeSet(.removal(0..<1))), (1, ChangeSet(.insertion(0..<1)))],
      transfers: [.init(from: [0, 0], to: [1, 0], change: ChangeSet(updatesValue: true))])
    #expect(heard == ["nest": change, "a": ChangeSet(.removal(0..<1)), "branch": change.wrapped(at: 0)])
    #expect(a.count == 0 && nest.child(at: 0) == nil && nest[[1, 0, 0, 0]]?.id == "d")
    items.update(at: 1) { $0.parent = "a" }
    #expect(nest.child(at: 0) === a && heard["a"] == ChangeSet(.insertion(0..<1)), "the element's node is the same")
    withExtendedLifetime(tokens) {}
  }

  @Test func whatComesBackInATransactionHasSurvived() {
    let items = ArrayNode<Item>(["a", "b<a", "c<b", "d"])
    let nest = Self.nest(items)
    let a = nest.child(at: 0)!
    var heard: [String] = []
    let tokens = [nest.observe { heard.append("\($0)") }, a.observe { heard.append("\($0)") }]
    nest.performUpdates {
      items.update(at: 1) { $0.parent = "d" }
      #expect(Self.text(nest) == "a d(b(c))")
      items.update(at: 1) { $0.parent = "a" }
    }
    // Both were a leaf and a branch meanwhile.
    #expect(heard == ["[~0..<2; 0: [~0]]", "[~0]"])
    heard = []
    nest.performUpdates {
      items.update(at: 0) { $0.id = "x" }
      #expect(Self.text(nest) == "a b(c) d" || Self.text(nest) == "x b(c) d")
      items.update(at: 0) { $0.id = "a" }
    }
    #expect(heard.allSatisfy { !$0.contains("-") && !$0.contains("+") }, "\(heard)")
    withExtendedLifetime(tokens) {}
  }

  @Test func aFilterThatHidesAParentForAWhileLosesNothing() {
    let items = ArrayNode<Item>(["a", "b<a", "c"])
    let filter = FilterNode(items) { $0.id != "z" }
    let nest = NestNode(filter, id: \.id, parent: \.parent)
    var heard: [String] = []
    let token = nest.observe { heard.append("\($0)") }
    nest.performUpdates {
      items.update(at: 0) { $0.id = "z" }
      #expect(Self.text(nest) == "b c")
      items.update(at: 0) { $0.id = "a" }
    }
    #expect(Self.text(nest) == "a(b) c" && heard.count == 1)
    #expect(heard.allSatisfy { !$0.contains("-") && !$0.contains("+") }, "\(heard)")
    token.cancel()
  }

  /// A tree filter tells an update with the departure of a row that it hides because of it.
  @Test func aRowThatWasUpdatedBeforeItLeftComesBackUpdated() {
    let tree = ForestNode<Item>(leaves: ["t"])
    tree.makeBranch(at: 0)
    let branch = tree.child(at: [0])!
    let filter = TreeFilterNode(tree, policy: .keepingAncestors) { $0.parent == nil }
    let nest = NestNode(filter, id: \.id, parent: { _ in nil })
    var heard: [String] = []
    let token = nest.observe { heard.append("\($0)") }
    nest.performUpdates {
      branch.value = "t<a"
      #expect(nest.count == 0)
      branch.append("l")
    }
    #expect(nest.elements == ["t<a"] && heard == ["[~0]"])
    token.cancel()
  }

  @Test func rowsThatMoveBetweenListsStayTheRowsThatTheyWere() {
    let (first, second) = (ArrayNode<Item>(["a", "b<a"]), ArrayNode<Item>(["c<b"]))
    let lists = BranchNode([first, second])
    let nest = NestNode(FlattenNode(lists), id: \.id, parent: \.parent)
    let b = nest.child(at: [0, 0])!
    var heard: [String] = []
    let tokens = [nest.observe { heard.append("\($0)") }, b.observe { heard.append("b: \($0)") }]
    for (path, destination) in [([0, 1], [1, 1]), ([1, 0], [0, 0])] as [(IndexPath, IndexPath)] {
      lists.move(from: path, to: destination)
      #expect(Self.text(nest) == "a(b(c))" && nest.child(at: [0, 0]) === b)
      #expect(heard.allSatisfy { !$0.contains("-") && !$0.contains("+") }, "\(heard)")
    }
    withExtendedLifetime(tokens) {}
  }

  /// A branch that becomes a leaf and goes to another parent, both by one change.
  @Test func anOutlineFollowsABranchThatMovesAndBecomesALeaf() throws {
    let items = ArrayNode<Item>(["a", "b<a", "c<b", "d"])
    let nest = Self.nest(items)
    let outline = OutlineNode(nest, expansion: ExpansionState(policy: .expanded), id: \.id)
    let leaves = DescendantsNode(nest, .leaves)
    let shadows = [ShadowTree(of: outline, id: \.id), ShadowTree(of: leaves, id: \.id)]
    #expect(leaves.elements.map(\.id) == ["c", "d"])
    items[1] = "x"
    #expect(Self.text(nest) == "a x c d" && outline.elements.map(\.id) == ["a", "x", "c", "d"])
    #expect(leaves.elements.map(\.id) == ["a", "x", "c", "d"] && outline.rows(in: 0..<4).allSatisfy { !$0.isExpanded })
    items[1] = "b<d"
    #expect(Self.text(nest) == "a d(b(c))" && leaves.elements.map(\.id) == ["a", "c"])
    for shadow in shadows { try shadow.check() }
  }

  /// A node that comes into sight as a row of the nest is another one than the node that a join shows beside it.
  @Test func aNodeOfTheSourceIsNotItsRow() throws {
    let forest = try ForestNode<Item>(rows: [(0, "a"), (1, "x"), (1, "b<a"), (2, "y")])
    let nest = NestNode(forest, id: \.id, parent: \.parent)
    let shadow = ShadowTree(of: JoinNode([nest, forest]), id: \.id)
    forest.move(from: [0, 1], to: [1])
    #expect(Self.text(nest) == "a(b)")
    try shadow.check()
    forest.move(from: [1], to: [0, 0])
    #expect(Self.text(nest) == "a")
    try shadow.check()
  }

  private struct Stop: Error {}

  @Test func aRollbackBringsBackTheNodesOfBranches() {
    let items = ArrayNode<Item>(["a", "b<a", "c<b"])
    let nest = Self.nest(items)
    let (a, b) = (nest.child(at: 0)!, nest.child(at: [0, 0])!)
    var heard = 0
    let tokens = [nest, a, b].map { $0.observe { _ in heard += 1 } }
    #expect(throws: Stop.self) {
      try nest.performUpdates {
        items.removeAll()
        #expect(nest.count == 0 && a.count == 0 && b.value == nil)
        items.append("b")
        items.append("c<b")
        throw Stop()
      }
    }
    #expect(Self.text(nest) == "a(b(c))" && nest.child(at: 0) === a && nest.child(at: [0, 0]) === b)
    #expect(heard == 0 && b.value?.id == "b")
    items.removeAll()
    #expect(heard == 3)
    items.append(contentsOf: ["b", "c<b"])
    #expect(nest.child(at: 0) === b && b.count == 1 && heard == 5, "the next element with its id")
    withExtendedLifetime(tokens) {}
  }

  /// Not to another element with its id, which came first and had no node.
  @Test func aRollbackBringsANodeBackToItsElement() {
    let items = ArrayNode<Item>(["a", "b<a"])
    let nest = Self.nest(items)
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
    let items = ArrayNode<Item>(["a", "b<a", "c<b", "d"])
    let nest = Self.nest(items)
    let log = UndoLog(of: nest)
    items.update(at: 1) { $0.parent = "d" }
    nest.remove(at: [1, 0])
    items.update(at: 0) { $0.parent = "c" }
    #expect(Self.text(nest) == "c(a) d" && log.undoCount == 3)
    while log.undo() {}
    #expect(Self.text(nest) == "a(b(c)) d")
    while log.redo() {}
    #expect(Self.text(nest) == "c(a) d")
  }

  @Test func closuresAreAskedOnceForEachRowThatComesOrChanges() {
    var calls = 0
    let source = ArrayNode(1...100)
    let nest = NestNode(
      source, id: { $0 },
      parent: {
        calls += 1; return $0 / 2
      })
    #expect(calls == 100)
    source.append(200)
    source[50] = 4
    source.remove(at: 0)
    source.move(from: 0, to: 40)
    #expect(calls == 102)
    nest.refresh()
    #expect(calls == 202)
  }

  @Test func objectsThatChangedAreNestedAgain() {
    final class Node {
      let id: Int
      var parent: Int?
      init(_ id: Int, _ parent: Int?) { (self.id, self.parent) = (id, parent) }
    }
    let items = [Node(1, nil), Node(2, 1), Node(3, 1)]
    let source = ArrayNode(items)
    let nest = NestNode(source, id: \.id, parent: \.parent)
    var heard: [ChangeSet] = []
    let token = nest.observe { heard.append($0) }
    items[2].parent = 2
    nest.refresh()
    #expect(heard.count == 1 && heard[0].transfers == [.init(from: [0, 1], to: [0, 0, 0])])
    nest.refresh()
    #expect(heard.count == 1)
    // A rollback takes the element back to where it was, whatever its parent by now.
    #expect(throws: Stop.self) {
      try nest.performUpdates {
        source.remove(at: 2)
        items[2].parent = nil
        throw Stop()
      }
    }
    #expect(nest.path(ofID: 3) == [0, 0, 0] && heard.count == 1)
    #expect(throws: Stop.self) {
      try nest.performUpdates {
        nest.child(at: [0])!.child(at: 0).map { ($0 as! NestNode<Node, Int>).refresh() }
        #expect(nest.path(ofID: 3) == [1])
        throw Stop()
      }
    }
    #expect(nest.path(ofID: 3) == [0, 0, 0] && heard.count == 1)
    token.cancel()
  }

  // MARK: Writing and places

  @Test func writingGoesToTheSource() {
    let items = ArrayNode<Item>(["a", "b<a", "c<a", "d"])
    let nest = Self.nest(items)
    #expect(nest.allows(.remove, at: [0, 1]) && nest.allows(.replace, at: [1]) && nest.allows(.insert, at: [0, 2]))
    #expect(
      nest.allows(.move(to: 0), at: [0, 1]) && !nest.allows(.insertNode, at: [0]) && !nest.allows(.remove, at: [0, 2]))
    nest.insert("e<a", at: [0, 1])
    #expect(Self.text(nest) == "a(b e c) d")
    nest.insert("f<d", at: [0, 0])
    #expect(Self.text(nest) == "a(b e c) d(f)", "its parent's id says where it stands")
    nest.move(from: [0, 2], to: [0, 0])
    #expect(Self.text(nest) == "a(c b e) d(f)")
    nest.replace(at: [0, 1], with: "b<c")
    #expect(nest.remove(at: [0, 0]).value?.id == "c")
    #expect(Self.text(nest) == "a(e) b d(f)")
    #expect((0..<items.count).map { nest.path(ofSource: $0).map { Array($0) } } == [[0], [2, 0], [1], [0, 0], [2]])
    let d = nest.child(at: 2) as! NestNode<Item, Character>
    #expect(d.path(ofSource: 1) == [0] && d.path(ofSource: 0) == nil && d.path(ofID: "d") == nil)
    #expect(d.sourcePosition(of: 0) == 1 && d.position(ofSource: 1) == 0 && nest.position(ofSource: 1) == nil)
    #expect(d.root === nest && d.source === items && nest.path(of: d) == [2])
    nest.remove(at: [2])
    #expect(d.count == 0 && d.value == nil && !d.allows(.insert, at: 0))
  }

  @Test func aBranchIsMadeWhenItIsAskedFor() {
    let nest = Self.nest(ArrayNode(["a", "b<a", "c<b"]))
    #expect(nest.family.translation.value.parts.isEmpty)
    var branch = nest.child(at: [0, 0])
    #expect(branch === nest.child(at: [0, 0]) && branch?.value?.id == "b")
    #expect(!nest.family.translation.value.parts.isEmpty)
    branch = nil
    #expect(nest.family.translation.value.parts.isEmpty)
  }

  // MARK: Memory, depth and misuse

  @Test func idsThatAreGoneAreForgotten() {
    let source = ArrayNode([0])
    let nest = NestNode(source, id: { $0 }, parent: { $0 - 1_000 })
    for number in 1...500 { source[0] = number }
    #expect(nest.family.table.keys.count < 8 && nest.byteCount < 4_000)
  }

  @Test func theTreeTakesLittleMemory() {
    let nest = NestNode(ArrayNode(1...20_000), id: { $0 }, parent: { $0 / 10 })
    #expect(nest.byteCount <= 60 * 20_000, "\(nest.byteCount / 20_000)")
  }

  /// 5200 has the id of 503, which its source hides in the same change, and may show again in the transaction.
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

  /// 2 leaves the source as a row of a flat list, and comes back as a branch; 3 goes below it then.
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
    #expect(nest.elements == [4, 6, 2])
    forest.move(from: [0, 1, 0], to: [0])
    #expect(nest.elements == [2, 6] && nest.child(at: 0)?.elements == [3])
    try shadow.check()
  }

  @Test(.smallStack) func aChainIsDeep() {
    let depth = 100_000
    let source = ArrayNode((0..<depth).reversed())
    let nest = NestNode(source, id: { $0 }, parent: { $0 - 1 })
    #expect(nest.count == 1 && nest.descendantCount == depth)
    var heard = 0
    let token = nest.observe { heard += $0.transfers.count }
    // The element in the middle goes to the top level, and so does what was below it.
    source[depth / 2] = depth * 2
    #expect(nest.count == 3 && nest.descendantCount == depth && heard == 2)
    source[depth / 2] = depth / 2 - 1
    #expect(nest.count == 1 && nest.descendantCount == depth && heard == 4)
    token.cancel()
  }

  static let misuses = [
    Misuse("was changed from a closure that a derived node of the same graph calls") {
      let source = ArrayNode([2, 1])
      let nest = NestNode(
        source,
        id: { number in
          if source.count == 3 { source.removeLast() }
          return number
        }, parent: { $0 - 1 })
      withExtendedLifetime(nest) { source.append(3) }
    },
    Misuse("NestNode: its source is a ProviderNode<Int>, which cannot be written.") {
      NestNode(ProviderNode(count: 1) { $0 }, id: { $0 }, parent: { _ in nil }).remove(at: 0)
    },
    Misuse("NestNode: the position 1 is out of range 0..<1.") {
      _ = NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).sourcePosition(of: 1)
    },
    Misuse("NestNode's source: the position 1 is out of range 0..<1.") {
      _ = NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).path(ofSource: 1)
    },
    Misuse("NestNode's source: the position -1 is out of range 0..<1.") {
      _ = NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).position(ofSource: -1)
    },
    Misuse("NestNode: the position 2 of an insertion is out of range 0...1.") {
      NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).insert(1, at: 2)
    },
    Misuse("NestNode: the range 0..<2 is out of range 0..<1.") {
      NestNode(ArrayNode([1]), id: { $0 }, parent: { _ in nil }).forEachSpan(in: 0..<2) { _, _ in }
    },
    Misuse("NestNode: there is no member that could take an insertion.") {
      let source = ArrayNode([1, 2])
      let branch = NestNode(source, id: { $0 }, parent: { $0 - 1 }).child(at: 0) as! NestNode<Int, Int>
      source.removeAll()
      branch.insert(1, at: 0)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
