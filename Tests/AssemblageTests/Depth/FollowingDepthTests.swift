import Assemblage
import Foundation
import TestSupport
import Testing

/// Structures that follow elements, in very deep trees.
@Suite(.smallStack) struct FollowingDepthTests {
  @Test func observableChildrenAreReleased() {
    let tree = DeepTree(.comb)
    let root = ObservableNode(tree.root)
    var node = root
    for position in tree.lastPath.dropLast() { node = node.child(at: position)! }
    #expect(node.count > 0 && root.child(at: tree.lastPath[0]) != nil)
  }

  @Test func anIndexFollowsABranchFromTheMiddleToTheTop() {
    let tree = DeepTree(.comb)
    let index = IdentityIndex(of: tree.root, id: { $0 })
    #expect(index.path(of: tree.depth) == tree.lastPath)
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    #expect(index.path(of: tree.depth)?.count == tree.depth - tree.depth / 2 + 1)
    tree.bottom.append(.leaf(9_999_999))
    #expect(index.element(of: 9_999_999) == 9_999_999)
    tree.root.remove(at: 0)
    #expect(!index.contains(9_999_999) && index.count == tree.depth - 1)
  }

  @Test func anIndexFollowsAChangeAtEachLevel() {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root) { _ in true }
    let index = IdentityIndex(of: filter, id: { $0 })
    filter.setPredicate { $0 >= 0 }
    #expect(index.count == tree.depth && index.path(of: tree.depth)?.last == 0)
    filter.setPredicate { _ in true }
    #expect(index.count == tree.rowCount && index.path(of: tree.depth) == tree.lastPath)
  }

  @Test func anchorsFollowTheirElementsAndOutliveThem() {
    let tree = DeepTree(.comb)
    let anchors = AnchorSet(of: tree.root)
    let kept = (1...20).map { anchors.anchor(at: tree.path(toDepth: $0 * tree.depth / 20)) }
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    #expect(kept[19].path?.count == tree.depth / 2 + 1)
    tree.root.remove(at: 0)
    #expect(kept[9...].allSatisfy { $0.isLost && $0.nearest == [0] })
    #expect(kept[8].path == tree.path(toDepth: 9 * tree.depth / 20))
  }

  @Test func allRowsOfAnOutlineStaySelected() {
    let tree = DeepTree(.chain)
    let outline = OutlineNode(tree.root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let selection = SelectionModel(of: outline, id: { $0 })
    selection.selectAll()
    outline.collapse(row: 0)
    #expect(selection.absentIDs.count == tree.rowCount - 1)
    outline.expand(row: 0)
    #expect(selection.selectedRanges == [0..<tree.rowCount])
    selection.select(ids: [1, tree.depth])
    #expect(selection.selectedRanges == [0..<1, tree.depth - 1..<tree.depth])
  }
}
