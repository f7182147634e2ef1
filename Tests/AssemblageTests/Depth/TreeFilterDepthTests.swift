import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Tree filters of very deep trees.
@Suite(.smallStack) struct TreeFilterDepthTests {
  private struct Cancelled: Error {}

  /// Returns the path of the last leaf in a filter that rejects all other leaves of the comb.
  private func shownPath(_ tree: DeepTree, _ policy: TreeFilterPolicy) -> IndexPath {
    // A policy that keeps the descendants of matches shows the rejected leaves beside the branches. Not so at the first
    // level, because the root's value is not asked about.
    let beside = policy == .keepingDescendants ? 1 : 0
    return IndexPath(indexes: [0] + [Int](repeating: beside, count: tree.depth - 1))
  }

  @Test(arguments: TreeFilterPolicy.allCases) func pathsAreFoundInBothDirections(_ policy: TreeFilterPolicy) {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root, policy: policy) { $0 >= 0 }
    let shown = shownPath(tree, policy)
    #expect(filter.sourcePath(of: shown) == tree.lastPath && filter.path(ofSource: tree.lastPath) == shown)
    #expect(filter.isMatch(at: shown) == true && filter.matchCount(at: shown.dropLast()) == 1)
    #expect(filter.matchCount == tree.depth)
  }

  @Test func oneMatchComesAndGoesInATransactionWithAllItsAncestors() {
    let tree = DeepTree(.chain)
    let filter = TreeFilterNode(tree.root) { $0 == tree.depth }
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    tree.root.performUpdates { tree.bottom.replace(at: 0, with: -1) }
    #expect(filter.isEmpty && received.last == ChangeSet(.removal(0..<1)))
    tree.root.performUpdates { tree.bottom.replace(at: 0, with: tree.depth) }
    #expect(filter.matchCount == 1 && received.last == ChangeSet(.insertion(0..<1)))
    token.cancel()
  }

  /// The only match stops matching and matches again. The net change is an update of the match, at any depth.
  @Test func ancestorsThatVanishAndAppearInATransactionHaveNotBeenAway() throws {
    let tree = DeepTree(.chain)
    let filter = TreeFilterNode(tree.root) { $0 == tree.depth }
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    tree.root.performUpdates {
      tree.bottom.replace(at: 0, with: -1)
      tree.bottom.replace(at: 0, with: tree.depth)
    }
    let change = try #require(received.first)
    #expect(received.count == 1)
    var level: (delta: Delta, children: ChangeSet.Children) = (change.delta, change.children)
    var depth = 0
    while level.delta.isEmpty, let next = level.children.first {
      level = (next.delta, next.children)
      depth += 1
    }
    #expect(depth == tree.depth - 1 && level.delta == Delta(updates: [0..<1]) && level.children.isEmpty)
    token.cancel()
  }

  @Test(arguments: TreeFilterPolicy.allCases) func aBranchMovesFromTheMiddleToTheTop(_ policy: TreeFilterPolicy) {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root, policy: policy) { _ in true }
    #expect(filter.matchCount == tree.rowCount)
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    tree.root.move(from: tree.lastPath, to: tree.path(toDepth: tree.depth - 1))
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    #expect(received.map(\.transfers.count) == [1, 1] && filter.matchCount == tree.rowCount)
    token.cancel()
  }

  @Test(arguments: TreeFilterPolicy.allCases) func theLastNodeIsObservedAndLosesItsBranch(_ policy: TreeFilterPolicy) {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root, policy: policy) { _ in true }
    let last = filter.child(at: tree.path(toDepth: tree.depth - 1))
    #expect(last?.count == 2)
    var received: [ChangeSet] = []
    let token = last?.observe { received.append($0) }
    tree.bottom.append(.leaf(9_999_999))
    tree.root.remove(at: 1)
    let departure = ChangeSet(.removal(0..<3), updatesValue: true)
    #expect(received == [ChangeSet(.insertion(2..<3)), departure] && last?.count == 0 && last?.value == nil)
    token?.cancel()
  }

  @Test(arguments: TreeFilterPolicy.allCases) func anotherPredicateIsTakenBackByARollback(_ policy: TreeFilterPolicy) {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root, policy: policy) { $0 >= 0 }
    #expect(filter.matchCount == tree.depth)
    #expect(throws: Cancelled.self) {
      try filter.performUpdates {
        filter.setPredicate { $0 < 0 }
        tree.bottom.remove(at: 0)
        filter.refresh()
        tree.root.remove(at: 1)
        throw Cancelled()
      }
    }
    #expect(filter.matchCount == tree.depth && filter.path(ofSource: tree.lastPath) == shownPath(tree, policy))
    let log = UndoLog(of: filter)
    tree.root.remove(at: 1)
    #expect(filter.matchCount == 0)
    log.undo()
    #expect(filter.matchCount == tree.depth)
  }

  @Test func aHierarchyIsLoadedToTheEnd() {
    let tree = DeepTree.hierarchy(.comb)
    let filter = TreeFilterNode(tree) { $0 >= 0 }
    #expect(filter.matchCount == DeepTree.levels)
    tree.reload()
    #expect(filter.matchCount == DeepTree.levels)
  }

  /// All levels have been looked at, so that each of them gets its own verdicts.
  @MainActor @Test func allLevelsAreFilteredInTheBackground() async throws {
    let tree = DeepTree(.chain, depth: 10_000)
    let filter = TreeFilterNode(tree.root, policy: .hidingSubtrees) { _ in true }
    #expect(filter.matchCount == tree.depth)
    try await filter.setPredicate(inBackground: .concurrently) { $0 < 100 }
    #expect(filter.matchCount == 99)
  }

  @Test func aChangeAtEachLevelIsFollowed() throws {
    // Fewer levels, because the test kit visits each level several times.
    let tree = DeepTree(.comb, depth: 1_000)
    let filter = TreeFilterNode(tree.root) { $0 >= 0 }
    let shadow = ShadowTree(of: filter, id: { $0 })
    filter.setPredicate { _ in true }
    tree.bottom.append(.leaf(9_999_999))
    try shadow.check()
    #expect(shadow.deliveryCount == 2)
  }
}
