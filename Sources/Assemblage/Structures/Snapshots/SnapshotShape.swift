public import OffsetIndexing

/// The shape of a tree in a snapshot: the descendants of a branch of a forest.
@usableFromInline
struct SnapshotShape: Sendable {
  let index: TreeIndex
  /// The branch that is the snapshot's root.
  let branch: TreeIndex.Branch
  /// The branch in whose forest the elements are counted.
  let top: TreeIndex.Branch
  /// The numbers of the elements below `branch` in that forest.
  @usableFromInline let numbers: Range<Int>

  init(_ index: TreeIndex, _ branch: TreeIndex.Branch, in top: TreeIndex.Branch) {
    self.index = index
    self.branch = branch
    self.top = top
    numbers = index.descendants(of: branch)
  }

  /// Makes the shape of a list.
  init(leafCount: Int) { self.init(TreeIndex(leafCount: leafCount), TreeIndex.root, in: TreeIndex.root) }

  /// Makes a shape of places in document order.
  ///
  /// - Parameters:
  ///   - depths: for each place, the number of places above it, without the root.
  ///   - areNodes: whether each place is a node.
  init(depths: [Int], areNodes: [Bool]) {
    var builder = TreeIndex.Builder()
    var leaves = 0
    for (depth, isNode) in zip(depths, areNodes) {
      if depth < builder.depth || isNode {
        builder.appendLeaves(leaves)
        leaves = 0
        while depth < builder.depth { builder.closeBranch() }
      }
      if isNode { builder.openBranch() } else { leaves += 1 }
    }
    builder.appendLeaves(leaves)
    while builder.depth > 0 { builder.closeBranch() }
    self.init(builder.finish(), TreeIndex.root, in: TreeIndex.root)
  }

  var childCount: Int { index.childCount(of: branch) }

  /// The depth of the children in the forest in which they are counted.
  @usableFromInline
  var depth: Int { branch == top ? 0 : index.depth(of: branch) + 1 }

  /// All places below the root in document order.
  @usableFromInline
  var rows: TreeIndex.Rows { index.rows(in: numbers, of: top) }

  var runs: TreeIndex.Runs { index.runs(in: numbers, of: top) }

  /// Whether all places below the root are leaves.
  var isList: Bool { childCount == numbers.count && runs.allSatisfy { $0.branch == nil } }

  /// Whether both shapes are the same branch of a forest that has not changed in between.
  @usableFromInline
  func isIdentical(to other: SnapshotShape) -> Bool { branch == other.branch && index.isIdentical(to: other.index) }

  /// The numbers of children that are neighbours in document order, from a position on and before `limit`.
  @usableFromInline
  func run(at position: Int, limit: Int) -> Range<Int> {
    index.run(at: position, of: branch).numbers.prefix(limit - position)
  }

  /// The branch at a path from the root; nil where there is a leaf, or nothing.
  func branch(at path: IndexPath) -> TreeIndex.Branch? {
    var branch = branch
    for position in path {
      guard position >= 0, position < index.childCount(of: branch), let child = index.branch(at: position, of: branch)
      else { return nil }
      branch = child
    }
    return branch
  }

  /// The number of the element at a path; nil where there is none, and for `[]`.
  func number(at path: IndexPath) -> Int? {
    guard let last = path.last, let parent = branch(at: path.dropLast()), last >= 0, last < index.childCount(of: parent)
    else { return nil }
    return index.child(at: last, of: parent).number
  }

  /// The path from the root to an element.
  func path(to number: Int) -> IndexPath {
    IndexPath(indexes: index.path(to: number, in: top).dropFirst(depth))
  }
}
