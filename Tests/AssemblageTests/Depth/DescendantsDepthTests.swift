import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Flat lists of very deep trees. Each test makes a change at every level, or one at the last level.
@Suite(.smallStack) struct DescendantsDepthTests {
  @Test(arguments: [DescendantsNode<Int>.Scope.all, .leaves])
  func theLastLevelIsReadAndEdited(descendants: DescendantsNode<Int>.Scope) {
    let tree = DeepTree(.comb)
    let list = DescendantsNode(tree.root, descendants)
    let count = descendants == .all ? tree.rowCount : tree.depth + 1
    #expect(list.count == count && list.elements.last == tree.depth && list.element(at: count - 1) == tree.depth)
    #expect(list.path(ofRow: count - 1) == tree.lastPath && list.row(ofPath: tree.lastPath) == count - 1)
    var received: [Delta] = []
    let token = list.observe { received.append($0.delta) }
    tree.bottom.append(.leaf(9))
    list.remove(at: [count - 1])
    // Half of the tree lies at the front now.
    tree.root.move(from: tree.path(toDepth: tree.depth / 2), to: [0])
    #expect(received.first == .insertion(count..<count + 1) && received.count == 3 && received[2].moves.count == 1)
    #expect(list.elements.contains(9) && !list.elements.contains(tree.depth))
    token.cancel()
  }

  @Test func leavesComeAndGoAtEveryLevel() {
    let tree = DeepTree(.comb)
    let filter = TreeFilterNode(tree.root) { $0 >= 0 }
    let list = DescendantsNode(filter, .leaves)
    var received: [Delta] = []
    let token = list.observe { received.append($0.delta) }
    #expect(list.elements == [tree.depth])
    filter.setPredicate { _ in true }
    #expect(list.count == tree.depth + 1 && received == [.insertion(0..<tree.depth)])
    token.cancel()
  }
}
