import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Outlines of very deep trees. Each test makes a change at every level, or one at the last level.
@Suite(.smallStack) struct OutlineDepthTests {
  private struct Cancelled: Error {}

  private func expanded(_ tree: DeepTree) -> OutlineNode<Int, Int> {
    OutlineNode(tree.root, expansion: ExpansionState(policy: .expanded), id: { $0 })
  }

  @Test func rowsAndPathsAreFoundAtTheEnd() {
    let tree = DeepTree(.comb)
    let outline = expanded(tree)
    let row = outline.row(at: tree.rowCount - 1)
    #expect(row.isLastSibling && !row.hasChildren && row.depth == tree.lastPath.count - 1)
    #expect(outline.path(ofRow: tree.rowCount - 1) == tree.lastPath)
    #expect(outline.row(ofPath: tree.lastPath) == tree.rowCount - 1)
    #expect(outline.elements.last == tree.depth && outline.elements.count == tree.rowCount)
    #expect(outline.node(atRow: tree.row(atDepth: tree.depth - 1)) === tree.bottom)
  }

  @Test func aRowInTheMiddleIsCollapsedAndExpanded() {
    let tree = DeepTree(.comb)
    let outline = expanded(tree)
    let row = tree.row(atDepth: tree.depth / 2)
    #expect(outline.descendants(ofRow: row) == row + 1..<tree.rowCount)
    outline.collapse(row: row)
    #expect(outline.count == row + 1)
    outline.expand(row: row)
    #expect(outline.count == tree.rowCount)
  }

  /// The path of a row is made only where a change is recorded.
  @Test func aRowAtTheEndIsCollapsedAndExpandedOften() {
    let tree = DeepTree(.comb)
    let outline = expanded(tree)
    let row = tree.row(atDepth: tree.depth - 1)
    for _ in 0..<10_000 {
      outline.collapse(row: row)
      outline.expand(row: row)
    }
    #expect(outline.count == tree.rowCount)
  }

