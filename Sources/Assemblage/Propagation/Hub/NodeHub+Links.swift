extension NodeHub {
  /// Makes `source` a source of this node.
  ///
  /// The node itself has to keep `source` alive. A source may be linked several times, under several slots.
  ///
  /// - Parameters:
  ///   - source: the node whose changes this node's `translate(_:)` is to receive.
  ///   - slot: a small number, at least 0, that is not in use; each change arrives with this number.
  /// - Precondition: `source` does not depend on this node, directly or through others.
  /// - Complexity: O(1) where `source` or this node is new; otherwise O(s) for the s nodes whose order changes.
  func link(_ source: any TreeNode, slot: Int) {
    let hub = source.hub
    if !state.value.isContainer { hub.prepareForReading() }
    require(slot >= 0, "The slot \(slot) of a source is negative.")
    require(
      slot >= state.value.sources.count || state.value.sources[slot] == nil,
      "The slot \(slot) of \(description) is already in use.")
    refuseCycle(with: source)
    while state.value.sources.count <= slot { state.value.sources.append(nil) }
    state.value.sources[slot] = hub.append(self, slot: slot)
    if isListenedTo { hub.addListener() }
    Graph.join(hub, self)
  }

  /// Makes nodes the sources of this one, which was made just now, under the slots 0, 1, 2, …
  ///
  /// - Parameter hubs: the hubs of the sources, none of them nil; a node may occur several times.
  /// - Complexity: O(s) for s sources, and the merging of their graphs.
  func linkFirst(_ hubs: [NodeHub?]) {
    assert(isNew && !isListenedTo)
    state.value.sources = [SourceLink?](repeating: nil, count: hubs.count)
    for (slot, hub) in hubs.enumerated() {
      guard let hub else { continue }
      if !state.value.isContainer { hub.prepareForReading() }
      prepareForLinking(to: hub)
      hub.wakePart()
      // Nothing derives from this node, so there can be no cycle, and no other level has to rise.
      level = max(level, hub.level + 1)
      state.value.sources[slot] = hub.append(self, slot: slot)
      Graph.join(hub, self)
    }
  }

  /// Makes `source` a source of this node where one of the two was made just now, and no other node knows it yet.
  ///
  /// Unlike `link(_:slot:)`, this may be called while the graph is being settled. Some nodes make other nodes when they
  /// are read, and a node that translates a change may read them. No change of the new node can be under way. An older
  /// source is settled before the nodes that derive from it.
  ///
  /// - Parameters:
  ///   - source: the node whose changes this node's `translate(_:)` is to receive.
  ///   - slot: a number that is not in use.
  /// - Complexity: O(1).
  func linkNew(_ source: any TreeNode, slot: Int = 0) {
    let hub = source.hub
    if hub.isNew {
      hub.level = level - 1
    } else {
      require(isNew, "\(description) and \(hub.description) are parts of a graph already.")
      hub.wakePart()
      level = hub.level + 1
    }
    while state.value.sources.count <= slot { state.value.sources.append(nil) }
    state.value.sources[slot] = hub.append(self, slot: slot)
    if isListenedTo { hub.addListener() }
    Graph.join(hub, self)
  }

  /// Settles the graph before a view begins to follow this node, or an observer to observe it.
  ///
  /// Pending changes must not be carried to the view or the observer later, which knows them already. If a transaction
  /// is rolled back, the inverse changes must be carried there.
  func prepareForReading() {
    settle()
    if isRecording { graph.noteReading() }
  }

  /// Whether no other node, and no observer, knows this one.
  private var isNew: Bool { state.value.graph == nil && state.value.sources.isEmpty && !isObserved }

  /// Checks that a node may become a source of this one, before anything else is changed for it.
  ///
  /// `link(_:slot:)` checks this too. A node whose own contents would have changed by then calls this first.
  ///
  /// - Parameter source: the node that is going to be linked.
  /// - Precondition: `source` does not depend on this node, directly or through others.
  /// - Complexity: that of `link(_:slot:)`.
  func refuseCycle(with source: any TreeNode) {
    prepareForLinking(to: source.hub)
    source.hub.wakePart()
    Levels.order(source.hub, before: self)
  }

  /// Whether a node is this one, or derives from it, directly or through others; one link to a dependent does not
  /// count.
  ///
  /// - Complexity: O(k) for k nodes that derive from this one.
  func isSource(of node: NodeHub, withoutLinkTo parent: NodeHub) -> Bool {
    var known: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var open: [NodeHub] = [self]
    var skips = true
    while let hub = open.popLast() {
      if hub === node { return true }
      hub.state.value.dependents.forEach { dependent in
        let next = unsafe dependent.hub
        if skips, hub === self, next === parent {
          skips = false
        } else if known.insert(ObjectIdentifier(next)).inserted {
          open.append(next)
        }
      }
    }
    return false
  }

  /// Ends the link that was made under `slot`.
  ///
  /// - Parameter slot: the slot that the source was linked under.
  /// - Precondition: there is a source under `slot`.
  /// - Complexity: O(1), besides the notes of the undo logs.
  func unlink(slot: Int) {
    guard state.value.sources.indices.contains(slot), let source = state.value.sources[slot] else {
      trap("\(description) has no source in slot \(slot).")
    }
    if isRecording {
      // A recorder that reverts a change of this node may link the source again. So the recorder must record the
      // changes of the source until then.
      for recorder in graph.recorders(watching: self) { recorder.watch(source.hub, owns: false) }
    }
    state.value.sources[slot] = nil
    source.hub.removeDependent(self, at: source.place, slot: slot)
  }

  /// Ends every link to a source.
  func unlinkAll() {
    // One by one: the other edges of this node may get other places.
    while let last = state.value.sources.popLast() {
      guard let last, last.place >= 0 else { continue }
      let slot = state.value.isPart ? Self.partSlot : state.value.sources.count
      last.hub.removeDependent(self, at: last.place, slot: slot)
    }
  }

  /// Whether the release of the sources might release other nodes in turn, deeper than one level.
  ///
  /// - Complexity: O(s) for s sources.
  var mayReleaseChain: Bool {
    state.value.sources.contains { source in
      source.map { $0.hub.state.value.nesting != .sources || !$0.hub.state.value.sources.isEmpty } ?? false
    }
  }

  /// Adds an edge to a dependent, and returns the dependent's end of the edge.
  func append(_ hub: NodeHub, slot: Int) -> SourceLink {
    SourceLink(hub: self, place: state.value.dependents.append(Dependent(hub: hub, slot: slot)))
  }

  /// Removes the edge to a dependent; the caller drops the dependent's end.
  ///
  /// - Parameters:
  ///   - hub: the dependent.
  ///   - place: the place of the edge.
  ///   - slot: its slot.
  /// - Complexity: O(1), besides the listeners that leave with the edge.
  func removeDependent(_ hub: NodeHub, at place: Int, slot: Int) {
    state.value.dependents.remove(at: place, slot: slot)
    if hub.isListenedTo { removeListener() }
    sleepPart()
  }

  private func prepareForLinking(to source: NodeHub) {
    for hub in [self, source] {
      guard let graph = hub.state.value.graph else { continue }
      require(
        !graph.root.isSettling,
        """
        \(source.description) was linked to \(description) from a closure that a derived node of the same \
        graph calls while it is made or translates a change; link it from an observer, or after the change.
        """)
    }
  }

  /// Adopts the graph of another hub, or merges the graphs of both hubs.
  fileprivate func join(_ other: NodeHub) {
    switch (state.value.graph, other.state.value.graph) {
    case (nil, nil): other.state.value.graph = graph
    case (nil, _): state.value.graph = other.graph
    case (_, nil): other.state.value.graph = graph
    default: Graph.merge(graph, other.graph)
    }
  }
}

extension NodeHub {
  /// Merges the graphs of this hub and of another one, without a link.
  func shareGraph(with other: NodeHub) {
    let (graph, otherGraph) = (graph, other.graph)
    guard graph !== otherGraph else { return }
    require(
      !graph.isSettling && !otherGraph.isSettling,
      """
      A transaction of \(description) and \(other.description) began in a closure that a derived node calls while it \
      translates a change; begin it in an observer, or after the change.
      """)
    Graph.merge(graph, otherGraph)
  }
}

extension Graph {
  /// Merges the graphs of two linked hubs.
  static func join(_ first: NodeHub, _ second: NodeHub) { first.join(second) }
}
