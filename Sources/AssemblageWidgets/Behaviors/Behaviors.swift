@_spi(NodeAuthors) public import Assemblage

/// A place in a node: the node, and a position in its own index space.
///
/// A row of a widget is in several nodes, one behind the other. For example, the second row of a filter is the fourth
/// row of the array behind the filter. A behavior gets the place in the node that it belongs to.
public struct NodePlace {
  /// The node.
  public let node: any TreeNode

  /// 0..<the node's count, or 0...the node's count where a child is to arrive.
  public let position: Int

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - node: the node.
  ///   - position: the position, in its own index space.
  public init(_ node: any TreeNode, at position: Int) {
    self.node = node
    self.position = position
  }
}

@available(*, unavailable)
extension NodePlace: Sendable {}

/// An action that the user may perform with the rows of a node.
///
/// A node conforms to one of the protocols below, or the caller adds an object that conforms, with
/// `WidgetCoordinator.addBehavior(_:to:)`.
///
/// The user points at a place of the node that the widget shows. The coordinator follows this place through filters,
/// sorts, joins, maps, groups, flattened rows and outline rows, to the node that owns the row. The last node on this
/// way that has the behavior answers, and gets its own position.
///
/// ```swift
/// final class Inbox: DeletionBehavior {
///   func allowsDeletion(at place: NodePlace) -> Bool { place.position > 0 }
/// }
///
/// let mails = ArrayNode(["Welcome", "Bill"])
/// let coordinator = ListCoordinator(SortNode(mails, by: <))
/// coordinator.addBehavior(Inbox(), to: mails)
/// coordinator.canDelete(at: [0, 0])      // true: "Bill", which is at 1 in the array
/// coordinator.canDelete(at: [0, 1])      // false: "Welcome", at 0
/// ```
public protocol Behavior {}

/// A behavior that allows or refuses the selection of rows, and is notified of each selection.
///
/// Without this behavior, all rows can be selected.
public protocol SelectionBehavior: Behavior {
  /// The number of rows that the user may select in the behavior's node; by default any number.
  ///
  /// With `.single`, a row that the user selects replaces the selected row of the same node, and rows of other nodes
  /// stay selected. The selection of the coordinator, and the view, must allow several rows.
  var selectionMode: SelectionMode { get }

  /// Whether the user may select a row. The default allows it.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  /// - Returns: whether the row may be selected.
  func shouldSelect(at place: NodePlace) -> Bool

  /// The user has selected a row. The default does nothing.
  ///
  /// This method may change nodes. A row that has left because of that is not reported any more.
  ///
  /// - Parameter place: the row's present place in the behavior's node.
  func didSelect(at place: NodePlace)

  /// Whether the user may deselect a row. The default allows it.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  /// - Returns: whether the row may be deselected.
  func shouldDeselect(at place: NodePlace) -> Bool

  /// The user has deselected a row. The default does nothing.
  ///
  /// This method may change nodes. A row that has left because of that is not reported any more.
  ///
  /// - Parameter place: the row's present place in the behavior's node.
  func didDeselect(at place: NodePlace)
}

extension SelectionBehavior {
  public var selectionMode: SelectionMode { .multiple }
  public func shouldSelect(at place: NodePlace) -> Bool { true }
  public func didSelect(at place: NodePlace) {}
  public func shouldDeselect(at place: NodePlace) -> Bool { true }
  public func didDeselect(at place: NodePlace) {}
}

/// A behavior that lets the user change the values of rows.
public protocol EditingBehavior: Behavior {
  /// Whether the user may edit a row. The default allows it.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  /// - Returns: whether the row may be edited.
  func allowsEditing(at place: NodePlace) -> Bool

  /// The user has given a row another value. The default does nothing.
  ///
  /// - Parameter place: the row's place in the behavior's node when the row got the value.
  func didEdit(at place: NodePlace)
}

extension EditingBehavior {
  public func allowsEditing(at place: NodePlace) -> Bool { true }
  public func didEdit(at place: NodePlace) {}
}

/// A behavior that lets the user delete rows.
public protocol DeletionBehavior: Behavior {
  /// Whether the user may delete a row. The default allows it.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  /// - Returns: whether the row may be deleted.
  func allowsDeletion(at place: NodePlace) -> Bool

  /// Deletes a row. The default removes the row from the node that owns the row.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  func delete(at place: NodePlace)
}

