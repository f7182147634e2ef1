@testable import Assemblage
import Foundation
import Testing

/// Reads by index path. Trees with handles make no node for such a read.
@Suite struct PathReadingTests {
  /// A tree of fan-out 3 with four levels.
  private let forest: ForestNode<Int> = {
    let forest = ForestNode<Int>()
    func fill(_ path: IndexPath, _ number: Int) {
      for position in 0..<3 {
        let child = number * 3 + position + 1
        forest.insert(child, at: path.appending(position))
        if path.count < 3 { fill(path.appending(position), child) }
      }
    }
    fill([], 0)
    return forest
  }()

  /// Returns the places of a tree, found through its children one by one.
  private func places(of node: any TreeNode<Int>, _ path: IndexPath = []) -> [(
    path: IndexPath, value: Int?, count: Int?
  )] {
    (0..<node.count).flatMap { position in
      let (path, child) = (path.appending(position), node.child(at: position))
      return [(path, node.element(at: position), child?.count)] + (child.map { places(of: $0, path) } ?? [])
    }
  }

  private func views() -> [any TreeNode<Int>] {
    let hierarchy = HierarchyNode(0, id: { $0 }) { $0 < 13 ? [3 * $0 + 1, 3 * $0 + 2, 3 * $0 + 3] : [] }
    let filter = TreeFilterNode(forest) { $0 % 4 != 0 }
    return [
      forest, filter, TreeFilterNode(forest, policy: .hidingSubtrees) { $0 % 4 != 0 }, TreeSortNode(forest, by: >),
      TreeSortNode(filter, by: >), MapNode(forest) { -$0 }, MapNode(filter) { -$0 }, hierarchy,
      TreeFilterNode(BranchNode([forest, hierarchy])) { $0 % 4 != 0 }, BranchNode([forest, filter]),
    ]
  }

  @Test func pathsReadTheSameAsChildren() throws {
    for (number, view) in views().enumerated() {
      // The twin is read by path while it has no node of a child yet.
      let twin = views()[number]
      for (path, value, count) in places(of: view) {
        #expect(twin.element(at: path) == value)
        #expect(twin[path] == value)
        #expect(twin.count(at: path) == count)
        #expect(twin.element(at: path.appending(-1)) == nil)
        #expect(twin.element(at: path.appending(count ?? 0)) == nil)
      }
      #expect(twin.count(at: []) == view.count)
      #expect(twin.element(at: []) == view.value)
    }
  }

  @Test func pathsOfAPartBeginAtThePart() throws {
    for view in views() {
      let part = try #require(view.child(at: 0))
      for (path, value, count) in places(of: part) {
        #expect(part.element(at: path) == value)
        #expect(part.count(at: path) == count)
      }
    }
  }

  @Test func noNodeIsMadeOnTheWay() throws {
    func check(_ tree: some BranchTree<Int>) throws {
      let branch = try #require(tree.branch(at: 0, of: tree.rootBranch))
      #expect(tree.element(at: [0, 0, 0]) != nil)
      #expect(tree.count(at: [0, 0]) != nil)
      #expect(tree.livingNode(of: branch) == nil)
    }
    try check(forest)
    try check(TreeFilterNode(forest) { $0 % 4 != 0 })
    try check(TreeSortNode(forest, by: >))
    try check(MapNode(forest) { -$0 })
  }

  @Test func aChildThatHasLeftHasNoPlaces() throws {
    let filter = TreeFilterNode(forest) { _ in true }
    let part = try #require(filter.child(at: 0))
    forest.remove(at: 0)
    #expect(part.element(at: [0]) == nil)
    #expect(part.element(at: [0, 0]) == nil)
    #expect(part.count(at: [0]) == nil)
    #expect(part.count(at: []) == 0)
  }
}
