import Assemblage
import Foundation
import Testing

/// Every move by path in every small tree, compared with a tree of values.
struct MovingByPathTests {
  /// A tree of values. A leaf has nil instead of children.
  private struct Tree: Equatable {
    var id: Int
    var children: [Tree]?

    /// This tree as a leaf or as branches.
    var child: TreeChild<Int> {
      guard let children else { return .leaf(id) }
      return .node(BranchNode(value: id, children.map(\.child)))
    }

    /// This tree as one forest node.
    var forest: ForestNode<Int> {
      let forest = ForestNode(value: id)
      for child in children ?? [] {
        if child.children == nil { forest.append(child.id) } else { forest.append(child.forest) }
      }
      return forest
    }

    init(id: Int, children: [Tree]?) {
      self.id = id
      self.children = children
    }

    init(_ node: any TreeNode<Int>) {
      id = node.value!
      children = (0..<node.count).map { position in
        node.child(at: position).map(Tree.init) ?? Tree(id: node.element(at: position)!, children: nil)
      }
    }

    subscript(path: some Collection<Int>) -> Tree? {
      guard let first = path.first else { return self }
      guard let children, children.indices.contains(first) else { return nil }
      return children[first][path.dropFirst()]
    }

    /// Removes and returns the child at a path.
    mutating func remove(at path: [Int]) -> Tree {
      if path.count == 1 { return children!.remove(at: path[0]) }
      return children![path[0]].remove(at: Array(path.dropFirst()))
    }

    mutating func insert(_ tree: Tree, at path: [Int]) {
      if path.count == 1 { return children!.insert(tree, at: path[0]) }
      children![path[0]].insert(tree, at: Array(path.dropFirst()))
    }

    /// The paths of all children at every depth.
    var paths: [[Int]] {
      (children ?? []).enumerated().flatMap { position, child in [[position]] + child.paths.map { [position] + $0 } }
    }

    /// Returns the path of the child with an id.
    func path(of id: Int) -> [Int]? { paths.first { self[$0]!.id == id } }

    /// Returns all roots with `size` descendants. A descendant without children is a leaf or an empty branch.
    static func roots(of size: Int) -> [Tree] {
      func forests(_ size: Int) -> [[Tree]] {
        if size == 0 { return [[]] }
        return (0..<size).flatMap { inner -> [[Tree]] in
          var firsts = forests(inner).map { Tree(id: 0, children: $0) }
          if inner == 0 { firsts.append(Tree(id: 0, children: nil)) }
          return firsts.flatMap { first in forests(size - 1 - inner).map { [first] + $0 } }
        }
      }
      return forests(size).map {
        var root = Tree(id: 0, children: $0)
        var next = 0
        root.number(&next)
        return root
      }
    }

    private mutating func number(_ next: inout Int) {
      id = next
      next += 1
      for index in (children ?? []).indices { children![index].number(&next) }
    }
  }

  private func check(_ tree: Tree, _ expected: Tree, _ moved: Int, _ move: (any TreeNode<Int>) -> Void) throws {
    try check(#require(tree.child.node), tree, expected, moved, move)
    try check(tree.forest, tree, expected, moved, move)
  }

  private func check(
    _ root: any TreeNode<Int>, _ tree: Tree, _ expected: Tree, _ moved: Int, _ move: (any TreeNode<Int>) -> Void
  ) throws {
    var transfers: [ChangeSet] = []
    let token = root.observe { transfers.append($0) }
    move(root)
    #expect(Tree(root) == expected)
    let (old, new) = (tree.path(of: moved)!, expected.path(of: moved)!)
    // The moved child has survived as a whole, and the move is one change.
    let kept = transfers.first?.path(after: IndexPath(indexes: old)) ?? IndexPath(indexes: old)
    #expect(kept == IndexPath(indexes: new) && transfers.count == (tree == expected ? 0 : 1))
    token.cancel()
  }

  @Test(arguments: 1...4)
  func aDestinationIsCountedAfterTheChildHasLeft(size: Int) throws {
    for tree in Tree.roots(of: size) {
      for path in tree.paths {
        var rest = tree
        let child = rest.remove(at: path)
        for parent in [[]] + rest.paths {
          guard let children = rest[parent]!.children else { continue }
          for position in 0...children.count {
            var expected = rest
            expected.insert(child, at: parent + [position])
            try check(tree, expected, child.id) {
              $0.move(from: IndexPath(indexes: path), to: IndexPath(indexes: parent + [position]))
            }
          }
        }
      }
    }
  }

  @Test(arguments: 1...4)
  func aParentAndPositionAreCountedBeforeTheMove(size: Int) throws {
    for tree in Tree.roots(of: size) {
      for path in tree.paths {
        for parent in [[]] + tree.paths where !parent.starts(with: path) {
          guard let children = tree[parent]!.children else { continue }
          for position in 0...children.count {
            var expected = tree
            let child = expected.remove(at: path)
            let home = [tree.id] == [tree[parent]!.id] ? [] : expected.path(of: tree[parent]!.id)!
            let isBehind = Array(path.dropLast()) == parent && position > path.last!
            expected.insert(child, at: home + [isBehind ? position - 1 : position])
            try check(tree, expected, child.id) {
              $0.move(IndexPath(indexes: path), into: IndexPath(indexes: parent), at: position)
            }
          }
        }
      }
    }
  }
}
