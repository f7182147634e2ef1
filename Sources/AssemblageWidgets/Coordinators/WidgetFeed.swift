@_spi(NodeAuthors) import Assemblage

/// Passes the changes of a node on to a widget: the engine of the coordinators.
///
/// ```text
///     what the widget shows  —change→           the node when the update began  —gap→  the node now    before the first commit
///     what the widget shows  —batch.remaining→  the node when the update began  —gap→  the node now    after a commit
/// ```
///
/// Every answer goes from the left to the right. A path leads to the element that the widget shows there, or to nothing
/// if the element has already left the node. The arrow on the left changes only when the widget commits a batch. The
/// reason: a widget counts its rows before and after a batch, and may count them for the first time when the batch
/// begins.
final class WidgetFeed<Element> {
  let shape: WidgetShape
  private(set) var node: any TreeNode<Element>
  weak var widget: (any CoordinatedWidget)? {
    didSet {
      isSequential = (widget as? any ListWidget)?.isSequential ?? false
      restart()
    }
  }
  /// The owner of this feed. An application may release the owner while the widget is called, and the widget still asks
  /// the owner until the call ends.
  weak var coordinator: WidgetCoordinator<Element>?
  /// The largest number of elements that an update changes one by one; nil: any number.
  var reloadLimit: Int?
  var keepsPosition = PositionKeeping.unlessAtTop

  private var isSequential = false
  private var observation: NodeObservation?
  private var isCatchingUp = false
  private var gap = ChangeSetComposer()
  /// The change that an update applies, until the widget commits the first batch.
  private var change: ChangeSet?
  /// The batch that the widget has committed last, until the update ends.
  private var batch: ChangeSet.Batch?
  private var isUpdating = false
  /// Whether the widget is being asked for a count.
  private var asksWidget = false
  private var suspensionCount = 0
  private var reloadsNext = false
  /// Whether nobody knows a count of children, until the widget has reloaded.
  private(set) var lacksCount = false
  /// Whether the widget still shows elements of another node, because the widget has not reloaded since.
  private var isStale = false
  /// Whether there is a selection. A widget that reloads has to ask for the selection again.
  var hasSelection = false
  /// Whether the selection differs from the rows that the widget shows as selected.
  private var selectionIsNew = false

  init(_ node: any TreeNode<Element>, _ shape: WidgetShape) {
    self.node = node
    self.shape = shape
    observe()
  }

  deinit { observation?.cancel() }

  private func observe() {
    observation = node.observeAsDrawn { [unowned self] change in
      note(change)
      if !isCatchingUp { update() }
    }
  }

  /// Adds the changes that the node has not delivered yet, to `gap`. There are such changes in a transaction, or while
  /// the node still notifies earlier observers.
  private func catchUp() {
    if isCatchingUp { return }
    isCatchingUp = true
    observation?.catchUp()
    isCatchingUp = false
    // A widget that was released has called no `restart()`, and may have left changes behind.
    if widget == nil { (gap, isStale) = (ChangeSetComposer(), false) }
  }

  private func note(_ change: ChangeSet) {
    // Without a widget, no change is needed: a new widget asks for all rows.
    if widget == nil { return }
    // No widget shows the node's own value. A list does not show the descendants of its rows.
    var change = change
    change.updatesValue = false
    gap.append(shape == .flat ? ChangeSet(change.delta).wrapped(at: 0) : change)
  }

  /// Whether the node has no change after the batch that the widget has committed.
  private var hasNoRest: Bool { gap.isEmpty && change == nil }

  /// All changes of the node after the batch that the widget has committed.
  private var rest: ChangeSet {
    if gap.isEmpty { return change ?? ChangeSet() }
    let later = gap.net()
    gap.append(later)
    return change.map { $0.composed(with: later) } ?? later
  }

  // MARK: Updating

