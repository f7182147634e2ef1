import Assemblage
import AssemblageTesting
import Foundation
import Testing

@Suite struct GraphDepthTests {
  @Test func stages() throws {
    let tree = DeepTree(.comb)
    var heard: [ChangeSet] = []
    let token = tree.root.observe { heard.append($0) }
    tree.root.performUpdates {
      tree.bottom.append(.leaf(1))
      tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    }
    let change = try #require(heard.first)
    #expect(change.transfers.count == 1)
    for view in [ChangeSet.ViewKind.list, .outline] {
      let stages = change.stages(for: view)
      #expect(!stages.isEmpty)
      for stage in stages { #expect("\(stage)".count > 3) }
    }
    #expect(change.inverse().inverse() == change)
    token.cancel()
  }

  @Test func undoOfBuilding() {
    let root = BranchNode<Int>()
    let log = UndoLog(root)
    root.performUpdates {
      var node = root
      for level in 0..<DeepTree.depth {
        let next = BranchNode(value: level)
        node.append(next)
        node = next
      }
    }
    log.undo()
    #expect(root.isEmpty)
    log.redo()
    #expect(root.child(at: IndexPath(indexes: [Int](repeating: 0, count: DeepTree.depth))) != nil)
  }

  @Test func undoOfBuildingInSteps() {
    let root = BranchNode<Int>()
    let log = UndoLog(root)
    var node = root
    for level in 0..<5_000 {
      let next = BranchNode(value: level)
      node.append(next)
      node = next
    }
    while log.undo() {}
    #expect(root.isEmpty)
    while log.redo() {}
  }

  @Test func flatNodes() {
    let tree = DeepTree(.comb)
    let views: [any TreeNode<Int>] = [
      JoinNode([tree.root]), FilterNode(tree.root) { _ in true }, SortNode(tree.root, by: <),
      SliceNode(tree.root, 0..<2), UniqueNode(tree.root, by: { $0 }), MapNode(tree.root) { $0 + 1 },
      TreeFilterNode(tree.root) { _ in true },
    ]
    var heard: [ChangeSet] = []
    let tokens = views.map { $0.observe { heard.append($0) } }
    tree.bottom.append(.leaf(9))
    #expect(heard.count == views.count)
    #expect(heard.allSatisfy { $0.paths.insertions.first?.count == tree.depth })
    for token in tokens { token.cancel() }
  }

  @Test func writingThroughMap() {
    let tree = DeepTree(.comb)
    let map = MapNode(tree.root, { $0 * 2 }, inverse: { $0 / 2 })
    map.insert(10, at: tree.path(toDepth: tree.depth))
    #expect(tree.bottom.elements == [-tree.depth, 5, tree.depth])
    map.move(from: tree.path(toDepth: tree.depth), to: [0])
    #expect(tree.root.element(at: 0) == 5)
  }

  @Test func snapshot() throws {
    let tree = DeepTree(.comb)
    let old = TreeSnapshot(of: tree.root)
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    let new = TreeSnapshot(of: tree.root)
    let change = ChangeSet(from: old, to: new)
    #expect(change.transfers.count == 1)
    #expect(try old.applying(change, new: new) == new)
    #expect(old != new && old.description.count > 100)
  }

  @Test func checker() throws {
    let tree = DeepTree(.comb)
    try NodeChecker<Int>(id: { $0 }).check(tree.root)
    #expect(TreeDump(of: tree.root).description.count > 100)
  }

  @Test func shadow() throws {
    let tree = DeepTree(.comb)
    let shadow = ShadowTree(of: tree.root, id: { $0 })
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    try shadow.check()
  }
}
