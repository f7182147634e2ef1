import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Branches that leave a view and return in one transaction. Nodes that show the rows below them follow: outlines,
/// trees and flat lists.
@Suite struct DisappearingBranchesTests {
  private static let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]

  /// A setting hides a row. The row loses a child and is shown again, and this is rolled back. Each of these steps is a
  /// settlement of its own.
  @Test(arguments: 0..<4, [false, true]) func aRowThatASettingHidHasItsPresentChildren(view: Int, isInner: Bool) throws
  {
    struct Stop: Error {}
    let source = ForestNode<Row>(leaves: [Row(id: 20)])
    source.insert(ForestNode(value: Row(id: 10), leaves: [Row(id: 11), Row(id: 12)]), at: 0)
    let slice = SliceNode(source, 0..<1)
    let outline = OutlineNode(slice, expansion: ExpansionState(policy: .expanded), id: \.id)
    let views: [any TreeNode<Row>] = [
      outline, TreeSortNode(slice) { $0.id < $1.id }, TreeFilterNode(slice) { $0.id != 13 }, FlattenNode(slice),
    ]
    let shadow = ShadowTree(of: views[view], id: \.id, minimality: [])
    func show(isTakenBack: Bool) {
      try? source.performUpdates {
        source.insert(Row(id: 30), at: 0)
        #expect(slice.elements.map(\.id) == [10] && slice.child(at: 0)?.count == 1)
        if isTakenBack { throw Stop() }
      }
    }
    if isInner {
      source.performUpdates {
        slice.window = 1..<2
        source.remove(at: [0, 0])
        show(isTakenBack: true)
        source.remove(at: [0, 0])
        source.child(at: [0])?.insert(Row(id: 14), at: 0)
        source.insert(Row(id: 30), at: 0)
      }
    } else {
      try? source.performUpdates {
        slice.window = 1..<2
        source.remove(at: [0, 0])
        show(isTakenBack: false)
        throw Stop()
      }
      #expect(slice.child(at: 0)?.elements.map(\.id) == [11, 12])
    }
    try shadow.check()
    #expect(shadow.deliveryCount <= 1)
    try NodeChecker<Row>(id: \.id).check(views[view])
    #expect(outline.elements.map(\.id) == (isInner ? [10, 14] : [10, 11, 12]))
  }

  /// 4 becomes a section of a flat list. After a move down a level, it is a row with a child. Then all is rolled back.
  @Test(arguments: SettingsInTransactionsTests.View.allCases, [false, true])
  func aRowThatWasASectionForAWhileIsARowAgain(_ view: SettingsInTransactionsTests.View, reads: Bool) throws {
    struct Stop: Error {}
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (2, 3), (0, 4)].map { ($0.0, Row(id: $0.1)) })
    let flat = FlattenNode(forest, levels: 2)
    let node = view.node(of: flat)
    let shadow = ShadowTree(of: node, id: \.id, minimality: [])
    let before = TreeSnapshot(of: node)
    try? forest.performUpdates {
      forest.insert(Row(id: 5), at: [1, 0])
      if reads { #expect(flat.elements.map(\.id) == [3, 5]) }
      forest.move(from: [1], to: [0, 0, 1])
      if reads { #expect(flat.elements.map(\.id) == [3, 4] && flat.child(at: 1)?.count == 1) }
      throw Stop()
    }
    #expect(shadow.deliveryCount <= (reads ? 1 : 0))
    #expect(flat.elements.map(\.id) == [3, 4] && TreeSnapshot(of: node) == before)
    try shadow.check()
    try NodeChecker<Row>(id: \.id).check(node)
  }

  /// A section of a flat list is hidden in an inner transaction and in the outer one, and both are rolled back. Without
  /// a read, no observer is called.
  @Test(arguments: [false, true]) func aSectionThatIsHiddenAndRolledBackTwiceIsShown(reads: Bool) throws {
    struct Stop: Error {}
    let forest = try ForestNode(rows: [(0, Row(id: 1)), (1, Row(id: 2))])
    let filter = FilterNode(forest) { $0.version == 0 }
    let flat = FlattenNode(filter, levels: 2)
    let shadows = [filter, flat].map { (node: any TreeNode<Row>) in ShadowTree(of: node, id: \.id, minimality: []) }
    let other = BranchNode<Row>([forest, filter, flat])
    try? forest.performUpdates {
      try? forest.performUpdates {
        forest.replace(at: [0], with: Row(id: 1, version: 1))
        if reads { #expect(flat.count == 0) }
        throw Stop()
      }
      if reads {
        filter.replace(at: [0], with: Row(id: 1, version: 1))
        #expect(flat.count == 0)
      } else {
        forest.replace(at: [0], with: Row(id: 1, version: 1))
      }
      throw Stop()
    }
    for shadow in shadows {
      try shadow.check()
      #expect(shadow.deliveryCount <= (reads ? 1 : 0))
    }
    #expect(flat.elements.map(\.id) == [2] && filter.elements == forest.elements)
    withExtendedLifetime(other) {}
  }

  /// A filter hides a branch whose rows an outline shows. In between, there are other edits, and one of its children
  /// moves elsewhere.
  @Test func rowsOfAVanishedBranchSurviveInAnOutline() throws {
    let inner = BranchNode(value: Row(id: 3), leaves: [Row(id: 4), Row(id: 5)])
    let branch = BranchNode(value: Row(id: 1), [.leaf(Row(id: 2)), .node(inner), .leaf(Row(id: 6))])
    let root = BranchNode([.node(branch), .leaf(Row(id: 7))])
    let outline = OutlineNode(
      FilterNode(root) { $0.version != 1 }, expansion: ExpansionState(policy: .expanded), id: \.id)
    let shadow = ShadowTree(of: outline, id: \.id, minimality: Self.demands)
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    root.performUpdates {
      branch.value = Row(id: 1, version: 1)
      root.append(.leaf(Row(id: 8)))
      root.move(from: [0, 1], to: [0])
      inner.append(.leaf(Row(id: 9)))
      root.move(from: [1, 0], to: [2])
      inner.value = Row(id: 3, version: 1)
      root.append(.leaf(Row(id: 10)))
      inner.value = Row(id: 3, version: 2)
      branch.value = Row(id: 1, version: 2)
    }
    try shadow.check()
    #expect(outline.elements.map(\.id) == [3, 4, 5, 9, 1, 6, 2, 7, 8, 10])
    #expect(
      received.count == 1 && received[0].delta.removals.isEmpty && received[0].delta.insertions.joined().count == 3)
    withExtendedLifetime(token) {}
  }

  /// The same, but the branch is a leaf when it returns, or has been a leaf.
  @Test(arguments: [false, true]) func aVanishedBranchMayComeBackAsALeaf(_ isBranchInTheEnd: Bool) throws {
    let forest = ForestNode<Row>()
    for (row, path): (Int, IndexPath) in [(1, [0]), (2, [0, 0]), (3, [1])] {
      if path.count > 1 { forest.turnIntoBranch(at: 0) }
      forest.insert(Row(id: row), at: path)
    }
    let outline = OutlineNode(
      FilterNode(forest) { $0.version != 1 }, expansion: ExpansionState(policy: .expanded), id: \.id)
    let shadow = ShadowTree(of: outline, id: \.id, minimality: Self.demands)
    forest.performUpdates {
      forest[0].version = 1
      forest.append(Row(id: 4))
      forest.remove(at: [0, 0])
      forest.turnIntoLeaf(at: 0)
      if isBranchInTheEnd {
        forest.turnIntoBranch(at: 0)
        forest.insert(Row(id: 5), at: [0, 0])
      }
      forest[0].version = 2
    }
    try shadow.check()
    #expect(outline.elements.map(\.id) == (isBranchInTheEnd ? [1, 5, 3, 4] : [1, 3, 4]))
  }

  /// A tree filter that hides subtrees releases a hidden branch when the branch becomes a leaf. The outline still has
  /// its handle, and another branch may get the same handle.
  @Test(arguments: [false, true], [false, true])
  func aBranchThatATreeFilterHidMayComeBackAsALeaf(isUndo: Bool, isHandleGivenAgain: Bool) throws {
    let forest = ForestNode(leaves: [Row(id: 1), Row(id: 2, version: 1)])
    let filter = TreeFilterNode(forest, policy: .hidingSubtrees) { $0.version != 1 }
    let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: \.id)
    func begin() {
      forest.insert(Row(id: 3), at: [1, 0])
      forest[1].version = 2
      #expect(outline.elements.map(\.id) == [1, 2, 3])
    }
    let log = UndoLog(of: forest)
    if isUndo {
      forest.performUpdates { begin() }
    } else {
      begin()
    }
    let shadow = ShadowTree(of: outline, id: \.id)
    if isUndo {
      log.undo()
      #expect(outline.elements.map(\.id) == [1])
      if isHandleGivenAgain { forest.insert(Row(id: 4), at: [0, 0]) }
    } else {
      forest.performUpdates {
        forest[1].version = 1
        forest.remove(at: [1, 0])
        forest.turnIntoLeaf(at: 1)
        if isHandleGivenAgain { forest.insert(Row(id: 4), at: [0, 0]) }
        forest[1].version = 0
      }
      #expect(outline.elements.map(\.id) == (isHandleGivenAgain ? [1, 4, 2] : [1, 2]))
    }
    try shadow.check()
    forest[1].version = 3
    forest.insert(Row(id: 5), at: [1, 0])
    try shadow.check()
    #expect(outline.elements.map(\.id).suffix(2) == [2, 5])
  }

  enum Setting: CaseIterable { case none, collapseAll, expandAll }

  /// A tree filter hides a leaf, or a row below it. The leaf is a branch when it returns, after another leaf became a
  /// branch.
  ///
  /// The outline may have another policy by then. That setting is a settlement of its own, which finds the row hidden.
  @Test(arguments: [[1], [1, 0]], Setting.allCases)
  func aVanishedLeafMayComeBackAsABranch(leaf: IndexPath, setting: Setting) throws {
    for isFollowedByAnother in [false, true] {
      let rows = [(0, 1), (0, 2)] + (leaf.count > 1 ? [(1, 5)] : [])
      let forest = try ForestNode(rows: rows.map { ($0.0, Row(id: $0.1)) })
      let filter = TreeFilterNode(forest, policy: .hidingSubtrees) { $0.version != 1 }
      let outline = OutlineNode(
        filter, expansion: ExpansionState(policy: setting == .expandAll ? .collapsed : .expanded), id: \.id)
      let all = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: \.id)
      let demands: Minimality = setting == .none ? .standard : .fewestMoves
      let shadows = [outline, all].map { ShadowTree(of: $0, id: \.id, minimality: demands) }
      forest.performUpdates {
        forest[1].version = 1
        if isFollowedByAnother { forest.insert(Row(id: 4), at: [0, 0]) }
        forest.insert(Row(id: 3), at: leaf + [0])
        switch setting {
        case .none: break
        case .collapseAll: outline.collapseAll()
        case .expandAll: outline.expandAll()
        }
        forest[1].version = 2
      }
      for shadow in shadows { try shadow.check() }
      #expect(all.count == rows.count + (isFollowedByAnother ? 2 : 1))
    }
  }

  /// Sections become rows, and rows become sections, in a flat list of a forest. A tree filter shows the list.
  @Test func rowsOfASectionSurviveInATreeFilter() throws {
    func tree(_ id: Int, _ children: [TreeSnapshot<Row>]) -> TreeSnapshot<Row> {
      TreeSnapshot(value: Row(id: id), children: children)
    }
    func leaf(_ id: Int) -> TreeSnapshot<Row> { TreeSnapshot(leaf: Row(id: id)) }
    func check(_ levels: Int, _ trees: [TreeSnapshot<Row>], from path: IndexPath, to destination: IndexPath) throws {
      let forest = try ForestNode(TreeSnapshot(children: trees))
      let filter = TreeFilterNode(FlattenNode(forest, levels: levels), policy: .hidingSubtrees) { $0.version == 0 }
      let shadow = ShadowTree(of: filter, id: \.id, minimality: Self.demands)
      forest.move(from: path, to: destination)
      try shadow.check()
      #expect(shadow.deliveryCount == 1)
    }
    // The row of a section's section leaves it, and is then a row of the section.
    try check(1, [tree(1, [tree(2, [leaf(3)])])], from: [0, 0], to: [0])
    // The rows of a section move with it into a row.
    try check(
      2, [tree(1, [leaf(2), leaf(3)]), leaf(4), tree(5, [tree(6, [])])], from: [0], to: [1, 0, 0])
  }
}
