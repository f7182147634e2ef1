import OffsetIndexing

// Other predicates.
extension TreeFilterNode {
  /// Filters by another predicate, at every depth.
  ///
  /// Observers receive the removals and insertions, at every depth, in one change. The caller may use the filtered node
  /// of any child; the predicate filters the whole tree. The filter is first brought up to date. So elements that one
  /// predicate hides and another one shows again in one transaction are reported as removed and inserted.
  ///
  /// ```swift
  /// found.setPredicate(hint: .stricter) { $0.contains("pear") }     // after "pea"
  /// ```
  ///
  /// If a hint is wrong, the elements that were not asked about keep their former verdicts.
  ///
  /// The call supersedes a call in the background that is under way, even if the transaction is rolled back.
  ///
  /// - Parameters:
  ///   - hint: how the new predicate relates to the former one.
  ///   - predicate: says which values pass from now on.
  /// - Complexity: O(n / 64 + b) for the n elements that have been looked at and b branches among them. The predicate
  ///   is called once for each element; with `.stricter` only for the elements that passed, and with `.looser` only for
  ///   the elements that did not.
  public func setPredicate(hint: FilterHint = .different, where predicate: @escaping (Element) -> Bool) {
    // The hint relates to the predicate that was given last. While that predicate is evaluated in the background, not
    // all of its verdicts are known.
    let (root, family) = (root, family)
    root.hub.prepareForChange()
    let hint = family.state.value.background == nil ? hint : .different
    root.show(by: predicate) { family.askAll(hint) }
  }

  /// Asks the predicate again about everything, because the data that the predicate reads has changed.
  ///
  /// Observers receive the removals and insertions. Call this method if elements are objects that changed without their
  /// node's knowledge, or if other data that the predicate captures has changed. The caller may use the filtered node
  /// of any child; the whole tree is asked about. A background call that is still running is superseded.
  ///
  /// - Complexity: O(n) for the n elements that have been looked at; the predicate is called once for each.
  public func refresh() { setPredicate(where: family.state.value.predicate) }

  /// Asks the predicate again about one element, and not about the elements below.
  ///
  /// - Parameter path: the place of the element in the source, from this node: hidden elements have a place there too.
  /// - Precondition: there is such an element in the source, and its parent has been looked at.
  /// - Complexity: O(d · log n) at depth d, and one call of the predicate.
  public func refresh(at path: IndexPath) {
    require(!path.isEmpty, "TreeFilterNode: the path [] is the node itself, which the predicate is not asked about.")
    hub.prepareForChange(.wait)
    load()
    var record = state.value.record
    for (depth, position) in path.enumerated() {
      let count = record.map(family.translation.value.childCount) ?? 0
      require(
        position >= 0 && position < count,
        """
        The path \(path.sentence) is out of range: \(countedChildren(count)) \(count == 1 ? "has" : "have") been looked \
        at, at \(path.prefix(depth).sentence).
        """
      )
      if depth < path.count - 1 { record = family.translation.value.record(ofChild: position, of: record!) }
    }
    let position = path[path.count - 1]
    let verdict = hub.refusingChanges { family.ask(family.node(record!), position..<position + 1)[0] }
    let place = family.translation.value.path(of: record!)! + [position]
    // First, because observers of the verdict may edit the source, and the place could be that of another element.
    family.state.value.background?.refresh(at: place)
    root.set(verdict, at: place)
  }

  /// Applies the verdict on one element, by its path in the source; called on the root.
  private func set(_ verdict: Bool, at path: [Int]) {
    hub.prepareForChange(.wait)
    if hub.graph.journal.hasLastingChange, hub.graph.journal.isRollingBack { return refresh() }
    let family = family
    guard let record = family.translation.value.record(at: path.dropLast()) else { return }
    let position = path[path.count - 1]
    let former = family.translation.value.passes(position, in: record)
    let change =
      former == verdict
      ? ChangeSet() : hub.refusingChanges { family.show(verdict, at: position, in: record, of: hub) }
    hub.publish(change, of: .view, inverse: { [self] in set(former, at: path) })
  }

  /// Applies the verdicts of a predicate on everything that is known, and supersedes work in the background; called on
  /// the root, which is prepared for a change.
  ///
  /// - Parameters:
  ///   - predicate: the predicate.
  ///   - search: the search that the predicate belongs to, if there is one.
  ///   - asking: walks over everything that is known, and asks.
  func show(
    by predicate: @escaping (Element) -> Bool, search: AnyObject? = nil, asking: () -> TreeFilterSweep
  ) {
    let family = family
    let formerPredicate = family.state.value.predicate
    family.state.value.background = nil
    family.state.value.predicate = predicate
    family.state.value.search = search
    hub.publish(
      hub.refusingChanges { family.show(asking: asking) }, of: .view,
      inverse: { [self] in setPredicate(where: formerPredicate) })
  }
}

