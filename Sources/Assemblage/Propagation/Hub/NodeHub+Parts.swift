// Nodes that show a part of another one, the *whole*: the sections of a group, or the children of a tree filter, which
// the root keeps up to date.
//
// The whole translates for all its parts, and hands each its change. There may be as many parts as the tree has nodes.
// So the whole knows only the parts that another node derives from or an observer observes. The other parts cost
// nothing.
extension NodeHub {
  /// The slot of a part among the dependents of its whole.
  static let partSlot = -1

  /// Makes this the hub of a part that was made just now.
  ///
  /// Like `linkNew(_:slot:)`, this may be called while the graph is being settled.
  ///
  /// - Parameter whole: the hub of the node that brings the part up to date.
  /// - Complexity: O(1).
  func becomePart(of whole: NodeHub) {
    state.value.isPart = true
    level = whole.level + 1
    state.value.graph = whole.graph
    state.value.sources = [SourceLink(hub: whole, place: -1)]
  }

  /// Makes the node of this hub a part of `whole`; until now the node was independent, or a part of another whole.
  ///
  /// Unlike `becomePart(of:)`, this is for nodes that others may already derive from, or observe.
  ///
  /// - Parameter whole: the hub of a node that derives from no other.
  /// - Complexity: that of `link(_:slot:)`.
  func joinWhole(_ whole: NodeHub) {
    leaveWhole()
    Levels.order(whole, before: self)
    Graph.join(whole, self)
    state.value.isPart = true
    state.value.sources = [SourceLink(hub: whole, place: -1)]
    if isListenedTo { whole.addListener() }
    if isObserved || !state.value.recorders.isEmpty { wakePart() }
  }

  /// Makes the node of this hub independent of its whole; its dependents and observers stay.
  ///
  /// - Complexity: O(1).
  func leaveWhole() {
    guard state.value.isPart, let link = wholeLink else { return }
    if link.place >= 0 { link.hub.removeDependent(self, at: link.place, slot: Self.partSlot) }
    state.value.sources = []
    state.value.isPart = false
  }

  /// Whether another node derives from a part of this one, or an observer observes it.
  var hasAwakeParts: Bool { !state.value.dependents.parts.isEmpty }

  /// The link of a part to its whole; nil where the node is no part.
  private var wholeLink: SourceLink? { state.value.isPart ? state.value.sources.first ?? nil : nil }

  /// The whole of this part; nil where this is no part.
  var whole: (any TreeNode)? {
    wholeLink?.hub.owner
  }

  /// Links this part to its whole, before a node derives from the part or an observer is added.
  ///
  /// This does nothing where the node is no part, or is linked already.
  func wakePart() {
    guard let link = wholeLink, link.place < 0 else { return }
    // The whole may have a higher level now; no node has relied on the part's level so far.
    level = max(level, link.hub.level + 1)
    state.value.sources[0] = link.hub.append(self, slot: Self.partSlot)
  }

  /// Unlinks this part from its whole, when no node derives from it any longer, and no observer or undo log watches it.
  func sleepPart() {
    guard let link = wholeLink, link.place >= 0, !isObserved, state.value.recorders.isEmpty else { return }
    state.value.sources[0]!.place = -1
    link.hub.removeDependent(self, at: link.place, slot: Self.partSlot)
  }

  /// Receives the change of this part.
  ///
  /// The whole calls this while it translates, or before it publishes. The whole publishes an empty change if there is
  /// no other.
  func receiveFromWhole(_ change: ChangeSet) {
    let graph = graph
    // The change of a view's setting is carried at once, together with the changes of its parts.
    if graph.keepsChanges, wholeLink?.hub.isView != true {
      graph.note(self).composer.append(change)
    } else {
      receive(change, from: 0, in: graph)
    }
  }

  /// Whether an observer of this node, or of one that derives from it, would be notified of a change.
  ///
  /// The listener that `listenToNestedChanges()` has added for the node itself does not count.
  var hasOtherListeners: Bool { state.value.listeners > 1 }
}
