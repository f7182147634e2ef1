import Synchronization

/// A mailbox into which any task can put messages for one reader, which takes them out in batches.
///
/// Nodes belong to one isolation domain. Tasks of others send what they have found, and the domain applies it:
///
/// ```swift
/// let inbox = Inbox<String>(capacity: 10_000)
/// let sender = Task.detached {
///   for try await line in file.lines { try await inbox.send(line) }
///   inbox.close()
/// }
/// for await lines in inbox.batches {
///   log.append(contentsOf: lines)      // one change for each batch
/// }
/// ```
///
/// What one task sends arrives in that order; what several send, in the order in which it was accepted. The inbox holds at most
/// `capacity` messages: whoever sends more waits until the reader has taken a batch, the one that waits longest first. So
/// memory does not grow where the senders are faster than the reader, and each batch is as large as what came while the last
/// one was applied.
public final class Inbox<Message: Sendable>: Sendable {
  /// How many messages it holds at most.
  public let capacity: Int

  private let state: Mutex<State>

  private struct State {
    var messages: [Message] = []
    var isClosed = false
    /// Those that wait for room, in order, those that came first at the head.
    var senders: [Sender] = []
    var nextNumber = 0
    var reader: CheckedContinuation<Void, Never>?

    /// Takes the reader out that waits, if one does.
    mutating func takeReader() -> CheckedContinuation<Void, Never>? {
      defer { reader = nil }
      return reader
    }
  }

  /// A sender that waits, and what it has still to send.
  private struct Sender {
    let number: Int
    var rest: ArraySlice<Message>
    let continuation: CheckedContinuation<Outcome, Never>
  }

  private enum Outcome { case sent, closed, cancelled }

  /// Says that a message was sent to an inbox that is closed.
  public struct ClosedError: Error, CustomStringConvertible {
    /// A sentence for developers.
    public var description: String { "A message was sent to an inbox that is closed." }
  }

  /// Creates an empty inbox.
  ///
  /// - Parameter capacity: how many messages it holds at most, at least 1.
  public init(capacity: Int = 4096) {
    require(capacity > 0, "An inbox has a capacity of at least 1, not \(capacity).")
    self.capacity = capacity
    state = Mutex(State())
  }

  /// How many tasks wait for room; for tests.
  var waitingSenderCount: Int { state.withLock { $0.senders.count } }

  /// Whether a reader waits for messages; for tests.
  var hasWaitingReader: Bool { state.withLock { $0.reader != nil } }

  // MARK: Sending

  /// Puts a message in, and waits for room where the inbox is full.
  ///
  /// - Parameter message: what is sent.
  /// - Throws: `CancellationError` where the task was cancelled before there was room, and `ClosedError` where the inbox is
  ///   closed; the message was not sent then.
  /// - Complexity: O(1) amortised, and O(w) for w senders where one that waits is cancelled.
  public func send(_ message: Message) async throws {
    try await send(contentsOf: CollectionOfOne(message))
  }

  /// Puts messages in, and waits for room where the inbox is full; others may get between them then.
  ///
  /// - Parameter messages: what is sent, in order.
  /// - Throws: as `send(_:)`; some of the messages may have been sent then, the first ones.
  /// - Complexity: O(k) for k messages.
  public func send(contentsOf messages: some Collection<Message>) async throws {
    try Task.checkCancellation()
    var rest = Array(messages)[...]
    let outcome: Outcome
    if let known = accept(&rest) {
      outcome = known
    } else {
      outcome = await waitForRoom(rest)
    }
    switch outcome {
    case .sent: return
    case .closed: throw ClosedError()
    case .cancelled: throw CancellationError()
    }
  }

  /// Takes messages in as far as there is room; nil where some are left.
  private func accept(_ rest: inout ArraySlice<Message>) -> Outcome? {
    let (outcome, reader) = state.withLock { state -> (Outcome?, CheckedContinuation<Void, Never>?) in
      if state.isClosed { return (.closed, nil) }
      if state.senders.isEmpty { Self.move(&rest, to: &state, capacity) }
      return (rest.isEmpty ? .sent : nil, state.takeReader())
    }
    reader?.resume()
    return outcome
  }

