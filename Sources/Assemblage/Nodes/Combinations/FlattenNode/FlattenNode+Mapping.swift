// The places of rows among the members, and writing through.
extension FlattenNode {
  /// The number of members, which are the children of the source.
  package var memberCount: Int { state.value.translation.childCount }

  /// The child of the source that a row belongs to, and the row's position in that child.
  ///
  /// ```swift
  /// let flat = FlattenNode(BranchNode([.node(ArrayNode(["a", "b"])), .leaf("c")]))
  /// flat.locate(1)      // (member: 0, position: 1)
  /// flat.locate(2)      // (member: 1, position: nil)
  /// ```
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: the child's position in the source, and the row's position in the child; nil where the child is a leaf
  ///   and thus the row itself.
  /// - Complexity: O(log m) for m members.
  public func locate(_ position: Int) -> (member: Int, position: Int?) {
    checkPosition(position, in: count, of: "FlattenNode")
    let (slot, offset) = state.value.translation.members.place(of: position)
    let ordinal = state.value.translation.ordinal(ofSlot: slot)
    return (ordinal, state.value.translation.isLeaf(ordinal) ? nil : offset)
  }

  /// The positions of the rows that belong to a child of the source.
  ///
  /// - Parameter ordinal: `0..<source.count`, in the source's index space.
  /// - Returns: a range of this node's index space; one position for a leaf.
  /// - Complexity: O(log m) for m members.
  public func range(ofMember ordinal: Int) -> Range<Int> {
    checkPosition(ordinal, in: memberCount, of: "FlattenNode's source")
    return state.value.translation.range(of: ordinal)
  }

  /// The position of a row.
  ///
  /// - Parameters:
  ///   - position: `0..<n`, where n is the member's count, in the member's index space; nil for a member that is a
  ///     leaf.
  ///   - ordinal: the member, a child of the source, `0..<source.count`, in the source's index space.
  /// - Returns: a position in this node's index space; nil where the child is a leaf and `position` is not nil, or
  ///   where `position` is nil and the child is no leaf.
  /// - Complexity: O(log m) for m members.
  public func position(of position: Int?, inMember ordinal: Int) -> Int? {
    let range = range(ofMember: ordinal)
    let isLeaf = state.value.translation.isLeaf(ordinal)
    guard let position else { return isLeaf ? range.lowerBound : nil }
    if isLeaf { return nil }
    checkPosition(position, in: range.count, of: "FlattenNode's member")
    return range.lowerBound + position
  }
}

@_spi(NodeAuthors)
extension FlattenNode: RoutingNode {}

extension FlattenNode: WritableNode {
  @_spi(NodeAuthors)
  public func owner(of position: Int) -> OwnedPlace<Element> {
    let (ordinal, offset) = locate(position)
    guard let offset else { return OwnedPlace(source, at: ordinal) }
    return OwnedPlace(source.child(at: ordinal)!, at: offset, member: ordinal)
  }

  /// The node that owns the place.
  ///
  /// A boundary belongs to the earlier member. Where the row before the place is a leaf, the owner is the source
  /// itself.
  @_spi(NodeAuthors)
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    if position > 0 {
      let before = owner(of: position - 1)
      return OwnedPlace(before.node, at: before.position + 1, member: before.member)
    }
    if memberCount > 0, let first = source.child(at: 0) { return OwnedPlace(first, at: 0, member: 0) }
    return OwnedPlace(source, at: 0)
  }

  public func turnIntoBranch(at position: Int) { trapTurning(position) }

  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    edit != .turnIntoBranch && ownersAllow(edit, at: position)
  }
}
