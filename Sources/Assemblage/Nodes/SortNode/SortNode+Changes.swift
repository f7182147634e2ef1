public import Foundation

// What the source and the comparator change.
extension SortNode {
  public func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    // There is one source, linked once.
    guard let (_, change) = changes.takeOnly() else { trap("A sorted view has one source.") }
    guard hub.isRecording, state.value.translation.isSorted else { return translate(change) }
    // The order follows from the source's, unless the comparator contradicts itself. So a rollback looks whether it
    // brings back the places there were.
    let delta = change.delta
    let former = state.value.translation.places(delta.inverse())
    let result = translate(change)
    if let expected = hub.recall() as? [Int], state.value.translation.places(delta) != expected {
      hub.rollsBackPartly()
    }
    hub.remember(former)
    return result
  }

  private func translate(_ change: consuming ChangeSet) -> ChangeSet {
    var plan: SortTranslation.Plan?
    if state.value.translation.isSorted, !change.delta.isEmpty {
      // The comparator is asked first: it must find the node as it was, not half changed.
      let place = unsafe state.place
      plan = state.value.translation.plan(change.delta) { unsafe functions.precedes(place, $0, $1) }
    }
    return state.value.translation.translate(change, plan)
  }

  /// Sorts by another comparator.
  ///
  /// Observers hear the fewest moves that lead to the new order; nothing where it is the same. Ties stand as in the
  /// source, whatever the order was before.
  ///
  /// - Parameter areInIncreasingOrder: says whether its first argument comes before its second; nil for the source's order.
  /// - Complexity: O(n log n) for n children.
  public func setComparator(_ areInIncreasingOrder: Comparator?) {
    hub.prepareForChange()
    let sources = sort(by: areInIncreasingOrder)
    order(sources, by: areInIncreasingOrder)
  }

  /// Takes in an order of the source's children, and the comparator that made it.
  private func order(_ sources: [Int]?, by comparator: Comparator?) {
    let formerComparator = state.value.comparator
    // Copied out only where it may be wanted back.
    let former = hub.isRecording && state.value.translation.isSorted ? state.value.translation.order.sources : nil
    state.value.comparator = comparator
    let delta = state.value.translation.reorder(sources)
    hub.publish(ChangeSet(delta), of: .view, inverse: { [self] in restore(former, by: formerComparator) })
  }

  /// Takes a change of the comparator back; only where the source has changed since in a way that could not be taken
  /// back, it is asked again.
  private func restore(_ former: [Int]?, by comparator: Comparator?) {
    if hub.isRolledBackPartly { return setComparator(comparator) }
    hub.prepareForChange()
    order(former, by: comparator)
  }

  /// Sorts by the values at a key path.
  ///
  /// - Parameters:
  ///   - keyPath: leads from a child's value to what is compared.
  ///   - direction: whether the smallest comes first, or the largest.
  /// - Complexity: O(n log n) for n children.
  public func setComparator(_ keyPath: KeyPath<Element, some Comparable>, order direction: SortOrder = .forward) {
    setComparator(Self.comparator(keyPath, direction))
  }

  /// Sorts everything again, because what the comparator looks at has changed.
  ///
  /// Observers hear the fewest moves. Use it where elements are objects that changed without their node's knowledge, or
  /// where something else that the comparator captures has changed.
  ///
  /// - Complexity: O(n log n) for n children.
  public func sortAgain() { setComparator(state.value.comparator) }

  private func sort(by comparator: Comparator?) -> [Int]? {
    comparator.map { comparator in
      hub.refusingChanges { functions.sort(state.value.reader, state.value.translation.count, comparator) }
    }
  }

  @usableFromInline
  static func comparator(_ keyPath: KeyPath<Element, some Comparable>, _ direction: SortOrder) -> Comparator {
    switch direction {
    case .forward: { $0[keyPath: keyPath] < $1[keyPath: keyPath] }
    case .reverse: { $0[keyPath: keyPath] > $1[keyPath: keyPath] }
    }
  }
}

// MARK: - Ways to say it

extension SortNode {
  /// Creates a view sorted by the values at a key path.
  ///
  /// - Parameters:
  ///   - source: the node to sort; it is kept alive.
  ///   - keyPath: leads from a child's value to what is compared.
  ///   - direction: whether the smallest comes first, or the largest.
  /// - Complexity: O(n log n) for n children.
  @inlinable @inline(__always)
  public convenience init(
    _ source: any TreeNode<Element>, by keyPath: KeyPath<Element, some Comparable>,
    order direction: SortOrder = .forward
  ) {
    self.init(source, by: Self.comparator(keyPath, direction))
  }
}

extension SortNode where Element: Comparable {
  /// Creates a view in the values' own order.
  ///
  /// - Parameters:
  ///   - source: the node to sort; it is kept alive.
  ///   - direction: whether the smallest comes first, or the largest.
  /// - Complexity: O(n log n) for n children.
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>, order direction: SortOrder = .forward) {
    let areInIncreasingOrder: Comparator =
      switch direction {
      case .forward: { $0 < $1 }
      case .reverse: { $0 > $1 }
      }
    self.init(source, by: areInIncreasingOrder)
  }
}
