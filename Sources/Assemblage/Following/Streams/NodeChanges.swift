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
/// Each loop is a reader of its own. It begins to hear when the loop begins, and belongs to the node's isolation domain: the
/// node is as the change says when the loop's body begins. A reader that is slow gets one change that is composed of all that
/// happened meanwhile, so that no queue grows; what was done and undone meanwhile it does not hear of.
///
/// The sequence does not keep the node alive. It ends when the node is released, after what was still to be read, or when the
/// task is cancelled.
public struct NodeChanges: AsyncSequence {
  public typealias Element = ChangeSet
  public typealias Failure = Never

  private weak var node: (any TreeNode)?

  init(_ node: any TreeNode) { self.node = node }

  /// Begins to hear of changes.
  ///
  /// - Complexity: O(1).
  public func makeAsyncIterator() -> Iterator { Iterator(node) }

  /// A reader of changes. It hears of them until it is released.
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
    /// - Returns: what happened since the last time, never empty; nil at the end.
    /// - Complexity: that of composing what happened since the last time.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ChangeSet? {
      while await signals.next(isolation: actor) != nil {
        let change = reader.pending.value.net()
        if !change.isEmpty { return change }
      }
      return nil
    }
  }

  /// What one reader has not read yet, and its observer.
  private final class Reader {
    let pending = Pending()
    private weak var node: (any TreeNode)?
    /// Only the node keeps it, so that what it captured goes with the node.
    private weak var observer: Observer?

    init(_ node: (any TreeNode)?, _ signal: AsyncStream<Void>.Continuation) {
      self.node = node
      let end = End(signal: signal)
      guard let node else { return }
      let observer = Observer(of: node.hub) { [pending] change in
        pending.value.append(change)
        end.signal.yield()
      }
      node.hub.add(observer)
      self.observer = observer
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

  /// Ends the stream of signals when the last one that could give any is released.
  private final class End {
    let signal: AsyncStream<Void>.Continuation

    init(signal: AsyncStream<Void>.Continuation) { self.signal = signal }

    deinit { signal.finish() }
  }
}

extension TreeNode {
  /// The node's changes, for one reader each: see `NodeChanges`.
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
