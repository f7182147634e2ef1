public import Foundation
import OffsetIndexing

// What the source and the comparator change.
extension TreeSortNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    // Released at the end: that may run code of the elements.
    var released: [any TreeNode] = []
    defer { withExtendedLifetime(released) {} }
    var change: ChangeSet
    if let edit = family.progress.value.pending {
      family.progress.value.pending = nil
      if let told = translate(edit, &released) { return told }
      change = family.sources.change(edit)
    } else {
      change = changes.takeOnlyChange(of: self)
    }
    family.recognize(&change, in: hub.graph)
    family.progress.value.leaving = hub.graph.leaving
    defer { family.progress.value.leaving = nil }
    let (result, memory) = family.translate(
      change, isHeard: hub.hasOtherListeners, isRecording: hub.isRecording,
      restoring: hub.recall(TreeSortFamily<Element>.Memory.self), &released)
    if !memory.isEmpty { hub.remember(memory) }
    if !family.progress.value.departed.isEmpty || !family.parts.value.lost.isEmpty {
      if hub.graph.transaction == nil { family.discardDeparted(to: &released) } else { hub.graph.callAtEnd(hub) }
    }
    return result
  }

  /// Gives up what left in the transaction and did not come back.
  func endTransaction() {
    var released: [any TreeNode] = []
    hub.refusingChanges { family.discardDeparted(to: &released) }
    hub.carry(ChangeSet())
    family.parts.value.lost = [:]
    withExtendedLifetime(released) {}
  }

  /// Sorts by another comparator, at every depth.
  ///
  /// Observers hear the fewest moves that lead to the new orders, at every depth, in one change; nothing where they are the
  /// same. Ties stand as in the source, whatever the order was before. It may be called on the sorted node of any child, and
  /// concerns the whole tree.
  ///
  /// ```swift
  /// sorted.setComparator { $0.count < $1.count }
  /// ```
  ///
  /// - Parameter areInIncreasingOrder: says whether its first argument comes before its second; nil for the source's order.
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  public func setComparator(_ areInIncreasingOrder: Comparator?) {
    let family = family
    root.show(areInIncreasingOrder) { record in
      family.order(of: record, family.translation.value.count(of: record), by: areInIncreasingOrder)
    }
  }

  /// Sorts by the values at a key path, at every depth.
  ///
  /// - Parameters:
  ///   - keyPath: leads from a child's value to what is compared.
  ///   - direction: whether the smallest comes first, or the largest.
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  public func setComparator(_ keyPath: KeyPath<Element, some Comparable>, order direction: SortOrder = .forward) {
    setComparator(SortNode<Element>.comparator(keyPath, direction))
  }

  /// Sorts everything again, because what the comparator looks at has changed.
  ///
  /// Observers hear the fewest moves. Use it where elements are objects that changed without their node's knowledge, or
  /// where something else that the comparator captures has changed. It concerns the whole tree.
  ///
  /// - Complexity: O(n · log n) for the n elements that have been looked at.
  public func refresh() { setComparator(family.state.value.comparator) }

  /// Takes in a comparator, and the orders that it makes; on the root.
  ///
  /// - Parameters:
  ///   - comparator: the comparator.
  ///   - work: what goes on in the background from now on, if that is taken back.
  ///   - order: the order of the children of a record's node.
  func show(
    _ comparator: Comparator?, work: TreeSortWork? = nil, _ order: (TreeIndex.Branch) -> SiblingOrder
  ) {
    hub.prepareForChange()
    let former = family.state.value.comparator
    let formerWork = exchange(work)
    let memory = hub.isRecording ? family.translation.value.memory { family.translation.value.order(of: $0) } : []
    family.state.value.comparator = comparator
    var released: [any TreeNode] = []
    let change = hub.refusingChanges {
      // What is away is not sorted otherwise: where it comes back, it is looked at anew.
      family.discardDeparted(to: &released)
      return family.show(order)
    }
    hub.publish(change, of: .view, inverse: { [self] in restore(former, memory, formerWork) })
    withExtendedLifetime(released) {}
  }

  /// Says what is worked out in the background from now on; what was is superseded.
  func exchange(_ work: TreeSortWork?) -> TreeSortWork? {
    let former = family.translation.value.work
    former?.isSuperseded = true
    family.translation.value.work = work
    work?.isSuperseded = false
    // Where it goes on, it has not been told of what was changed and taken back.
    work?.touched = Set(family.translation.value.loadedRecords)
    return former
  }

  /// Takes a change of the comparator back.
  ///
  /// The orders are the same as before, also where a comparator looks into objects that have changed. Only where the source
  /// has changed since in a way that could not be taken back, everything is sorted.
  private func restore(_ comparator: Comparator?, _ memory: [TreeMemory<SiblingOrder>], _ work: TreeSortWork?) {
    guard !hub.isRolledBackPartly else { return setComparator(comparator) }
    let family = family
    let known = family.translation.value.recall(memory) { $0.count }
    show(comparator, work: work) { record in
      known[record]
        ?? family.order(of: record, family.translation.value.count(of: record), by: comparator)
    }
  }
}

extension TreeSortFamily {
  /// Gives the children of each node that has been looked at another order.
  ///
  /// - Parameter order: the new order of the children of a record's node.
  /// - Returns: the fewest moves that lead there.
  func show(_ order: (Record) -> SiblingOrder) -> ChangeSet {
    var edit = TreeSortEdit()
    guard translation.value.isLoaded(TreeIndex.root) else { return ChangeSet() }
    var next = edit.touch(TreeIndex.root)
    while next < edit.touches.count {
      let record = edit.touches[next].record!
      let order = order(record)
      edit.touches[next].delta = translation.value.reorder(record, to: order)
      for child in translation.value.children(of: record) where translation.value.isLoaded(child.branch) {
        edit.touches[next].children.append((child.position, edit.touch(child.branch)))
      }
      next += 1
    }
    tellMembers(edit)
    return edit.change(0)
  }
}
