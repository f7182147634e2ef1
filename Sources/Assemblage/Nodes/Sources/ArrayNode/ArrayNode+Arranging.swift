// The edits of the standard library's arrays that are made of other edits.

extension ArrayNode: ExpressibleByArrayLiteral {
  /// Creates a node with the elements of a literal.
  ///
  /// ```swift
  /// let friends: ArrayNode = ["Al", "Bo"]
  /// ```
  ///
  /// - Parameter elements: the children, in order.
  /// - Complexity: O(n).
  @inlinable
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ArrayNode {
  // MARK: Order

  /// Sorts the elements by a comparator, once.
  ///
  /// Observers are notified of one change with the fewest moves. They are not notified if the order is the same.
  /// Elements that tie keep their order. A `SortNode` shows another order and leaves this node as it is.
  ///
  /// ```swift
  /// let words: ArrayNode = ["pear", "fig", "apple"]
  /// words.sort { $0.count < $1.count }
  /// words.elements              // ["fig", "pear", "apple"]
  /// ```
  ///
  /// - Parameter areInIncreasingOrder: returns whether its first argument is before its second; it must not change any
  ///   node.
  /// - Complexity: O(n · log n), and the propagation.
  @inlinable
  public func sort(by areInIncreasingOrder: (Element, Element) -> Bool) {
    let elements = elements
    // The sort of the standard library is stable, although its documentation does not promise this.
    let order = hub.refusingChanges { elements.indices.sorted { areInIncreasingOrder(elements[$0], elements[$1]) } }
    arrange(elements, order)
  }

  /// Reverses the order of the elements.
  ///
  /// Observers are notified of one change with the fewest moves.
  ///
  /// - Complexity: O(n · log n), and the propagation.
  public func reverse() { arrange(elements, (0..<count).reversed()) }

  /// Puts the elements, which are those of this node, in another order; `order` has the former position of each
  /// element.
  @usableFromInline
  func arrange(_ elements: [Element], _ order: [Int]) {
    let delta = Delta(from: 0..<count, to: order)
    guard !delta.isEmpty else { return }
    hub.prepareForChange()
    let former = storage.value
    storage.value.replaceSubrange(0..<former.count, with: order.map { elements[$0] })
    publish(delta, inverse: restoration(after: delta, of: former))
    withExtendedLifetime(former) {}
  }

  // MARK: Ranges

  /// The elements at a range of positions.
  ///
  /// Setting the elements is one `replaceSubrange(_:with:)`, and the number of elements may change.
  ///
  /// ```swift
  /// let letters: ArrayNode = ["a", "b", "c"]
  /// letters[..<2] = ["x"]
  /// letters.elements            // ["x", "c"]
  /// ```
  ///
  /// Where the type does not decide, reading a `Range` gives a `Slice` of the node, as for every collection.
  ///
  /// - Parameter range: the positions, within `0..<count`.
  /// - Complexity: O(log n + k) for k elements, and the propagation if they are set.
  @_disfavoredOverload @inlinable
  public subscript(range: some RangeExpression<Int>) -> [Element] {
    get { storage.value.elements(in: positions(of: range, in: count, of: "ArrayNode")) }
    set { replaceSubrange(positions(of: range, in: count, of: "ArrayNode"), with: newValue) }
  }

  /// Replaces a range of elements by others.
  ///
  /// Observers are notified of the removed range and of the inserted elements. To keep the elements that are in both,
  /// use `replaceAll(with:id:areEqual:)`.
  ///
  /// - Parameters:
  ///   - range: the positions to replace, within `0..<count`, for example `2..<4` or `1...`; may be empty.
  ///   - elements: the new elements, in order; may be empty.
  /// - Complexity: O(log n + k) for k removed and inserted elements, and the propagation.
  @inlinable
  public func replaceSubrange(_ range: some RangeExpression<Int>, with elements: some Collection<Element>) {
    replaceSubrange(positions(of: range, in: count, of: "ArrayNode"), with: elements)
  }

  /// Removes a range of elements.
  ///
  /// Observers are notified of one range of removals.
  ///
  /// - Parameter range: the positions to remove, within `0..<count`, for example `0...1` or `..<k`; may be empty.
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  @inlinable
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    replaceSubrange(positions(of: range, in: count, of: "ArrayNode"), with: EmptyCollection())
  }

  /// Removes the last element, if there is one.
  ///
  /// - Returns: the removed element; nil if the node is empty.
  /// - Complexity: O(log n), and the propagation.
  @discardableResult @inlinable
  public func popLast() -> Element? { isEmpty ? nil : removeLast() }
}

extension ArrayNode where Element: Comparable {
  /// Sorts the elements in their own order, once: see `sort(by:)`.
  ///
  /// - Complexity: O(n · log n), and the propagation.
  @inlinable
  public func sort() { sort(by: <) }
}
