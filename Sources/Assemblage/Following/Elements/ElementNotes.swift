import Observation
import Synchronization

/// Which elements of a node are tracked, and which of those have changed.
///
///     tracked      id → the object, weakly, and the number of its tracking
///     mailbox      ids of what has changed since, from any thread
///
/// A tracking cannot be ended: it waits in the object until a property changes. So an element that leaves and comes back
/// goes on with the one that it has, and where the object is gone, and another one has its address, the number tells.
final class ElementNotes<Element: AnyObject> {
  private struct Entry {
    weak var object: Element?
    let number: Int
  }

  /// What may be touched from everywhere.
  private final class Mailbox: Sendable {
    let changes = Mutex<[(id: ObjectIdentifier, number: Int)]>([])
    let hasChanges = Atomic(false)
    let signal: AsyncStream<Void>.Continuation?

    init(_ signal: AsyncStream<Void>.Continuation?) { self.signal = signal }

    func note(_ id: ObjectIdentifier, _ number: Int) {
      changes.withLock {
        $0.append((id, number))
        hasChanges.store(true, ordering: .releasing)
      }
      signal?.yield()
    }
  }

  private let read: (Element) -> Void
  private let mailbox: Mailbox
  private var tracked: [ObjectIdentifier: Entry] = [:]
  private var nextNumber = 0
  private var nextSweep = 64

  init(_ signal: AsyncStream<Void>.Continuation?, _ read: @escaping (Element) -> Void) {
    mailbox = Mailbox(signal)
    self.read = read
  }

  func end() { mailbox.signal?.finish() }

  /// Tracks an element, unless it is tracked already.
  func track(_ element: Element) {
    let id = ObjectIdentifier(element)
    if let entry = tracked[id], entry.object === element { return }
    let number = nextNumber
    nextNumber += 1
    tracked[id] = Entry(object: element, number: number)
    withObservationTracking {
      read(element)
    } onChange: { [mailbox] in
      mailbox.note(id, number)
    }
  }

  /// Whether an element may have changed.
  var hasChanges: Bool { mailbox.hasChanges.load(ordering: .acquiring) }

  /// A note that an element has changed, by the number of its tracking.
  typealias Note = (id: ObjectIdentifier, number: Int)

  /// What has been noted since the last time: each element once, in the order of their first changes.
  func takeChanges() -> [Note] {
    let changes = mailbox.changes.withLock { changes in
      defer { changes = [] }
      mailbox.hasChanges.store(false, ordering: .releasing)
      return changes
    }
    return changes.filter { tracked[$0.id]?.number == $0.number }
  }

  /// Tracks an element again that has changed.
  func renew(_ element: Element) {
    tracked[ObjectIdentifier(element)] = nil
    track(element)
  }

  /// Forgets an element that has changed and is not there any more.
  func forget(_ note: Note) { tracked[note.id] = nil }

  /// Notes a change again.
  func putBack(_ note: Note) { mailbox.note(note.id, note.number) }

  var entryCount: Int { tracked.count }

  /// What is tracked, or has been and may come back.
  var ids: [ObjectIdentifier] { Array(tracked.keys) }

  /// Forgets elements that are not there any more and have been released.
  ///
  /// - Parameter isThere: whether an element is there.
  /// - Complexity: O(n) for n entries, amortised O(1) for each that was made.
  func removeUnused(_ isThere: (ObjectIdentifier) -> Bool) {
    guard tracked.count > nextSweep else { return }
    for (id, entry) in tracked where entry.object == nil && !isThere(id) { tracked[id] = nil }
    nextSweep = 2 * tracked.count
  }
}
