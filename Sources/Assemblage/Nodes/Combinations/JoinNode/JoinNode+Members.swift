public import OffsetIndexing

extension JoinNode {
  /// The number of members.
  ///
  /// - Complexity: O(1).
  @inlinable
  package var memberCount: Int { state.value.translation.offsets.count }

  /// The member at an ordinal.
  ///
  /// - Parameter ordinal: `0..<members.count`.
  /// - Returns: the member.
  /// - Complexity: O(log m) for m members.
  package func member(at ordinal: Int) -> any TreeNode<Element> {
    checkPosition(ordinal, in: memberCount, of: "JoinNode's members")
    return state.value.members[state.value.translation.slot(at: ordinal)]!
  }

  /// The members in order.
  ///
  /// - Complexity: O(m · log m) for m members.
  public var members: [any TreeNode<Element>] { (0..<memberCount).map { member(at: $0) } }

  // MARK: Mapping positions

  /// The member that a global position belongs to, and the position in that member.
  ///
  /// - Parameter position: `0..<count`, in the join's index space.
  /// - Returns: the member's ordinal, and a position in the member's own index space.
  /// - Complexity: O(log m) for m members.
  @inlinable
  public func locate(_ position: Int) -> (member: Int, position: Int) {
    checkPosition(position, in: count, of: "JoinNode")
    let (ordinal, offset) = state.value.translation.offsets.locate(position)
    return (ordinal, offset)
  }

  /// The global position of a member's child.
  ///
  /// - Parameters:
  ///   - position: `0..<n`, where n is the member's count, in the member's own index space.
  ///   - ordinal: the member, `0..<members.count`.
  /// - Returns: the position in the join's index space.
  /// - Complexity: O(log m) for m members.
  @inlinable
  public func position(of position: Int, inMember ordinal: Int) -> Int {
    let range = range(ofMember: ordinal)
    checkPosition(position, in: range.count, of: "JoinNode's member")
    return range.lowerBound + position
  }

  /// The positions of a member's children in the join.
  ///
  /// - Parameter ordinal: the member, `0..<members.count`.
  /// - Returns: a range of the join's index space, which is empty where the member is empty.
  /// - Complexity: O(log m) for m members.
  @inlinable
  public func range(ofMember ordinal: Int) -> Range<Int> {
    checkPosition(ordinal, in: memberCount, of: "JoinNode's members")
    return state.value.translation.offsets.range(of: ordinal)
  }

  // MARK: Changing the members

  /// Inserts a member.
  ///
  /// Observers receive one range of insertions, or nothing where the member is empty.
  ///
  /// - Parameters:
  ///   - member: the new member; the same node may already be a member.
  ///   - ordinal: `0...members.count`, the new member's place among the members.
  /// - Precondition: `member` does not derive from this join: that would be a cycle.
  /// - Complexity: O(log m) for m members, and the propagation.
  public func insertMember(_ member: any TreeNode<Element>, at ordinal: Int) {
    checkInsertion(ordinal, in: memberCount, of: "JoinNode's members")
    hub.prepareForChange()
    hub.refuseCycle(with: member)
    let (slot, delta) = state.value.translation.insertMember(count: member.count, at: ordinal)
    state.value.insert(member, at: slot)
    hub.link(member, slot: slot)
    hub.publish(ChangeSet(delta), inverse: { [self] in removeMember(at: ordinal) })
  }

  /// Adds a member at the end.
  ///
  /// - Parameter member: the new last member; the same node may already be a member.
  /// - Precondition: `member` does not derive from this join: that would be a cycle.
  /// - Complexity: O(log m) for m members, and the propagation.
  public func appendMember(_ member: any TreeNode<Element>) { insertMember(member, at: memberCount) }

  /// Removes a member.
  ///
  /// Observers receive one range of removals, or nothing where the member is empty.
  ///
  /// - Parameter ordinal: the member, `0..<members.count`.
  /// - Returns: the former member.
  /// - Complexity: O(log m) for m members, and the propagation.
  @discardableResult
  public func removeMember(at ordinal: Int) -> any TreeNode<Element> {
    checkPosition(ordinal, in: memberCount, of: "JoinNode's members")
    hub.prepareForChange()
    let (slot, delta) = state.value.translation.removeMember(at: ordinal)
    let member = state.value.remove(at: slot)
    hub.unlink(slot: slot)
    hub.publish(ChangeSet(delta), inverse: { [self] in insertMember(member, at: ordinal) })
    return member
  }

  /// Puts another node in the place of a member.
  ///
  /// Observers receive the removal of the former member's children and the insertion of the new member's children.
  ///
  /// - Parameters:
  ///   - ordinal: the member to replace, `0..<members.count`.
  ///   - member: the new member; the same node may already be a member.
  /// - Returns: the former member.
  /// - Precondition: `member` does not derive from this join: that would be a cycle.
  /// - Complexity: O(log m) for m members, and the propagation.
  @discardableResult
  public func replaceMember(at ordinal: Int, with member: any TreeNode<Element>) -> any TreeNode<Element> {
    checkPosition(ordinal, in: memberCount, of: "JoinNode's members")
    let slot = state.value.translation.slot(at: ordinal)
    let former = state.value.members[slot]!
    guard former !== member else { return former }
    hub.prepareForChange()
    hub.refuseCycle(with: member)
    let delta = state.value.translation.replaceMember(at: ordinal, count: member.count)
    state.value.insert(member, at: slot)
    hub.unlink(slot: slot)
    hub.link(member, slot: slot)
    hub.publish(ChangeSet(delta), inverse: { [self] in replaceMember(at: ordinal, with: former) })
    return former
  }

  /// Moves a member to another place among the members.
  ///
  /// Observers receive one move of the member's children, or nothing where no position changes.
  ///
  /// - Parameters:
  ///   - ordinal: the member, `0..<members.count`, before the move.
  ///   - destination: `0..<members.count`, after the move.
  /// - Complexity: O(log m) for m members, and the propagation.
  public func moveMember(from ordinal: Int, to destination: Int) {
    checkPosition(ordinal, in: memberCount, of: "JoinNode's members")
    checkPosition(destination, in: memberCount, of: "JoinNode's members")
    guard ordinal != destination else { return }
    hub.prepareForChange()
    let delta = state.value.translation.moveMember(from: ordinal, to: destination)
    hub.publish(ChangeSet(delta), inverse: { [self] in moveMember(from: destination, to: ordinal) })
  }
}

// MARK: - Writing through

@_spi(NodeAuthors)
extension JoinNode: RoutingNode {}

extension JoinNode: WritableNode {
  @_spi(NodeAuthors)
  public func owner(of position: Int) -> OwnedPlace<Element> {
    let (ordinal, offset) = locate(position)
    return OwnedPlace(member(at: ordinal), at: offset, member: ordinal)
  }

  /// The member that owns the place.
  ///
  /// A boundary belongs to the earlier member. This is the member that holds the element before the place.
  @_spi(NodeAuthors)
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    guard memberCount > 0 else { return nil }
    let (ordinal, offset) = state.value.translation.insertionPoint(at: position)
    return OwnedPlace(member(at: ordinal), at: offset, member: ordinal)
  }
}
