/// What an `UndoLog` has recorded, as its graph knows it.
///
/// It collects the inverses of one transaction in a group. When the transaction ends, the group goes on one of two
/// stacks: that of what can be undone, or, where the transaction was itself an undoing, that of what can be redone. An
/// inverse that runs records its own inverse, so that redoing needs nothing else.
///
/// The recorder watches the node, and beyond it the nodes that a group mentions: those it changed, and those that lost
/// a link, such as a member removed from a join. They may be changed while they are detached, and would otherwise come
/// back with contents that the inverses do not fit.
final class UndoRecorder {
  /// What one transaction changed.
  private struct Group {
    /// What takes the changes back, in the order of the changes.
    var inverses: [Inverse] = []

    /// The nodes mentioned, and whether an inverse is theirs.
    var mentions: [ObjectIdentifier: (hub: NodeHub, owns: Bool)] = [:]
  }

  private enum Direction { case undoing, redoing }

  private let root: NodeHub
  private var undoable = Stack<Group>()
  private var redoable = Stack<Group>()

  /// What the open transaction has changed so far.
  private var open = Group()

  /// Whether a change that cannot be taken back made the recorded ones useless.
  private var isSpoiled = false

  /// The group that is being undone or redone.
  private var reverting: (direction: Direction, group: Group)?

  /// How many groups mention a node, and how many of them have an inverse of it.
  private var marks: [ObjectIdentifier: (mentions: Int, owners: Int)] = [:]

  /// How many groups can be undone at most.
  var limit: Int { didSet { withExtendedLifetime(dropBeyondLimit()) {} } }

  init(of root: NodeHub, limit: Int) {
    self.root = root
    self.limit = limit
  }

  /// Whether a group is being undone or redone.
  var isReverting: Bool { reverting != nil }

  var undoCount: Int { undoable.count }
  var redoCount: Int { redoable.count }

  /// Begins to watch.
  func start() {
    root.state.value.recorders.append(self)
    root.graph.journal.recorders.append(self)
    // The recorder is found along the links from a source to its dependents.
    root.wakePart()
  }

  /// Ends everything, and lets go of what was recorded.
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

  /// Lets go of what can be undone and redone.
  func removeAll() { withExtendedLifetime(takeAll()) {} }
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

  /// Takes in the inverse of the latest change.
  func append(_ inverse: Inverse) { open.inverses.append(inverse) }

  /// Notes a change that cannot be taken back: recorded inverses of the same node do not fit any more.
  func spoil(after hub: NodeHub) {
    if let mark = marks[ObjectIdentifier(hub)], mark.owners > 0 { isSpoiled = true }
  }

  /// Ends the group of the open transaction.
  func close() {
    var closed = Group()
    swap(&closed, &open)
    var discarded: [Group] = []
    if let (direction, group) = reverting {
      reverting = nil
      if isSpoiled {
        discarded += direction == .undoing ? redoable.removeAll() : undoable.removeAll()
        discarded.append(closed)
      } else if direction == .undoing {
        redoable.append(closed)
      } else {
        undoable.append(closed)
      }
      discarded.append(group)
    } else if isSpoiled {
      discarded = undoable.removeAll() + redoable.removeAll() + [closed]
    } else if closed.inverses.isEmpty {
      discarded.append(closed)
    } else {
      discarded = redoable.removeAll()
      undoable.append(closed)
    }
    isSpoiled = false
    for group in discarded { unmark(group) }
    discarded += dropBeyondLimit()
    // Released last: an element's `deinit` may use the nodes, and this recorder with them.
    withExtendedLifetime(discarded) {}
  }

  private func dropBeyondLimit() -> [Group] {
    var discarded: [Group] = []
    while undoable.count > limit { discarded.append(undoable.removeFirst()) }
    for group in discarded { unmark(group) }
    return discarded
  }

  private func takeAll() -> [Group] {
    let discarded = undoable.removeAll() + redoable.removeAll()
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
  func undo() -> Bool { revert(.undoing, undoable.popLast()) }

  func redo() -> Bool { revert(.redoing, redoable.popLast()) }

  /// Runs the inverses of a group as one transaction, the last one first; its end calls `close()`.
  private func revert(_ direction: Direction, _ group: Group?) -> Bool {
    guard let group else { return false }
    reverting = (direction, group)
    root.graph.beginTransaction(of: root)
    // What goes back moves anew.
    var names: [Int: Int] = [:]
    for inverse in group.inverses.reversed() { inverse.perform(mark: inverse.mark.map { names.renewed($0) }) }
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

/// A stack that lets go of its oldest entries.
private struct Stack<Element> {
  // Entries before `first` are nil; there are at most as many of them as others.
  private var entries: [Element?] = []
  private var first = 0

  var count: Int { entries.count - first }

  mutating func append(_ element: Element) { entries.append(element) }

  mutating func popLast() -> Element? {
    guard count > 0 else { return nil }
    return entries.removeLast()
  }

  mutating func removeFirst() -> Element {
    let element = entries[first]!
    entries[first] = nil
    first += 1
    if first > count {
      entries.removeSubrange(0..<first)
      first = 0
    }
    return element
  }

  mutating func removeAll() -> [Element] {
    let elements = entries[first...].map { $0! }
    entries = []
    first = 0
    return elements
  }
}
