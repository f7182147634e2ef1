import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Small inputs that failed when each edit of a transaction was translated at once.
@Suite struct SettlementCaseTests {
  private struct Stop: Error {}

  /// A row whose only edits are rolled back is not reported, although nodes are linked between them.
  ///
  /// Found by the fuzzer: seed 90103, script 15292.
  @Test func aRowThatIsRolledBackTwiceStays() throws {
    let single = SingleNode<Row>(nil)
    let group = GroupNode<Row, Int>(single, sectionsBy: nil, header: nil, by: { $0.version })
    var join: JoinNode<Row>? = JoinNode<Row>([single])
    let slice = SliceNode<Row>(join!, 0..<0)
    let shadow = ShadowTree(of: single, id: \.id)
    let map = MapNode<Row, Row>(group) { $0 }
    _ = join!.replaceMember(at: 0, with: map)
    join = nil
    let token = slice.observe { _ in }
    single.content = Row(id: 69)
    let root = BranchNode<Row>([single, group, slice, map])
    let log = UndoLog(of: root)
    let former = shadow.deliveryCount
    root.performUpdates {
      _ = BranchNode<Row>([single, group, slice, map])
      try? single.performUpdates {
        single.replace(at: [0], with: Row(id: 69, version: 1))
        throw Stop()
      }
      _ = BranchNode<Row>([single, group, slice, map])
      try? single.performUpdates {
        single.content = nil
        throw Stop()
      }
    }
    try shadow.check()
    #expect(shadow.deliveryCount == former)
    withExtendedLifetime((log, token)) {}
  }

  /// A rollback follows writes through views and settings of views. The change that observers receive leads to their
  /// former contents.
  @Test func aRollbackOfSettingsIsExact() throws {
    let row = BranchNode(value: 1, [.node(BranchNode(value: 7, leaves: [2]))])
    let root = BranchNode<Int>([.leaf(3), .node(row)])
    let sort = SortNode(root, by: { $0 < $1 })
    let slice = SliceNode(sort, 0..<1)
    let mapped = MapNode(slice) { $0 }
    let filter = FilterNode(root) { $0 < 9 }
    let nodes: [any TreeNode<Int>] = [root, sort, slice, mapped, filter]
    let former = nodes.map { NaiveTree(of: $0) }
    let shadows = nodes.map { ShadowTree(of: $0, id: { $0 }, minimality: []) }
    try? root.performUpdates {
      slice.replace(at: 0, with: 2)
      slice.window = 4..<5
      row.append(3)
      try? root.performUpdates {
        slice.window = 0..<2
        throw Stop()
      }
      filter.setPredicate { $0 > 2 }
      throw Stop()
    }
    #expect(nodes.map { NaiveTree(of: $0) } == former)
    for shadow in shadows {
      try shadow.check()
      #expect(shadow.deliveryCount <= 1)
    }
  }

  /// The same edits of the source alone: nothing was settled, so no observer is called.
  @Test func aRollbackWithoutSettingsIsSilent() throws {
    let row = BranchNode(value: 1, [.node(BranchNode(value: 7, leaves: [2]))])
    let root = BranchNode<Int>([.leaf(3), .node(row)])
    let sort = SortNode(root, by: { $0 < $1 })
    let slice = SliceNode(sort, 0..<1)
    let filter = FilterNode(root) { $0 < 9 }
    let nodes: [any TreeNode<Int>] = [root, sort, slice, filter]
    let shadows = nodes.map { ShadowTree(of: $0, id: { $0 }) }
    try? root.performUpdates {
      root.replace(at: [1], with: 2)
      row.append(3)
      try? root.performUpdates {
        root.remove(at: [0])
        throw Stop()
      }
      root.move(from: [0], to: [0, 1])
      throw Stop()
    }
    for shadow in shadows {
      try shadow.check()
      #expect(shadow.deliveryCount == 0)
    }
  }

  private struct Item: Hashable {
    var id: Int
    var parent: Int?
    var matches: Bool
  }

  /// In one transaction the matching parent stops matching, its only child leaves, and another child arrives.
  ///
  /// The process ended with "a TreeFilterNode has 0 children, but according to what it told it has 1".
  @Test func aNestThatChangesBelowAnOutlineOfAFilter() async {
    await #expect(processExitsWith: .success) {
      let items = ArrayNode([Item(id: 4, parent: 9, matches: false), Item(id: 9, parent: nil, matches: true)])
      let nest = NestNode(items, id: \.id, parent: \.parent)
      let filter = TreeFilterNode(nest, policy: .keepingDescendants) { $0.matches }
      let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: \.id)
      items.performUpdates {
        items.replaceAll(
          with: [Item(id: 9, parent: nil, matches: false), Item(id: 1, parent: 9, matches: false)], id: { $0.id })
      }
      precondition(outline.isEmpty)
    }
  }
}
