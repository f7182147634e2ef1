// Edits by index path. The place decides which node is written.
extension TreeNode {
  public func allows(_ edit: ChildEdit, at path: IndexPath) -> Bool {
    guard let last = path.last else { return false }
    if let parent = child(at: path.dropLast()) { return parent.writer?.allows(edit, at: last) ?? false }
    return last == 0 && (edit == .insert || edit == .insertNode) && writer(turningLeafAt: path.dropLast()) != nil
  }

  public func insert(_ element: Element, at path: IndexPath) {
    requireChildPath(path)
    withAdopter(at: path.dropLast(), for: path) { $0.insert(element, at: path.lastComponent) }
  }

  public func insert(_ node: any TreeNode<Element>, at path: IndexPath) {
    requireChildPath(path)
    withAdopter(at: path.dropLast(), for: path) { $0.insert(node, at: path.lastComponent) }
  }

  @discardableResult
  public func remove(at path: IndexPath) -> TreeChild<Element> {
    requireWriter(for: path).removeChild(at: path.lastComponent)
  }

  public func replace(at path: IndexPath, with element: Element) {
    requireWriter(for: path).replace(at: path.lastComponent, with: element)
  }

  /// The node that writes the parent of the place at `path`.
  func requireWriter(for path: IndexPath) -> any WritableNode<Element> {
    requireChildPath(path)
    return requireNode(at: path.dropLast(), for: path).requireWriter(on: path)
  }

  /// Calls a closure with the node that writes the node at `path`, which is to adopt a child.
  ///
  /// A leaf that can become a node becomes one in the same transaction.
  ///
  /// - Parameters:
  ///   - path: the place of the adopting node.
  ///   - goal: the place that the caller names.
  ///   - body: makes the edit.
  func withAdopter(at path: IndexPath, for goal: IndexPath, _ body: (any WritableNode<Element>) -> Void) {
    if let node = child(at: path) { return body(node.requireWriter(on: goal)) }
    guard let parent = writer(turningLeafAt: path) else { trapPath(path, for: goal) }
    performUpdates {
      parent.turnIntoBranch(at: path.lastComponent)
      // The path may lead elsewhere now: a section with a branch among its rows is no section.
      body(parent.requireNode(at: [path.lastComponent], for: goal).requireWriter(on: goal))
    }
  }

  /// The node that can make a node of the leaf at `path`; nil where there is no such leaf.
  private func writer(turningLeafAt path: IndexPath) -> (any WritableNode<Element>)? {
    guard let leaf = path.last, let writer = child(at: path.dropLast())?.writer,
      writer.allows(.turnIntoBranch, at: leaf)
    else { return nil }
    return writer
  }

  /// The node that writes this one, which the path of an edit leads into.
  private func requireWriter(on path: IndexPath) -> any WritableNode<Element> {
    guard let writer else {
      trap("The path \(path.sentence) leads into \(withArticle(Self.self)), which cannot be written.")
    }
    return writer
  }
}

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

  /// Changes the value of a child in its place: see the method with an index path.
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
  ///   - body: changes a copy of the value, so that it still reads the former value in this node; it must not change
  ///     any node.
  /// - Throws: any error of `body`.
  /// - Precondition: the child has a value, and this node can be written.
  /// - Complexity: O(log n), and the propagation.
  public func update<Failure: Error>(
    at position: Int, _ body: (inout Element) throws(Failure) -> Void
  ) throws(Failure) {
    guard var element = element(at: position) else { trapValueless(position) }
    try hub.refusingChanges { () throws(Failure) in try body(&element) }
    requireWriter(for: [position]).replace(at: position, with: element)
  }

  /// Traps, because a child has no value that could be changed.
  @usableFromInline @inline(never)
  func trapValueless(_ position: Int) -> Never {
    require(position >= 0 && position < count, "\(kindName): the position \(position) is out of range 0..<\(count).")
    trap("\(kindName): its child \(position) is a node without a value, so there is nothing to change.")
  }
}

extension WritableNode {
  /// Reports that the object to which a child's value refers has changed.
  ///
  /// The value is written again, so observers are notified of one update at `position`.
  ///
  /// - Parameter position: `0..<count`.
  /// - Precondition: the child has a value.
  /// - Complexity: O(log n), and the propagation.
  @inlinable
  public func update(at position: Int) {
    guard let element = element(at: position) else { trapValueless(position) }
    replace(at: position, with: element)
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
