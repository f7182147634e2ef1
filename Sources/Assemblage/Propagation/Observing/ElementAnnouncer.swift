/// An object that finds elements which have changed without an edit, and reports them before the next edit.
///
/// A sort finds positions by comparing. Beside a row that has changed and has not moved yet, the sort would insert a
/// new row at a wrong position.
protocol ElementAnnouncer: AnyObject {
  /// Reports the changed elements now.
  func announceChanges()

  /// A rollback calls this: it may have restored elements that had left.
  func noteRestoredElements()
}

extension NodeHub {
  /// Whether there are announcers in the graph of this node.
  var hasAnnouncers: Bool { state.value.graph?.root.hasAnnouncers ?? false }
}

extension Graph {
  /// Adds an announcer, which reports changed elements before each edit until `remove(_:)` is called.
  func add(_ announcer: any ElementAnnouncer) {
    root.announcers.append(Announcer(id: ObjectIdentifier(announcer), announcer: announcer))
  }

  /// Removes an announcer.
  func remove(_ announcer: any ElementAnnouncer) {
    root.announcers.removeAll { $0.id == ObjectIdentifier(announcer) }
  }

  /// Whether there are announcers, which have to report before an edit.
  var hasAnnouncers: Bool { !announcers.isEmpty }

  /// Lets all announcers report.
  ///
  /// - Parameter delivers: whether observers are called at once, if no transaction is open. Otherwise the change that
  ///   follows calls them.
  @inline(never)
  func callAnnouncers(delivering delivers: Bool = false) {
    if !delivers { state.value.deliveries += 1 }
    for entry in announcers where announcers.contains(where: { $0.id == entry.id }) {
      entry.announcer.announceChanges()
    }
    // The graph may have been merged into another one.
    if !delivers { root.state.value.deliveries -= 1 }
  }

  /// Whether a rollback, an undo or a redo is under way.
  var isTakingBack: Bool { journal.isRollingBack || journal.isReverting }

  /// Reports updates of objects to which elements refer; no undo log records them, and a rollback keeps them.
  ///
  /// - Parameter body: makes the updates, inside a transaction.
  func announce(_ body: () -> Void) {
    guard isRecording else { return body() }
    let former = journal.carried
    journal.noteLastingChange()
    journal.carried = .lasting
    body()
    journal.carried = former
  }

  struct Announcer {
    let id: ObjectIdentifier
    unowned let announcer: any ElementAnnouncer
  }
}
