extension NodeHub {
  /// Whether announcers report elements that have changed by themselves before a change, and when observers are
  /// called.
  @usableFromInline
  enum Announcers {
    /// They report, and observers are called with the change: an observer must not edit in the middle of it.
    case report
    /// They report, and observers are called at once: the caller checks afterwards whether it may go on.
    case deliver
    /// They wait: the caller has chosen rows by position, and a report could move these rows.
    case wait
  }

  /// Checks that this node may change now; the node calls this before it changes its contents.
  ///
  /// Announcers first report the elements that have changed by themselves.
  ///
  /// - Parameter announcers: whether announcers may report, and when observers are called.
  /// - Precondition: the node is alive, and the graph is not being settled: a predicate or another closure
  ///   that a derived node calls while it translates a change must not change a node of the same graph.
  /// - Complexity: O(1).
  @usableFromInline
  func prepareForChange(_ announcers: Announcers = .report) {
    require(
      state.value.isAttached,
      "A node was changed after it had been released, or before its author was attached to it.")
    guard let graph = state.value.graph else { return }
    let root = graph.root
    #if DEBUG
      root.refuseOtherThreads(changing: self)
    #endif
    require(
      !root.isSettling,
      """
      \(description) was changed from a closure that must only read, for example the predicate of a view; change it \
      from an observer, or after the change.
      """)
    if root.hasAnnouncers, announcers != .wait { root.callAnnouncers(delivering: announcers == .deliver) }
    // A setting of a view may change only when the view shows the present state of its sources.
    if root.isUnsettled, isView { root.settle() }
  }

