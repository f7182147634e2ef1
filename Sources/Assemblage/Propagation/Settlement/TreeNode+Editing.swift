extension TreeNode {
  /// The value at an index path of at least two positions.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a"]), ArrayNode(["b", "c"])])
  /// sections[1, 0]              // "b", like sections[[1, 0]]
  /// ```
  ///
  /// - Parameters:
  ///   - first: the position of a child of this node.
  ///   - second: a position in that child.
  ///   - others: the positions below.
  /// - Returns: the value, or nil where the place has none.
  /// - Precondition: there is such a place.
  /// - Complexity: O(d · log n) for a path of length d.
  public subscript(first: Int, second: Int, others: Int...) -> Element? {
    self[IndexPath(indexes: [first, second] + others)]
  }

  /// Changes the value at an index path in its place.
  ///
  /// Observers are notified of one update of the source that owns the place, and of its results in the views. If `body`
  /// throws, the value stays unchanged and observers are not notified.
  ///
  /// ```swift
  /// let sections = BranchNode([ArrayNode(["a"]), ArrayNode(["b"])])
  /// sections.update(at: [1, 0]) { $0 += "!" }
  /// sections[1, 0]              // "b!"
  /// ```
  ///
  /// - Parameters:
  ///   - path: the place of the value.
  ///   - body: changes a copy of the value; it must not change any node.
  /// - Throws: any error of `body`.
  /// - Precondition: the path is not empty and in range, the place has a value, and its parent can be written.
  /// - Complexity: O(d · log n) for a path of length d, and the propagation.
  public func update<Failure: Error>(
    at path: IndexPath, _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    guard var element = self[path] else {
      trap("The path \(path.sentence) is a node without a value, so there is nothing to change.")
    }
    try hub.refusingChanges { () throws(Failure) in try body(&element) }
    replace(at: path, with: element)
  }
}

extension FlatNode {
  /// Changes an element in its place: see the method with an index path.
  ///
  /// ```swift
  /// let words = ArrayNode(["a", "bb"])
  /// let long = FilterNode(words) { $0.count > 1 }
  /// long.update(at: 0) { $0 += "!" }
  /// words.elements              // ["a", "bb!"]
  /// ```
  ///
  /// - Parameters:
  ///   - position: `0..<count`.
  ///   - body: changes a copy of the element; it must not change any node.
  /// - Throws: any error of `body`.
  /// - Precondition: the child has a value, and this node can be written.
  /// - Complexity: O(log n), and the propagation.
  public func update<Failure: Error>(
    at position: Int, _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    try update(at: [position], body)
  }
}

extension FlatNode where Element: Identifiable {
  /// The first element with an id; nil where there is none.
  ///
  /// Setting the element replaces it in its place, and setting nil removes it. Nothing happens if nil is set where
  /// there is no such element. An `IdentityIndex` finds elements faster, and at every depth.
  ///
  /// ```swift
  /// people[id: 7]?.name = "Ada"     // an update
  /// people[id: 7] = nil             // a removal
  /// ```
  ///
  /// - Parameter id: any id.
  /// - Precondition: if an element is set, there is an element with this id, and this node can be written.
  /// - Complexity: O(n), and the propagation if it is set.
  public subscript(id id: Element.ID) -> Element? {
    get { firstPosition(of: id).flatMap { element(at: $0) } }
    set {
      let position = firstPosition(of: id)
      switch (position, newValue) {
      case (let position?, let element?): replace(at: [position], with: element)
      case (let position?, nil): remove(at: [position])
      case (nil, nil): break
      case (nil, _?): trap("\(typeName): there is no element with the id \(id) that could be replaced.")
      }
    }
  }

  private func firstPosition(of id: Element.ID) -> Int? {
    (0..<count).first { element(at: $0)?.id == id }
  }
}
