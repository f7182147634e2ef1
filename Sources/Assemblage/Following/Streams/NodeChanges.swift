/// The changes of a node as an asynchronous sequence.
///
/// ```swift
/// func follow(_ names: ArrayNode<String>) async {
///   for await change in names.changes {
///     print(change.delta)      // [+0..<2] for two insertions made since the last time
///   }
/// }                            // the node has been released, or the task cancelled
/// ```
///
/// Each loop is a reader of its own. The reader receives changes from the moment when the loop begins. It belongs to
/// the node's isolation domain: when the loop's body begins, the node has the contents after the change. A slow reader
/// receives one change, composed of all changes meanwhile, so that no queue grows. That change contains nothing that
/// was done and undone meanwhile.
///
/// The sequence does not keep the node alive. When the node is released, the sequence ends after the waiting changes
/// have been read. It also ends when the task is cancelled.
public struct NodeChanges: AsyncSequence {
  private weak var node: (any TreeNode)?

  init(_ node: any TreeNode) { self.node = node }

  /// Begins to receive changes.
  ///
  /// - Complexity: O(1).
  public func makeAsyncIterator() -> Iterator { Iterator(node) }

  /// A reader of changes, which receives changes until the reader is released.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: Reader
    private var signals: AsyncStream<Void>.Iterator

    fileprivate init(_ node: (any TreeNode)?) {
      let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      self.signals = signals.makeAsyncIterator()
      reader = Reader(node, signal)
    }

    /// Waits for the next change.
    ///
    /// - Parameter actor: the isolation of the node.
    /// - Returns: the change since the last call, never empty; nil at the end.
    /// - Complexity: that of composing the changes since the last call.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ChangeSet? {
      while await signals.next(isolation: actor) != nil {
        let change = reader.pending.value.net()
        if !change.isEmpty { return change }
      }
      return nil
    }
  }

  /// The changes that one reader has not read yet, and the reader's observer.
  private final class Reader {
    let pending = Pending()
    private weak var node: (any TreeNode)?
    /// Only the node keeps the observer alive, so that the observer's captured objects are released with the node.
    private weak var observer: Observer?

    init(_ node: (any TreeNode)?, _ signal: AsyncStream<Void>.Continuation) {
      self.node = node
      let end = End(signal: signal)
      guard let node else { return }
      observer = node.addObserver { [pending] change in
        pending.value.append(change)
        end.signal.yield()
      }
    }

    deinit {
      guard let node, let observer else { return }
      observer.cancel()
      node.hub.remove(observer)
    }
  }

  private final class Pending {
    var value = ChangeSetComposer()
  }

  /// Ends the stream of signals when the last object that could send a signal is released.
  private final class End {
    let signal: AsyncStream<Void>.Continuation

    init(signal: AsyncStream<Void>.Continuation) { self.signal = signal }

    deinit { signal.finish() }
  }
}

extension TreeNode {
  /// The node's changes as a sequence in which each loop is a reader of its own: see `NodeChanges`.
  ///
  /// ```swift
  /// let reader = Task { @MainActor in
  ///   for await change in filter.changes { table.apply(change) }
  /// }
  /// ```
  public var changes: NodeChanges { NodeChanges(self) }
}

@available(*, unavailable)
extension NodeChanges: Sendable {}

@available(*, unavailable)
extension NodeChanges.Iterator: Sendable {}