extension DeletionBehavior {
  public func allowsDeletion(at place: NodePlace) -> Bool { true }

  public func delete(at place: NodePlace) {
    func remove<Node: TreeNode>(from node: Node) { node.writer?.removeChild(at: place.position) }
    remove(from: place.node)
  }
}

/// A behavior that lets the user move rows, within their node or to other nodes.
///
/// The coordinator asks the behavior of the node that the row leaves, and the behavior of the node at which the row
/// arrives. The move itself is `TreeNode.move(_:into:at:)`.
public protocol MovingBehavior: Behavior {
  /// Whether the user may move a row away from its place. The default allows it.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  /// - Returns: whether the row may move.
  func allowsMoving(from place: NodePlace) -> Bool

  /// Whether a row may arrive at a place in the behavior's node. The default allows it.
  ///
  /// - Parameters:
  ///   - origin: the row's place in the node whose behavior has allowed the row to leave.
  ///   - place: the place where the row is to arrive: 0...the count of the behavior's node. The position is counted
  ///     before the row leaves its former place.
  /// - Returns: whether the row may arrive there.
  func allowsMoving(from origin: NodePlace, to place: NodePlace) -> Bool
}

extension MovingBehavior {
  public func allowsMoving(from place: NodePlace) -> Bool { true }
  public func allowsMoving(from origin: NodePlace, to place: NodePlace) -> Bool { true }
}

/// A behavior that gives rows their own actions, for example in a context menu or under a swipe.
public protocol ContextBehavior: Behavior {
  /// The actions that the user may perform with a row.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  /// - Returns: the actions, in the order of the menu.
  func actions(at place: NodePlace) -> [ContextAction]
}

/// An entry of a context menu.
public struct ContextAction {
  /// The text of the entry.
  public var title: String

  /// Whether the user can choose the entry.
  public var isEnabled: Bool

  /// Whether the action destroys data. Menus show this.
  public var isDestructive: Bool

  /// Performs the action.
  public var perform: () -> Void

  /// Creates an action.
  ///
  /// - Parameters:
  ///   - title: the text of the entry.
  ///   - isEnabled: whether the user can choose the entry.
  ///   - isDestructive: whether the action destroys data.
  ///   - perform: performs the action.
  public init(
    _ title: String, isEnabled: Bool = true, isDestructive: Bool = false, perform: @escaping () -> Void
  ) {
    self.title = title
    self.isEnabled = isEnabled
    self.isDestructive = isDestructive
    self.perform = perform
  }
}

@available(*, unavailable)
extension ContextAction: Sendable {}

/// A behavior that performs an action when the user activates a row, for example by a double click or the return key.
public protocol ActivationBehavior: Behavior {
  /// The user has activated a row.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  func activate(at place: NodePlace)
}

/// A behavior that allows or refuses to unfold and fold rows, and is notified afterwards.
///
/// Without this behavior, the user can unfold and fold all rows.
public protocol ExpansionBehavior: Behavior {
  /// Whether the user may unfold a row. The default allows it.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  /// - Returns: whether the row may be unfolded.
  func shouldExpand(at place: NodePlace) -> Bool

  /// The user has unfolded a row. The default does nothing.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  func didExpand(at place: NodePlace)

  /// Whether the user may fold a row. The default allows it.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  /// - Returns: whether the row may be folded.
  func shouldCollapse(at place: NodePlace) -> Bool

  /// The user has folded a row. The default does nothing.
  ///
  /// - Parameter place: the row's place in the behavior's node.
  func didCollapse(at place: NodePlace)
}

extension ExpansionBehavior {
  public func shouldExpand(at place: NodePlace) -> Bool { true }
  public func didExpand(at place: NodePlace) {}
  public func shouldCollapse(at place: NodePlace) -> Bool { true }
  public func didCollapse(at place: NodePlace) {}
}

/// Lets the user edit, delete and move everything that the node allows.
///
/// ```swift
/// let coordinator = ListCoordinator(FilterNode(names) { $0.hasPrefix("A") }, widget: table)
/// coordinator.addBehavior(WritingBehavior(), to: names)
/// coordinator.delete(at: [0, 1])      // removes the second name with an A
/// ```
public struct WritingBehavior: EditingBehavior, DeletionBehavior, MovingBehavior {
  /// Creates the behavior.
  public init() {}
}
