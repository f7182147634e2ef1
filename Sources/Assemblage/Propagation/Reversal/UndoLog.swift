public import Observation

/// Records the transactions of a node and of all its sources, and reverts them.
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
/// A step is an outermost transaction, or a change outside a transaction. The step holds the inverses of the changes to
/// the node and to its sources, at any depth. These are changes of elements, children, values and members. Settings,
/// for example predicates, are not recorded: they only say how data are shown. Undoing or redoing a step is itself one
/// transaction, so observers receive one net change. Afterwards the contents are exactly the former ones; their layout
/// in memory may differ.
///
/// Each change other than an undo or a redo removes all steps that could be redone. So does a change by an observer
/// that is notified of an undo; that change is a step of its own.
///
/// A step may remove nodes, for example a member of a join. The log watches these nodes for as long as the step is
/// kept. A change of such a node is then a step too, and is reverted before the node returns.
///
/// Some changes cannot be reverted by their node: `ProviderNode.announce` without an inverse, and a `publish(_:)` of
/// your own node. The log does not record such a change, and the change stays. If the log holds other changes of the
/// same node, all steps are removed, because they no longer fit.
///
/// It is `Observable`: `withObservationTracking`, or the body of a SwiftUI view, that reads the numbers of steps is
/// notified when they have changed.
///
/// The log keeps the node alive, and the elements and nodes that its steps removed. Releasing the log ends the
/// recording.
public final class UndoLog: Observable {
  private let recorder: UndoRecorder
  private let node: any TreeNode

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - node: the node whose changes, and whose sources' changes, can be undone.
  ///   - limit: how many steps can be undone at most, at least 0; older ones are removed, each in O(`limit`).
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

  /// How many steps can be undone at most, at least 0; setting a lower limit removes the oldest steps.
  public var limit: Int {
    get { recorder.limit }
    set {
      Self.check(newValue)
      recorder.limit = newValue
    }
  }

  /// Reverts the latest step that has not been undone.
  ///
  /// - Returns: whether there was a step.
  /// - Precondition: no transaction of the node's graph is open.
  /// - Complexity: that of the inverse changes.
  @discardableResult
  public func undo() -> Bool {
    recorder.requireNoTransaction(for: "undo()")
    return recorder.undo()
  }

  /// Repeats the changes of the step that was undone last.
  ///
  /// - Returns: whether there was a step.
  /// - Precondition: no transaction of the node's graph is open.
  /// - Complexity: that of the changes.
  @discardableResult
  public func redo() -> Bool {
    recorder.requireNoTransaction(for: "redo()")
    return recorder.redo()
  }

  /// Removes all steps.
  ///
  /// The changes that an open transaction has made so far stay part of its step.
  ///
  /// - Complexity: O(k) for k changes in all steps.
  public func removeAll() { recorder.removeAll() }

  private static func check(_ limit: Int) {
    require(limit >= 0, "UndoLog: the limit \(limit) is negative.")
  }
}

@available(*, unavailable)
extension UndoLog: Sendable {}
