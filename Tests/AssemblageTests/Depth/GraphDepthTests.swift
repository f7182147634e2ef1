import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Changes, inverses and views of very deep trees.
@Suite(.smallStack) struct GraphDepthTests {
  @Test func changesAtTheEndAreStaged() throws {
    let tree = DeepTree(.comb)
    var received: [ChangeSet] = []
    let token = tree.root.observe { received.append($0) }
    tree.root.performUpdates {
      tree.bottom.append(.leaf(9_999_999))
      tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    }
    let change = try #require(received.first)
    #expect(change.transfers.count == 1 && change.inverse().inverse() == change)
    var net = ChangeSet()
    for case .batch(let batch) in change.stages(for: .outline) { net = net.composed(with: batch.change) }
    #expect(net == change)
    #expect("\(change.stages(for: .list))".contains("inserts [0]"))
    token.cancel()
  }

  @Test func aTreeThatWasBuiltFromItsRootIsUndone() {
    let root = BranchNode<Int>()
    let log = UndoLog(of: root)
    root.performUpdates {
      var node = root
      for level in 0..<DeepTree.levels {
        let next = BranchNode(value: level)
        node.append(next)
        node = next
      }
    }
    log.undo()
    #expect(root.isEmpty)
    log.redo()
    let path = IndexPath(indexes: [Int](repeating: 0, count: DeepTree.levels))
    #expect(root.child(at: path)?.value == DeepTree.levels - 1)
    #expect(log.undo() && root.isEmpty)
  }

  @Test(arguments: DeepTree.Shape.allCases) func theLastBranchIsFoundFromTheRoot(shape: DeepTree.Shape) {
    let tree = DeepTree(shape)
    let path = tree.path(toDepth: tree.depth - 1)
    #expect(tree.root.paths(of: tree.bottom) == [path])
    let twice = BranchNode([tree.root, JoinNode([tree.root])])
    #expect(twice.paths(of: tree.bottom) == [[0] + path, [1] + path])
    #expect(tree.bottom.path(of: tree.root) == nil)
  }

  @Test func everyViewIsNotifiedOfTheLastLevel() {
    let tree = DeepTree(.comb)
    let views: [any TreeNode<Int>] = [
      JoinNode([tree.root]), FilterNode(tree.root) { _ in true }, SortNode(tree.root, by: <),
      SliceNode(tree.root, 0..<2), UniqueNode(tree.root, id: { $0 }), MapNode(tree.root) { $0 + 1 },
      SegmentNode([tree.root], selection: 0), FlattenNode(BranchNode([tree.root])),
      TreeFilterNode(tree.root) { _ in true },
    ]
    var received: [ChangeSet] = []
    let tokens = views.map { $0.observe { received.append($0) } }
    tree.bottom.append(.leaf(9_999_999))
    #expect(received.count == views.count)
    #expect(received.allSatisfy { $0.paths.insertions.map(\.count) == [tree.depth] })
    for token in tokens { token.cancel() }
  }

  @Test func theLastLevelIsWrittenThroughAMap() {
    let tree = DeepTree(.comb)
    let map = MapNode(tree.root, { $0 * 2 }, inverse: { $0 / 2 })
    map.insert(10, at: tree.lastPath)
    #expect(tree.bottom.elements == [-tree.depth, 5, tree.depth])
    map.move(from: tree.lastPath, to: [0])
    #expect(tree.root.element(at: 0) == 5 && tree.bottom.count == 2)
  }

  @Test func snapshotsDifferByOneTransfer() throws {
    let tree = DeepTree(.comb)
    let old = TreeSnapshot(of: tree.root)
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    let new = TreeSnapshot(of: tree.root)
    let change = old.difference(to: new)
    #expect(change.transfers.count == 1 && old != new)
    #expect(try old.applying(change, new: new) == new)
  }

  @Test func everyLevelIsCheckedFollowedAndPrinted() throws {
    // Fewer levels, because the test kit visits each level several times.
    let tree = DeepTree(.comb, depth: 2_000)
    let shadow = ShadowTree(of: tree.root, id: { $0 })
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    try shadow.check()
    try NodeChecker<Int>(id: { $0 }).check(tree.root)
    #expect(TreeDump(of: tree.root).description.contains("size \(tree.rowCount - tree.depth)"))
  }
}
