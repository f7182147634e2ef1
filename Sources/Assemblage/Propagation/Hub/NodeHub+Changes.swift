extension NodeHub {
  /// What those do at an edit who know of elements that have changed.
  @usableFromInline
  enum Announcers { case tell, wait }

  /// Checks that this node may change now; call it before touching the node's contents.
  ///
  /// What is known of elements that have changed by themselves is told first.
  ///
  /// - Parameter announcers: whether they may tell; where rows have been named already, these must not move.
  /// - Precondition: the node is alive, and the graph is not being settled: a predicate or another closure
  ///   that a derived node calls while it translates a change must not change a node of the same graph.
  /// - Complexity: O(1).
  @usableFromInline
  func prepareForChange(_ announcers: Announcers = .tell) {
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
      \(description) was changed from a closure that a derived node of the same graph calls while it is \
      made or translates a change; change it from an observer, or after the change.
      """)
    if root.hasAnnouncers, announcers == .tell { root.callAnnouncers() }
    // A view's setting is changed where the view shows the present state of its sources.
    if root.isUnsettled, isView { root.settle() }
  }

  /// Calls a closure while no node of this graph may be changed: a change traps.
  ///
  /// A node runs the closures of its users in here, predicates and the like, where it could not bear a change.
  ///
  /// - Parameter body: reads nodes, and calls closures that should do no more.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  /// - Complexity: that of `body`.
  @usableFromInline
  func refusingChanges<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try graph.refusingChanges(body)
  }

  /// Tells every dependent and observer what changed, after the node's contents have changed.
  ///
  /// From now on, readers of all derived nodes see the change. Observers are called at once, or, inside
  /// `performUpdates`, when the outermost transaction ends.
  ///
  /// A change that is published this way cannot be taken back: it stays where a transaction is rolled back, and an
  /// `UndoLog` does not record it. See `publish(_:of:inverse:)`.
  ///
  /// - Parameter change: from the node's former contents to those it has now; an empty change is not delivered.
  /// - Complexity: O(d · log n) and the translations' own cost, where d is the number of derived nodes.
  func publish(_ change: consuming ChangeSet) {
    guard !change.isEmpty else { return }
    guard isRecording else { return carry(consume change) }
    let former = graph.beginLasting(self)
    carry(consume change)
    // The graph may have been merged into another one.
    graph.endLasting(former)
  }

  /// Carries a change to the dependents and observers that it concerns, and the changes that parts have received to theirs.
  @usableFromInline
  func carry(_ change: consuming ChangeSet) {
    guard isObserved || isFollowed, !change.isEmpty || graph.hasWaiting else { return }
    graph.carry(change, of: self)
  }

  /// Whether derived nodes stay as they are, because changes are taken back that they have not translated.
  var isFrozen: Bool { graph.isFrozen }

  /// Whether the changes of this node are needed, although nothing derives from it: a child that moves here may move on.
  @usableFromInline
  var isFollowed: Bool {
    if state.value.pending != nil { return true }
    guard let graph = state.value.graph else { return false }
    return graph.root.isMoving
  }

  /// Calls a closure that takes one child out of a source of this graph, or puts one into it, as one end of a move.
  ///
  /// - Parameters:
  ///   - name: the number of the move.
  ///   - body: makes a single change of a single source, inside a transaction.
  /// - Returns: what `body` returns.
  func marking<Result>(_ name: Int, _ body: () -> Result) -> Result {
    // Before the mark, which the next change takes.
    if graph.hasAnnouncers { graph.callAnnouncers() }
    graph.beginMove(name)
    // The graph may have been merged into another one by the time the move ends.
    defer { graph.endMove() }
    return body()
  }

  /// Reports that a child which is a node leaves this node, where something may have moved out of the child.
  ///
  /// - Parameters:
  ///   - child: the hub of the child.
  ///   - position: the child's position before the change.
  ///   - change: the change that takes the child out.
  func noteDeparture(of child: NodeHub, at position: Int, in change: inout ChangeSet) {
    let graph = graph
    guard graph.defers else { return }
    graph.noteDeparture(of: ParentKey(child), from: ParentKey(self), at: position, in: &change)
    // It may come back, so its changes are kept although nobody hears them.
    _ = graph.note(child)
    // Its parents before the change are found through it.
    if graph.hasMoves, let node = child.owner { graph.whenSettled { withExtendedLifetime(node) {} } }
  }

  /// Hands this node's change to its observers' pending changes and its dependents' inboxes.
  ///
  /// - Parameters:
  ///   - change: what changed.
  ///   - graph: the graph of this node.
  func broadcast(_ change: consuming ChangeSet, in graph: Graph) {
    // Where nobody hears it after the last observer, that takes the change itself, and not a copy.
    let copied = state.value.dependents.views.isEmpty ? state.value.observers.count - 1 : state.value.observers.count
    for index in state.value.observers.indices {
      let observer = state.value.observers[index]
      graph.noteDelivery(to: observer)
      if index == copied { return observer.note(consume change) }
      observer.note(copy change)
    }
    // What happened below the children concerns the state of no dependent, only observers.
    let concernsStates = !change.delta.isEmpty || change.updatesValue
    var last: Dependent?
    // Parts have received their changes already.
    for index in state.value.dependents.views.indices {
      let dependent = state.value.dependents.views[index]
      guard unsafe concernsStates || dependent.hub.isListenedTo,
        unsafe !dependent.hub.state.value.hasHeard
      else { continue }
      if let last { unsafe last.hub.receive(copy change, from: last.slot, in: graph) }
      last = dependent
    }
    // The last takes the change itself, not a copy: along a chain of branches it then grows in place.
    if let last { unsafe last.hub.receive(consume change, from: last.slot, in: graph) }
  }

  /// Leads a change of this node up through nodes that only tell it one level deeper, as long as each has one listener.
  ///
  /// A level costs no more than the position of a child then, however many there are.
  ///
  /// - Parameter change: this node's change; becomes that of the node returned.
  /// - Returns: the node from which on others have to be told.
  /// - Precondition: no hub waits to translate.
  func climb(_ change: inout ChangeSet) -> NodeHub {
    // Not counted on the way: each is among the dependents of the one before, where it stands as long as it lives.
    var hub = unsafe Unmanaged.passUnretained(self)
    while let parent = unsafe hub._withUnsafeGuaranteedRef({ unsafe $0.climbOnce(&change) }) { unsafe hub = parent }
    return unsafe hub.takeUnretainedValue()
  }

  @inline(__always)
  private func climbOnce(_ change: inout ChangeSet) -> Unmanaged<NodeHub>? {
    guard state.value.observers.isEmpty, let dependent = state.value.dependents.onlyView else { return nil }
    let parent = unsafe Unmanaged.passUnretained(dependent.hub)
    // The children of most views are those of their sources, and not the sources: these need not be asked.
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

  /// Lets the owner translate what its sources reported, and passes on what it makes of it.
  func translate(in graph: Graph) {
    var changes = SourceChanges()
    swap(&changes, &state.value.inbox)
    let own = graph.takeOwnChange(of: self)
    // It was in the queue twice, or has nothing to say but its own change.
    if changes.isEmpty, !state.value.hasHeard {
      if let own { broadcast(own, in: graph) }
      return
    }
    state.value.hasHeard = false
    if state.value.isPart {
      // The whole has brought the part up to date; this is what it has to say.
      var change = own ?? ChangeSet()
      for next in changes { change = change.composed(with: next.change) }
      if !change.isSilent { broadcast(consume change, in: graph) }
      return
    }
    guard let translator = state.value.translator else { return }
    if var own {
      // Of one level, both lead from the same state to the same; of a view, its own change came first.
      if state.value.isContainer {
        own.merge(changes.map { (translator.requirePosition(ofChildInSlot: $0.slot), $0.change) })
      } else {
        own = own.composed(with: translator.translate(changes))
      }
      if !own.isSilent { broadcast(own, in: graph) }
      return
    }
    // Handed on without a copy, here and above.
    let change = translator.translate(consume changes)
    if !change.isSilent { broadcast(consume change, in: graph) }
  }
}
