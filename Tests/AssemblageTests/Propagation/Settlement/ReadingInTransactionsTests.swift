import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// A read inside a transaction finds the present contents, whatever is read first.
@Suite struct ReadingInTransactionsTests {
  private typealias Edit = SettlingView.Edit

  private struct Stop: Error {}

  /// Returns the ways to read a view. The other ways are for nodes of other types.
  private func doors(of view: SettlingView) -> [ReadingDoor] {
    let root = SettlingView.tree()
    let node = view.node(of: root)
    return ReadingDoor.all.filter { $0.read(node, node.count) != nil }
  }

  /// The same reads outside a transaction give the expected results.
  @Test(arguments: SettlingView.allCases) func readsFindPresentContents(_ view: SettlingView) {
    let doors = doors(of: view)
    for edit in Edit.allCases {
      for door in doors {
        let (other, root) = (SettlingView.tree(), SettlingView.tree())
        let (expected, node) = (view.node(of: other), view.node(of: root))
        // Some views read children only on demand. So both trees must be read equally far.
        #expect(NaiveTree(of: expected) == NaiveTree(of: node))
        edit.first(other)
        let first = door.read(expected, expected.count)
        let firstCount = expected.count
        edit.second(other)
        let second = door.read(expected, expected.count)
        root.performUpdates {
          edit.first(root)
          #expect(door.read(node, firstCount) == first, "\(view), \(edit), \(door.name), first read")
          edit.second(root)
          #expect(door.read(node, expected.count) == second, "\(view), \(edit), \(door.name), second read")
        }
        #expect(NaiveTree(of: node) == NaiveTree(of: expected), "\(view), \(edit), \(door.name), afterwards")
      }
    }
  }

  /// A read after an inner transaction that was rolled back finds the contents before it.
  @Test(arguments: SettlingView.allCases) func readsAfterARollbackFindFormerContents(_ view: SettlingView) {
    let doors = doors(of: view)
    for edit in Edit.allCases {
      for door in doors {
        let root = SettlingView.tree()
        let node = view.node(of: root)
        let before = NaiveTree(of: node)
        let (expected, count) = (door.read(node, node.count), node.count)
        for readsInside in [false, true] {
          root.performUpdates {
            try? root.performUpdates {
              edit.first(root)
              if readsInside { _ = NaiveTree(of: node) }
              edit.second(root)
              throw Stop()
            }
            // A description does not read a branch that has left and returned.
            if readsInside, door.name == "description" { _ = NaiveTree(of: node) }
            #expect(door.read(node, count) == expected, "\(view), \(edit), \(door.name), \(readsInside)")
          }
          #expect(NaiveTree(of: node) == before, "\(view), \(edit), \(door.name), \(readsInside)")
        }
      }
    }
  }

  /// A read of a source never settles: no view is translated.
  @Test func readsOfASourceDoNotSettle() {
    let source = ArrayNode(0..<10)
    var calls = 0
    let filter = FilterNode(source) { row in
      calls += 1
      return row % 2 == 0
    }
    calls = 0
    source.performUpdates {
      source.append(10)
      #expect(source.count == 11 && source[10] == 10 && source.elements.last == 10)
      source.append(12)
      #expect(calls == 0)
      #expect(filter.elements == [0, 2, 4, 6, 8, 10, 12])
      #expect(calls == 2)
    }
    #expect(calls == 2)
  }

  // MARK: Linking, observing, snapshots

  /// A view that is made inside a transaction shows the pending edits, and follows the next edits.
  @Test(arguments: SettlingView.allCases) func aViewIsLinkedInsideATransaction(_ view: SettlingView) throws {
    for edit in Edit.allCases {
      let (other, root) = (SettlingView.tree(), SettlingView.tree())
      // Another view of the tree exists already, with a pending change of its own.
      let former = view.node(of: root)
      let formerShadow = ShadowTree(of: former, id: \.id, minimality: [])
      // A section, or the node of a child, is another node in the tree after the edit.
      let expected = after(edit.first, other, view)
      var (node, shadow): ((any TreeNode<Row>)?, ShadowTree<Row>?)
      root.performUpdates {
        edit.first(root)
        node = view.node(of: root)
        #expect(NaiveTree(of: node!) == NaiveTree(of: expected), "\(view), \(edit)")
        shadow = ShadowTree(of: node!, id: \.id, minimality: [])
        edit.second(root)
      }
      edit.second(other)
      #expect(NaiveTree(of: node!) == NaiveTree(of: expected), "\(view), \(edit)")
      try shadow!.check()
      try formerShadow.check()
    }
  }

  private func after(
    _ edit: (BranchNode<Row>) -> Void, _ root: BranchNode<Row>, _ view: SettlingView
  ) -> any TreeNode<Row> {
    edit(root)
    return view.node(of: root)
  }

  /// An observer that registers inside a transaction receives only the later changes.
  @Test(arguments: SettlingView.allCases) func anObserverRegistersInsideATransaction(_ view: SettlingView) throws {
    for edit in Edit.allCases {
      let root = SettlingView.tree()
      let node = view.node(of: root)
      let early = ShadowTree(of: node, id: \.id, minimality: [])
      var late: ShadowTree<Row>?
      root.performUpdates {
        edit.first(root)
        // A shadow reads the node before it observes it. Here nothing is read before.
        let token = node.observe { _ in }
        token.cancel()
        late = ShadowTree(of: node, id: \.id, minimality: [])
        edit.second(root)
      }
      try early.check()
      try late!.check()
      #expect(early.deliveryCount <= 1 && late!.deliveryCount <= 1)
    }
  }

  /// The change that an observer receives begins at its registration, even if the observer reads nothing.
  @Test func anObserverThatReadsNothingRegistersInsideATransaction() {
    let source = ArrayNode([1, 2, 3])
    let filter = FilterNode(source) { $0 > 1 }
    var (early, late): ([ChangeSet], [ChangeSet]) = ([], [])
    var tokens = [filter.observe { early.append($0) }]
    source.performUpdates {
      source.append(4)
      tokens.append(filter.observe { late.append($0) })
      source.append(5)
    }
    #expect(early == [ChangeSet(.insertion(2..<4))])
    #expect(late == [ChangeSet(.insertion(3..<4))])
    withExtendedLifetime(tokens) {}
  }

  /// A snapshot contains the pending edits, and keeps them.
  @Test(arguments: SettlingView.allCases) func aSnapshotIsTakenInsideATransaction(_ view: SettlingView) {
    for edit in Edit.allCases {
      let (other, root) = (SettlingView.tree(), SettlingView.tree())
      let (expected, node) = (view.node(of: other), view.node(of: root))
      #expect(NaiveTree(of: expected) == NaiveTree(of: node))
      edit.first(other)
      let whole = expected.snapshot().description
      var snapshot: TreeSnapshot<Row>?
      root.performUpdates {
        edit.first(root)
        snapshot = node.snapshot()
        edit.second(root)
      }
      #expect(snapshot!.description == whole, "\(view), \(edit)")
    }
  }
}
