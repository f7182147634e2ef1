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
  public struct Builder {
    /// The places in the order of the outline, each with its parent.
    private var values: [Element?]
    private var parents = [-1]
    private var isNode = [true]
    private var counts = [0]
    private var open = [0]

    /// Creates a builder with a root, which is a node.
    ///
    /// - Parameter value: the root's own value; none by default.
    public init(value: Element? = nil) { values = [value] }

    private mutating func append(_ value: Element?, isNode: Bool) {
      let parent = open[open.count - 1]
      values.append(value)
      parents.append(parent)
      counts[parent] += 1
      counts.append(0)
      self.isNode.append(isNode)
    }

    /// Appends a leaf to the node that was begun last.
    ///
    /// - Parameter value: the leaf's value.
    public mutating func appendLeaf(_ value: Element?) { append(value, isNode: false) }

    /// Appends a node to the one that was begun last; what follows goes into it.
    ///
    /// - Parameter value: the node's own value; none by default.
    public mutating func beginNode(_ value: Element? = nil) {
      append(value, isNode: true)
      open.append(values.count - 1)
    }

    /// Ends the node that was begun last: what follows are its siblings.
    ///
    /// - Precondition: a node was begun that has not been ended.
    public mutating func endNode() {
      require(open.count > 1, "There is no node to end: only the root is open.")
      open.removeLast()
    }

    /// The snapshot of everything appended; nodes that were not ended end here.
    ///
    /// - Complexity: O(p) for p places.
    public func finish() -> TreeSnapshot {
      // Level by level: the places in the order of the outline are dealt out to their levels, which keeps that order.
      var depths = [0]
      var levels = [1]
      for place in values.indices.dropFirst() {
        let depth = depths[parents[place]] + 1
        depths.append(depth)
        if depth == levels.count { levels.append(0) }
        levels[depth] += 1
      }
      var first = 0
      for depth in levels.indices { (levels[depth], first) = (first, first + levels[depth]) }
      var order = [Int](repeating: 0, count: values.count)
      for place in values.indices {
        order[levels[depths[place]]] = place
        levels[depths[place]] += 1
      }
      var starts = [1]
      starts.reserveCapacity(values.count + 1)
      for (index, place) in order.enumerated() { starts.append(starts[index] + counts[place]) }
      return TreeSnapshot(
        values: order.map { values[$0] }, starts: starts, isNode: order.map { isNode[$0] })
    }
  }
}

extension TreeSnapshot.Builder: Sendable where Element: Sendable {}