  /// Brings the widget up to date. Does nothing without a widget, while the coordinator is suspended, and during an
  /// update.
  func update() {
    guard !isUpdating, suspensionCount == 0, let widget else { return }
    catchUp()
    isUpdating = true
    let coordinator = coordinator
    defer {
      isUpdating = false
      withExtendedLifetime(coordinator) {}
    }
    var rounds = 0
    while reloadsNext || !gap.isEmpty || selectionIsNew {
      rounds += 1
      if rounds > Self.roundLimit {
        fatalError("A \(type(of: widget)) changed its node \(Self.roundLimit) times while it was brought up to date.")
      }
      if reloadsNext || !gap.isEmpty {
        show(on: widget)
      } else {
        selectionIsNew = false
        widget.showSelection()
      }
    }
  }

  /// How often a widget may change its node during its own update. More changes count as an endless loop.
  private static var roundLimit: Int { 1_000 }

  /// Lets the widget show other rows as selected, also while updates are held back. In the middle of an update, this
  /// waits for the end of the update.
  func showSelection() {
    if isUpdating {
      selectionIsNew = true
    } else if !isStale {
      withExtendedLifetime(coordinator) { widget?.showSelection() }
    }
  }

  /// Lets a widget show the changes so far.
  ///
  /// A batch begins only where the node is as after the last batch, because in the middle of a batch nobody else knows
  /// how many rows an element had that has left since. Where the node changes between two batches, the later batches
  /// are planned again.
  private func show(on widget: any CoordinatedWidget) {
    // A widget that has not asked for its counts yet asks now, before the batch begins. If nobody knows a count any
    // longer, the widget has to reload.
    if !reloadsNext { _ = widget.shownCount(at: []) }
    catchUp()
    let change = gap.net()
    self.change = change
    defer { (self.change, batch) = (nil, nil) }
    // A stale widget shows rows of another node, and no visible row stays.
    let position = isStale ? nil : keptPosition(on: widget)
    var stages: [ChangeSet.Stage] = []
    var rows: (widget: any RowsWidget, change: Delta)?
    if !reloadsNext {
      if shape == .flat, let widget = widget as? any RowsWidget {
        let delta = change.delta(at: [0]) ?? Delta()
        if delta.isEmpty { return }
        if reloadLimit.map({ delta.rangeCount > $0 }) == true {
          stages = [.reload]
        } else {
          rows = (widget, delta)
        }
      } else {
        stages = change.stages(for: viewKind, reloadingAbove: reloadLimit) { widget.shownCount(at: $0) }
      }
    }
    if reloadsNext { (stages, rows, reloadsNext, lacksCount) = ([.reload], nil, false, false) }
    if stages.isEmpty, rows == nil { return }
    let goal = position.flatMap { position in
      survivor(of: position.path, in: change, on: widget).map {
        WidgetScrollPosition(path: $0, offset: $0 == change.path(after: position.path) ? position.offset : 0)
      }
    }
    for stage in stages {
      if let batch, isInterrupted(on: widget) {
        let later = gap.net()
        gap.append(batch.remaining.composed(with: later))
        if let goal, let path = batch.remaining.path(before: goal.path) {
          widget.scrollPosition = WidgetScrollPosition(path: path, offset: goal.offset)
        }
        return
      }
      switch stage {
      case .reload: reload(widget)
      case .batch(let next):
        committing(next, on: widget) { widget.perform(next, commit: $0) }
      }
    }
    if let rows { committing(nil, on: rows.widget) { rows.widget.perform(rows.change, commit: $0) } }
    (self.change, batch) = (nil, nil)
    if let goal { widget.scrollPosition = goal }
  }

  /// Whether the node has changed since the last batch, or the widget has to reload.
  private func isInterrupted(on widget: any CoordinatedWidget) -> Bool {
    _ = widget.shownCount(at: [])
    catchUp()
    return reloadsNext || !gap.isEmpty
  }

  /// Lets a widget ask for all rows again, and for its counts at once. The next change is counted from them.
  private func reload(_ widget: any CoordinatedWidget) {
    isStale = false
    (change, batch) = (nil, nil)
    widget.reload()
    _ = widget.shownCount(at: [])
    if hasSelection { selectionIsNew = true }
  }

