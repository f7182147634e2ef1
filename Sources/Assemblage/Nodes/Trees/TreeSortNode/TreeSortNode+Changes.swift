import OffsetIndexing

// Changes of the source and of the comparator.
extension TreeSortNode {
  /// Sorts by another comparator, at every depth.
  ///
  /// Observers receive the fewest moves that lead to the new orders, at every depth, in one change; they receive
  /// nothing if the orders are the same. Ties are in the order of the source, whatever the order was before. The caller
  /// may use the sorted node of any child; the comparator sorts the whole tree.
  ///
  /// The call supersedes a call in the background that is under way, even if the transaction is rolled back.
  ///
  /// ```swift
  /// sorted.setComparator { $0.count < $1.count }
  /// ```
  ///
  /// - Parameter areInIncreasingOrder: says whether its first argument precedes its second; nil for the source's order.
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  public func setComparator(_ areInIncreasingOrder: ((Element, Element) -> Bool)?) {
    let (root, family) = (root, family)
    root.hub.prepareForChange()
    root.show(areInIncreasingOrder) { record, _ in
      family.order(of: record, family.translation.value.count(of: record), by: areInIncreasingOrder)
    }
  }

  /// Sorts by the values at a key path, at every depth.
  ///
  /// - Parameters:
  ///   - keyPath: leads from a child's value to the value that is compared.
  ///   - direction: whether the smallest value is first, or the largest.
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  public func setComparator(_ keyPath: KeyPath<Element, some Comparable>, order direction: SortOrder = .forward) {
    setComparator(SortNode<Element>.comparator(keyPath, direction))
  }

  /// Sorts everything again, because the data that the comparator reads has changed.
  ///
  /// Observers receive the fewest moves. Call this method if elements are objects that changed without their node's
  /// knowledge, or if other data that the comparator captures has changed. The whole tree is sorted.
  ///
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  public func refresh() {
    let family = family
    if let order = family.state.value.order { setOrder(order) } else { setComparator(family.state.value.comparator) }
  }

  /// Sorts by an order in place of a comparator.
  func setOrder(_ order: ChildOrder) {
    let (root, family) = (root, family)
    root.hub.prepareForChange()
    root.show(nil, order) { family.order(family.translation.value.count(of: $0), by: order, $1) }
  }

  /// Sorts a node that was made just now.
  @usableFromInline
  func begin(_ order: ChildOrder) {
    let family = family
    family.state.value.order = order
    _ = hub.refusingChanges {
      family.show { family.order(family.translation.value.count(of: $0), by: order, $1) }
    }
  }

  /// Applies a comparator and the orders that it makes, and supersedes work in the background; called on the root,
  /// which is prepared for a change.
  ///
  /// - Parameters:
  ///   - comparator: the comparator.
  ///   - childOrder: an order in place of a comparator.
  ///   - order: the order of the children of a record's node; see `TreeSortFamily.show(_:)`.
  func show(
    _ comparator: Comparator?, _ childOrder: ChildOrder? = nil, _ order: (TreeIndex.Branch, Int?) -> SiblingOrder
  ) {
    let family = family
    let (former, formerOrder) = (family.state.value.comparator, family.state.value.order)
    family.translation.value.work = nil
    (family.state.value.comparator, family.state.value.order) = (comparator, childOrder)
    let change = hub.refusingChanges { family.show(order) }
    hub.publish(
      change, of: .view,
      inverse: { [self] in if let formerOrder { setOrder(formerOrder) } else { setComparator(former) } })
  }
}

extension TreeSortFamily {
  /// Gives another order to the children of each node that has been looked at.
  ///
  /// - Parameter order: the new order of the children of a record's node, given the node's name in the order by other
  ///   data, if there is one.
  /// - Returns: the fewest moves that lead to the new orders.
  func show(_ order: (Record, _ name: Int?) -> SiblingOrder) -> ChangeSet {
    var edit = TreeSortEdit()
    guard translation.value.isLoaded(TreeIndex.root) else { return ChangeSet() }
    let childOrder = state.value.order
    // By the numbers of the touches.
    var names = [childOrder.flatMap { $0.node([]) }]
    var next = edit.touch(TreeIndex.root)
    while next < edit.touches.count {
      let (record, name) = (edit.touches[next].record!, names[next])
      let order = order(record, name)
      edit.touches[next].delta = translation.value.reorder(record, to: order)
      for child in translation.value.children(of: record) where translation.value.isLoaded(child.branch) {
        let touch = edit.touch(child.branch)
        edit.touches[next].children.append((child.position, touch))
        names.append(
          childOrder.flatMap { $0.child(translation.value.sourcePosition(of: child.position, in: record), name) })
      }
      next += 1
    }
    if progress.value.hasMembers { tellParts(edit, [:]) }
    return edit.change(0)
  }
}
