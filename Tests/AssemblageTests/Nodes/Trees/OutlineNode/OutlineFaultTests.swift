@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Rollbacks, undo, and programmer errors.
@Suite struct OutlineFaultTests: MisuseSuite {
  private struct Stop: Error {}

  enum Source: CaseIterable {
    case forest, branches

    /// ▸ 1 (4), ▾ 2 (3, 5), 6
    func callAsFunction() throws -> any WritableNode<Row> {
      func leaf(_ id: Int) -> TreeSnapshot<Row> { TreeSnapshot(leaf: Row(id: id)) }
      let tree = TreeSnapshot<Row>(children: [
        TreeSnapshot(value: Row(id: 1), children: [leaf(4)]),
        TreeSnapshot(value: Row(id: 2), children: [leaf(3), leaf(5)]), leaf(6),
      ])
      return self == .forest ? try ForestNode(tree) : BranchNode(tree.children.map(child))
    }

    private func child(_ place: TreeSnapshot<Row>) -> TreeChild<Row> {
      place.isNode ? .node(BranchNode(value: place.value, place.children.map(child))) : .leaf(place.value!)
    }
  }

  /// Everything is expanded. So a leaf and a branch have different names when they leave.
  @Test func aLeafOfAHiddenBranchBecomesABranchAndSurvives() throws {
    let tree = try Source.forest() as! ForestNode<Row>
    let unique = UniqueNode(tree) { $0.id % 10 }
    let outline = OutlineNode(unique, expansion: ExpansionState(policy: .expanded), id: \.id)
    let shadow = ShadowTree(of: outline, id: \.id)
    shadow.minimality = [.survivors, .fewestMoves, .acrossParents]
    let token = outline.observe { change in
      #expect(change.delta.removals.isEmpty && change.delta.insertions.elementCount == 1)
    }
    tree.performUpdates {
      // The insertion hides 2 with 3 and 5.
      tree.insert(Row(id: 12), at: [1])
      tree.insert(Row(id: 7), at: IndexPath(indexes: [2, 0, 0]))
      tree.remove(at: [1])
    }
    #expect(outline.elements.map(\.id) == [1, 4, 2, 3, 7, 5, 6])
    try shadow.check()
    token.cancel()
  }

  /// An outline reports moves within its own tree. A leaf that leaves the tree is removed from the rows, wherever it
  /// arrives.
  @Test(arguments: [ExpansionPolicy.collapsed, .expanded])
  func aLeafThatLeavesTheTreeOfAnOutlineIsRemoved(_ policy: ExpansionPolicy) throws {
    let array = ArrayNode([1, 2])
    let branch = BranchNode<Int>([.node(OutlineNode(array, expansion: ExpansionState(policy: policy), id: \.self))])
    let shadow = ShadowTree(of: branch, id: \.self, minimality: .standard)
    let recorder = ChangeRecorder(of: branch)
    let join = JoinNode([branch, array])
    try recorder.expecting(["[+0; 1: [-1]]"]) { join.move(from: [2], to: [0]) }
    #expect(branch.count == 2 && branch.element(at: 0) == 2 && branch.child(at: 1)?.elements == [1])
    try shadow.check()
    try recorder.expecting(["[-0; 0: [+1]]"]) { join.move(from: [0], to: [2]) }
    #expect(array.elements == [1, 2])
    try shadow.check()
  }