  /// Lets a widget perform a batch and commit it once. Without a batch, the widget performs the whole change.
  private func committing(
    _ next: ChangeSet.Batch?, on widget: any CoordinatedWidget, _ perform: (_ commit: @escaping () -> Void) -> Void
  ) {
    let kind = type(of: widget)
    var hasCommitted = false
    perform { [unowned self] in
      if hasCommitted { fatalError("A \(kind) called the commit closure of perform(_:commit:) twice.") }
      hasCommitted = true
      (change, batch) = (nil, next)
    }
    if !hasCommitted { fatalError("A \(kind) did not call the commit closure in perform(_:commit:).") }
  }

  /// The scroll position of a widget, if the widget is to stay there.
  private func keptPosition(on widget: any CoordinatedWidget) -> WidgetScrollPosition? {
    guard keepsPosition != .never, let position = widget.scrollPosition else { return nil }
    return keepsPosition == .unlessAtTop && position.offset >= 0 && isFirst(position.path, on: widget) ? nil : position
  }

  /// Whether a row is the first one of a widget.
  private func isFirst(_ path: IndexPath, on widget: any CoordinatedWidget) -> Bool {
    if shape == .tree || path.count != 2 { return path == [0] }
    return path[1] == 0 && (0..<path[0]).allSatisfy { widget.shownCount(at: [$0]) ?? 0 == 0 }
  }

  private var viewKind: ChangeSet.ViewKind {
    shape == .tree ? .outline : isSequential ? .sequentialList : .list
  }

  /// The place of a row after a change. If the row leaves, this is the place of the next row that stays, or of the row
  /// before. In an outline, the last choice is the parent row.
  private func survivor(
    of path: IndexPath, in change: ChangeSet, on widget: any CoordinatedWidget
  ) -> IndexPath? {
    if let after = change.path(after: path) { return shape.shows(after, insteadOf: path) ? after : nil }
    var parent = path.dropLast()
    while shownPath(of: parent, in: change) == nil { parent = parent.dropLast() }
    let position = path[parent.count]
    if let removed = change.delta(at: parent)?.removals.first(where: { $0.contains(position) }) {
      let count = widget.shownCount(at: parent) ?? 0
      let next = removed.upperBound < count ? removed.upperBound : removed.lowerBound - 1
      if next >= 0 {
        let sibling = parent.appending(next)
        if shape == .tree || sibling.count == path.count { return shownPath(of: sibling, in: change) }
        // If the next sibling is a section, its first row counts.
        if widget.shownCount(at: sibling) ?? 0 == 0 { return nil }
        return survivor(of: sibling.appending(0), in: change, on: widget)
      }
    }
    return shape == .tree && !parent.isEmpty ? shownPath(of: parent, in: change) : nil
  }

  /// The path of an element after a change; nil if the widget no longer shows the element.
  private func shownPath(of path: IndexPath, in change: ChangeSet) -> IndexPath? {
    change.path(after: path).flatMap { shape.shows($0, insteadOf: path) ? $0 : nil }
  }

  // MARK: Holding back

  func suspend() { suspensionCount += 1 }

  func resume() {
    if suspensionCount == 0 { fatalError("A coordinator was resumed that was not suspended.") }
    suspensionCount -= 1
    update()
  }

  func reload() {
    reloadsNext = true
    update()
  }

