import Assemblage
import AssemblageTesting
import Foundation
import Testing

@Suite struct OutlineDepthTests {
  private struct Cancelled: Error {}

  @Test func allIsExpandedAboveWhatWasExpandedAlready() {
    let tree = DeepTree(.comb)
    // A second tooth at each level, which is a node.
    var node = tree.root
    for level in 0..<1000 {
      node.append(BranchNode(value: 1_000_000 + level, leaves: [2_000_000 + level]))
      node = node.child(at: 1) as! BranchNode<Int>
    }
    var state = ExpansionState<Int>(policy: .collapsed)
    for level in 0..<tree.depth { state.choose(true, for: level) }
    let outline = OutlineNode(tree.root, expansion: state, id: { $0 })
    #expect(outline.count == tree.rowCount + 1000)
    outline.expandAll()
    #expect(outline.count == tree.rowCount + 2000)
  }

  @Test func combWithTeeth() {
    let depth = DeepTree.depth
    var node = BranchNode(value: 0, leaves: [-1])
    for level in 1..<depth { node = BranchNode(value: level, [.node(BranchNode(value: depth + level, leaves: [-level])), .node(node)]) }
    var state = ExpansionState<Int>(policy: .collapsed)
    for level in 0..<depth { state.choose(true, for: level) }
    let outline = OutlineNode(node, expansion: state, id: { $0 })
    #expect(outline.count == 2 * depth - 1)
    outline.expandAll()
    #expect(outline.count == 3 * depth - 2)
  }

  @Test func reveal() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, id: { $0 })
    #expect(outline.reveal(tree.path(toDepth: tree.depth)) == tree.rowCount - 1)
  }

  @Test func rollbackOfCollapse() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    try? outline.performUpdates {
      outline.collapseAll()
      throw Cancelled()
    }
    #expect(outline.count == tree.rowCount)
  }

  @Test func rollbackOfRemoval() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    try? outline.performUpdates {
      tree.root.remove(at: 1)
      throw Cancelled()
    }
    #expect(outline.count == tree.rowCount)
  }

  @Test func overFilter() {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root) { _ in true }
    let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(outline.count == tree.rowCount)
    filter.setPredicate { $0 >= 0 }
    #expect(outline.count == tree.depth)
    filter.setPredicate { _ in true }
    #expect(outline.count == tree.rowCount)
  }

  @Test func overMap() {
    let tree = DeepTree(.comb)
    let map = MapNode(tree.root) { $0 * 2 }
    let outline = OutlineNode(map, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(outline.count == tree.rowCount)
    tree.bottom.append(.leaf(7))
    #expect(outline.element(at: tree.rowCount) == 14)
  }

  @Test func rowsInTheMiddle() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let middle = tree.depth / 2
    outline.collapse(row: 2 * middle + 1)
    #expect(outline.count == 2 * middle + 2)
    outline.expand(row: 2 * middle + 1)
    #expect(outline.count == tree.rowCount)
    let row = outline.row(at: tree.rowCount - 1)
    #expect(row.path == tree.path(toDepth: tree.depth) && row.isLastSibling)
    #expect(outline.elements.count == tree.rowCount)
    #expect(outline.descendants(ofRow: 2 * middle + 1) == 2 * middle + 2..<tree.rowCount)
    outline.expand(toDepth: middle)
    #expect(outline.count == 2 * middle + 2)
  }

  @Test func transfer() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    var heard: [ChangeSet] = []
    let token = outline.observe { heard.append($0) }
    let middle = tree.path(toDepth: tree.depth / 2)
    tree.root.move(from: middle, to: [2])
    #expect(outline.count == tree.rowCount)
    tree.root.move(from: [2], to: middle)
    #expect(heard.count == 2)
    tree.root.move(from: tree.path(toDepth: tree.depth), to: tree.path(toDepth: tree.depth - 1))
    #expect(outline.count == tree.rowCount)
    token.cancel()
  }

  @Test func temporary() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, expansion: ExpansionState(policy: .depth(3)), id: { $0 })
    outline.beginTemporaryExpansion()
    #expect(outline.count == tree.rowCount)
    outline.endTemporaryExpansion()
    #expect(outline.count == 8)
  }

  @Test func lazily() {
    let tree = DeepTree.hierarchy(.comb)
    let outline = OutlineNode(tree, id: { $0 })
    outline.expandAll()
    #expect(outline.count == 2 * DeepTree.depth)
    tree.reload()
    outline.collapseAll()
    #expect(outline.count == 2)
  }

  @Test func undoOfWriting() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let log = UndoLog(outline)
    outline.insert(9, at: [tree.rowCount - 1])
    outline.remove(at: [1])
    #expect(outline.count == 1)
    log.undo()
    #expect(outline.count == tree.rowCount + 1)
    log.undo()
    #expect(outline.count == tree.rowCount)
    log.redo()
    log.redo()
    #expect(outline.count == 1)
  }

  @Test func coding() throws {
    var state = ExpansionState<String>(policy: .depth(3))
    for level in 0..<DeepTree.depth { state.choose(level % 2 == 0, for: "\(level)") }
    let data = try JSONEncoder().encode(state)
    #expect(try JSONDecoder().decode(ExpansionState<String>.self, from: data) == state)
  }
}
