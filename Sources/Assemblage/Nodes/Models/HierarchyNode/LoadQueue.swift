/// Which loads of a tree wait, and whose turn it is.
///
///     preferred    8 5        the last one first: those somebody has asked for once more
///     new          1 2 3 6    the first one first: branches that have nothing to show yet
///     again        4 7        the first one first: branches whose children are fetched again
///
/// A load is a number. One that is out of the queue is left in the lists, and skipped there.
struct LoadQueue {
  /// Whether a branch has children to show meanwhile.
  enum Kind { case new, again }

  /// How many loads may run at once.
  let limit: Int
  /// How many run: those that were cancelled count until they have returned.
  private(set) var runningCount = 0

  private var waiting: Set<Int> = []
  private var preferred: [Int] = []
  private var new = Line()
  private var again = Line()

  private struct Line {
    private var numbers: [Int] = []
    private var head = 0

    mutating func append(_ number: Int) { numbers.append(number) }

    mutating func popFirst() -> Int? {
      guard head < numbers.count else { return nil }
      let first = numbers[head]
      head += 1
      if head * 2 >= numbers.count {
        numbers.removeFirst(head)
        head = 0
      }
      return first
    }
  }

  /// Creates an empty queue.
  ///
  /// - Parameter limit: how many loads may run at once, at least 1.
  init(limit: Int) {
    require(limit > 0, "A tree needs at least one load at once: \(limit) were allowed.")
    self.limit = limit
  }

  /// Whether a load waits for its turn.
  func isWaiting(_ number: Int) -> Bool { waiting.contains(number) }

  /// Adds a load.
  ///
  /// - Complexity: O(1).
  mutating func append(_ number: Int, _ kind: Kind) {
    waiting.insert(number)
    switch kind {
    case .new: new.append(number)
    case .again: again.append(number)
    }
  }

  /// Gives a load the next turn, if it waits.
  ///
  /// - Complexity: O(1).
  mutating func prefer(_ number: Int) {
    guard waiting.contains(number), preferred.last != number else { return }
    preferred.append(number)
  }

  /// Takes a load out that waits; one that runs goes on until its `end()`.
  ///
  /// - Complexity: O(1).
  mutating func remove(_ number: Int) { waiting.remove(number) }

  /// Begins a load.
  ///
  /// - Returns: its number; nil where none waits, or as many run as may.
  /// - Complexity: amortised O(1).
  mutating func begin() -> Int? {
    guard runningCount < limit, !waiting.isEmpty else { return nil }
    while let number = preferred.popLast() ?? new.popFirst() ?? again.popFirst() {
      guard waiting.remove(number) != nil else { continue }
      runningCount += 1
      return number
    }
    return nil
  }

  /// Takes in that a load has returned, whatever has become of it.
  mutating func end() { runningCount -= 1 }
}