  /// Calls a closure while no node of this graph may be changed: a change traps.
  ///
  /// A node calls its users' closures, for example predicates, in `body` where a change would break the node.
  ///
  /// - Parameter body: reads nodes, and calls closures that should do no more.
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  /// - Complexity: that of `body`.
  @usableFromInline
  func refusingChanges<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try graph.refusingChanges(body)
  }

  /// Reports a change to every dependent and observer, after the node's contents have changed.
  ///
  /// From now on, readers of all derived nodes see the change. Observers are called at once, or, inside
  /// `performUpdates`, when the outermost transaction ends.
  ///
  /// A change that is published this way cannot be reverted. A rollback keeps the change, and no `UndoLog` records the
  /// change. See `publish(_:of:inverse:)`.
  ///
  /// - Parameter change: from the node's former contents to its present ones; an empty change is not delivered.
  /// - Complexity: O(d · log n) and the translations' own cost, where d is the number of derived nodes.
  func publish(_ change: consuming ChangeSet) {
    guard isRecording, !change.isEmpty else { return carry(consume change) }
    let former = graph.beginLasting(self)
    carry(consume change)
    // The graph may have been merged into another one.
    graph.endLasting(former)
    finishRecording()
  }

  /// Carries a change to the dependents and observers that the change concerns.
  ///
  /// If parts have received changes, these are carried to the dependents and observers of the parts.
  @usableFromInline
  func carry(_ change: consuming ChangeSet) {
    guard isObserved || isFollowed, !change.isEmpty || graph.hasWaiting else { return }
    graph.carry(change, of: self)
  }

  /// Whether the changes of this node are needed although nothing derives from it: a child that moves here may move on,
  /// or observers of another node wait for the end of this edit.
  @usableFromInline
  var isFollowed: Bool {
    if state.value.pending != nil { return true }
    guard let graph = state.value.graph?.root else { return false }
    return graph.isMoving || graph.holdsDelivery
  }

  /// Calls a closure that removes one child from a source of this graph, or inserts one, as one end of a move.
  ///
  /// - Parameters:
  ///   - name: the number of the move.
  ///   - body: makes a single change of a single source, inside a transaction.
  /// - Returns: the result of `body`.
  func marking<Result>(_ name: Int, _ body: () -> Result) -> Result {
    // Before the mark is set, because the next change takes the mark.
    if graph.hasAnnouncers { graph.callAnnouncers() }
    graph.beginMove(name)
    // The graph may have been merged into another one by the time the move ends.
    defer { graph.endMove() }
    return body()
  }

  /// Notes that a child that is a node leaves this node, because something may have moved out of the child.
  ///
  /// - Parameters:
  ///   - child: the hub of the child.
  ///   - position: the child's position before the change.
  ///   - change: the change that removes the child.
  func noteDeparture(of child: NodeHub, at position: Int, in change: inout ChangeSet) {
    let graph = graph
    guard graph.defers else { return }
    graph.noteDeparture(of: ParentKey(child), from: ParentKey(self), at: position, in: &change)
    // The child may return, so its changes are kept although nothing is notified of them.
    _ = graph.note(child)
    // The child's parents before the change are found through the child, so it must stay alive until then.
    if graph.hasMoves, let node = child.owner { graph.whenSettled { withExtendedLifetime(node) {} } }
  }

  /// Adds this node's change to its observers' pending changes and to its dependents' inboxes.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - graph: the graph of this node.
  func broadcast(_ change: consuming ChangeSet, in graph: Graph) {
    // If no view derives from the node, the last observer takes the change itself, and not a copy.
    let copied = state.value.dependents.views.isEmpty ? state.value.observers.count - 1 : state.value.observers.count
    for index in state.value.observers.indices {
      let observer = state.value.observers[index]
      graph.noteDelivery(to: observer)
      if index == copied { return observer.note(consume change) }
      observer.note(copy change)
    }
    // A change below the children does not concern the state of any dependent, only observers.
    let concernsStates = !change.delta.isEmpty || change.updatesValue
    var last: Dependent?
    // Parts have received their changes already.
    for index in state.value.dependents.views.indices {
      let dependent = state.value.dependents.views[index]
      guard unsafe concernsStates || dependent.hub.isListenedTo,
        unsafe !dependent.hub.state.value.hasReceived
      else { continue }
      if let last { unsafe last.hub.receive(copy change, from: last.slot, in: graph) }
      last = dependent
    }
    // The last dependent takes the change itself, not a copy: along a chain of branches the change then grows in place.
    if let last { unsafe last.hub.receive(consume change, from: last.slot, in: graph) }
  }

  /// Carries a change of this node up through nodes that only report the change one level deeper, as long as each has
  /// one listener.
  ///
  /// However many levels there are, each costs no more than to find the position of a child.
  ///
  /// - Parameter change: this node's change; becomes that of the node returned.
  /// - Returns: the node from which on the change has to be broadcast.
  /// - Precondition: no hub waits to translate.
  func climb(_ change: inout ChangeSet) -> NodeHub {
    // References are not counted on the way: each hub is a dependent of the previous hub for as long as both live.
    var hub = unsafe Unmanaged.passUnretained(self)
    while let parent = unsafe hub._withUnsafeGuaranteedRef({ unsafe $0.climbOnce(&change) }) { unsafe hub = parent }
    return unsafe hub.takeUnretainedValue()
  }

  @inline(__always)
  private func climbOnce(_ change: inout ChangeSet) -> Unmanaged<NodeHub>? {
    guard state.value.observers.isEmpty, let dependent = state.value.dependents.onlyView else { return nil }
    let parent = unsafe Unmanaged.passUnretained(dependent.hub)
    // Most views show the children of their sources, and not the sources themselves. Such views need not be asked.
    let position = unsafe parent._withUnsafeGuaranteedRef {
      $0.isListenedTo && $0.state.value.nesting != .ofSources
        ? $0.state.value.translator?.position(ofChildInSlot: dependent.slot) : nil
    }
    guard let position else { return nil }
    change.wrap(at: position)
    return unsafe parent
  }

  /// Whether there is one listener only, and that is a dependent.
  var mayClimb: Bool { state.value.observers.isEmpty && state.value.dependents.onlyView != nil }

  func receive(_ change: consuming ChangeSet, from slot: Int, in graph: Graph) {
    if state.value.inbox.isEmpty { graph.schedule(self) }
    state.value.inbox.append(SourceChange(slot: slot, change: consume change))
  }

  /// Lets the owner translate the changes of its sources, and broadcasts the result.
  func translate(in graph: Graph) {
    var changes = SourceChanges()
    swap(&changes, &state.value.inbox)
    let own = graph.takeOwnChange(of: self)
    // The hub was in the queue twice, or has only its own change to report.
    if changes.isEmpty, !state.value.hasReceived {
      if let own { broadcast(own, in: graph) }
      return
    }
    state.value.hasReceived = false
    if state.value.isPart {
      // The whole has brought the part up to date, and has handed these changes to the part, which reports them.
      var change = own ?? ChangeSet()
      for next in changes { change = change.continued(by: next.change) }
      if !change.isSilent { broadcast(consume change, in: graph) }
      return
    }
    guard let translator = state.value.translator else { return }
    if var own {
      // In a container, both changes lead from the same state to the same state. In a view, its own change came first.
      if state.value.isContainer {
        own.merge(changes.map { (translator.requirePosition(ofChildInSlot: $0.slot), $0.change) })
      } else {
        own = own.continued(by: translator.translate(changes))
      }
      if !own.isSilent { broadcast(own, in: graph) }
      return
    }
    // The changes are passed on without a copy, here and above.
    let change = translator.translate(consume changes)
    if !change.isSilent { broadcast(consume change, in: graph) }
  }
}
