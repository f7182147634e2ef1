@_spi(NodeAuthors) public import Assemblage
import Foundation

// The actions of the user, and their effects on the nodes.
extension WidgetCoordinator {
  // MARK: Giving

  /// Gives a node a behavior, in this coordinator.
  ///
  /// If a node has several behaviors of the same kind, the behavior that was added last answers. The node itself is
  /// asked only if no added behavior has this kind.
  ///
  /// - Parameters:
  ///   - behavior: the actions that the user may perform with the rows of the node.
  ///   - node: any node. The coordinator keeps the node alive.
  public func addBehavior(_ behavior: any Behavior, to node: any TreeNode) { given.give(behavior, to: node) }

  /// Removes all behaviors that a node was given with `addBehavior(_:to:)` in this coordinator.
  ///
  /// - Parameter node: any node.
  public func removeBehaviors(from node: any TreeNode) { given.takeAll(from: node) }

  /// Yields further behaviors for any node, for example for all branches of a tree; nil: no further behaviors.
  ///
  /// ```swift
  /// coordinator.behaviors = { $0 is BranchNode<File> ? [WritingBehavior()] : [] }
  /// ```
  public var behaviors: ((any TreeNode) -> [any Behavior])? {
    get { given.provider }
    set { given.provider = newValue }
  }

  // MARK: Asking

  /// The places of the row at a path, from the node that the widget shows to the node that owns the row.
  ///
  /// ```swift
  /// let names = ArrayNode(["Bob", "Ada"])
  /// let coordinator = ListCoordinator(SortNode(names, by: <))
  /// coordinator.places(at: [0, 0]).map(\.position)      // [0, 1]: in the sorted node, and in the array
  /// ```
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: the places; none if the row has left the node, and none for the node itself.
  public func places(at path: IndexPath) -> [NodePlace] { feed.nodePath(of: path).map(places(ofNode:)) ?? [] }

  private func places(ofNode path: IndexPath) -> [NodePlace] { places(at: path, in: node) }

  /// The places of the row at a path of a node that the widget shows, or has shown.
  func places(at path: IndexPath, in node: any TreeNode<Element>) -> [NodePlace] {
    guard let position = path.last, let parent = node.child(at: path.dropLast()), position < parent.count else {
      return []
    }
    return NodePlace(parent, at: position).behind
  }

  /// The innermost behavior of a kind at a path of the node, and its place.
  func behavior<Kind>(for path: IndexPath, _ kind: (any Behavior) -> Kind?) -> (Kind, NodePlace)? {
    behavior(at: places(ofNode: path), kind)
  }

  private func behavior<Kind>(at places: [NodePlace], _ kind: (any Behavior) -> Kind?) -> (Kind, NodePlace)? {
    for place in places.reversed() {
      for behavior in given.behaviors(of: place.node) { if let found = kind(behavior) { return (found, place) } }
    }
    return nil
  }

  private func behavior<Kind>(at path: IndexPath, _ kind: (any Behavior) -> Kind?) -> (Kind, NodePlace)? {
    behavior(at: places(at: path), kind)
  }

  // MARK: Editing

  /// Whether the user may give a row another value: a behavior allows the edit, and the node can be written there.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: whether `edit(at:to:)` has an effect.
  public func canEdit(at path: IndexPath) -> Bool { editing(at: path) != nil }

  private func editing(at path: IndexPath) -> (any EditingBehavior, NodePlace)? {
    guard let own = feed.nodePath(of: path), node.allows(.replace, at: own),
      let (behavior, place) = behavior(at: path, { $0 as? any EditingBehavior }), behavior.allowsEditing(at: place)
    else { return nil }
    return (behavior, place)
  }

  /// Gives a row another value for the user.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - element: the new value.
  /// - Returns: whether the change was allowed and was done.
  @discardableResult
  public func edit(at path: IndexPath, to element: Element) -> Bool {
    guard let (behavior, place) = editing(at: path), let own = feed.nodePath(of: path) else { return false }
    node.replace(at: own, with: element)
    behavior.didEdit(at: place)
    return true
  }

