/// The steps of an `UndoLog`, as the graph of its node knows them.
///
/// The recorder collects the inverses of one transaction in a group. When the transaction ends, the group is pushed
/// onto one of two stacks. After an undo, that is the stack of groups that can be redone; otherwise, the stack of
/// groups that can be undone. An inverse that runs records its own inverse, so that redoing needs nothing else.
///
/// The recorder watches the node, and also all nodes that a group mentions: the nodes that the group changed, and the
/// nodes that lost a link, for example a member removed from a join. They may be changed while they are detached, and
/// the inverses would not fit their contents when they return.
final class UndoRecorder {
  /// The inverses of one transaction's changes.
  struct Group {
    /// The inverses, in the order of the changes.
    var inverses: [Inverse] = []

    /// The mentioned nodes, each with a flag: whether an inverse of the group belongs to the node.
    var mentions: [ObjectIdentifier: (hub: NodeHub, owns: Bool)] = [:]
  }

  private enum Direction { case undoing, redoing }

  private let root: NodeHub
  private var undoable: [Group] = []
  private var redoable: [Group] = []

  /// The inverses that the open transaction has recorded so far.
  private var open = Group()

  /// Whether a change that cannot be reverted made the recorded inverses useless.
  private var isSpoiled = false

  /// The group that is being undone or redone.
  private var reverting: (direction: Direction, group: Group)?

  /// How many groups mention a node, and how many of these groups have an inverse of the node.
  private var marks: [ObjectIdentifier: (mentions: Int, owners: Int)] = [:]

  /// How many groups can be undone at most.
  var limit: Int {
    didSet {
      withExtendedLifetime(dropBeyondLimit()) {}
      notifyReaders()
    }
  }

  private let readers = TrackedReaders()
  /// The numbers of steps that tracked readers know.
  private var knownCounts = (undo: 0, redo: 0)

  init(of root: NodeHub, limit: Int) {
    self.root = root
    self.limit = limit
  }

  /// Whether a group is being undone or redone.
  var isReverting: Bool { reverting != nil }

  var undoCount: Int { counts.undo }
  var redoCount: Int { counts.redo }

  private var counts: (undo: Int, redo: Int) {
    readers.noteRead()
    return (undoable.count, redoable.count)
  }

  /// Notifies tracked readers if the numbers of steps have changed. Readers may change nodes, so all views must show
  /// the present state.
  func notifyReaders() {
    if knownCounts != (undoable.count, redoable.count) {
      knownCounts = (undoable.count, redoable.count)
      readers.haveNews = true
    }
    readers.notify()
  }

  /// Begins to watch.
  func start() {
    root.state.value.recorders.append(self)
    root.graph.journal.recorders.append(self)
    // The recorder is found along the links from a source to its dependents.
    root.wakePart()
  }

  /// Ends the recording, and releases all groups.
  func stop() {
    root.graph.journal.recorders.removeAll { $0 === self }
    root.state.value.recorders.removeAll { $0 === self }
    root.sleepPart()
    var discarded = takeAll()
    for group in [open, reverting?.group].compactMap({ $0 }) {
      unmark(group)
      discarded.append(group)
    }
    open = Group()
    reverting = nil
    withExtendedLifetime(discarded) {}
  }

  /// Releases the groups that can be undone and redone.
  func removeAll() {
    withExtendedLifetime(takeAll()) {}
    notifyReaders()
  }
}

// MARK: - Recording

extension UndoRecorder {
  /// Watches a node for as long as the group of the open transaction is kept.
  func watch(_ hub: NodeHub, owns: Bool) {
    let id = ObjectIdentifier(hub)
    let known = open.mentions[id]
    if let known, known.owns || !owns { return }
    open.mentions[id] = (hub, owns)
    if known == nil, marks[id] == nil, hub !== root { hub.state.value.recorders.append(self) }
    marks[id, default: (0, 0)].mentions += known == nil ? 1 : 0
    marks[id]!.owners += owns ? 1 : 0
  }