  @Test func depthAfterDepthIsExpanded() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, id: { $0 })
    for depth in [0, 1, 2, 3, tree.depth / 2, tree.depth / 2 + 1, tree.depth - 2] {
      outline.expand(toDepth: depth)
      #expect(outline.count == 2 * (depth + 1))
    }
    outline.beginTemporaryExpansion()
    #expect(outline.count == tree.rowCount)
    outline.endTemporaryExpansion()
    #expect(outline.count == 2 * (tree.depth - 1))
  }

  @Test func whatIsCollapsedAtEachLevelIsExpandedAtOnce() {
    let depth = DeepTree.levels
    // Beside each branch of the chain lies a collapsed branch.
    var root = BranchNode(value: 0, leaves: [-1])
    for level in 1..<depth {
      root = BranchNode(value: level, [.node(BranchNode(value: depth + level, leaves: [-level])), .node(root)])
    }
    var state = ExpansionState<Int>(policy: .collapsed)
    for level in 0..<depth { state.choose(true, for: level) }
    let outline = OutlineNode(root, expansion: state, id: { $0 })
    #expect(outline.count == 2 * depth - 1)
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    outline.expandAll()
    #expect(outline.count == 3 * depth - 2)
    #expect(received.count == 1 && received[0].delta.insertions.count == depth - 1)
    outline.expansion = state
    #expect(outline.count == 2 * depth - 1)
    token.cancel()
  }

  @Test func theLastRowIsRevealed() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, id: { $0 })
    #expect(outline.reveal(tree.lastPath) == tree.rowCount - 1)
    #expect(outline.expansion.programChoices.count == tree.depth - 1)
  }

  @Test func theLastRowIsRevealedBelowBranchesThatWereCollapsedOneByOne() {
    let tree = DeepTree(.comb)
    let outline = expanded(tree)
    // From the last branch to the first, so that each is visible when it is collapsed.
    for depth in (1..<1_000).reversed() { outline.collapse(row: tree.row(atDepth: depth)) }
    #expect(outline.count == 2)
    #expect(outline.reveal(tree.lastPath) == tree.rowCount - 1)
    #expect(outline.count == tree.rowCount)
  }

  @Test func branchesWithoutAValueAreRevealed() {
    var root = BranchNode(leaves: [1])
    for _ in 1..<DeepTree.levels { root = BranchNode([root]) }
    let outline = OutlineNode(root, id: { $0 })
    let path = IndexPath(indexes: [Int](repeating: 0, count: DeepTree.levels))
    #expect(outline.reveal(path) == DeepTree.levels - 1 && outline.element(at: DeepTree.levels - 1) == 1)
  }

  @Test func aCollapseIsTakenBackByARollback() throws {
    let tree = DeepTree(.comb)
    let outline = expanded(tree)
    outline.collapse(row: tree.row(atDepth: tree.depth / 2))
    #expect(throws: Cancelled.self) {
      try outline.performUpdates {
        outline.collapseAll()
        outline.expandAll()
        outline.collapseAll()
        throw Cancelled()
      }
    }
    #expect(outline.count == tree.depth)
    outline.expand(row: tree.row(atDepth: tree.depth / 2))
    #expect(outline.count == tree.rowCount)
  }

  @Test func aRemovalIsTakenBackByARollback() throws {
    let tree = DeepTree(.comb)
    let outline = expanded(tree)
    #expect(throws: Cancelled.self) {
      try outline.performUpdates {
        tree.root.remove(at: 1)
        throw Cancelled()
      }
    }
    #expect(outline.count == tree.rowCount && outline.element(at: tree.rowCount - 1) == tree.depth)
  }

  @Test func aRowAtEachLevelIsFilteredOutBelow() {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root) { _ in true }
    let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: { $0 })
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    filter.setPredicate { $0 >= 0 }
    #expect(outline.elements == Array(1...tree.depth))
    filter.setPredicate { _ in true }
    #expect(outline.count == tree.rowCount)
    #expect(received.map(\.delta.removals.count) == [tree.depth, 0])
    token.cancel()
  }

  @Test func rowsOfAMappedTreeAreEditedAtTheEnd() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(
      MapNode(tree.root) { $0 * 2 }, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(outline.count == tree.rowCount)
    tree.bottom.append(.leaf(7))
    #expect(outline.element(at: tree.rowCount) == 14)
  }

  @Test func aBranchMovesFromTheMiddleToTheTop() {
    let tree = DeepTree(.comb)
    let outline = expanded(tree)
    var received: [ChangeSet] = []
    let token = outline.observe { received.append($0) }
    let middle = tree.path(toDepth: tree.depth / 2)
    let row = tree.row(atDepth: tree.depth / 2)
    tree.root.move(from: middle, to: [0])
    #expect(received.last == ChangeSet(.move(row..<tree.rowCount, to: 0)))
    tree.root.move(from: [0], to: middle)
    #expect(outline.row(ofPath: tree.lastPath) == tree.rowCount - 1)
    tree.root.move(from: tree.lastPath, to: tree.path(toDepth: tree.depth - 1))
    #expect(outline.count == tree.rowCount && outline.element(at: tree.rowCount - 1) == -tree.depth)
    token.cancel()
  }

  @Test func rowsAreWrittenAtTheEndAndUndone() {
    let tree = DeepTree(.comb)
    let outline = expanded(tree)
    let log = UndoLog(of: outline)
    outline.insert(9_999_999, at: [tree.rowCount - 1])
    #expect(tree.bottom.element(at: 1) == 9_999_999)
    outline.remove(at: [1])
    #expect(outline.count == 1)
    while log.undo() {}
    #expect(outline.count == tree.rowCount)
    while log.redo() {}
    #expect(outline.count == 1)
  }

  @Test func aHierarchyIsLoadedByExpandingAll() {
    let tree = DeepTree.hierarchy(.comb)
    let outline = OutlineNode(tree, id: { $0 })
    #expect(outline.count == 2)
    outline.expandAll()
    #expect(outline.count == 2 * DeepTree.levels)
    tree.reload()
    outline.collapseAll()
    #expect(outline.count == 2)
  }

  @Test func theStateOfManyRowsIsEncoded() throws {
    var state = ExpansionState<String>(policy: .depth(3))
    for level in 0..<DeepTree.levels { state.choose(level % 2 == 0, for: "\(level)") }
    let data = try JSONEncoder().encode(state)
    #expect(try JSONDecoder().decode(ExpansionState<String>.self, from: data) == state)
  }
}