  /// Changes the value of a row for the user.
  ///
  /// ```swift
  /// coordinator.edit(at: [0, 2]) { $0.name = "Ada" }
  /// ```
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - change: changes a copy of the value. The copy then replaces the value.
  /// - Returns: whether the change was allowed and was done.
  @discardableResult
  public func edit(at path: IndexPath, _ change: (inout Element) -> Void) -> Bool {
    guard canEdit(at: path), var element = element(at: path) else { return false }
    change(&element)
    return edit(at: path, to: element)
  }

  // MARK: Deleting

  /// Whether the user may delete a row: a behavior allows the deletion, and the node can be written there.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: whether `delete(at:)` has an effect.
  public func canDelete(at path: IndexPath) -> Bool {
    feed.nodePath(of: path).flatMap { deletion(ofNode: $0) } != nil
  }

  private func deletion(ofNode path: IndexPath) -> (any DeletionBehavior, NodePlace)? {
    guard node.allows(.remove, at: path),
      let (behavior, place) = behavior(for: path, { $0 as? any DeletionBehavior }), behavior.allowsDeletion(at: place)
    else { return nil }
    return (behavior, place)
  }

  /// Deletes a row for the user, with all its descendants.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: whether the change was allowed and was done.
  @discardableResult
  public func delete(at path: IndexPath) -> Bool { delete([path]) == 1 }

  /// Deletes rows for the user, in one transaction; rows that cannot be deleted stay.
  ///
  /// - Parameter paths: paths of the widget.
  /// - Returns: the number of deleted rows. A row that leaves with its parent is not counted.
  @discardableResult
  public func delete(_ paths: [IndexPath]) -> Int {
    let own = paths.compactMap { feed.nodePath(of: $0) }
    if own.count == 1 { return delete(ofNode: own[0]) ? 1 : 0 }
    return AnchorSet(of: node).edit(own.filter { node.allows(.remove, at: $0) }) { _, path in delete(ofNode: path) }
  }

  private func delete(ofNode path: IndexPath) -> Bool {
    guard let (behavior, place) = deletion(ofNode: path) else { return false }
    behavior.delete(at: place)
    return true
  }

  /// Deletes the selected rows for the user, in one transaction; rows that cannot be deleted stay.
  ///
  /// - Returns: the number of deleted rows.
  @discardableResult
  public func deleteSelection() -> Int { delete(selectedPaths) }

  // MARK: Moving

  /// Whether the user may move a row away from its place, so that a drag can begin. There may be no place at which the
  /// row can arrive.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: whether a behavior allows the row to move.
  public func canMove(at path: IndexPath) -> Bool {
    behavior(at: path) { $0 as? any MovingBehavior }.map { $0.allowsMoving(from: $1) } ?? false
  }

  /// Whether the user may move a row to a place: behaviors of both places allow the move, and the nodes can be written
  /// there.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - parent: the path of the new parent, a section or an element; [0] in a list without sections.
  ///   - position: 0...the parent's count: the row arrives before the parent's row at this position. Both are counted
  ///     before the move.
  /// - Returns: whether `move(_:into:at:)` has an effect.
  public func canMove(_ path: IndexPath, into parent: IndexPath, at position: Int) -> Bool {
    guard let path = feed.nodePath(of: path), let (parent, position) = destination(parent, position) else {
      return false
    }
    return allowsMovement(ofNode: path, parent, position)
  }

  /// Moves a row for the user.
  ///
  /// Within one parent, a row that moves down arrives directly behind the row that is then above it. A row that moves
  /// up arrives directly before the row that is then below it. Both hold in the node that owns that neighbor. So in a
  /// join, a row moves to another member when it passes a row of that member.
  ///
  /// Some views choose the places of their rows. In a sorted view, the move is refused. In a group, a row that is moved
  /// to another section moves in the source only, and stays in its section. Let a `MovingBehavior` refuse such a move.
  ///
  /// - Parameters:
  ///   - path: a path of the widget.
  ///   - parent: the path of the new parent, a section or an element; [0] in a list without sections.
  ///   - position: 0...the parent's count: the row arrives before the parent's row at this position. Both are counted
  ///     before the move.
  /// - Returns: whether the change was allowed and was done.
  @discardableResult
  public func move(_ path: IndexPath, into parent: IndexPath, at position: Int) -> Bool {
    move([path], into: parent, at: position) == 1
  }