  /// Runs a transaction of the node. The widget does not apply its changes, but reloads after the transaction.
  func reloading<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    suspensionCount += 1
    defer {
      suspensionCount -= 1
      reload()
    }
    return try node.performUpdates(body)
  }

  // MARK: Other nodes

  /// Shows another node.
  ///
  /// - Parameters:
  ///   - other: the node.
  ///   - change: leads from the contents of the current node to the contents of the other node; nil: the widget
  ///     reloads.
  func show(_ other: any TreeNode<Element>, after change: ChangeSet?) {
    if isUpdating { fatalError("A coordinator gets another widget or node only between two updates of its widget.") }
    catchUp()
    observation?.cancel()
    node = other
    observe()
    if let change {
      note(change)
      update()
    } else {
      restart()
    }
  }

  /// Lets the widget reload, because the rows that the widget shows have no relation to the node.
  private func restart() {
    if isUpdating { fatalError("A coordinator gets another widget or node only between two updates of its widget.") }
    catchUp()
    gap = ChangeSetComposer()
    isStale = widget != nil
    reload()
  }

  // MARK: Questions of the widget

  /// Whether the widget shows the node as it is now.
  var isCurrent: Bool {
    catchUp()
    return hasNoRest && batch == nil && !isStale && !reloadsNext
  }

  /// The number of children of the element that the widget shows at a path.
  func count(at path: IndexPath) -> Int {
    // A list shows no descendants of its rows.
    if shape != .tree, path.count > 1 { return 0 }
    catchUp()
    guard let batch else { return countBeforeRest(at: path) }
    // Only the widget knows the count of an element that has left after the batch, and knows the element by this path.
    if !hasNoRest, let after = batch.finalPath(of: path), shownPath(of: after, in: rest) == nil {
      return widgetCount(at: path)
    }
    return batch.count(of: path, finalCount: countBeforeRest)
  }

  private func countBeforeRest(at path: IndexPath) -> Int {
    if isStale {
      // The widget may show no rows yet.
      return path.indices.allSatisfy { path[$0] < widgetCount(at: path[..<$0]) } ? widgetCount(at: path) : 0
    }
    if hasNoRest { return shape.count(at: path, in: node) }
    let change = rest
    // For an element that has left, only the widget still knows the count.
    guard let after = shownPath(of: path, in: change) else { return widgetCount(at: path) }
    return shape.count(at: after, in: node) - (change.delta(at: path)?.countChange ?? 0)
  }

  /// The number of children that only the widget knows.
  ///
  /// A widget that has forgotten the number may ask the coordinator in turn. Then nobody knows the number, and the
  /// widget has to reload.
  private func widgetCount(at path: IndexPath) -> Int {
    if !asksWidget {
      asksWidget = true
      defer { asksWidget = false }
      if let count = widget?.shownCount(at: path) { return count }
    }
    reloadsNext = true
    lacksCount = true
    return 0
  }

  /// The path in the node of the element that the widget shows at a path; nil if the element has left.
  func nodePath(of path: IndexPath) -> IndexPath? {
    catchUp()
    if isStale { return nil }
    var result: IndexPath? = path
    if let batch { result = batch.finalPath(of: path) }
    if !hasNoRest, let path = result { result = rest.path(after: path) }
    return result.flatMap(shape.nodePath)
  }

  /// The path at which the widget shows the element at a path of the node; nil if the widget does not show the element
  /// yet.
  func widgetPath(of path: IndexPath) -> IndexPath? {
    catchUp()
    if isStale { return nil }
    var result: IndexPath? = shape.widgetPath(of: path)
    if !hasNoRest { result = result.flatMap { rest.path(before: $0) } }
    if let batch { result = result.flatMap { batch.remaining.path(before: $0) } }
    return result
  }

  /// The element that a cell shows; traps if the row of a list is a node with children and without a value: a section.
  func cellElement(at path: IndexPath) -> Element? {
    if let element = element(at: path) { return element }
    if shape != .tree, path.count == 2, let child = nodePath(of: path).flatMap({ node.child(at: $0) }),
      child.hasChildren
    {
      fatalError(
        """
        The row \(Array(path)) is a \(type(of: child)) without a value, which cannot be shown in a cell. \
        A SectionsNode finds the sections of a tree at any depth.
        """)
    }
    return nil
  }

  func element(at path: IndexPath) -> Element? {
    guard let path = nodePath(of: path) else { return nil }
    return path.isEmpty ? node.value : node.element(at: path)
  }
}

extension Delta {
  /// The number of ranges that have arrived, left, changed or moved.
  fileprivate var rangeCount: Int { removals.count + insertions.count + updates.count + moves.count }
}
