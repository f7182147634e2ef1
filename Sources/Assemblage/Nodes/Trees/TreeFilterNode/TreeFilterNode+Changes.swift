public import Foundation
import OffsetIndexing

// Changes of the source and of the predicate.
extension TreeFilterNode {
  /// Filters by another predicate, at every depth.
  ///
  /// Observers receive the removals and insertions, at every depth, in one change. It may be called on the filtered node of any
  /// child, and concerns the whole tree. It brings the filter up to date first: elements that two predicates hide and show again
  /// in one transaction are reported as removed and inserted.
  ///
  /// ```swift
  /// found.setPredicate(hint: .stricter) { $0.contains("pear") }     // after "pea"
  /// ```
  ///
  /// Where a hint is wrong, the elements that were not asked about still pass, or still do not.
  ///
  /// A call in the background that is under way is superseded. That stays so where the transaction is rolled back: then the
  /// filter shows by the predicate before that call, as if the call had been cancelled.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - predicate: says which values pass from now on.
  /// - Complexity: O(n / 64 + b) for the n elements that have been looked at and b branches among them. The predicate is
  ///   called once for each element, for each that passed (`.stricter`), or for each that did not (`.looser`).
  public func setPredicate(hint: FilterHint = .different, where predicate: @escaping (Element) -> Bool) {
    // The hint is about the predicate that was given last, and not all of its verdicts are known.
    let family = family
    let hint = family.state.value.background == nil ? hint : .different
    root.show(by: predicate) { family.askAll(hint) }
  }

  /// Asks the predicate again about everything, because the data that it looks at has changed.
  ///
  /// Observers receive the removals and insertions. Use it where elements are objects that changed without their node's
  /// knowledge, or where something else that the predicate captures has changed. It may be called on the filtered node of any
  /// child, and concerns the whole tree.
  ///
  /// - Complexity: O(n) for the n elements that have been looked at; the predicate is called once for each.
  public func refresh() { setPredicate(where: family.state.value.predicate) }

  /// Asks the predicate again about one element, and not about those below it.
  ///
  /// - Parameter path: the place of the element in the source, from this node: hidden ones have a place there too.
  /// - Precondition: there is such an element in the source, and its parent has been looked at.
  /// - Complexity: O(d · log n) at depth d, and one call of the predicate.
  public func refresh(at path: IndexPath) {
    require(!path.isEmpty, "TreeFilterNode: the path [] is the node itself, which the predicate is not asked about.")
    hub.prepareForChange()
    load()
    var record = state.value.record
    for (depth, position) in path.enumerated() {
      let count = record.map(family.translation.value.childCount) ?? 0
      require(
        position >= 0 && position < count,
        "The path \(path.sentence) is out of range: \(count) children have been looked at, at \(path.prefix(depth).sentence)."
      )
      if depth < path.count - 1 { record = family.translation.value.record(ofChild: position, of: record!) }
    }
    let position = path[path.count - 1]
    let verdict = hub.refusingChanges { family.ask(family.node(record!), position..<position + 1)[0] }
    root.set(verdict, at: family.translation.value.path(of: record!)! + [position])
  }

  /// Applies the verdict on one element, by its path in the source; on the root.
  private func set(_ verdict: Bool, at path: [Int]) {
    hub.prepareForChange(.wait)
    let family = family
    guard let record = family.translation.value.record(at: path.dropLast()) else { return }
    let position = path[path.count - 1]
    let former = family.translation.value.passes(position, in: record)
    let change =
      former == verdict
      ? ChangeSet() : hub.refusingChanges { family.show(verdict, at: position, in: record, of: hub) }
    hub.publish(change, of: .view, inverse: { [self] in set(former, at: path) })
  }

  /// Applies the verdicts of a predicate on everything that is known; on the root.
  ///
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - search: the search that it comes from, if it comes from one.
  ///   - background: the work that goes on in the background; other work is superseded, also where the change is taken back.
  ///   - asking: walks over everything that is known, and asks.
  func show(
    by predicate: @escaping (Element) -> Bool, search: AnyObject? = nil,
    during background: TreeFilterBackground<Element>? = nil, asking: () -> TreeFilterSweep
  ) {
    hub.prepareForChange()
    let family = family
    let superseded = family.state.value.background
    let formerPredicate = superseded?.formerPredicate ?? family.state.value.predicate
    family.state.value.background = background
    family.state.value.predicate = predicate
    family.state.value.search = search
    hub.publish(
      hub.refusingChanges { family.show(asking: asking) }, of: .view,
      inverse: { [self] in setPredicate(where: formerPredicate) })
  }
}
