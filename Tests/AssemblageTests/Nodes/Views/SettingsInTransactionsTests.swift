import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Settings of views among edits of the same transaction. Each setting is a settlement of its own.
@Suite struct SettingsInTransactionsTests {
  private struct Stop: Error {}

  /// A view of a list: the list itself, or a node that follows its branches.
  enum View: CaseIterable {
    case list, treeFilter, treeSort, outline, descendants

    func node(of list: any TreeNode<Row>) -> any TreeNode<Row> {
      switch self {
      case .list: list
      case .treeFilter: TreeFilterNode(list, policy: .keepingAncestors) { $0.version >= 0 }
      case .treeSort: TreeSortNode(list) { $0.id < $1.id }
      case .outline: OutlineNode(list, expansion: ExpansionState(policy: .expanded), id: \.id)
      case .descendants: DescendantsNode(list, .leaves)
      }
    }
  }

  enum Setting: CaseIterable {
    case window, predicate, id, key, treePredicate
  }

  /// Returns 9, 1 with the children 5, 6 and 7, 2 and 3.
  private func rows() -> (tree: BranchNode<Row>, one: BranchNode<Row>) {
    let one = BranchNode(value: Row(id: 1), leaves: [5, 6, 7].map { Row(id: $0) })
    return (BranchNode([.leaf(Row(id: 9)), .node(one), .leaf(Row(id: 2)), .leaf(Row(id: 3))]), one)
  }

  /// A setting hides 1, and another one shows it and is rolled back or not. 1 loses a child before and after.
  @Test(arguments: View.allCases, Setting.allCases)
  func whatASettingHidesAndShowsIsReported(_ view: View, _ setting: Setting) throws {
    for isTakenBack in [false, true] {
      let (tree, one) = rows()
      let (slice, filter) = (SliceNode(tree, 0..<2), FilterNode(tree) { _ in true })
      let (unique, group) = (UniqueNode(tree, id: \.id), GroupNode(tree, header: { Row(id: -$0) }) { _ in 1 })
      let section = group.section(at: 0)
      let treeFilter = TreeFilterNode(tree, policy: .hidingSubtrees) { _ in true }
      func show(_ isShown: Bool) {
        switch setting {
        case .window: slice.window = isShown ? 0..<2 : 0..<1
        case .predicate: filter.setPredicate { isShown || $0.id != 1 }
        case .id: unique.setID { isShown || $0.id != 1 ? $0.id : 9 }
        case .key: group.setKey { isShown || $0.id != 1 ? 1 : 2 }
        case .treePredicate: treeFilter.setPredicate { isShown || $0.id != 1 }
        }
      }
      let list: any TreeNode<Row> =
        switch setting {
        case .window: slice
        case .predicate: filter
        case .id: unique
        case .key: section
        case .treePredicate: treeFilter
        }
      // One settlement hides 1, and another one shows it. So 1 may be reported as removed and inserted.
      let shadow = ShadowTree(of: view.node(of: list), id: \.id, minimality: .fewestMoves)
      tree.performUpdates {
        show(false)
        one.remove(at: 0)
        try? tree.performUpdates {
          show(true)
          one.remove(at: 0)
          if isTakenBack { throw Stop() }
        }
        if isTakenBack { show(true) }
      }
      try shadow.check()
      #expect(list.child(at: 1)?.elements.map(\.id) == (isTakenBack ? [6, 7] : [7]))
    }
  }

  /// An update hides 1. 2 moves into 1, and leaves it when another predicate shows both.
  @Test(arguments: View.allCases, [false, true])
  func aRowThatAnUpdateHidesAndAPredicateShowsIsReported(_ view: View, isTakenBack: Bool) throws {
    let (tree, one) = rows()
    let filter = FilterNode(tree) { $0.version == 0 }
    let shadow = ShadowTree(of: view.node(of: filter), id: \.id, minimality: .fewestMoves)
    tree.performUpdates {
      one.value = Row(id: 1, version: 1)
      one.remove(at: 0)
      tree.move(from: [2], to: [1, 0])
      try? tree.performUpdates {
        filter.setPredicate { _ in true }
        if isTakenBack { throw Stop() }
      }
      if isTakenBack { filter.setPredicate { _ in true } }
      tree.move(from: [1, 0], to: [0])
      one.value = Row(id: 1, version: 2)
    }
    try shadow.check()
    #expect(filter.elements.map(\.id) == [2, 9, 1, 3])
  }

  /// A setting is rolled back or not. Behind it, an update hides 1 and another update shows it. 2 moves into 1 and out
  /// again.
  @Test(arguments: View.allCases, [false, true])
  func whatIsEditedAfterASettingSurvives(_ view: View, isTakenBack: Bool) throws {
    let (tree, one) = rows()
    let filter = FilterNode(tree) { $0.version == 0 }
    let shadow = ShadowTree(
      of: view.node(of: filter), id: \.id,
      minimality: isTakenBack ? .fewestMoves : [.survivors, .fewestMoves, .acrossParents])
    tree.performUpdates {
      try? tree.performUpdates {
        filter.setPredicate { isTakenBack ? $0.id == 3 : $0.version != 1 }
        if isTakenBack { throw Stop() }
      }
      one.value = Row(id: 1, version: 1)
      one.remove(at: 0)
      tree.move(from: [2], to: [1, 0])
      tree.move(from: [1, 0], to: [0])
      one.value = Row(id: 1, version: isTakenBack ? 0 : 2)
    }
    try shadow.check()
    #expect(filter.elements.map(\.id) == [2, 9, 1, 3])
  }

  /// A predicate changes a tree filter and one of its children. A sort of both receives these changes together, because
  /// it compares new rows with the child's rows.
  @Test func aPredicateChangesAFilterAndItsChildrenTogether() {
    let root = BranchNode<Int>([.node(BranchNode(value: 5, leaves: [1, 2, 6])), .leaf(3)])
    let filter = TreeFilterNode(root) { $0 != 3 }
    let sort = SortNode(JoinNode([filter.child(at: 0)!, filter]), by: <)
    var received = 0
    let token = sort.observe { _ in received += 1 }
    #expect(sort.elements == [1, 2, 5, 6])
    filter.performUpdates {
      filter.setPredicate { $0 == 3 || $0 == 6 }
      #expect(sort.elements == [3, 5, 6])
    }
    #expect(sort.elements == [3, 5, 6] && received == 1)
    withExtendedLifetime(token) {}
  }
}
