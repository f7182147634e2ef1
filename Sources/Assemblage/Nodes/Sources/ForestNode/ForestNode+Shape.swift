public import OffsetIndexing

// For nodes that follow the shape of a forest instead of the nodes of its branches. They identify a branch by its
// handle, and an element by its number, which is its position in document order.
extension ForestNode {
  /// The shape of the tree of this node, and of all trees that were cut out of it.
  @inlinable
  var shape: TreeIndex { _read { yield state.value.storage.value.shape } }

  /// The shape of the whole tree, and the branch of its root; nil if this node is a branch, or was one before it was
  /// cut out.
  package var wholeShape: (shape: TreeIndex, root: TreeIndex.Branch)? {
    isRoot && !isElement ? (shape, branch) : nil
  }

  /// The branch whose forest counts the tree's elements: the shape's root, or the top of a piece.
  var top: TreeIndex.Branch { state.value.tree.top }

  /// The elements of the tree, by number.
  @inlinable
  var treeElements: ChunkedArray<Element> { _read { yield state.value.storage.value.contents[state.value.tree.index] } }
}
