import Foundation

/// Reads directories on threads of its own.
///
/// Directories that a user looks at are read first.
///
/// The scanner passes its results on in batches. If the results are not taken as fast as they are read, the threads
/// wait.
final class DirectoryScanner: Sendable {
  /// A directory to read.
  struct Request: Sendable {
    let item: Item
    let path: [UInt8]
    /// The scope of the directory, which decides the entries that patterns leave out; nil without patterns.
    let scope: EntryScope?
  }

  /// The result of a reading.
  ///
  /// Of two answers for one directory, the answer with the larger turn was begun later.
  typealias Answer = (item: Item, listing: DirectoryListing, turn: Int)

  private struct State {
    var urgent: [Request] = []
    var others: [Request] = []
    var answers: [Answer] = []
    var answeredEntries = 0
    var runningThreads = 0
    /// The number of directories that have been begun.
    var turns = 0
    var isStopped = false
  }

  /// The number of waiting entries at which reading pauses, except for urgent requests.
  private static let mostWaiting = 50_000
  private static let threads = 2

  // The lock protects all of the state.
  private let state = LockedValue(State())
  private let queue = DispatchQueue(label: "outline.directories", attributes: .concurrent)
  /// Is called, on any thread, when there are answers.
  private let ready: @Sendable () -> Void

  private let order: NameOrder

  /// Creates a scanner that reads nothing yet.
  ///
  /// - Parameters:
  ///   - order: the order of names.
  ///   - ready: is called, on any thread, when there are answers.
  init(order: NameOrder, ready: @escaping @Sendable () -> Void) { (self.order, self.ready) = (order, ready) }

  /// Requests directories.
  ///
  /// - Parameters:
  ///   - requests: the directories.
  ///   - isUrgent: whether a user waits for the directories; then they are read before all others.
  func read(_ requests: [Request], isUrgent: Bool) {
    state.withValue { state in
      if isUrgent { state.urgent += requests } else { state.others += requests }
    }
    begin()
  }

  /// Returns the answers since the last call.
  func take() -> [Answer] {
    let answers = state.withValue { state in
      defer {
        state.answers = []
        state.answeredEntries = 0
      }
      return state.answers
    }
    begin()
    return answers
  }

  /// Ends all work.
  func stop() {
    state.withValue { $0.isStopped = true }
  }

  private func begin() {
    let count = state.withValue { state in
      let wanted = min(Self.threads, state.urgent.count + state.others.count)
      let count = max(0, wanted - state.runningThreads)
      state.runningThreads += count
      return count
    }
    for _ in 0..<count { queue.async { self.work() } }
  }

  private func work() {
    while let (request, turn) = next() {
      let listing = DirectoryListing.read(request.path, order, scope: request.scope)
      let isFirst = state.withValue { state in
        state.answers.append((request.item, listing, turn))
        state.answeredEntries += listing.count + 1
        return state.answers.count == 1
      }
      if isFirst { ready() }
    }
  }

  private func next() -> (Request, turn: Int)? {
    state.withValue { state in
      if !state.isStopped {
        state.turns += 1
        if let request = state.urgent.popLast() { return (request, state.turns) }
        if state.answeredEntries < Self.mostWaiting, let request = state.others.popLast() {
          return (request, state.turns)
        }
      }
      state.runningThreads -= 1
      return nil
    }
  }
}

/// A value that threads use in turns.
final class LockedValue<Value: Sendable>: @unchecked Sendable {
  // The lock protects the value: every access holds the lock.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withValue<Result>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&value) }
  }
}
