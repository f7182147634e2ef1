public import OffsetIndexing

// For nodes that follow the shape of a forest, rather than nodes of its branches: what a branch is called by its handle, and
// an element by its number, its place in document order.
extension ForestNode {
  /// The shape of the tree that this node is in, and of all that was cut out of it.
  @inlinable
  var shape: TreeIndex { _read { yield state.value.storage.value.shape } }

  /// The shape of the whole tree, and the branch of its root; nil where this node is only a part of a tree.
  package var wholeShape: (shape: TreeIndex, root: TreeIndex.Branch)? {
    isRoot && !isElement ? (shape, branch) : nil
  }

  /// The branch in whose forest the tree's elements are counted: the shape's root, or a piece.
  var top: TreeIndex.Branch { state.value.tree.top }

  /// The elements of the tree, by number.
  @inlinable
  var treeElements: ChunkedArray<Element> { _read { yield state.value.storage.value.contents[state.value.tree.index] } }
}
