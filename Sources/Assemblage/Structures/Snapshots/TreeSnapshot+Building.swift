extension TreeSnapshot {
  /// Creates the snapshot of a node whose children are given.
  ///
  /// Each call copies the inner levels, so a tree of many levels is copied many times. `init(root:children:)` does not
  /// copy them.
  ///
  /// - Parameters:
  ///   - value: the node's own value; none by default.
  ///   - children: the snapshots of the children, in order.
  /// - Complexity: O(p) for p places.
  public init(value: Element? = nil, children: [TreeSnapshot] = []) {
    var builder = Builder(value: value)
    for child in children { builder.append(child) }
    self = builder.finish()
  }

  /// Creates the snapshot of a leaf.
  ///
  /// - Parameter value: the leaf's value.
  public init(leaf value: Element?) { self.init(value: value, isNode: false, .empty) }

  /// Creates the snapshot of a node whose children are leaves.
  ///
  /// - Parameters:
  ///   - value: the node's own value; none by default.
  ///   - leaves: the values of the leaves, in order.
  /// - Complexity: O(n) for n leaves.
  @inlinable
  public init(value: Element? = nil, leaves: some Sequence<Element>) {
    self.init(value: value, .elements(ChunkedArray(leaves)))
  }

  /// Creates the snapshot of a hierarchy with a closure that returns the children of a value.
  ///
  /// ```swift
  /// TreeSnapshot(root: 12) { n in n == 1 ? nil : [2, 3].filter { n % $0 == 0 }.map { n / $0 } }
  /// ```
  ///
  /// - Parameters:
  ///   - value: the root's value.
  ///   - children: returns the children of a value; nil for a leaf. It is called once for each place, level by level.
  /// - Throws: the error of `children`.
  /// - Complexity: O(p) for p places.
  @inlinable
  public init<Values: Sequence<Element>, Failure: Error>(
    root value: Element, children: (Element) throws(Failure) -> Values?
  ) throws(Failure) {
    var values: [Element?] = [value]
    var starts = [1]
    var isNode: [Bool] = []
    while isNode.count < values.count {
      if let element = values[isNode.count], let below = try children(element) {
        values.append(contentsOf: below.lazy.map(Optional.some))
        isNode.append(true)
      } else {
        isNode.append(false)
      }
      starts.append(values.count)
    }
    self.init(SnapshotLevels(values: values, starts: starts, isNode: isNode))
  }

  /// The snapshot of the same shape with other values.
  ///
  /// - Parameter transform: returns the new value for a value; it is called level by level.
  /// - Returns: a snapshot with values at the same places; a place without a value has none there either.
  /// - Throws: the error of `transform`.
  /// - Complexity: O(p) for p places.
  @inlinable
  public func mapValues<Other, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Other
  ) throws(Failure) -> TreeSnapshot<Other> {
    let levels = levels
    var values: [Other?] = []
    values.reserveCapacity(levels.values.count)
    for value in levels.values {
      if let value { values.append(try transform(value)) } else { values.append(nil) }
    }
    return TreeSnapshot<Other>(SnapshotLevels(values: values, starts: levels.starts, isNode: levels.isNode))
  }
}
