import OffsetIndexing

// The changes of the rows as a widget draws them. A row may look different although its value is the same: it has got
// a triangle, or another row is the last of its siblings now. Each change of the outline adds such rows to its delta,
// so that the changes of a transaction are composed as all others.
extension OutlineNode {
  /// Calls a closure when rows have changed, or have to be drawn again.
  ///
  /// The closure receives the changes that an observer of the outline receives. In addition, a row is updated if
  /// another part of its `OutlineRow` has changed: its triangle comes, goes or turns, it becomes or ceases to be the
  /// last of its siblings, or it has another depth. A widget that draws these parts follows the outline in this way.
  /// The coordinators do so.
  ///
  /// ```swift
  /// let notes = BranchNode<String>(value: "notes", leaves: [])
  /// let outline = OutlineNode(BranchNode([.leaf("x.txt"), .node(notes)]), id: { $0 })
  /// let token = outline.observeDrawing { change in print(change.delta.updates) }
  /// notes.append(.leaf("a.md"))      // prints [1..<2]: "notes" has a triangle
  /// ```
  ///
  /// The closure is called as an observer is: see `observe(_:)`. A row may be updated although it looks the same, if it
  /// has moved to another parent, or if it has changed and changed back in one transaction.
  ///
  /// - Parameter handler: receives the change, in the index space of the rows.
  /// - Returns: the token that keeps the observation, and the outline, alive.
  /// - Complexity: O(1). A change takes O(d · log n) more for each node at depth d whose children have changed.
  public func observeDrawing(_ handler: @escaping (ChangeSet) -> Void) -> NodeObservation {
    let observer = Observer(of: hub, handler)
    addDrawer(observer)
    return NodeObservation(of: observer) { [self] in
      observer.cancel()
      drawers.removeAll { $0 === observer }
      hub.removeListener()
    }
  }

  /// Calls a closure as `observeDrawing(_:)` does, for as long as the outline lives: see `observeWhileAlive(_:)`.
  package func observeDrawingWhileAlive(_ handler: @escaping (ChangeSet) -> Void) -> () -> Void {
    let observer = Observer(of: hub, handler)
    addDrawer(observer)
    return { [weak observer] in observer?.catchUp() }
  }

  private func addDrawer(_ observer: Observer) {
    hub.prepareForReading()
    drawers.append(observer)
    hub.addListener()
  }

  /// Adds a change to the pending changes of all observers of the drawing.
  func noteDrawing(_ rows: Delta, redrawing looks: [Range<Int>]) {
    let change = ChangeSet(rows.updating(looks))
    if change.isEmpty { return }
    let graph = hub.graph
    for drawer in drawers {
      graph.noteDelivery(to: drawer)
      drawer.note(change)
    }
  }

  /// Reports a change of the expansion.
  ///
  /// - Parameters:
  ///   - rows: the change of the rows.
  ///   - turned: the children that were expanded or collapsed.
  ///   - inverse: yields the closure that reverts the change.
  func publish(
    _ rows: Delta, turning turned: @autoclosure () -> [(position: Int, parent: Record)],
    inverse: @autoclosure () -> (() -> Void)
  ) {
    if drawers.isEmpty { return hub.publish(ChangeSet(rows), of: .view, inverse: inverse()) }
    // Without a change of the rows, only the end of the transaction notifies the observers.
    performUpdates {
      noteDrawing(rows, redrawing: turned().compactMap { row(ofChild: $0.position, of: $0.parent) })
      hub.publish(ChangeSet(rows), of: .view, inverse: inverse())
    }
  }

  /// The row of a child, as a range; nil if the child has no row.
  private func row(ofChild position: Int, of parent: Record) -> Range<Int>? {
    guard state.value.translation.showsChildren(of: parent) else { return nil }
    let row = state.value.translation.shape.child(at: position, of: parent).number
    return row..<row + 1
  }
}

/// A node whose rows may have to be drawn again although their values are the same.
private protocol DrawnNode: TreeNode {
  func observeDrawing(_ handler: @escaping (ChangeSet) -> Void) -> NodeObservation
}

