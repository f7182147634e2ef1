import Assemblage
import Foundation

extension Suite {
  /// Reads a leaf by its index path, in a tree of fan-out 10 with n values. 1,111,110 values are six full levels. Each
  /// leaf has been read before.
  static var paths: Suite {
    Suite(
      name: "paths",
      operations: [
        Operation(
          "element", subject("ForestNode", of: { ForestTree($0).forest }) { $0.element(at: $1) },
          view("any TreeNode") { $0 }, view("TreeFilterNode") { TreeFilterNode($0) { _ in true } },
          view("TreeSortNode") { TreeSortNode($0, by: >) },
          subject("NestedArrays", .competitor, of: { NestedValues<Int>($0) {} }) { $0.element(at: $1) })
      ])
  }

  private static func view(
    _ name: String, of make: @escaping (ForestNode<Int>) -> any TreeNode<Int>
  ) -> Subject {
    subject(name, of: { make(ForestTree($0).forest) }) { $0.element(at: $1) }
  }

  @inline(__always)
  private static func subject<Tree>(
    _ name: String, _ origin: Subject.Origin = .library, of make: @escaping (NumberedTree) -> Tree,
    read: @escaping (Tree, IndexPath) -> Int?
  ) -> Subject {
    Subject(name, origin) { context in
      let tree = NumberedTree(n: context.n)
      let (root, paths) = (make(tree), leaves(of: tree, &context))
      // A tree sort sorts the children of a node when they are first read, which is no part of a later read.
      for path in paths { blackHole(read(root, path) ?? 0) }
      return Trial((root, paths, 0)) { state, operations in
        var sum = 0
        for _ in 0..<operations {
          sum &+= read(state.0, state.1[state.2]) ?? 0
          state.2 = state.2 &+ 1 == state.1.count ? 0 : state.2 &+ 1
        }
        return sum
      }
    }
  }

  /// Makes a limited number of paths, so that they do not displace the tree from the caches.
  private static func leaves(of tree: NumberedTree, _ context: inout Context) -> [IndexPath] {
    (0..<4096).map { _ in
      IndexPath(indexes: tree.path(of: Int.random(in: max(1, tree.n / 2)...tree.n, using: &context.generator)))
    }
  }
}
