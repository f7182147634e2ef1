import OffsetIndexing

extension TreeSnapshot {
  /// Builds a snapshot from the top to the bottom of an outline, in constant time a line.
  ///
  /// ```swift
  /// var builder = TreeSnapshot<String>.Builder()
  /// builder.beginNode("family")
  /// builder.appendLeaf("Dad")
  /// builder.endNode()
  /// builder.finish()      // [family[Dad]]
  /// ```
  package struct Builder {
    private let value: Element?
    private let isNode: Bool
    /// The places below the root in document order.
    private var values: [Element?] = []
    private var depths: [Int] = []
    private var areNodes: [Bool] = []
    /// The number of nodes that are open.
    private var depth = 0

    /// Creates a builder with a root, which is a node.
    ///
    /// - Parameter value: the root's own value; none by default.
    package init(value: Element? = nil) { self.init(value: value, isNode: true) }

    init(value: Element?, isNode: Bool) {
      self.value = value
      self.isNode = isNode
    }

    private mutating func append(_ value: Element?, depth: Int, isNode: Bool) {
      values.append(value)
      depths.append(depth)
      areNodes.append(isNode)
    }

    /// Appends a child with everything below it.
    mutating func append(_ child: TreeSnapshot) {
      append(child.value, depth: depth, isNode: child.isNode)
      if child.isEmpty { return }
      let shape = child.structure
      let shift = depth + 1 - shape.depth
      for row in shape.rows {
        append(
          child.contents.element(at: row.number), depth: row.place.depth + shift, isNode: row.place.branch != nil)
      }
    }

    /// Appends a leaf to the node that was begun last.
    ///
    /// - Parameter value: the leaf's value.
    package mutating func appendLeaf(_ value: Element?) { append(value, depth: depth, isNode: false) }

    /// Appends a node to the node that was begun last; all places that follow go into the new node, until it ends.
    ///
    /// - Parameter value: the node's own value; none by default.
    package mutating func beginNode(_ value: Element? = nil) {
      append(value, depth: depth, isNode: true)
      depth += 1
    }

    /// Ends the node that was begun last: the places that follow are its siblings.
    ///
    /// - Precondition: a node was begun that has not been ended.
    package mutating func endNode() {
      require(depth > 0, "There is no node to end: only the root is open.")
      depth -= 1
    }

    /// The snapshot of everything appended; nodes that were not ended end here.
    ///
    /// - Complexity: O(p) for p places.
    package func finish() -> TreeSnapshot {
      let contents = SnapshotContents(values)
      guard areNodes.contains(true) else { return TreeSnapshot(value: value, isNode: isNode, contents) }
      return TreeSnapshot(value: value, shape: SnapshotShape(depths: depths, areNodes: areNodes), contents)
    }
  }
}

extension TreeSnapshot.Builder: Sendable where Element: Sendable {}
