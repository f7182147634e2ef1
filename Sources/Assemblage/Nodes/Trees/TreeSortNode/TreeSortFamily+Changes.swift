import OffsetIndexing

// Applies a change of the source to the sorted tree.
extension TreeSortFamily {
  func apply(
    _ change: ChangeSet, to record: Record, arriving: Range<Int>, depth: Int, _ edit: inout TreeSortEdit
  ) -> Int {
    let first = edit.touch(record, updatesValue: change.updatesValue)
    // If nothing has been read, there is nothing to bring up to date.
    guard translation.value.isLoaded(record) else { return first }
    let (nodes, order) = (change.nodes, state.value.order)
    var open = [
      (
        index: nodes.count, touch: first, name: order.flatMap { name(of: record, in: $0) }, arriving: arriving,
        depth: depth
      )
    ]
    while let (index, touch, name, arriving, depth) = open.popLast() {
      let delta = index == nodes.count ? change.level : nodes[index].delta
      var (replaced, updated): ([Int], [Int: Int?]) = ([], [:])
      if order != nil { ChangeSet.forEachChildBackward(of: index, in: nodes) { replaced.append(nodes[$0].position) } }
      if !delta.isEmpty || !replaced.isEmpty {
        updated = applyLevel(delta, replacing: replaced, touch, name, arriving, depth: depth, &edit)
      }
      ChangeSet.forEachChildBackward(of: index, in: nodes) { child in
        let position = nodes[child].position
        // A child that became a node or a leaf with its update has its change already.
        if let known = updated[position], known.flatMap({ edit.touches[$0].record }) == nil { return }
        let inner = edit.transfers.arriving(below: position, at: depth, in: arriving)
        guard
          let next = updated[position]
            ?? self.touch(inside: position, of: touch, nodes[child].delta, hasArrivals: !inner.isEmpty, &edit)
        else { return }
        open.append((child, next, order.flatMap { $0.child(position, name) }, inner, depth + 1))
      }
    }
    return first
  }

  /// The touch of a child inside which something has changed.
  ///
  /// If the children of this child have not been read, only one kind of change is reported: a leaf became a branch, or
  /// a branch a leaf. This concerns a reader who has asked for the child. All other branches are left alone: otherwise
  /// a change of the whole tree would make a record and a node for each of them.
  ///
  /// - Parameters:
  ///   - position: the child's position in the source.
  ///   - parent: the touch of its parent.
  ///   - delta: the change of its children.
  ///   - hasArrivals: whether a child that was shown elsewhere arrives below this child.
  ///   - edit: receives the touch.
  /// - Returns: the touch; nil if nothing more is to be reported of the tree below the child.
  private func touch(
    inside position: Int, of parent: Int, _ delta: Delta, hasArrivals: Bool, _ edit: inout TreeSortEdit
  ) -> Int? {
    let record = edit.touches[parent].record!
    let place = translation.value.sortedPosition(of: position, in: record)
    let known = translation.value.shape.branch(at: place, of: record)
    if let known, translation.value.isLoaded(known) {
      // If records have been renewed, the child may have another handle.
      if !edit.renewed.isEmpty, let inner = sources.value.child(at: position, of: node(record)) {
        exchange(inner, for: known, &edit)
      }
      let touch = edit.touch(known)
      edit.touches[parent].children.append((place, touch))
      return touch
    }
    func report(_ delta: Delta) {
      let touch = edit.touch(delta, updatesValue: false)
      edit.touches[parent].children.append((place, touch))
    }
    guard edit.hasListeners, hasArrivals || translation.value.isAsked(record) else { return nil }
    if !hasArrivals, !delta.mayBeginEmpty {
      // If the child has no record, nobody has asked for it.
      if let known, delta.countChange < 0, !sources.value.hasChildren(node(known)) {
        report(.removal(0..<(-delta.countChange)))
      }
      return nil
    }
    guard let child = self.record(ofChild: position, of: record) else { return nil }
    load(child)
    let count = translation.value.count(of: child)
    if count > 0 { report(.insertion(0..<count)) }
    return nil
  }

