@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Rollbacks, undoing, and programmer errors.
@Suite struct OutlineFaultTests {
  private struct Stop: Error {}

  /// A node without a value has no id, so no state knows that it was expanded.
  @Test func aRollbackShowsWhatWasExpandedWithoutAnId() throws {
    let section = BranchNode<String>([.leaf("a"), .node(ArrayNode(["b", "c"]))])
    let root = BranchNode([section])
    let outline = OutlineNode(root, id: { $0 })
    outline.expand(row: 0)
    outline.expand(row: 2)
    #expect(outline.count == 5)
    let other = ArrayNode(["x"])
    let goal = BranchNode<String>(value: "goal")
    root.append(goal)
    var heard = 0
    let token = outline.observe { _ in heard += 1 }
    #expect(throws: Stop.self) {
      try outline.performUpdates {
        root.move(from: [0, 1], to: [1, 0])
        root.remove(at: 0)
        root.insert(.node(other), at: 0)
        outline.expand(row: 0)
        outline.collapseAll()
        outline.beginTemporaryExpansion()
        throw Stop()
      }
    }
    #expect(heard == 0)
    #expect(outline.path(ofRow: 4) == [0, 1, 1])
    #expect(outline.count == 6)
    #expect(!outline.isTemporarilyExpanded)
    withExtendedLifetime(token) {}
  }

  /// What is expanded is no change of the data: an undo log does not record it, nor is it confused by it.
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

  /// Rows that go from one section to new ones stay, though the filter in between only knows what has been looked at.
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

  /// A row without children is not the section that it stands for, which has some.
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

  @Test func rowsAndPathsOutOfRangeTrap() async {
    await #expect(processExitsWith: .failure) { outline().expand(row: 2) }
    await #expect(processExitsWith: .failure) { outline().toggle(row: -1) }
    await #expect(processExitsWith: .failure) { outline().collapse(row: 2) }
    await #expect(processExitsWith: .failure) { _ = outline().row(at: 2) }
    await #expect(processExitsWith: .failure) { _ = outline().path(ofRow: 2) }
    await #expect(processExitsWith: .failure) { _ = outline().descendants(ofRow: 2) }
    await #expect(processExitsWith: .failure) { outline().setExpanded(true, at: []) }
    await #expect(processExitsWith: .failure) { outline().setExpanded(true, at: [2]) }
    await #expect(processExitsWith: .failure) { outline().setExpanded(true, at: [0, 0]) }
    await #expect(processExitsWith: .failure) { outline().reveal([]) }
    await #expect(processExitsWith: .failure) { outline().reveal([1, 5]) }
    await #expect(processExitsWith: .failure) { outline().remove(at: [2]) }
    await #expect(processExitsWith: .failure) { outline().insert("x", at: [3]) }
    await #expect(processExitsWith: .failure) { OutlineNode(single(), id: { $0 }).forEachSpan(in: 0..<3) { _, _ in } }
  }

  @Test func closuresMustNotChangeTheTree() async {
    await #expect(processExitsWith: .failure) {
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
    }
    await #expect(processExitsWith: .failure) {
      var tree: HierarchyNode<Int>?
      tree = HierarchyNode(0, id: { $0 }, children: { _ in tree!.elements })
      _ = tree?.count
    }
    await #expect(processExitsWith: .failure) {
      let tree = HierarchyNode(0, id: { $0 }, children: { [$0 + 1] })
      (tree.child(at: 0) as? HierarchyNode<Int>)?.reload(value: 3)
    }
    await #expect(processExitsWith: .failure) {
      HierarchyNode(0, id: { $0 }, children: { $0 < 2 ? [$0 + 1] : [] }).performUpdates {
        let tree = HierarchyNode(0, id: { $0 }, children: { $0 < 2 ? [$0 + 1] : [] })
        _ = tree.count
        tree.reload(at: [1])
      }
    }
  }

  /// A node that tells something else than it does is found out at once.
  @Test func aNodeThatMiscountsTraps() async {
    await #expect(processExitsWith: .failure) {
      let node = Miscounting()
      let outline = OutlineNode(node, id: { $0 })
      node.lie()
      _ = outline.count
    }
  }
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
