/// Keeps the loads that wait, and decides which load begins next.
///
///     next     8 5        the last one first: loads that a caller asks for, or asks for once more
///     new      1 2 3 6    the first one first: loads of places that show nothing yet
///     again    4 7        the first one first: loads that replace an earlier answer
///
/// A load is named by a key: a page, or a branch.
struct LoadQueue<Key: Hashable> {
  /// Which of the lists a load waits in.
  enum Turn { case next, new, again }

  /// How many loads may run at once.
  let limit: Int
  /// How many loads run. A cancelled load counts until it has returned.
  private(set) var runningCount = 0

  private var waiting: Set<Key> = []
  /// A load keeps its place in this list while it runs, because it may wait again.
  private var next = RecencyList<Key>()
  private var new = RecencyList<Key>()
  private var again = RecencyList<Key>()

  /// Creates an empty queue.
  ///
  /// - Parameter limit: how many loads may run at once, at least 1.
  init(limit: Int) {
    require(limit > 0, "A node needs at least one load at once: \(limit) were allowed.")
    self.limit = limit
  }

  /// Whether a load waits for its turn.
  func isWaiting(_ key: Key) -> Bool { waiting.contains(key) }

  /// Adds a load, or lets one that runs wait again.
  ///
  /// - Complexity: expected O(1).
  mutating func append(_ key: Key, _ turn: Turn) {
    waiting.insert(key)
    switch turn {
    case .next: if !next.contains(key) { next.touch(key) }
    case .new:
      next.remove(key)
      new.touch(key)
    case .again:
      next.remove(key)
      again.touch(key)
    }
  }

  /// Gives a load the next turn, if it waits.
  ///
  /// - Complexity: expected O(1).
  mutating func prefer(_ key: Key) {
    guard waiting.contains(key) || next.contains(key) else { return }
    new.remove(key)
    again.remove(key)
    next.touch(key)
  }

  /// Removes a load; one that runs counts until its `end()`.
  ///
  /// - Complexity: expected O(1).
  mutating func remove(_ key: Key) {
    waiting.remove(key)
    next.remove(key)
    new.remove(key)
    again.remove(key)
  }

  /// Begins a load.
  ///
  /// - Returns: its key; nil if no load waits, or if `limit` loads run already.
  /// - Complexity: expected O(1), and O(r) for the r running loads that were asked for as the next ones.
  mutating func begin() -> Key? {
    guard runningCount < limit, !waiting.isEmpty,
      let key = next.newest(where: waiting.contains) ?? new.popOldest() ?? again.popOldest()
    else { return nil }
    waiting.remove(key)
    runningCount += 1
    return key
  }

  /// Notes that a load has returned, whatever its answer is.
  mutating func end() { runningCount -= 1 }

  /// The load that was preferred the longest time ago, among the waiting and running loads that fit.
  func oldestNext(where fits: (Key) -> Bool) -> Key? { next.oldest(where: fits) }
}