  /// Brings the order of a node's children up to date, and looks at the updated children.
  ///
  /// - Returns: the touches of updated children that are or were nodes, by the children's positions in the source; nil
  ///   for a child that is a leaf now.
  private func applyLevel(
    _ delta: Delta, replacing replaced: [Int], _ touch: Int, _ name: Int?, _ arriving: Range<Int>, depth: Int,
    _ edit: inout TreeSortEdit
  ) -> [Int: Int?] {
    let record = edit.touches[touch].record!
    let node = node(record)
    edit.touches[touch].delta = translation.value.rearrange(
      delta, plan(delta, replacing: replaced, of: record, name), in: record, &edit.removed)
    let count = sources.value.count(node)
    require(
      translation.value.count(of: record) == count,
      """
      TreeSortNode: \(withArticle(type(of: sources.value.object(node)))) has \(countedChildren(count)), but according to \
      its changes it has \(translation.value.count(of: record)).
      """)
    for transfer in arriving
    where edit.transfers[transfer].record != nil && edit.transfers[transfer].destination.count == depth + 1 {
      attach(transfer, at: edit.transfers[transfer].destination[depth], of: record, &edit)
    }
    var updated: [Int: Int?] = [:]
    for position in delta.updates.joined() {
      let place = translation.value.sortedPosition(of: position, in: record)
      guard let own = translation.value.shape.branch(at: place, of: record) else { continue }
      if let child = sources.value.child(at: position, of: node) {
        exchange(child, for: own, &edit)
        guard translation.value.isLoaded(own) else {
          observedPart(own)?.hub.receiveFromWhole(ChangeSet(updatesValue: true))
          continue
        }
        let inner = edit.touch(own, updatesValue: true)
        edit.touches[touch].children.append((place, inner))
        updated[position] = inner
      } else {
        // The child is a leaf now: the children that it had have left.
        let inner = vanish(own, false, &edit)
        edit.touches[touch].children.append((place, inner))
        edit.removed.append(translation.value.cutOut(own))
        updated[position] = .some(nil)
      }
    }
    return updated
  }

  // MARK: Children that move between parents

  func openRecord(ofChild position: Int, of parent: Record, _ edit: inout TreeSortEdit) -> Record? {
    guard let record = record(ofChild: position, of: parent) else { return nil }
    load(record)
    // Observers know the children that arrive in this node, and whether they are leaves.
    translation.value.ask(record)
    return record
  }

  func attach(_ transfer: Int, at position: Int, of parent: Record, _ edit: inout TreeSortEdit) {
    let record = edit.transfers[transfer].record!
    let parentNode = node(parent)
    let child = sources.value.child(at: position, of: parentNode)
    guard child != nil || sources.value.isReadable(record, at: position, of: parentNode) else {
      return becomeLeaf(transfer, &edit)
    }
    let place = translation.value.sortedPosition(of: position, in: parent)
    if let fresh = translation.value.shape.branch(at: place, of: parent) {
      // This record was made with its parent's record, and shows the same as the record of the child that arrives.
      edit.removed.append(translation.value.cutOut(fresh))
    }
    translation.value.paste(record, into: parent, at: place)
    if let child { exchange(child, for: record, &edit) }
    edit.transfers[transfer].isAttached = true
  }

  func lookAtNew(
    _ change: ChangeSet, at position: Int, of parent: Record, _ edit: inout TreeSortEdit
  ) -> Int? {
    let count = change.level.countChange
    guard count > 0, let child = sources.value.child(at: position, of: node(parent)),
      sources.value.count(child) == count,
      openRecord(ofChild: position, of: parent, &edit) != nil
    else { return nil }
    return edit.touch(.insertion(0..<count), updatesValue: change.updatesValue)
  }
}

extension TreeSortFamily {
  // If a part has to receive the edit, `translate(_:in:_:)` does the work.
  func translate(_ edit: ShapeEdit, of root: TreeSortNode<Element>, _ released: inout [any TreeNode]) -> ChangeSet? {
    // An order by other data may change above the branch too.
    guard !progress.value.hasMembers, state.value.order == nil, let record = sources.value.record(of: edit.branch),
      translation.value.isLoaded(record)
    else { return nil }
    var work = TreeSortEdit()
    work.hasListeners = root.hub.hasOtherListeners
    let touch = apply(ChangeSet(edit.delta), to: record, arriving: 0..<0, depth: 0, &work)
    if !work.renewed.isEmpty { renewChildren(&work) }
    if !work.removed.isEmpty { finish(&work, in: root.hub, &released) }
    if work.touches.count > 1 { return root.wrapped(work.change(touch), of: record) }
    let reported = ShapeEdit(record, work.touches[touch].delta, ofLeaves: edit.isOfLeaves)
    return reported.map { notify($0, of: root) } ?? ChangeSet()
  }
}

extension Delta {
  /// Whether the list that the delta changes may have been empty before.
  fileprivate var mayBeginEmpty: Bool {
    removals.isEmpty && updates.isEmpty && !hasMoves && insertions.count == 1 && insertions[0].lowerBound == 0
  }
}
