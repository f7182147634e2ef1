/// Something that knows of elements that have changed without an edit, and tells of them before the next one.
///
/// A sort finds places by comparing, and would put a new row into a wrong one beside a row that has changed and has not moved
/// yet.
protocol ElementAnnouncer: AnyObject {
  /// Tells of what has changed, now.
  func announceChanges()
}

extension Graph {
  /// Lets something tell of changes before each edit, until it is removed.
  func add(_ announcer: any ElementAnnouncer) {
    root.announcers.append(Announcer(id: ObjectIdentifier(announcer), announcer: announcer))
  }

  /// Ends what `add(_:)` began.
  func remove(_ announcer: any ElementAnnouncer) {
    root.announcers.removeAll { $0.id == ObjectIdentifier(announcer) }
  }

  /// Whether something may have to tell of changes first.
  var hasAnnouncers: Bool { !announcers.isEmpty }

  /// Lets those tell of changes who know of some.
  @inline(never)
  func callAnnouncers() {
    for entry in announcers where announcers.contains(where: { $0.id == entry.id }) {
      entry.announcer.announceChanges()
    }
  }

  /// Whether a change is being taken back, or made again.
  var isTakingBack: Bool { journal.isRollingBack || journal.isReverting }

  /// Tells updates of objects to which elements refer: no undo log records them, and a rollback leaves them.
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
