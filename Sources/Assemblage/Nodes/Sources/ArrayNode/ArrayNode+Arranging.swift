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
    arrange(
      hub.refusingChanges {
        elements.indices.sorted {
          if areInIncreasingOrder(elements[$0], elements[$1]) { return true }
          return $0 < $1 && !areInIncreasingOrder(elements[$1], elements[$0])
        }
      })
  }

  /// Reverses the order of the elements.
  ///
  /// Observers are notified of one change with the fewest moves.
  ///
  /// - Complexity: O(n · log n), and the propagation.
  public func reverse() { arrange((0..<count).reversed()) }

  /// Puts the elements in another order; `order` has the former position of each element.
  @usableFromInline
  func arrange(_ order: [Int]) {
    let delta = Delta(from: 0..<count, to: order)
    guard !delta.isEmpty else { return }
    hub.prepareForChange()
    let former = storage.value
    let elements = former.elements(in: 0..<former.count)
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

  /// Replaces the elements at a range of positions, for example `1...`: see the method with a `Range`.
  ///
  /// - Parameters:
  ///   - range: the positions, within `0..<count`.
  ///   - elements: the new elements, in order.
  /// - Complexity: O(log n + k) for k removed and inserted elements, and the propagation.
  @inlinable
  public func replaceSubrange(_ range: some RangeExpression<Int>, with elements: some Collection<Element>) {
    replaceSubrange(positions(of: range, in: count, of: "ArrayNode"), with: elements)
  }

  /// Removes the elements at a range of positions, for example `0...1`: see the method with a `Range`.
  ///
  /// - Parameter range: the positions, within `0..<count`.
  /// - Complexity: O(log n + k) for k elements, and the propagation.
  @inlinable
  public func removeSubrange(_ range: some RangeExpression<Int>) {
    removeSubrange(positions(of: range, in: count, of: "ArrayNode"))
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