// Asking the predicate again about everything.
extension TreeFilterFamily {
  /// Shows the elements that pass, after the predicate has been asked about everything that is known.
  ///
  /// - Parameter ask: walks over everything that is known, and asks.
  /// - Returns: the change of the children that are shown.
  /// - Complexity: O(n) for n elements; the change has only the nodes in which something has changed.
  func show(asking ask: () -> TreeFilterSweep) -> ChangeSet {
    var sweep = ask()
    var work = TreeFilterEdit()
    if !translation.value.isEager { lookInto(&sweep, &work) }
    translation.value.show(&sweep)
    if progress.value.hasMembers { tellParts(sweep) }
    return translation.value.change(sweep, at: 0)
  }

  /// Asks about all children that have been looked at, parents first.
  ///
  /// - Parameter hint: how the predicate relates to the one that was asked before.
  /// - Returns: the walk, with the verdicts.
  func askAll(_ hint: FilterHint) -> TreeFilterSweep {
    let shape = translation.value.shape
    if let forest, forest.descendantCount == shape.count {
      let passing = hint.verdicts(former: translation.value.passingByNumber) {
        functions.askAll(forest, $0, state.value.predicate)
      }
      return TreeFilterSweep(shape, passing: passing)
    }
    var sweep = TreeFilterSweep(shape)
    for record in sweep.entries.map(\.record) {
      let count = translation.value[record].isLoaded ? translation.value[record].shown.count : 0
      sweep.verdicts.append(
        hint.verdicts(former: translation.value.passes(in: record)) {
          count == 0 ? BitRun(repeating: false, count: 0) : ask(numberedNode(record), 0..<count, among: $0)
        })
    }
    return sweep
  }

  /// Makes the records of nodes that pass now and have none, if everything below is to be known.
  private func lookInto(_ sweep: inout TreeFilterSweep, _ work: inout TreeFilterEdit) {
    for (index, entry) in sweep.entries.enumerated() where translation.value[entry.record].isWhole {
      let record = entry.record
      let node = node(record)
      let run = sweep.verdicts[index]
      for position in 0..<run.count
      where run[position] && translation.value.record(ofChild: position, of: record) == nil {
        guard let child = sources.value.child(at: position, of: node) else { continue }
        let fresh = makeFresh(child, at: position, of: record, isMatch: true, &work)
        sweep.others[index, default: 0] += translation.value[fresh].matchCount
      }
    }
  }

  /// Reports the changes of children to the nodes that a dependent or an observer follows.
  private func tellParts(_ sweep: TreeFilterSweep) {
    // Few branches have nodes, and a sweep visits all branches. So the branches with nodes are marked once, instead of
    // a look-up for each branch.
    let members = parts.value.members
    guard let highest = members.keys.lazy.map(\.number).max() else { return }
    var isMember = [Bool](repeating: false, count: highest + 1)
    for record in members.keys { isMember[record.number] = true }
    for (index, entry) in sweep.entries.enumerated().dropFirst() {
      let number = entry.record.number
      guard number <= highest, isMember[number], let part = observedPart(entry.record) else { continue }
      let change = translation.value.change(sweep, at: index)
      if !change.isEmpty { part.hub.receiveFromWhole(change) }
    }
  }

  /// Applies a new verdict on one child.
  ///
  /// - Returns: the change of the children that are shown.
  func show(_ verdict: Bool, at position: Int, in parent: Record, of hub: NodeHub) -> ChangeSet {
    var work = TreeFilterEdit()
    var record = TreeIndex.root
    for position in translation.value.path(of: parent)! {
      let touch = touch(record, &work)
      let child = translation.value.record(ofChild: position, of: record)!
      work.touches[touch].decisions = [
        TreeFilterTranslation.Decision(position: position, record: child, touch: touch + 1, isUpdated: false)
      ]
      record = child
    }
    let touch = touch(record, &work)
    var own = translation.value.record(ofChild: position, of: record)
    var decision = TreeFilterTranslation.Decision(
      position: position, record: own, touch: -1, isUpdated: false, verdict: verdict)
    if translation.value.isEager { work.touches[touch].growth += verdict ? 1 : -1 }
    translation.value.setPasses(verdict, position, in: record)
    if let own {
      translation.value[own].isMatch = verdict
      decision.touch = self.touch(own, &work)
    } else if verdict, translation.value[record].isWhole, !translation.value.isEager,
      let child = sources.value.child(at: position, of: node(record))
    {
      own = makeFresh(child, at: position, of: record, isMatch: true, &work)
      decision.record = own
    }
    work.touches[touch].decisions = [decision]
    var released: [any TreeNode] = []
    return report(0, &work, in: hub, &released)
  }
}