  @Test(arguments: Source.allCases) func whatMovesBelowACollapsedRowAndOutSurvives(source: Source) throws {
    let tree = try source()
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .collapsed), id: \.id)
    outline.expand(row: 1)
    let shadow = ShadowTree(of: outline, id: \.id)
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    tree.performUpdates {
      tree.move([2], into: [0], at: 0)
      tree.move([1], into: [0], at: 1)
      tree.insert(Row(id: 7), at: IndexPath(indexes: [0, 1, 1]))
      tree.replace(at: IndexPath(indexes: [0, 0]), with: Row(id: 6, version: 1))
      tree.move([0, 1], into: [], at: 0)
      tree.move([1, 0], into: [], at: 2)
    }
    #expect(outline.elements.map(\.id) == [2, 3, 7, 5, 1, 6])
    #expect(
      received == [ChangeSet(Delta(insertions: [2..<3], updates: [5..<6], moves: [Delta.Move(from: 0..<1, to: 4..<5)]))]
    )
    try shadow.check()
    token.cancel()
  }

  /// A node without a value has no id, so no state contains its expansion. The node stays expanded until a settlement
  /// finds the node gone.
  @Test(arguments: [false, true]) func aRollbackShowsWhatWasExpandedWithoutAnId(changesSettings: Bool) throws {
    let section = BranchNode<String>([.leaf("a"), .node(ArrayNode(["b", "c"]))])
    let root = BranchNode([section])
    let outline = OutlineNode(root, id: { $0 })
    outline.expand(row: 0)
    outline.expand(row: 2)
    #expect(outline.count == 5)
    let other = ArrayNode(["x"])
    let goal = BranchNode<String>(value: "goal")
    root.append(goal)
    let former = outline.expansion
    let shadow = ShadowTree(of: outline, checker: NodeChecker(id: { $0 }).allowingEmptyLeaves(), minimality: [])
    #expect(throws: Stop.self) {
      try outline.performUpdates {
        root.move(from: [0, 1], to: [1, 0])
        root.remove(at: 0)
        root.insert(.node(other), at: 0)
        if changesSettings {
          outline.expand(row: 0)
          outline.collapseAll()
          outline.beginTemporaryExpansion()
        }
        throw Stop()
      }
    }
    try shadow.check()
    #expect(shadow.deliveryCount == (changesSettings ? 1 : 0))
    #expect(outline.expansion == former && !outline.isTemporarilyExpanded)
    if changesSettings {
      #expect(outline.count == 2)
      outline.expand(row: 0)
      outline.expand(row: 2)
      try shadow.check()
    }
    try #require(outline.count == 6)
    #expect(outline.path(ofRow: 4) == [0, 1, 1])
  }

  /// The expansion is no change of the data. An undo log does not record it, and is not confused by it.
  @Test func undoingLeavesTheExpansionAlone() {
    let folder = BranchNode(value: "folder", leaves: ["a"])
    let root = BranchNode([folder])
    let outline = OutlineNode(root, id: { $0 })
    let log = UndoLog(of: root)
    outline.expand(row: 0)
    folder.append(.leaf("b"))
    outline.collapse(row: 0)
    outline.expand(row: 0)
    #expect(outline.elements == ["folder", "a", "b"])
    log.undo()
    #expect(outline.elements == ["folder", "a"])
    root.remove(at: 0)
    log.undo()
    #expect(outline.elements == ["folder", "a"])
  }

  /// Rows that move from one section to new sections stay, although the filter in between knows only the rows that were
  /// read.
  @Test func rowsThatChangeTheirSectionsBehindATreeFilterStay() throws {
    let numbers = ArrayNode([0, 1, 2])
    let group = GroupNode(numbers, header: { -1 - $0 }, by: { _ in 0 })
    let filter = TreeFilterNode(group, policy: .hidingSubtrees) { _ in true }
    let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadows = [ShadowTree(of: filter, id: { $0 }), ShadowTree(of: outline, id: { $0 })]
    group.setKey { $0 }
    for shadow in shadows { try shadow.check() }
    #expect(outline.elements == [-1, 0, -2, 1, -3, 2])
  }

  /// A section leaves and returns. The present state decides whether it is expanded then.
  @Test func aSectionThatComesBackIsCollapsedWithTheOthers() {
    let array = ArrayNode([10])
    let group = GroupNode(array) { $0 % 10 }
    let outline = OutlineNode(group, expansion: ExpansionState(policy: .expanded), id: { $0 })
    group.performUpdates {
      array[0] = 11
      outline.collapseAll()
      array[0] = 20
    }
    #expect(outline.count == 1)
  }

  /// A row without children is another child than the section with children that has the same row.
  @Test func aRowAndItsSectionAreDifferentChildren() throws {
    let single = SingleNode<Int>(8000)
    let group = GroupNode(single, header: { -$0 }) { $0 }
    let outline = OutlineNode(group, id: { $0 })
    let branch = BranchNode<Int>([.node(outline)])
    let shadow = ShadowTree(of: branch, id: { $0 })
    branch.performUpdates {
      single.content = nil
      branch[0] = .node(group)
      single.insert(8000, at: 0)
    }
    try shadow.check()
    branch.performUpdates {
      single.content = nil
      branch[0] = .node(outline)
      single.insert(8000, at: 0)
    }
    try shadow.check()
  }

  static let misuses = [
    Misuse("OutlineNode: the position 2 is out of range 0..<2.") { outline().expand(row: 2) },
    Misuse("OutlineNode: the position -1 is out of range 0..<2.") { outline().toggle(row: -1) },
    Misuse("OutlineNode: the position 2 is out of range 0..<2.") { outline().collapse(row: 2) },
    Misuse("OutlineNode: the position 2 is out of range 0..<2.") { _ = outline().row(at: 2) },
    Misuse("OutlineNode: the position 2 is out of range 0..<2.") { _ = outline().path(ofRow: 2) },
    Misuse("OutlineNode: the position 2 is out of range 0..<2.") { _ = outline().descendants(ofRow: 2) },
    Misuse("The path [] is the root of the outline, which has no row.") { outline().setExpanded(true, at: []) },
    Misuse("The path [2] is out of range: there are 2 children at [].") { outline().setExpanded(true, at: [2]) },
    Misuse("The path [0, 0] leads through [0], which is a leaf.") { outline().setExpanded(true, at: [0, 0]) },
    Misuse("The path [] is the root of the outline, which has no row.") { outline().reveal([]) },
    Misuse("The path [1, 5] is out of range: there is no such child in the tree of the outline.") {
      outline().reveal([1, 5])
    },
    Misuse("OutlineNode: the position 2 is out of range 0..<2.") { outline().remove(at: [2]) },
    Misuse("OutlineNode: the position 3 of an insertion is out of range 0...2.") { outline().insert("x", at: [3]) },
    Misuse("OutlineNode: the range 0..<3 is out of range 0..<2.") {
      OutlineNode(single(), id: { $0 }).forEachSpan(in: 0..<3) { _, _ in }
    },
    Misuse("BranchNode<String> was changed from a closure that must only read") {
      let root = single()
      _ = OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { $0 })
      let state = { () -> ExpansionState<String> in
        var state = ExpansionState<String>()
        state.choose(true, for: "b")
        return state
      }
      _ = OutlineNode(
        root, expansion: state(),
        id: { value in
          root.append(.leaf("x"))
          return value
        })
    },
    Misuse("HierarchyNode: the closure that was asked for a node's children asks that node.") {
      var tree: HierarchyNode<Int>?
      tree = HierarchyNode(0, id: { $0 }, children: { _ in tree!.elements })
      _ = tree?.count
    },
    Misuse("HierarchyNode: only the root can be given a value; the other values are elements of their parents.") {
      let tree = HierarchyNode(0, id: { $0 }, children: { [$0 + 1] })
      (tree.child(at: 0) as? HierarchyNode<Int>)?.reload(value: 3)
    },
    Misuse("The path [1] is out of range: there is 1 child at [].") {
      HierarchyNode(0, id: { $0 }, children: { $0 < 2 ? [$0 + 1] : [] }).performUpdates {
        let tree = HierarchyNode(0, id: { $0 }, children: { $0 < 2 ? [$0 + 1] : [] })
        _ = tree.count
        tree.reload(at: [1])
      }
    },
    Misuse("OutlineNode: a Miscounting has 5 children, but according to its changes it has 3.") {
      let node = Miscounting()
      let outline = OutlineNode(node, id: { $0 })
      node.lie()
      _ = outline.count
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}

private func single() -> BranchNode<String> {
  BranchNode([.leaf("a"), .node(BranchNode(value: "b", leaves: ["c"]))])
}

private func outline() -> OutlineNode<String, String> { OutlineNode(single(), id: { $0 }) }

private final class Miscounting: TreeNode {
  typealias Element = String
  private let author = NodeAuthor()
  var port: NodePort { author.port }
  var count = 2
  init() { author.attach(to: self) }
  func element(at position: Int) -> String? { position >= 0 && position < count ? "\(position)" : nil }
  func lie() {
    author.prepareForChange()
    count = 5
    author.publish(ChangeSet(.insertion(0..<1)))
  }
}
