import Assemblage
import AssemblageTesting
import Foundation

/// A tree of many levels: a chain, or a comb that has a leaf beside each branch.
///
///     root  0                    chain: each branch is the only child of the one above
///           ├ (-1)               comb: behind a leaf
///           └ 1
///             ├ (-2)
///             └ 2 …
///
/// The branch at depth d has the value d, and its own leaf has the value -d - 1. The last branch also has the leaf
/// `depth`.
struct DeepTree {
  enum Shape: CaseIterable { case chain, comb }

  /// The number of levels. In a soak, every structure must support 100,000 of them.
  ///
  /// A debug build takes long for so many levels. With fewer, a recursion through the levels still overflows a
  /// `SmallStack`. And work that visits all levels from each level still takes so long that it is noticed.
  static let levels = TestSeed.isSoak ? 100_000 : 4_000

  let root: BranchNode<Int>
  /// The last branch, at `depth` - 1.
  let bottom: BranchNode<Int>
  let depth: Int
  let shape: Shape

  init(_ shape: Shape, depth: Int = Self.levels) {
    self.depth = depth
    self.shape = shape
    var node = BranchNode(value: depth - 1, Self.children(.leaf(depth), depth - 1, shape))
    bottom = node
    for level in (0..<depth - 1).reversed() {
      node = BranchNode(value: level, Self.children(.node(node), level, shape))
    }
    root = node
  }

  private static func children(_ last: TreeChild<Int>, _ level: Int, _ shape: Shape) -> [TreeChild<Int>] {
    shape == .chain ? [last] : [.leaf(-level - 1), last]
  }

  /// Returns the same tree as a hierarchy, which asks for the children of each element.
  static func hierarchy(_ shape: Shape, depth: Int = Self.levels) -> HierarchyNode<Int> {
    HierarchyNode(
      0, id: { $0 }, hasChildren: { $0 >= 0 && $0 < depth },
      children: { shape == .chain ? [$0 + 1] : [-$0 - 1, $0 + 1] })
  }

  /// The position of a branch in its parent.
  var position: Int { shape == .chain ? 0 : 1 }

  /// Returns the path of the branch, or of the last leaf, at a depth.
  func path(toDepth depth: Int) -> IndexPath { IndexPath(indexes: [Int](repeating: position, count: depth)) }

  /// The path of the last leaf.
  var lastPath: IndexPath { path(toDepth: depth) }

  /// The number of rows if everything is expanded.
  var rowCount: Int { shape == .chain ? depth : 2 * depth }

  /// Returns the row of the branch at a depth of at least 1, if everything is expanded.
  func row(atDepth depth: Int) -> Int { shape == .chain ? depth - 1 : 2 * depth - 1 }
}
