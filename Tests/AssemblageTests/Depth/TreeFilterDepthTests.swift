import Assemblage
import AssemblageTesting
import Foundation
import Testing

@Suite struct TreeFilterDepthTests {
  @Test(arguments: TreeFilterPolicy.allCases) func inATransaction(_ policy: TreeFilterPolicy) {
    let tree = DeepTree(.chain)
    let filter = TreeFilterNode(tree.root, policy: policy) { policy == .hidingSubtrees ? $0 >= 0 : $0 == tree.depth }
    var heard: [ChangeSet] = []
    let token = filter.observe { heard.append($0) }
    _ = filter.matchCount
    tree.root.performUpdates { tree.bottom.replace(at: 0, with: -1) }
    #expect(filter.matchCount == (policy == .hidingSubtrees ? tree.depth - 1 : 0))
    tree.root.performUpdates {
      tree.bottom.replace(at: 0, with: tree.depth)
      tree.bottom.replace(at: 0, with: -1)
      tree.bottom.replace(at: 0, with: tree.depth)
    }
    #expect(heard.count == 2)
    token.cancel()
  }

  @Test(arguments: TreeFilterPolicy.allCases) func transfer(_ policy: TreeFilterPolicy) {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root, policy: policy) { _ in true }
    #expect(filter.matchCount == tree.rowCount)
    tree.root.move(from: tree.path(toDepth: tree.depth), to: tree.path(toDepth: tree.depth - 1))
    #expect(filter.matchCount == tree.rowCount)
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    #expect(filter.matchCount == tree.rowCount)
  }

  @Test(arguments: TreeFilterPolicy.allCases) func transferOfMembers(_ policy: TreeFilterPolicy) {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root, policy: policy) { _ in true }
    let branch = filter.child(at: tree.path(toDepth: tree.depth / 2))!
    #expect(branch.count == 2)
    let lowest = filter.child(at: tree.path(toDepth: tree.depth - 1))!
    var heard = 0
    let token = lowest.observe { _ in heard += 1 }
    tree.bottom.append(.leaf(1))
    #expect(heard == 1)
    tree.root.remove(at: 1)
    #expect(lowest.count == 0)
    token.cancel()
  }

  @Test(arguments: TreeFilterPolicy.allCases) func paths(_ policy: TreeFilterPolicy) {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root, policy: policy) { $0 >= 0 }
    let shown = IndexPath(indexes: [Int](repeating: policy == .keepingDescendants ? 1 : 0, count: tree.depth))
    let path = tree.path(toDepth: tree.depth)
    #expect(filter.sourcePath(of: shown) == path)
    #expect(filter.visiblePath(of: path) == shown)
    #expect(filter.isMatch(at: shown) == true)
    filter.reevaluate(at: path)
    filter.setPredicate { $0 < 0 }
    filter.reevaluate()
  }

  @Test(arguments: TreeFilterPolicy.allCases) func undo(_ policy: TreeFilterPolicy) throws {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root, policy: policy) { $0 >= 0 }
    _ = filter.matchCount
    struct Cancelled: Error {}
    try? filter.performUpdates {
      filter.setPredicate { $0 < 0 }
      tree.bottom.remove(at: 0)
      tree.root.remove(at: 1)
      throw Cancelled()
    }
    #expect(filter.matchCount == tree.depth)
    let log = UndoLog(filter)
    tree.root.remove(at: 1)
    #expect(filter.matchCount == 0)
    log.undo()
    #expect(filter.matchCount == tree.depth)
  }

  @Test(arguments: TreeFilterPolicy.allCases) func shadow(_ policy: TreeFilterPolicy) throws {
    let tree = DeepTree(.comb, depth: 20_000)
    let filter = TreeFilterNode(tree.root, policy: policy) { $0 >= 0 }
    let shadow = ShadowTree(of: filter, id: { $0 })
    filter.setPredicate { _ in true }
    tree.bottom.append(.leaf(1_000_000))
    try shadow.check()
  }

  @Test(arguments: TreeFilterPolicy.allCases) func hierarchy(_ policy: TreeFilterPolicy) throws {
    let tree = DeepTree.hierarchy(.comb)
    let filter = TreeFilterNode(tree, policy: policy) { $0 >= 0 }
    #expect(filter.matchCount == DeepTree.depth)
    tree.reload()
  }
}