  /// Moves rows for the user, one behind the other, in one transaction; rows that cannot be moved there stay.
  ///
  /// - Parameters:
  ///   - paths: paths of the widget.
  ///   - parent: the path of the new parent, a section or an element; [0] in a list without sections.
  ///   - position: 0...the parent's count: the rows arrive before the parent's row at this position. All paths and
  ///     positions are counted before the move.
  /// - Returns: the number of moved rows. A row that moves with its parent is not counted.
  @discardableResult
  public func move(_ paths: [IndexPath], into parent: IndexPath, at position: Int) -> Int {
    guard let (parent, position) = destination(parent, position) else { return 0 }
    let all = Set(paths)
    let rows = paths.filter { path in !path.indices.contains { all.contains(path[..<$0]) } }
      .compactMap { feed.nodePath(of: $0) }
    if rows.count == 1 { return moveInNode(rows[0], parent, position) ? 1 : 0 }
    let moving = uppermost(
      rows.filter { !$0.isEmpty && (node.element(at: $0) != nil || node.child(at: $0) != nil) })
    return AnchorSet(of: node).move(moving, into: parent, at: position) { moveInNode($0, $1, $2) }
  }

  /// The rows that do not move with another one of these rows: siblings can be the rows of one tree.
  private func uppermost(_ paths: [IndexPath]) -> [IndexPath] {
    var positions: [IndexPath: IndexSet] = [:]
    for path in paths { positions[path.dropLast(), default: []].insert(path.last!) }
    for (parent, siblings) in positions { positions[parent] = IndexSet(node.child(at: parent)!.uppermost(siblings)) }
    return paths.filter { positions[$0.dropLast()]!.contains($0.last!) }
  }

  private func moveInNode(_ path: IndexPath, _ parent: IndexPath, _ position: Int) -> Bool {
    guard allowsMovement(ofNode: path, parent, position) else { return false }
    node.move(path, into: parent, at: position)
    return true
  }

  /// Whether a move in the node is allowed.
  private func allowsMovement(ofNode path: IndexPath, _ parent: IndexPath, _ position: Int) -> Bool {
    allowsMovement(of: path, leaving: places(ofNode: path), into: parent, at: position, in: node)
  }

  /// Whether a move is allowed in the node that the widget shows, or in the tree whose rows that node has.
  ///
  /// - Parameters:
  ///   - path: the path of the moving row in that node.
  ///   - departure: the places behind that row. Their behaviors are asked.
  ///   - parent: the path of the new parent.
  ///   - position: 0...the parent's count.
  ///   - tree: that node.
  /// - Returns: whether the behaviors and the nodes allow the move.
  func allowsMovement(
    of path: IndexPath, leaving departure: [NodePlace], into parent: IndexPath, at position: Int,
    in tree: any TreeNode<Element>
  ) -> Bool {
    guard let origin = path.last, !parent.starts(with: path), let source = tree.child(at: path.dropLast()),
      let destination = tree.child(at: parent)
    else { return false }
    var arrival = NodePlace(destination, at: position).behindInsertion
    if source === destination, position < origin, let owner = departure.last {
      // Within its owner, a row that moves up arrives before the row that is then below it.
      let below = NodePlace(destination, at: position).behind
      if below.last?.node === owner.node { arrival = below }
    }
    guard let (sender, from) = behavior(at: departure, { $0 as? any MovingBehavior }), sender.allowsMoving(from: from),
      let (receiver, to) = behavior(at: arrival, { $0 as? any MovingBehavior }),
      receiver.allowsMoving(from: from, to: to)
    else { return false }
    if source === destination { return source.writer?.allowsMove(of: origin, before: position) ?? false }
    guard let owner = departure.last, let goal = arrival.last, tree.allows(.remove, at: path) else { return false }
    let child = owner.child
    // A child never arrives in a node that has this child as a source.
    if let child, child.isSource(of: goal.node, withoutLinkTo: owner.node) { return false }
    guard let writer = destination.writer, let moved = source.ownChild(at: origin) else { return false }
    return writer.allows(child == nil ? .insert : .insertNode, at: position) && writer.accepts(moved, at: position)
  }

