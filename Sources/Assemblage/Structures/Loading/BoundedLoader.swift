/// Runs the loads of one node, a bounded number at once, on the actor that the node belongs to.
///
///     the client asks  →  waits  →  runs  →  the client takes the answer
///                           └────────┴────→  dropped: cancelled, superseded, or the node was released
///
/// There is at most one load for each key: a page of rows, or a branch of a tree. Each load has a number of its own. An
/// answer counts only while its key has that number; so the answer to a dropped load is ignored, in whatever order
/// answers arrive.
final class BoundedLoader<Client: LoadClient> {
  typealias Key = Client.Key

  /// Drops all loads before it is released.
  weak var client: Client?
  private var queue: LoadQueue<Key>
  private var loads: [Key: Load] = [:]
  private var nextNumber = 0
  /// Whether a task of the actor is about to call `advance(isolation:)`.
  private var isAwake = false
  /// Weak: the actor may be the owner of the node.
  private weak let actor: (any Actor)?

  /// A load that waits, or that runs in a task.
  private struct Load {
    let number: Int
    var task: Task<Void, Never>?
  }

  /// Leads a task of the actor to the loader.
  ///
  /// A door may be sent anywhere: its reference is constant, and only code on the actor follows it.
  private final class Door: @unchecked Sendable {
    private weak let loader: BoundedLoader?

    init(_ loader: BoundedLoader) { self.loader = loader }

    func advance(isolation: isolated any Actor) { loader?.advance(isolation: isolation) }
  }

  /// Creates a loader without loads.
  ///
  /// - Parameters:
  ///   - limit: how many loads may run at once, at least 1.
  ///   - actor: the actor that the node belongs to; it is not kept alive.
  init(limit: Int, actor: any Actor) {
    queue = LoadQueue(limit: limit)
    self.actor = actor
  }

  // MARK: Asking

  /// The number of loads that wait or run.
  var count: Int { loads.count }

  /// The keys of all loads that wait or run, in the order in which these were begun or superseded.
  ///
  /// - Complexity: O(n log n) for n loads.
  var keys: [Key] { loads.sorted { $0.value.number < $1.value.number }.map(\.key) }

  /// Whether a load waits or runs.
  func isLoading(_ key: Key) -> Bool { loads[key] != nil }

  /// Adds a load, which begins at its turn.
  ///
  /// If the key has a load already, `.next` prefers that load to the others.
  func ask(_ key: Key, _ turn: LoadQueue<Key>.Turn) {
    if loads[key] == nil { put(key, turn) }
    if turn == .next { queue.prefer(key) }
  }

  /// Replaces a load that runs with a new load.
  ///
  /// A load that waits stays: it will read the present state anyway.
  func supersede(_ key: Key, _ turn: LoadQueue<Key>.Turn) {
    guard let load = loads[key], !queue.isWaiting(key) else { return }
    load.task?.cancel()
    put(key, turn)
  }

  private func put(_ key: Key, _ turn: LoadQueue<Key>.Turn) {
    loads[key] = Load(number: nextNumber)
    nextNumber += 1
    queue.append(key, turn)
    wake()
  }

  /// The load that was preferred the longest time ago, among the waiting and running loads that fit.
  func oldestNext(where fits: (Key) -> Bool) -> Key? { queue.oldestNext(where: fits) }

  // MARK: Dropping

  /// Ends a load, whose answer is ignored from now on.
  func drop(_ key: Key) { remove(key)?.task?.cancel() }

  func dropAll() {
    for key in loads.keys { drop(key) }
  }

  @discardableResult
  private func remove(_ key: Key) -> Load? {
    queue.remove(key)
    return loads.removeValue(forKey: key)
  }

  // MARK: Running

  /// Lets the actor begin the loads whose turn it is, after its present job.
  private func wake() {
    guard !isAwake, let actor else { return }
    isAwake = true
    Self.open(Door(self), on: actor)
  }

  private static func open(_ door: Door, on actor: some Actor) {
    // A node is used on its actor only. A task made anywhere else would have to wait for a thread first.
    actor.assumeIsolated { actor in
      _ = Task { door.advance(isolation: actor) }
    }
  }

  private func advance(isolation: isolated any Actor) {
    isAwake = false
    client?.prepareForLoads()
    while let key = queue.begin() {
      guard let number = loads[key]?.number, let fetch = client?.load(of: key) else {
        queue.end()
        drop(key)
        continue
      }
      loads[key]?.task = Task { [weak self] in
        // Captured, so that the task runs on the actor.
        _ = isolation
        let answer: Result<Client.Answer, any Error>
        do {
          try Task.checkCancellation()
          answer = .success(try await fetch())
        } catch {
          answer = .failure(error)
        }
        self?.end(key, number, answer)
      }
    }
  }

  private func end(_ key: Key, _ number: Int, _ answer: Result<Client.Answer, any Error>) {
    queue.end()
    wake()
    guard loads[key]?.number == number else { return }
    // Without a cancellation: this task calls the observers.
    remove(key)
    client?.take(answer, of: key)
  }
}

/// Asks a loader for answers, and takes them.
protocol LoadClient<Key, Answer>: AnyObject {
  /// The name of a load.
  associatedtype Key: Hashable

  associatedtype Answer

  /// Prepares for loads; a task of the actor calls this before it begins loads.
  func prepareForLoads()

  /// The closure that fetches an answer; nil where no answer is needed any more. The actor calls the closure.
  func load(of key: Key) -> (() async throws -> Answer)?

  /// Takes an answer. The load has ended, so the client may ask for another one.
  func take(_ answer: Result<Answer, any Error>, of key: Key)
}

extension LoadClient {
  func prepareForLoads() {}
}
