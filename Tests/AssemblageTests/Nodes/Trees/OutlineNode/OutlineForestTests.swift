import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Outlines that follow the branches of a forest, while the forest or the handles of its branches change.
@Suite struct OutlineForestTests {
  private func forest() throws -> ForestNode<Int> {
    try ForestNode(rows: [(0, 1), (1, 2), (2, 3), (1, 4), (0, 5), (1, 6)])
  }

  private func check(_ outline: OutlineNode<Int, Int>, _ shadow: ShadowTree<Int>, _ rows: [Int]) throws {
    try shadow.check()
    #expect(outline.elements == rows)
    #expect(outline.rows(in: 0..<outline.count).map(\.value) == rows)
  }

  @Test(arguments: [ExpansionPolicy.expanded, .depth(1)])
  func editsAreReportedByBranch(_ policy: ExpansionPolicy) throws {
    let forest = try forest()
    let outline = OutlineNode(forest, expansion: ExpansionState(policy: policy), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    let below = policy == .expanded ? [3] : []
    try check(outline, shadow, [1, 2] + below + [4, 5, 6])
    forest.insert(7, at: [0, 0, 1])
    let both = policy == .expanded ? [3, 7] : []
    try check(outline, shadow, [1, 2] + both + [4, 5, 6])
    forest.insert(8, at: [0, 1, 0])
    try check(outline, shadow, [1, 2] + both + [4] + (policy == .expanded ? [8] : []) + [5, 6])
    outline.expand(row: outline.row(ofPath: [0, 1])!)
    forest.move(from: [0, 1], to: [1, 0])
    try check(outline, shadow, [1, 2] + both + [5, 4, 8, 6])
    forest.removeSubrange(0..<1)
    try check(outline, shadow, [5, 4, 8, 6])
    #expect(outline.node(atRow: 1) === forest.child(at: [0, 0]))
  }

  /// Leaves arrive, change and leave in branches that are shown, hidden, or have never been expanded.
  @Test(arguments: [ExpansionPolicy.expanded, .depth(1), .collapsed])
  func leavesComeChangeAndGo(_ policy: ExpansionPolicy) throws {
    let forest = try forest()
    let outline = OutlineNode(forest, expansion: ExpansionState(policy: policy), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    func check() throws {
      try shadow.check()
      let fresh = OutlineNode(forest, expansion: outline.expansion, id: { $0 })
      let rows = fresh.rows(in: 0..<fresh.count)
      #expect(outline.rows(in: 0..<outline.count) == rows)
      #expect((0..<outline.count).map { outline.row(at: $0) } == rows)
    }
    for isExpanded in [false, true] {
      for path in [[], [0], [0, 0], [1]] as [IndexPath] {
        let branch = try #require(forest.child(at: path))
        branch.append(7)
        try check()
        branch.replace(at: branch.count - 1, with: 8)
        try check()
        branch.insert(contentsOf: [9, 10], at: 0)
        try check()
        branch.removeSubrange(0..<1)
        try check()
        branch.removeSubrange(0..<1)
        try check()
        forest.remove(at: path.appending(branch.count - 1))
        try check()
      }
      if isExpanded { outline.expand(row: 0) } else { outline.collapse(row: 0) }
      try check()
    }
  }

  /// The branches get other handles, and the forest is then a part of another forest.
  @Test func theForestIsPutIntoAnotherOne() throws {
    let forest = try forest()
    let outline = OutlineNode(forest, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    let other = try ForestNode(rows: [(0, 10), (1, 11), (0, 12)])
    forest.value = 0
    other.insert(forest, at: 1)
    try check(outline, shadow, [1, 2, 3, 4, 5, 6])
    other.insert(7, at: [1, 0, 0, 0])
    forest.insert(8, at: [1, 0])
    try check(outline, shadow, [1, 2, 7, 3, 4, 5, 8, 6])
    other.move(from: [1, 0], to: [0])
    try check(outline, shadow, [5, 8, 6])
    _ = other.remove(at: [2])
    forest.insert(9, at: [0, 0])
    try check(outline, shadow, [5, 9, 8, 6])
  }

  /// A branch that was cut out of a forest is a root, and its value is an element.
  @Test func aBranchThatWasCutOutIsShown() throws {
    let forest = try forest()
    let taken = try #require(forest.remove(at: [0]).node)
    let outline = OutlineNode(taken, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    taken.insert(7, at: [0, 0])
    try check(outline, shadow, [2, 7, 3, 4])
    forest.insert(taken, at: 1)
    forest.insert(8, at: [1, 0, 2])
    try check(outline, shadow, [2, 7, 3, 8, 4])
    #expect(outline.value == 1)
  }

  /// The branch that the rollback restores may have another handle.
  @Test func anEditOfABranchThatCameBackIsFollowed() throws {
    let forest = try ForestNode(TreeSnapshot<Int>(children: [TreeSnapshot(value: 1, children: [])]))
    let outline = OutlineNode(forest, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    outline.performUpdates {
      // The graph is settled when it becomes larger.
      _ = BranchNode<Int>([forest, outline])
      try? outline.performUpdates {
        forest.turnIntoLeaf(at: 0)
        forest.insert(try ForestNode(TreeSnapshot(value: 2, children: [])), at: [0])
        throw CancellationError()
      }
      forest.insert(3, at: [0, 0])
    }
    try check(outline, shadow, [1, 3])
  }

  /// The branch that the rollback restores may have another handle, and the outline is read before the outer
  /// transaction ends.
  @Test func aBranchThatCameBackIsReadAtOnce() throws {
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (0, 3), (1, 4)])
    let outline = OutlineNode(forest, id: { $0 })
    outline.expand(row: 0)
    let shadow = ShadowTree(of: outline, id: { $0 })
    outline.performUpdates {
      try? outline.performUpdates {
        forest.remove(at: [0, 0])
        forest.turnIntoLeaf(at: 0)
        forest.insert(try ForestNode(TreeSnapshot(value: 9, children: [])), at: [0])
        throw CancellationError()
      }
      #expect(outline.elements == [1, 2, 3])
    }
    try check(outline, shadow, [1, 2, 3])
  }

  /// A predicate runs a transaction that throws, in the middle of a settlement after which handles are renewed.
  @Test func aRollbackInASettlementRenewsNoHandles() throws {
    let forest = try forest()
    let other = try ForestNode(TreeSnapshot(value: 7, children: [TreeSnapshot(value: 8, leaves: [9])]))
    let filter = FilterNode(forest) { _ in
      try? forest.performUpdates { throw CancellationError() }
      return true
    }
    let outline = OutlineNode(
      MapNode(forest) { $0 }, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    outline.collapse(row: 4)
    forest.performUpdates {
      forest.insert(10, at: 0)
      other.insert(11, at: [0, 0])
      forest.insert(other, at: 0)
      forest.insert(12, at: [0, 0, 0])
    }
    try check(outline, shadow, [7, 8, 12, 11, 9, 10, 1, 2, 3, 4, 5])
    forest.insert(13, at: [2, 0, 0])
    try check(outline, shadow, [7, 8, 12, 11, 9, 10, 1, 2, 13, 3, 4, 5])
    withExtendedLifetime(filter) {}
  }

  @Test func anOutlineLetsItsForestGo() throws {
    let forest = try forest()
    weak var released: OutlineNode<Int, Int>?
    do {
      let outline = OutlineNode(forest, expansion: ExpansionState(policy: .expanded), id: { $0 })
      released = outline
      #expect(outline.count == 6)
    }
    #expect(released == nil)
    forest.append(7)
    #expect(forest.elements == [1, 5, 7])
  }
}
