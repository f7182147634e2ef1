import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// A rollback of edits that no view has translated does not touch the views. A rollback of settled edits is an ordinary
/// change.
@Suite struct RollbackBeforeSettlementTests {
  private struct Stop: Error {}

  private func rollBack(_ node: any TreeNode, _ body: () -> Void) {
    try? node.performUpdates {
      body()
      throw Stop()
    }
  }

  /// Counts the calls of the closures of views.
  private final class Calls { var count = 0 }

  /// 10,000 edits of an array are rolled back without a call of a predicate, a comparator or an observer.
  @Test func manyEditsOfAnArrayTouchNoView() {
    let source = ArrayNode(0..<500)
    let calls = Calls()
    let filter = FilterNode(JoinNode([source, ArrayNode([-1])])) { row in
      calls.count += 1
      return row % 2 == 0
    }
    let sort = SortNode(filter) { left, right in
      calls.count += 1
      return left > right
    }
    let group = GroupNode(source) { row in
      calls.count += 1
      return row % 3
    }
    let tokens = ([filter, sort, group] as [any TreeNode<Int>]).map { $0.observe { _ in calls.count += 1_000_000 } }
    let (former, sorted, sections) = (source.elements, sort.elements, NaiveTree(of: group))
    calls.count = 0
    rollBack(source) {
      for number in 0..<2_500 {
        source.insert(number, at: number % source.count)
        source[number % source.count] = number + 7
        source.move(from: number % source.count, to: 0)
        source.remove(at: number * 3 % source.count)
      }
    }
    #expect(calls.count == 0)
    #expect(source.elements == former && sort.elements == sorted && NaiveTree(of: group) == sections)
    #expect(calls.count == 0)
    source.append(1_000)
    #expect(calls.count > 1_000_000 && sort.elements.first == 1_000)
    withExtendedLifetime(tokens) {}
  }

  /// 10,000 edits of a forest below tree views are rolled back in the same way.
  @Test func manyEditsOfAForestTouchNoView() throws {
    let tree = TreeSnapshot(
      children: (0..<20).map { folder in
        TreeSnapshot(value: Row(id: folder), children: (1...9).map { TreeSnapshot(leaf: Row(id: 100 * folder + $0)) })
      })
    let forest = try ForestNode(tree)
    let calls = Calls()
    let filter = TreeFilterNode(forest) { row in
      calls.count += 1
      return row.version % 2 == 0
    }
    let sort = TreeSortNode(filter) { left, right in
      calls.count += 1
      return left.id > right.id
    }
    let outline = OutlineNode(sort, expansion: ExpansionState(policy: .expanded), id: \.id)
    let child = sort.child(at: 3)!
    let nodes: [any TreeNode<Row>] = [filter, sort, outline, child]
    let shadows = nodes.map { ShadowTree(of: $0, id: \.id) }
    calls.count = 0
    rollBack(forest) {
      for number in 0..<2_500 {
        let (folder, other) = (number % 20, (number + 7) % 20)
        forest.insert(Row(id: 10_000 + number), at: [folder, 0])
        forest.move(from: [folder, 0], to: [other, 0])
        forest.replace(at: [folder, 0], with: Row(id: forest[[folder, 0]]!.id, version: number))
        forest.remove(at: [other, 1])
      }
    }
    #expect(calls.count == 0)
    for shadow in shadows {
      try shadow.check()
      #expect(shadow.deliveryCount == 0)
    }
    #expect(TreeSnapshot(of: forest) == tree)
  }

  /// An inner transaction that is rolled back without a read is not part of the outer transaction's change.
  @Test(arguments: SettlingView.allCases) func anInnerRollbackWithoutAReadIsInvisible(_ view: SettlingView) throws {
    for edit in SettlingView.Edit.allCases {
      let (other, root) = (SettlingView.tree(), SettlingView.tree())
      let (expected, node) = (view.node(of: other), view.node(of: root))
      let recorders = (ChangeRecorder(of: expected), ChangeRecorder(of: node))
      let shadow = ShadowTree(of: node, id: \.id, minimality: [])
      _ = NaiveTree(of: expected)
      other.performUpdates { edit.first(other) }
      root.performUpdates {
        edit.first(root)
        rollBack(root) {
          edit.second(root)
          root.removeAllButOne()
        }
      }
      #expect(recorders.1.recording == recorders.0.recording, "\(view), \(edit)")
      #expect(NaiveTree(of: node) == NaiveTree(of: expected), "\(view), \(edit)")
      try shadow.check()
    }
  }

  /// With a read inside, the composed change is exact, and there is at most one delivery.
  @Test(arguments: SettlingView.allCases) func anInnerRollbackAfterAReadIsExact(_ view: SettlingView) throws {
    for edit in SettlingView.Edit.allCases {
      for readsOutside in [false, true] {
        let (other, root) = (SettlingView.tree(), SettlingView.tree())
        let (expected, node) = (view.node(of: other), view.node(of: root))
        let shadow = ShadowTree(of: node, id: \.id, minimality: [])
        _ = NaiveTree(of: expected)
        edit.first(other)
        root.performUpdates {
          edit.first(root)
          if readsOutside { _ = NaiveTree(of: node) }
          rollBack(root) {
            edit.second(root)
            _ = NaiveTree(of: node)
            root.removeAllButOne()
            _ = NaiveTree(of: node)
          }
        }
        if view == .sortedChild {
          // The child left the tree in a settlement, so its node stays empty. The tree sort makes a new node.
          #expect(node.isEmpty && node.value == nil, "\(edit)")
        } else {
          #expect(NaiveTree(of: node) == NaiveTree(of: expected), "\(view), \(edit)")
        }
        #expect(shadow.deliveryCount <= 1, "\(view), \(edit)")
        try shadow.check()
      }
    }
  }

  /// A whole transaction is rolled back after a read. The former contents are restored, and the change leads to them.
  @Test(arguments: SettlingView.allCases) func aRollbackAfterAReadIsExact(_ view: SettlingView) throws {
    for edit in SettlingView.Edit.allCases {
      let root = SettlingView.tree()
      let node = view.node(of: root)
      let shadow = ShadowTree(of: node, id: \.id, minimality: [])
      let former = NaiveTree(of: node)
      rollBack(root) {
        edit.first(root)
        _ = NaiveTree(of: node)
        edit.second(root)
      }
      #expect(NaiveTree(of: node) == former, "\(view), \(edit)")
      try shadow.check()
    }
  }
}

extension BranchNode<Row> {
  /// Removes children until one is left.
  fileprivate func removeAllButOne() {
    while count > 1 { remove(at: 0) }
  }
}