  /// Adds the inverse of the latest change; a log that was released in the transaction keeps none.
  func append(_ inverse: Inverse) {
    if marks[ObjectIdentifier(inverse.hub)] != nil { open.inverses.append(inverse) }
  }

  /// Notes a change that cannot be reverted: recorded inverses of the same node do not fit any more.
  func spoil(after hub: NodeHub) {
    if let mark = marks[ObjectIdentifier(hub)], mark.owners > 0 { isSpoiled = true }
  }

  /// Ends the group of the open transaction.
  ///
  /// - Returns: the groups that are not kept. The caller releases them when all views show the change: a `deinit` of an
  ///   element may use the nodes.
  func close() -> [Group] {
    var closed = Group()
    swap(&closed, &open)
    var discarded: [Group] = []
    if let (direction, group) = reverting {
      reverting = nil
      if isSpoiled {
        discarded += direction == .undoing ? Self.taken(from: &redoable) : Self.taken(from: &undoable)
        discarded.append(closed)
      } else if direction == .undoing {
        redoable.append(closed)
      } else {
        undoable.append(closed)
      }
      discarded.append(group)
    } else if isSpoiled {
      discarded = Self.taken(from: &undoable) + Self.taken(from: &redoable) + [closed]
    } else if closed.inverses.isEmpty {
      discarded.append(closed)
    } else {
      discarded = Self.taken(from: &redoable)
      undoable.append(closed)
    }
    isSpoiled = false
    for group in discarded { unmark(group) }
    return discarded + dropBeyondLimit()
  }

  private func dropBeyondLimit() -> [Group] {
    guard undoable.count > limit else { return [] }
    let discarded = Array(undoable.prefix(undoable.count - limit))
    undoable.removeFirst(discarded.count)
    for group in discarded { unmark(group) }
    return discarded
  }

  private static func taken(from groups: inout [Group]) -> [Group] {
    defer { groups = [] }
    return groups
  }

  private func takeAll() -> [Group] {
    let discarded = Self.taken(from: &undoable) + Self.taken(from: &redoable)
    for group in discarded { unmark(group) }
    return discarded
  }

  private func unmark(_ group: Group) {
    for (id, mention) in group.mentions {
      marks[id]!.mentions -= 1
      if mention.owns { marks[id]!.owners -= 1 }
      guard marks[id]!.mentions == 0 else { continue }
      marks[id] = nil
      guard mention.hub !== root else { continue }
      mention.hub.state.value.recorders.removeAll { $0 === self }
      mention.hub.sleepPart()
    }
  }
}

// MARK: - Undoing

extension UndoRecorder {
  func undo() -> Bool {
    reportElements(before: undoable)
    return revert(.undoing, undoable.popLast())
  }

  func redo() -> Bool {
    reportElements(before: redoable)
    return revert(.redoing, redoable.popLast())
  }

  /// Reports the elements that have changed by themselves: restored elements must not be compared with them before.
  private func reportElements(before groups: [Group]) {
    let graph = root.graph
    if !groups.isEmpty, graph.hasAnnouncers { graph.callAnnouncers() }
  }

  /// Runs the inverses of a group as one transaction, the last one first; its end calls `close()`.
  private func revert(_ direction: Direction, _ group: Group?) -> Bool {
    guard let group else { return false }
    reverting = (direction, group)
    root.graph.beginTransaction(of: root)
    group.inverses.perform()
    root.graph.endTransaction()
    withExtendedLifetime(group) {}
    return true
  }

  /// Traps unless a group may be reverted now.
  func requireNoTransaction(for operation: StaticString) {
    require(
      root.graph.transactionDepth == 0 && !root.graph.isSettling,
      """
      UndoLog: \(operation) was called inside a transaction of the graph, which is itself a step that is not complete \
      yet; call it after the transaction.
      """)
  }
}
