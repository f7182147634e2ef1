// The places of sections in the tree, and writing through.
extension SectionsNode {
  /// The path of a section in the tree.
  ///
  /// - Parameter position: the section, `0..<count`.
  /// - Returns: a path from the root.
  /// - Complexity: O(d) for a section at depth d.
  public func path(ofSection position: Int) -> IndexPath {
    checkPosition(position, in: count, of: "SectionsNode")
    return IndexPath(indexes: state.value.places.path(of: position))
  }

  /// The section at a path of the tree.
  ///
  /// - Parameter path: any path from the root.
  /// - Returns: the section's position in this list; nil if there is no section at the path.
  /// - Complexity: expected O(d) for a path of length d.
  public func section(atPath path: IndexPath) -> Int? {
    state.value.places.item(at: path).flatMap { $0.depth == path.count ? $0.item : nil }
  }
}

extension SectionsNode: SourcePlacing {
  func path(ofSource slot: Int, _ path: SharedPath) -> SharedPath? {
    (state.value.places.place(path.components)?.components).map { path.replaced(by: $0) }
  }
}

@_spi(NodeAuthors)
extension SectionsNode: RoutingNode {}

extension SectionsNode: WritableNode {
  @_spi(NodeAuthors)
  public func owner(of position: Int) -> OwnedPlace<Element> {
    checkPosition(position, in: count, of: "SectionsNode")
    let item = state.value.places.items[position]
    return OwnedPlace(state.value.parents[item.parent].node, at: item.position, member: item.parent)
  }

  /// The place behind the section before, in its parent; the place before the first section, or the root if there is
  /// no section.
  @_spi(NodeAuthors)
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    if position == 0 { return isEmpty ? OwnedPlace(root, at: 0, member: 0) : owner(of: 0) }
    let before = owner(of: position - 1)
    return OwnedPlace(before.node, at: before.position + 1, member: before.member)
  }
}
