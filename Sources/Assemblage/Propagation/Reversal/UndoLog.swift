/// Records the transactions of a node and of everything it derives from, and takes them back.
///
/// ```swift
/// let family = ArrayNode(["Dad", "Mum"])
/// let friends = ArrayNode(["Bo"])
/// let everyone = JoinNode([family, friends])
/// let log = UndoLog(of: everyone)
/// everyone.performUpdates {
///   friends.append("Al")
///   everyone.removeMember(at: 0)
/// }
/// everyone.elements           // ["Bo", "Al"]
/// log.undo()
/// everyone.elements           // ["Dad", "Mum", "Bo"]
/// log.redo()
/// everyone.elements           // ["Bo", "Al"]
/// ```
///
/// A step is an outermost transaction, or a change outside one. It holds the inverses of the changes that were made in
/// it to the node and its sources, at any depth: elements, children, values and members; not predicates and the like,
/// which say how data are shown. Undoing or redoing a step is itself one transaction: observers hear one net change.
/// Afterwards the contents are exactly what they were; how they are kept in memory may differ.
///
/// A change that is not an undoing or redoing forgets what could be redone. That includes a change which an observer
/// makes when it hears of an undoing; it is a step of its own.
///
/// Nodes that a step took out, such as a member removed from a join, are watched for as long as the step is kept, so that
/// a change made to them meanwhile becomes a step too and is taken back before they return.
///
/// A change that its node cannot take back (`ProviderNode.announce`, or a `publish(_:)` of your own node) is not
/// recorded, and stays. Where the log holds other changes of that very node, it forgets everything, because they do not
/// fit any more.
///
/// The log keeps the node alive, and the elements and nodes that its steps removed. Releasing the log ends the
/// recording.
public final class UndoLog {
  private let recorder: UndoRecorder
  private let node: any TreeNode

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - node: the node whose changes, and whose sources' changes, can be undone.
  ///   - limit: how many steps can be undone at most, at least 0; older ones are forgotten, each in O(`limit`).
  /// - Complexity: O(1).
  public init(of node: any TreeNode, limit: Int = .max) {
    Self.check(limit)
    self.node = node
    recorder = UndoRecorder(of: node.hub, limit: limit)
    recorder.start()
  }

  deinit { recorder.stop() }

  /// Whether there is a step to undo.
  public var canUndo: Bool { undoCount > 0 }

  /// Whether there is a step to redo.
  public var canRedo: Bool { redoCount > 0 }

  /// The number of steps that can be undone, `0...limit`.
  public var undoCount: Int { recorder.undoCount }

  /// The number of steps that can be redone.
  public var redoCount: Int { recorder.redoCount }

  /// How many steps can be undone at most, at least 0; setting it forgets the oldest steps beyond.
  public var limit: Int {
    get { recorder.limit }
    set {
      Self.check(newValue)
      recorder.limit = newValue
    }
  }

  /// Takes the latest step back that has not been undone.
  ///
  /// - Returns: whether there was one.
  /// - Precondition: no transaction of the node's graph is open.
  /// - Complexity: that of the changes which take the step back.
  @discardableResult
  public func undo() -> Bool {
    recorder.requireNoTransaction(for: "undo()")
    return recorder.undo()
  }

  /// Makes the changes of the step again that was undone last.
  ///
  /// - Returns: whether there was one.
  /// - Precondition: no transaction of the node's graph is open.
  /// - Complexity: that of the changes.
  @discardableResult
  public func redo() -> Bool {
    recorder.requireNoTransaction(for: "redo()")
    return recorder.redo()
  }

  /// Forgets all steps.
  ///
  /// What an open transaction has changed so far is still going to be part of its step.
  ///
  /// - Complexity: O(k) for k changes in all steps.
  public func removeAll() { recorder.removeAll() }

  private static func check(_ limit: Int) {
    require(limit >= 0, "UndoLog: the limit \(limit) is negative.")
  }
}

@available(*, unavailable)
extension UndoLog: Sendable {}

extension UndoLog: CustomStringConvertible {
  public var description: String { "UndoLog(\(undoCount) steps to undo, \(redoCount) to redo)" }
}
