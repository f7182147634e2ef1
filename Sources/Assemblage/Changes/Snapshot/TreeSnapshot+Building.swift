extension TreeSnapshot {
  /// Creates the snapshot of a node whose children are given.
  ///
  /// To nest many levels by hand copies the inner ones each time; a `Builder` does not.
  ///
  /// - Parameters:
  ///   - value: the node's own value; none by default.
  ///   - children: the snapshots of the children, in order.
  /// - Complexity: O(p) for p places.
  public init(value: Element? = nil, children: [TreeSnapshot] = []) {
    var writer = LevelWriter(value: value, isNode: true)
    // For each place behind the root: the snapshot that it is taken of, and its place there.
    var origins: [(storage: Storage, index: Int)] = []
    for child in children {
      writer.append(value: child.value, isNode: child.root.isNode)
      origins.append((child.storage, 0))
    }
    writer.closeNext()
    while writer.next <= origins.count {
      let (storage, index) = origins[writer.next - 1]
      for child in storage.starts[index]..<storage.starts[index + 1] {
        writer.append(value: storage.values[child], isNode: storage.isNode[child])
        origins.append((storage, child))
      }
      writer.closeNext()
    }
    self = writer.finish()
  }

  /// Creates the snapshot of a leaf.
  ///
  /// - Parameter value: the leaf's value.
  public init(leaf value: Element?) { self.init(values: [value], starts: [1, 1], isNode: [false]) }

  /// Creates the snapshot of a node whose children are leaves.
  ///
  /// - Parameters:
  ///   - value: the node's own value; none by default.
  ///   - leaves: the values of the leaves, in order.
  /// - Complexity: O(n) for n leaves.
  @inlinable
  public init(value: Element? = nil, leaves: some Sequence<Element>) {
    var values = [value]
    values.append(contentsOf: leaves.lazy.map(Optional.some))
    let count = values.count
    var starts = [Int](repeating: count, count: count + 1)
    starts[0] = 1
    var isNode = [Bool](repeating: false, count: count)
    isNode[0] = true
    self.init(values: values, starts: starts, isNode: isNode)
  }

  /// Creates the snapshot of a hierarchy, given a value's children.
  ///
  /// ```swift
  /// TreeSnapshot(root: 12) { n in n == 1 ? nil : [2, 3].filter { n % $0 == 0 }.map { n / $0 } }
  /// ```
  ///
  /// - Parameters:
  ///   - value: the root's value.
  ///   - children: yields the children of a value; nil for a leaf. It is called once for each place, level by level.
  /// - Throws: what `children` throws.
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
    self.init(values: values, starts: starts, isNode: isNode)
  }

  /// The snapshot of the same shape with other values.
  ///
  /// - Parameter transform: yields the new value for one that is there; it is called level by level.
  /// - Returns: a snapshot in which places without a value have none either.
  /// - Throws: what `transform` throws.
  /// - Complexity: O(p) for p places.
  @inlinable
  public func map<Other, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Other
  ) throws(Failure) -> TreeSnapshot<Other> {
    var values: [Other?] = []
    values.reserveCapacity(placeCount)
    for value in storage.values {
      if let value { values.append(try transform(value)) } else { values.append(nil) }
    }
    return TreeSnapshot<Other>(values: values, starts: storage.starts, isNode: storage.isNode)
  }
}

/// Writes the places of a snapshot level by level: the caller says what each place's children are, in that order.
struct LevelWriter<Element> {
  private var values: [Element?]
  private(set) var starts = [1]
  private var isNode: [Bool]

  /// The place whose children come next.
  var next: Int { starts.count - 1 }

  /// The number of places so far.
  var count: Int { values.count }

  /// Begins with the root.
  init(value: Element?, isNode: Bool) {
    values = [value]
    self.isNode = [isNode]
  }

  /// Appends a child of the place `next`.
  mutating func append(value: Element?, isNode: Bool) {
    values.append(value)
    self.isNode.append(isNode)
  }

  /// Appends a child of the place `next` that becomes a node when it gets children.
  ///
  /// All children of `next` have been appended.
  mutating func closeNext() {
    if values.count > starts[next] { isNode[next] = true }
    starts.append(values.count)
  }

  /// The snapshot, when the children of every place have been appended.
  func finish() -> TreeSnapshot<Element> {
    TreeSnapshot(values: values, starts: starts, isNode: isNode)
  }
}
