// Sorts that compare the totals of children.

extension AggregateIndex {
  /// The order of children by their totals.
  ///
  /// A sort asks while the graph is being settled. The index then follows the changes that it has not received yet: its
  /// node has been settled before the nodes that derive from it.
  ///
  /// - Precondition: `source`, whose children are sorted, is the node of the totals.
  fileprivate func order(of source: any TreeNode, by precedes: @escaping (Value, Value) -> Bool) -> ChildOrder {
    require(
      node === source,
      """
      A sort compares the totals of the node that it sorts, but this AggregateIndex follows \
      \(withArticle(type(of: node))), and the sort's source is another node, \(withArticle(type(of: source))).
      """)
    return ChildOrder(
      node: { [self] path in place(at: path) },
      child: { [self] position, node in child(at: position, of: node) },
      sort: { [self] positions, node in
        let totals = positions.map { total(ofChild: $0, of: node) }
        return totals.indices.sorted { first, second in
          precedes(totals[first], totals[second])
            || first < second && !precedes(totals[second], totals[first])
        }
      },
      place: { [self] position, node, search in
        let total = total(ofChild: position, of: node)
        return search { other in
          countCalls()
          let otherTotal = self.total(ofChild: other, of: node)
          return other < position ? !precedes(total, otherTotal) : precedes(otherTotal, total)
        }
      })
  }
}

extension AggregateIndex where Value: Comparable {
  @usableFromInline
  func order(_ direction: SortOrder, of source: any TreeNode) -> ChildOrder {
    switch direction {
    case .forward: order(of: source) { $0 < $1 }
    case .reverse: order(of: source) { $0 > $1 }
    }
  }
}

extension AggregateIndex {
  /// Children without a total are last, in both directions.
  @usableFromInline
  func order<Extreme: Comparable>(_ direction: SortOrder, of source: any TreeNode) -> ChildOrder
  where Value == Extreme? {
    order(of: source) { first, second in
      guard let first else { return false }
      guard let second else { return true }
      return direction == .forward ? first < second : first > second
    }
  }
}

extension SortNode {
  /// Creates a view sorted by the totals of children: sections by their sums, or threads by their latest messages.
  ///
  /// A change anywhere below a child moves the child if the child's total has changed. The total itself is no value of
  /// the child, so observers are notified of the move, and not of an update.
  ///
  /// ```swift
  /// let sections = GroupNode(sales, by: \.country)
  /// let totals = AggregateIndex(of: sections, .sum(\.amount))
  /// let largestFirst = SortNode(sections, by: totals, order: .reverse)
  /// ```
  ///
  /// - Parameters:
  ///   - source: the node to sort; it is kept alive.
  ///   - totals: the totals of `source`; they are kept alive.
  ///   - direction: whether the least total is first, or the greatest.
  /// - Precondition: `totals` was made of `source`.
  /// - Complexity: O(n · log n) for n children. A change takes O(log² n) for each child that it changes, or below which
  ///   it changes something.
  @inlinable
  public convenience init(
    _ source: any TreeNode<Element>, by totals: AggregateIndex<Element, some Comparable>,
    order direction: SortOrder = .forward
  ) {
    self.init(source, by: nil)
    begin(totals.order(direction, of: source))
  }

  /// Creates a view sorted by totals that may be missing, as minima and maxima may be; children without one are last.
  ///
  /// - Parameters:
  ///   - source: the node to sort; it is kept alive.
  ///   - totals: the totals of `source`; they are kept alive.
  ///   - direction: whether the least total is first, or the greatest.
  /// - Precondition: `totals` was made of `source`.
  /// - Complexity: as for totals that are not optional.
  @inlinable
  public convenience init<Extreme: Comparable>(
    _ source: any TreeNode<Element>, by totals: AggregateIndex<Element, Extreme?>,
    order direction: SortOrder = .forward
  ) {
    self.init(source, by: nil)
    begin(totals.order(direction, of: source))
  }

  /// Sorts by the totals of children.
  ///
  /// - Parameters:
  ///   - totals: the totals of the source; they are kept alive.
  ///   - direction: whether the least total is first, or the greatest.
  /// - Precondition: `totals` was made of the source.
  /// - Complexity: O(n · log n) for n children.
  public func setComparator(_ totals: AggregateIndex<Element, some Comparable>, order direction: SortOrder = .forward) {
    setOrder(totals.order(direction, of: source))
  }

  /// Sorts by totals that may be missing; children without one are last.
  ///
  /// - Parameters:
  ///   - totals: the totals of the source; they are kept alive.
  ///   - direction: whether the least total is first, or the greatest.
  /// - Precondition: `totals` was made of the source.
  /// - Complexity: O(n · log n) for n children.
  public func setComparator<Extreme: Comparable>(
    _ totals: AggregateIndex<Element, Extreme?>, order direction: SortOrder = .forward
  ) {
    setOrder(totals.order(direction, of: source))
  }
}

extension TreeSortNode {
  /// Creates a view sorted at every depth by the totals of children: folders by their sizes, for example.
  ///
  /// A change anywhere below a child moves the child if the child's total has changed, and so at each level above.
  ///
  /// ```swift
  /// let sizes = AggregateIndex(of: folders, .sum(\.size))
  /// let largestFirst = TreeSortNode(folders, by: sizes, order: .reverse)
  /// ```
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - totals: the totals of `source`; they are kept alive.
  ///   - direction: whether the least total is first, or the greatest.
  /// - Precondition: `totals` was made of `source`.
  /// - Complexity: O(n · log n) for the n children of the root. A change takes O(log² n) for each node above it that
  ///   was read.
  @inlinable
  public convenience init(
    _ source: any TreeNode<Element>, by totals: AggregateIndex<Element, some Comparable>,
    order direction: SortOrder = .forward
  ) {
    self.init(source, by: nil)
    begin(totals.order(direction, of: source))
  }

  /// Creates a view sorted by totals that may be missing, as minima and maxima may be; children without one are last.
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - totals: the totals of `source`; they are kept alive.
  ///   - direction: whether the least total is first, or the greatest.
  /// - Precondition: `totals` was made of `source`.
  /// - Complexity: as for totals that are not optional.
  @inlinable
  public convenience init<Extreme: Comparable>(
    _ source: any TreeNode<Element>, by totals: AggregateIndex<Element, Extreme?>,
    order direction: SortOrder = .forward
  ) {
    self.init(source, by: nil)
    begin(totals.order(direction, of: source))
  }

  /// Sorts by the totals of children, at every depth.
  ///
  /// - Parameters:
  ///   - totals: the totals of the root's source; they are kept alive.
  ///   - direction: whether the least total is first, or the greatest.
  /// - Precondition: `totals` was made of the root's source.
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  public func setComparator(_ totals: AggregateIndex<Element, some Comparable>, order direction: SortOrder = .forward) {
    setOrder(totals.order(direction, of: root.source))
  }

  /// Sorts by totals that may be missing, at every depth; children without one are last.
  ///
  /// - Parameters:
  ///   - totals: the totals of the root's source; they are kept alive.
  ///   - direction: whether the least total is first, or the greatest.
  /// - Precondition: `totals` was made of the root's source.
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  public func setComparator<Extreme: Comparable>(
    _ totals: AggregateIndex<Element, Extreme?>, order direction: SortOrder = .forward
  ) {
    setOrder(totals.order(direction, of: root.source))
  }
}
