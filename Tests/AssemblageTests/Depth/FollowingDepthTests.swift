import Assemblage
import AssemblageTesting
import Foundation
import Testing

@Suite struct FollowingDepthTests {
  @Test func index() {
    let tree = DeepTree(.comb)
    let index = IdentityIndex(of: tree.root, id: { $0 })
    #expect(index.path(of: tree.depth) == tree.path(toDepth: tree.depth))
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    #expect(index.path(of: tree.depth)?.count == tree.depth - tree.depth / 2 + 1)
    tree.bottom.append(.leaf(1_000_000))
    #expect(index.path(of: 1_000_000) != nil)
    tree.root.remove(at: 0)
    #expect(index.path(of: 1_000_000) == nil)
  }

  @Test func indexOfFilter() {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root) { _ in true }
    let index = IdentityIndex(of: filter, id: { $0 })
    filter.setPredicate { $0 >= 0 }
    #expect(index.count == tree.depth)
    filter.setPredicate { _ in true }
    #expect(index.count == tree.rowCount)
  }

  @Test func anchors() {
    let tree = DeepTree(.comb)
    let anchors = AnchorSet(of: tree.root)
    let kept = (1...20).map { anchors.anchor(at: tree.path(toDepth: $0 * 5_000)) }
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    #expect(kept.last?.path?.count == tree.depth / 2 + 1)
    tree.root.remove(at: 0)
    #expect(kept.last?.isLost == true)
  }

  @Test func selection() {
    let tree = DeepTree(.comb)
    let outline = OutlineNode(tree.root, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let selection = SelectionModel(of: outline, id: { $0 })
    selection.selectAll()
    outline.collapse(row: 1)
    #expect(selection.absentIDs.count == tree.rowCount - 2)
    outline.expand(row: 1)
    #expect(selection.selectedCount == tree.rowCount)
  }
}
