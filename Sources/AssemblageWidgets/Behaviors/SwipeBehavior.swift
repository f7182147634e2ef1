public import Assemblage

/// The edge of a row at which its actions appear when the user swipes the row.
public enum SwipeEdge: Hashable, Sendable {
  /// The edge at which a line of text begins.
  case leading
  /// The edge at which a line of text ends.
  case trailing
}

/// A behavior that gives rows actions under a swipe, at each of their edges.
///
/// ```swift
/// final class Mails: SwipeBehavior {
///   func actions(at place: NodePlace, underSwipeFrom edge: SwipeEdge) -> [ContextAction] {
///     edge == .leading
///       ? [ContextAction("Read") { self.setRead(place.position) }]
///       : [ContextAction("Delete", isDestructive: true) { self.delete(place.position) }]
///   }
/// }
/// ```
///
/// At the trailing edge, a row without actions has the deletion of its `DeletionBehavior`, in views that delete by a
/// swipe.
public protocol SwipeBehavior: Behavior {
  /// The actions of a row at an edge.
  ///
  /// - Parameters:
  ///   - place: the row's place in the behavior's node.
  ///   - edge: the edge of the row.
  /// - Returns: the actions, from the edge to the middle of the row. A full swipe performs the first action.
  func actions(at place: NodePlace, underSwipeFrom edge: SwipeEdge) -> [ContextAction]
}

extension WidgetCoordinator {
  /// The actions that appear at an edge of a row when the user swipes the row.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - edge: the edge of the row.
  /// - Returns: the actions of the innermost `SwipeBehavior`; none without such a behavior.
  public func actions(at path: IndexPath, underSwipeFrom edge: SwipeEdge) -> [ContextAction] {
    guard let own = nodePath(of: path), let (behavior, place) = behavior(for: own, { $0 as? any SwipeBehavior }) else {
      return []
    }
    return behavior.actions(at: place, underSwipeFrom: edge)
  }
}
