import Observation
import Synchronization

/// The tracked elements of a node, and the elements among them that have changed.
///
///     tracked      id → the object, weakly, and the number of its tracking
///     mailbox      the ids of elements that have changed since, from any thread
///
/// A tracking cannot be ended: it waits in the object until a property changes. So an element that leaves and returns
/// keeps its former tracking. If the object is released and another one gets its address, the number of the tracking
/// shows the difference.
final class ElementNotes<Element: AnyObject> {
  private struct Entry {
    weak var object: Element?
    let number: Int
  }

  /// The part that any thread may use.
  private final class Mailbox: Sendable {
    let changes = Mutex<[(id: ObjectIdentifier, number: Int)]>([])
    let hasChanges = Atomic(false)
    private let signal: (@Sendable () -> Void)?

    init(_ signal: (@Sendable () -> Void)?) { self.signal = signal }

    func note(_ id: ObjectIdentifier, _ number: Int) {
      let isFirst = changes.withLock {
        $0.append((id, number))
        hasChanges.store(true, ordering: .releasing)
        return $0.count == 1
      }
      if isFirst { signal?() }
    }
  }

  private let read: (Element) -> Void
  private let mailbox: Mailbox
  private var tracked: [ObjectIdentifier: Entry] = [:]
  private var nextNumber = 0
  private var nextSweep = 64

  /// Tracks no element yet.
  ///
  /// - Parameters:
  ///   - signal: called by any thread at the first of several changes.
  ///   - read: reads an element.
  init(_ signal: (@Sendable () -> Void)?, _ read: @escaping (Element) -> Void) {
    mailbox = Mailbox(signal)
    self.read = read
  }

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

  /// Removes and returns the notes since the last call: each element once, in the order of their first changes.
  func takeChanges() -> [Note] {
    let changes = mailbox.changes.withLock { changes in
      defer { changes = [] }
      mailbox.hasChanges.store(false, ordering: .releasing)
      return changes
    }
    return changes.filter { tracked[$0.id]?.number == $0.number }
  }

  /// Tracks an element again after a change.
  func renew(_ element: Element) {
    tracked[ObjectIdentifier(element)] = nil
    track(element)
  }

  /// Forgets an element that has changed and is not in the node any more.
  func forget(_ note: Note) { tracked[note.id] = nil }

  /// Notes a change again.
  func putBack(_ note: Note) { mailbox.note(note.id, note.number) }

  var entryCount: Int { tracked.count }

  /// The elements that are tracked, or have been and may return.
  var ids: [ObjectIdentifier] { Array(tracked.keys) }

  /// Forgets elements that are not in the node any more and have been released.
  ///
  /// - Parameter isThere: whether an element is in the node.
  /// - Complexity: O(n) for n entries, amortised O(1) for each entry that was made.
  func removeUnused(_ isThere: (ObjectIdentifier) -> Bool) {
    guard tracked.count > nextSweep else { return }
    for (id, entry) in tracked where entry.object == nil && !isThere(id) { tracked[id] = nil }
    nextSweep = 2 * tracked.count
  }
}
