public import Assemblage

// Behaviors that consist of one closure.
extension WidgetCoordinator {
  /// Calls a closure after the user has selected a row of a node.
  ///
  /// ```swift
  /// let (family, friends) = (ArrayNode(["Mum", "Dad"]), ArrayNode(["Ada"]))
  /// let coordinator = SectionedListCoordinator(BranchNode([family, friends]), widget: table)
  /// coordinator.onSelect(in: family) { position in print(family[position]) }
  /// ```
  ///
  /// The closure becomes a `SelectionBehavior` of the node, in this coordinator: see `addBehavior(_:to:)`. So the
  /// coordinator no longer asks a `SelectionBehavior` that was added to the node before. `removeBehaviors(from:)`
  /// removes the closure.
  ///
  /// - Parameters:
  ///   - node: any node behind the rows, which is kept alive.
  ///   - mode: how many rows of the node may be selected.
  ///   - action: receives the position of the row in the node. It may change the node.
  public func onSelect(
    in node: any TreeNode, _ mode: SelectionMode = .multiple, _ action: @escaping (_ position: Int) -> Void
  ) {
    addBehavior(SelectionAction(selectionMode: mode, action: action), to: node)
  }

  /// Calls a closure after the user has activated a row of a node, for example by a double click.
  ///
  /// The closure becomes an `ActivationBehavior` of the node, in this coordinator: see `addBehavior(_:to:)`.
  ///
  /// - Parameters:
  ///   - node: any node behind the rows, which is kept alive.
  ///   - action: receives the position of the row in the node. It may change the node.
  public func onActivate(in node: any TreeNode, _ action: @escaping (_ position: Int) -> Void) {
    addBehavior(ActivationAction(action: action), to: node)
  }

  /// Calls a closure when rows of a node are about to be visible.
  ///
  /// ```swift
  /// coordinator.onPrefetch(in: photos) { positions in cache.load(photos[positions]) }
  /// ```
  ///
  /// The closure becomes a `PrefetchingBehavior` of the node, in this coordinator: see `addBehavior(_:to:)`.
  ///
  /// - Parameters:
  ///   - node: any node behind the rows, which is kept alive.
  ///   - action: receives positions in the node: each run of neighbouring rows that are visible or about to be visible.
  public func onPrefetch(in node: any TreeNode, _ action: @escaping (_ positions: Range<Int>) -> Void) {
    addBehavior(PrefetchAction(action: action), to: node)
  }
}

private struct SelectionAction: SelectionBehavior {
  let selectionMode: SelectionMode
  let action: (Int) -> Void
  func didSelect(at place: NodePlace) { action(place.position) }
}

private struct ActivationAction: ActivationBehavior {
  let action: (Int) -> Void
  func activate(at place: NodePlace) { action(place.position) }
}

private struct PrefetchAction: PrefetchingBehavior {
  let action: (Range<Int>) -> Void
  func prefetch(_ runs: [Range<Int>], visible: Range<Int>?, in node: any TreeNode) { runs.forEach(action) }
}