extension OutlineNode: DrawnNode {}

extension TreeNode {
  /// Observes the node as a widget needs it: see `OutlineNode.observeDrawing(_:)` and `observe(_:)`.
  package func observeAsDrawn(_ handler: @escaping (ChangeSet) -> Void) -> NodeObservation {
    (self as? any DrawnNode)?.observeDrawing(handler) ?? observe(handler)
  }
}

// MARK: - Changes of the tree

extension OutlineNode {
  /// The rows that look different after a change of the tree.
  func redrawnRows(after change: ChangeSet) -> [Range<Int>] {
    var rows: [Range<Int>] = []
    addRows(inside: change, at: [], to: &rows)
    for crossing in change.crossings {
      guard let (source, destination) = crossing.places else { continue }
      addRows(inside: crossing.change, at: destination.components, to: &rows)
      guard let row = row(ofPath: IndexPath(indexes: destination.components)) else { continue }
      // The child may be the last of its siblings now. With another depth, so have the rows below it.
      rows.append(row..<(source.depth == destination.depth ? row + 1 : descendants(ofRow: row).upperBound))
    }
    return rows
  }

  /// Adds the rows that look different after a change of a node and of the nodes below it.
  private func addRows(inside change: ChangeSet, at path: [Int], to rows: inout [Range<Int>]) {
    addRows(afterChange: change.level, at: path, to: &rows)
    var path = path
    var open = change.children.map { (depth: path.count, child: $0) }
    while let (depth, child) = open.popLast() {
      path.removeLast(path.count - depth)
      path.append(child.position)
      addRows(afterChange: child.delta, at: path, to: &rows)
      open += child.children.map { (depth + 1, $0) }
    }
  }

  private func addRows(afterChange delta: Delta, at path: [Int], to rows: inout [Range<Int>]) {
    if delta.isEmpty { return }
    if let record = state.value.translation.record(at: path) {
      let count = state.value.translation.shape.childCount(of: record)
      if changesTriangle(delta, count), let row = row(ofPath: IndexPath(indexes: path)) { rows.append(row..<row + 1) }
      addLastSiblings(after: delta, of: record, count, to: &rows)
    } else if delta.countChange != 0, let row = row(ofPath: IndexPath(indexes: path)),
      changesTriangle(delta, root.count(at: IndexPath(indexes: path)) ?? 0)
    {
      rows.append(row..<row + 1)
    }
  }

  /// The rows that look different after an edit of one branch of the followed tree.
  func redrawnRows(after edit: ShapeEdit) -> [Range<Int>] {
    guard let tree = state.value.sources.tree else { return [] }
    var rows: [Range<Int>] = []
    let (delta, count) = (edit.delta, tree.childCount(of: edit.branch))
    if changesTriangle(delta, count), let place = tree.place(of: edit.branch),
      let parent = state.value.sources.record(of: place.parent),
      let row = row(ofChild: place.position, of: parent)
    {
      rows.append(row)
    }
    if let record = state.value.sources.record(of: edit.branch).flatMap({ state.value.translation.unlessParked($0) }) {
      addLastSiblings(after: delta, of: record, count, to: &rows)
    }
    return rows
  }

  /// Whether a change of a node's children gives the node its first child, or takes the last one.
  private func changesTriangle(_ delta: Delta, _ count: Int) -> Bool {
    delta.countChange != 0 && (count == 0) != (count == delta.countChange)
  }

  /// Adds the row that was, and the row that is, the last of its siblings, if these are two surviving siblings.
  private func addLastSiblings(after delta: Delta, of record: Record, _ count: Int, to rows: inout [Range<Int>]) {
    guard delta.movesPositions, state.value.translation.showsChildren(of: record) else { return }
    let last = count - delta.countChange - 1
    let now = last < 0 ? nil : delta.position(after: last)
    if let now, now == count - 1 { return }
    if let now { rows += [row(ofChild: now, of: record)].compactMap { $0 } }
    if count > 0, delta.position(before: count - 1) != nil {
      rows += [row(ofChild: count - 1, of: record)].compactMap { $0 }
    }
  }
}
