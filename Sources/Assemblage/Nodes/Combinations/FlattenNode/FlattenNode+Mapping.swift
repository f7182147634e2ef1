// Where rows stand among the members, and writing through.
extension FlattenNode {
  /// The number of members: children of the source.
  public var memberCount: Int { state.value.translation.childCount }

  /// Which child of the source a row comes from.
  ///
  /// ```swift
  /// let flat = FlattenNode(BranchNode([.node(ArrayNode(["a", "b"])), .leaf("c")]))
  /// flat.locate(1)      // (member: 0, position: 1)
  /// flat.locate(2)      // (member: 1, position: nil)
  /// ```
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: the child's position in the source, and the row's position in it; nil where the row is the child itself, a leaf.
  /// - Complexity: O(log m) for m members.
  public func locate(_ position: Int) -> (member: Int, position: Int?) {
    checkPosition(position, in: count, of: "FlattenNode")
    let (slot, offset) = state.value.translation.members.place(of: position)
    let ordinal = state.value.translation.ordinal(ofSlot: slot)
    return (ordinal, state.value.translation.isLeaf(ordinal) ? nil : offset)
  }

  /// The positions of the rows that come from a child of the source.
  ///
  /// - Parameter ordinal: `0..<memberCount`, in the source's index space.
  /// - Returns: a range of this node's index space; one position for a leaf.
  /// - Complexity: O(log m) for m members.
  public func range(ofMember ordinal: Int) -> Range<Int> {
    checkPosition(ordinal, in: memberCount, of: "FlattenNode's source")
    return state.value.translation.range(of: ordinal)
  }

  /// The same, for a position that there may be none of.
  ///
  /// - Parameter position: any number, in this node's index space.
  /// - Returns: what `locate(_:)` returns; nil outside of `0..<count`.
  /// - Complexity: O(log m) for m members.
  public func locateIfPresent(_ position: Int) -> (member: Int, position: Int?)? {
    position >= 0 && position < count ? locate(position) : nil
  }

  /// The position of a row.
  ///
  /// - Parameters:
  ///   - position: 0..<the member's count, in its index space; nil for a member that is a leaf.
  ///   - ordinal: the member, a child of the source, `0..<memberCount`, in the source's index space.
  /// - Returns: a position in this node's index space; nil where the child is a leaf and `position` is not nil, or the other way
  ///   round.
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

  /// The member that owns the place: a boundary belongs to the earlier one, and behind a leaf that is the source itself.
  @_spi(NodeAuthors)
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    if position > 0 {
      let before = owner(of: position - 1)
      return OwnedPlace(before.node, at: before.position + 1, member: before.member)
    }
    if memberCount > 0, let first = source.child(at: 0) { return OwnedPlace(first, at: 0, member: 0) }
    return OwnedPlace(source, at: 0)
  }
}