  /// The place in the node before the row that the widget shows at a position of a parent. If that row has no place
  /// under the same parent, the place behind the row before it.
  private func destination(_ parent: IndexPath, _ position: Int) -> (parent: IndexPath, position: Int)? {
    guard position >= 0, position <= feed.count(at: parent), let own = feed.nodePath(of: parent),
      let node = node.child(at: own)
    else { return nil }
    func place(of position: Int) -> Int? {
      feed.nodePath(of: parent.appending(position)).flatMap { $0.dropLast() == own ? $0.last : nil }
    }
    if position < feed.count(at: parent), let place = place(of: position) { return (own, place) }
    if position > 0, let place = place(of: position - 1) { return (own, place + 1) }
    return (own, node.count)
  }

  // MARK: Other behaviors

  /// The actions that the user may perform with a row, for example in a context menu.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: the actions of the innermost `ContextBehavior`; none without such a behavior.
  public func actions(at path: IndexPath) -> [ContextAction] {
    behavior(at: path) { $0 as? any ContextBehavior }.map { $0.actions(at: $1) } ?? []
  }

  /// Activates a row for the user, for example by a double click.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: whether the row has an `ActivationBehavior`.
  @discardableResult
  public func activate(at path: IndexPath) -> Bool {
    guard let (behavior, place) = behavior(at: path, { $0 as? any ActivationBehavior }) else { return false }
    behavior.activate(at: place)
    return true
  }

  /// Whether the user may unfold or fold a row, because no behavior refuses. This method unfolds no row.
  ///
  /// - Parameters:
  ///   - isExpanded: whether the row is to be unfolded.
  ///   - path: a path of the widget.
  /// - Returns: whether `setExpanded(_:at:)` has an effect; false for a row that has left the node.
  public func canSetExpanded(_ isExpanded: Bool, at path: IndexPath) -> Bool {
    let places = places(at: path)
    if places.isEmpty { return false }
    return behavior(at: places) { $0 as? any ExpansionBehavior }
      .map { isExpanded ? $0.shouldExpand(at: $1) : $0.shouldCollapse(at: $1) } ?? true
  }

  /// Unfolds or folds a row for the user.
  ///
  /// If the row belongs to an `OutlineNode`, this node unfolds the row; otherwise the widget does so itself. A widget
  /// that asks before it unfolds a row calls `canSetExpanded(_:at:)`, and calls this method afterwards.
  ///
  /// - Parameters:
  ///   - isExpanded: whether the row is to be unfolded.
  ///   - path: a path of the widget.
  /// - Returns: whether no behavior refused; false for a row that has left the node.
  @discardableResult
  public func setExpanded(_ isExpanded: Bool, at path: IndexPath) -> Bool {
    if !canSetExpanded(isExpanded, at: path) { return false }
    let places = places(at: path)
    let asked = behavior(at: places) { $0 as? any ExpansionBehavior }
    for place in places {
      guard let outline = place.node as? any RowExpanding else { continue }
      outline.setExpanded(isExpanded, row: place.position)
      break
    }
    if let (behavior, place) = asked {
      if isExpanded { behavior.didExpand(at: place) } else { behavior.didCollapse(at: place) }
    }
    return true
  }
}

/// A node that has folded and unfolded rows.
private protocol RowExpanding { func setExpanded(_ isExpanded: Bool, row: Int) }

extension OutlineNode: RowExpanding {
  fileprivate func setExpanded(_ isExpanded: Bool, row: Int) {
    if isExpanded { expand(row: row) } else { collapse(row: row) }
  }
}
