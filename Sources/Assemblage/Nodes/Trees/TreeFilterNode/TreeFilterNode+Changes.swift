public import Foundation
import OffsetIndexing

// What the source and the predicate change.
extension TreeFilterNode {
  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    var change: ChangeSet
    if let edit = family.progress.value.pending {
      family.progress.value.pending = nil
      if let told = translate(edit) { return told }
      change = family.state.value.sources.change(edit)
    } else {
      change = changes.takeOnlyChange(of: self)
    }
    family.recognize(&change, in: hub.graph)
    // Released at the end: that may run code of the elements.
    var released: [any TreeNode] = []
    defer { withExtendedLifetime(released) {} }
    family.progress.value.leaving = hub.graph.leaving
    defer { family.progress.value.leaving = nil }
    family.beginFollowing(hub.graph.transaction)
    family.following.value.hiding?.begin(in: hub)
    let result = family.translate(change, isHeard: hub.hasOtherListeners, &released)
    family.following.value.hiding?.end(in: hub)
    if hub.graph.transaction == nil {
      family.giveUpLeaving(to: &released)
    } else if !family.progress.value.departed.isEmpty || !family.following.value.leaving.isEmpty
      || !family.parts.value.lost.isEmpty
    {
      hub.graph.callAtEnd(hub)
    }
    return result
  }

  /// Gives up what left in the transaction and did not come back.
  func endTransaction() {
    var released: [any TreeNode] = []
    hub.refusingChanges { family.giveUpDeparted(to: &released) }
    hub.carry(ChangeSet())
    if !family.findsAgain { family.parts.value.lost = [:] }
    withExtendedLifetime(released) {}
  }

  /// Filters by another predicate, at every depth.
  ///
  /// Observers hear exactly what came and went, at every depth, in one change. It may be called on the filtered node of any
  /// child, and concerns the whole tree. What two predicates hide and show again in one transaction may be told as removed and
  /// inserted: a view's own setting, changed there and back, is the one exception of law 5 of `TreeNode`.
  ///
  /// ```swift
  /// found.setPredicate(hint: .stricter) { $0.contains("pear") }     // after "pea"
  /// ```
  ///
  /// Where a hint is wrong, the elements that were not asked about still pass, or still do not.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - predicate: says which values pass from now on.
  /// - Complexity: O(n / 64 + b) for the n elements that have been looked at and b branches among them. The predicate is
  ///   called once for each element, for each that passed (`.stricter`), or for each that did not (`.looser`).
  public func setPredicate(hint: FilterHint = .different, where predicate: @escaping (Element) -> Bool) {
    // The hint is about the predicate that was given last, of which not all is known.
    root.show(by: predicate, known: [:], family.state.value.background == nil ? hint : .different)
  }

  /// Asks the predicate again about everything, because what it looks at has changed.
  ///
  /// Observers hear what came and went. Use it where elements are objects that changed without their node's knowledge, or
  /// where something else that the predicate captures has changed. It may be called on the filtered node of any child, and
  /// concerns the whole tree.
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
    root.set(verdict, at: family.translation.value.sourcePath(of: record!)! + [position])
  }

  /// Takes in what is to be thought of one element, by its path in the source; on the root.
  private func set(_ verdict: Bool, at path: [Int]) {
    hub.prepareForChange(.wait)
    guard let record = family.translation.value.record(at: path.dropLast()) else { return }
    let former = family.translation.value.passes(path[path.count - 1], in: record)
    let change = former == verdict ? ChangeSet() : family.show(verdict, at: path[path.count - 1], in: record)
    hub.publish(
      change, of: .view,
      inverse: { [self] in
        if hub.isRolledBackPartly { refresh() } else { set(former, at: path) }
      })
  }

  /// Takes in what a predicate says of everything that is known; on the root.
  ///
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - known: what it has said before, by record.
  ///   - hint: how it relates to the former one.
  private func show(
    by predicate: @escaping (Element) -> Bool, known: [TreeIndex.Branch: BitRun], _ hint: FilterHint = .different
  ) {
    show(by: predicate) { [family] in family.askAll(known, hint) }
  }

  /// Says what is found out in the background from now on; what was is superseded.
  func exchange(_ background: TreeFilterBackground<Element>?) -> TreeFilterBackground<Element>? {
    let former = family.state.value.background
    former?.isSuperseded = true
    family.state.value.background = background
    background?.isSuperseded = false
    return former
  }

  /// Takes in what a predicate says of everything that is known; on the root.
  ///
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - search: the search that it comes from, if it comes from one.
  ///   - background: what goes on in the background from now on.
  ///   - asking: walks over what is known, and asks.
  func show(
    by predicate: @escaping (Element) -> Bool, search: AnyObject? = nil,
    during background: TreeFilterBackground<Element>? = nil, asking: () -> TreeFilterSweep
  ) {
    hub.prepareForChange()
    let formerBackground = exchange(background)
    let formerPredicate = family.state.value.predicate
    let former = hub.isRecording ? family.translation.value.memory { family.translation.value.passes(in: $0) } : nil
    family.state.value.predicate = predicate
    family.state.value.search = search
    var released: [any TreeNode] = []
    let change = hub.refusingChanges { family.show(asking: asking, &released) }
    hub.publish(
      change, of: .view,
      inverse: { [self] in
        guard let former, !hub.isRolledBackPartly else {
          return setPredicate(where: formerBackground?.formerPredicate ?? formerPredicate)
        }
        show(by: formerPredicate, during: formerBackground) { [family] in
          family.askAll(family.translation.value.recall(former) { $0.count }, .different)
        }
      })
    withExtendedLifetime(released) {}
  }
}