  private func waitForRoom(_ rest: ArraySlice<Message>) async -> Outcome {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        put(Sender(number: number, rest: rest, continuation: continuation))
      }
    } onCancel: {
      giveUp(number)
    }
  }

  private func put(_ sender: Sender) {
    var sender = sender
    let (outcome, reader) = state.withLock { state -> (Outcome?, CheckedContinuation<Void, Never>?) in
      if state.isClosed { return (.closed, nil) }
      // A task may have been cancelled before it got here.
      if Task.isCancelled { return (.cancelled, nil) }
      if state.senders.isEmpty { Self.move(&sender.rest, to: &state, capacity) }
      if !sender.rest.isEmpty { state.senders.append(sender) }
      return (sender.rest.isEmpty ? .sent : nil, state.takeReader())
    }
    if let outcome { sender.continuation.resume(returning: outcome) }
    reader?.resume()
  }

  /// Moves messages from a sender to the inbox as far as there is room.
  private static func move(_ rest: inout ArraySlice<Message>, to state: inout State, _ capacity: Int) {
    let part = rest.prefix(capacity - state.messages.count)
    state.messages.append(contentsOf: part)
    rest = rest.dropFirst(part.count)
  }

  private func giveUp(_ number: Int) {
    let sender = state.withLock { state -> Sender? in
      guard let index = state.senders.firstIndex(where: { $0.number == number }) else { return nil }
      return state.senders.remove(at: index)
    }
    sender?.continuation.resume(returning: .cancelled)
  }

  /// Refuses messages from now on; those that were accepted are still read, and then the batches end.
  ///
  /// Senders that wait get a `ClosedError`. Closing twice does nothing.
  ///
  /// - Complexity: O(w) for w senders that wait.
  public func close() {
    let (senders, reader) = state.withLock { state in
      defer { state.senders = [] }
      state.isClosed = true
      return (state.senders, state.takeReader())
    }
    for sender in senders { sender.continuation.resume(returning: .closed) }
    reader?.resume()
  }

  // MARK: Reading

  /// The messages in batches, for one reader.
  ///
  /// Each batch is all that there is, at least one message and at most `capacity`. The sequence ends when the inbox is closed and
  /// empty, or the reader's task is cancelled.
  ///
  /// - Precondition: it is iterated over by one task at a time.
  public var batches: Batches { Batches(inbox: self) }

  /// The messages of an inbox in batches.
  public struct Batches: AsyncSequence, AsyncIteratorProtocol, Sendable {
    public typealias Element = [Message]
    public typealias Failure = Never

    fileprivate let inbox: Inbox

    public func makeAsyncIterator() -> Batches { self }

    /// Waits for messages, and takes all of them out.
    ///
    /// - Parameter actor: the isolation in which it goes on.
    /// - Returns: the messages; nil at the end.
    /// - Complexity: O(k) for k messages.
    public func next(isolation actor: isolated (any Actor)? = #isolation) async -> [Message]? {
      while !Task.isCancelled {
        switch inbox.take() {
        case .messages(let messages): return messages
        case .end: return nil
        case .nothing: await inbox.wait(isolation: actor)
        }
      }
      return nil
    }
  }

  private enum Taken {
    case messages([Message])
    case nothing, end
  }

  /// Takes all messages out, and lets those that waited for room send theirs.
  private func take() -> Taken {
    let (taken, done) = state.withLock { state -> (Taken, [Sender]) in
      if state.messages.isEmpty { return (state.isClosed ? .end : .nothing, []) }
      let messages = state.messages
      state.messages = []
      var done = 0
      while done < state.senders.count, state.messages.count < capacity {
        var rest = state.senders[done].rest
        Self.move(&rest, to: &state, capacity)
        state.senders[done].rest = rest
        if !rest.isEmpty { break }
        done += 1
      }
      let finished = Array(state.senders.prefix(done))
      state.senders.removeFirst(done)
      return (.messages(messages), finished)
    }
    for sender in done { sender.continuation.resume(returning: .sent) }
    return taken
  }

  private func wait(isolation: isolated (any Actor)?) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          require(state.reader == nil, "Two tasks read the batches of one inbox.")
          if !state.messages.isEmpty || state.isClosed || Task.isCancelled { return true }
          state.reader = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.takeReader() }?.resume()
    }
  }
}
