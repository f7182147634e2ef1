// Live views of a node, in the order in which they are read. `filter`, `map` and `sorted` of a collection return
// arrays, so the live views have other names.
extension TreeNode {
  /// Creates a `JoinNode` of this node and others.
  ///
  /// ```swift
  /// let short = names.joining(others).filtering { $0.count < 9 }.sorting()     // a SortNode
  /// ```
  ///
  /// - Parameter others: the nodes that follow this one, in order.
  /// - Returns: a live view.
  @inlinable
  public func joining(_ others: any TreeNode<Element>...) -> JoinNode<Element> {
    JoinNode([self as any TreeNode<Element>] + others)
  }

  /// Creates a `FilterNode` of this node.
  ///
  /// - Parameter predicate: returns whether a child is visible.
  /// - Returns: a live view.
  @inlinable
  public func filtering(_ predicate: @escaping (Element) -> Bool) -> FilterNode<Element> {
    FilterNode(self, where: predicate)
  }

  /// Creates a `SortNode` of this node.
  ///
  /// - Parameter areInIncreasingOrder: returns whether its first argument is before its second.
  /// - Returns: a live view.
  @inlinable
  public func sorting(by areInIncreasingOrder: @escaping (Element, Element) -> Bool) -> SortNode<Element> {
    SortNode(self, by: areInIncreasingOrder)
  }

  /// Creates a `SortNode` of this node, by the values at a key path.
  ///
  /// - Parameters:
  ///   - keyPath: leads from a child's value to the value that is compared.
  ///   - direction: whether the smallest value is first, or the largest.
  /// - Returns: a live view.
  @inlinable
  public func sorting(
    by keyPath: KeyPath<Element, some Comparable>, order direction: SortOrder = .forward
  ) -> SortNode<Element> {
    SortNode(self, by: keyPath, order: direction)
  }

  /// Creates a `MapNode` of this node.
  ///
  /// - Parameter transform: returns the value that is shown for a child's value.
  /// - Returns: a live view, which only reads; a `MapNode` with an inverse also writes.
  @inlinable
  public func mapping<Value>(_ transform: @escaping (Element) -> Value) -> MapNode<Element, Value> {
    MapNode(self, transform)
  }

  /// Creates a `SliceNode` of this node.
  ///
  /// - Parameter window: the positions that are visible, for example `..<10`; they may not exist yet.
  /// - Returns: a live view.
  @inlinable
  public func slicing(_ window: some RangeExpression<Int>) -> SliceNode<Element> { SliceNode(self, window) }

  /// Creates a `GroupNode` of this node, whose sections have the order in which their keys first occur.
  ///
  /// - Parameter key: returns the key of a child; nil for a child without a section.
  /// - Returns: a live view.
  @inlinable
  public func grouping<Key: Hashable>(by key: @escaping (Element) -> Key?) -> GroupNode<Element, Key> {
    GroupNode(self, by: key)
  }

  /// Creates a `UniqueNode` of this node.
  ///
  /// - Parameter id: returns the id of a child.
  /// - Returns: a live view, which shows the first child with each id.
  @inlinable
  public func uniquing<ID: Hashable>(id: @escaping (Element) -> ID) -> UniqueNode<Element, ID> {
    UniqueNode(self, id: id)
  }
}

extension TreeNode where Element: Comparable {
  /// Creates a `SortNode` of this node, in the values' own order.
  ///
  /// - Parameter direction: whether the smallest value is first, or the largest.
  /// - Returns: a live view.
  @inlinable
  public func sorting(_ direction: SortOrder = .forward) -> SortNode<Element> { SortNode(self, order: direction) }
}

extension TreeNode where Element: Identifiable {
  /// Creates a `UniqueNode` of this node.
  ///
  /// - Returns: a live view, which shows the first child with each id.
  @inlinable
  public func uniquing() -> UniqueNode<Element, Element.ID> { UniqueNode(self) }
}
