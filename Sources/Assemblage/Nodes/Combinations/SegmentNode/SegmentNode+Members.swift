// The members, and which of them is shown.
extension SegmentNode {
  /// The number of members.
  package var memberCount: Int { state.value.translation.order.count }

  /// The member at an ordinal.
  ///
  /// - Parameter ordinal: `0..<members.count`.
  /// - Returns: the member.
  /// - Complexity: O(log m) for m members.
  package func member(at ordinal: Int) -> any TreeNode<Element> {
    checkPosition(ordinal, in: memberCount, of: "SegmentNode's members")
    return state.value.members[state.value.translation.slot(at: ordinal)]!
  }

  /// The members in order.
  ///
  /// - Complexity: O(m · log m) for m members.
  public var members: [any TreeNode<Element>] { (0..<memberCount).map { member(at: $0) } }

  /// The ordinal of the member that is shown, or nil where none is.
  ///
  /// When the selection is set, observers receive the removal of all children and the insertion of all new ones. Where
  /// both members are the same node, they receive nothing.
  ///
  /// - Precondition: the new selection is within `0..<members.count`, or nil.
  /// - Complexity: O(log m) for m members, and the propagation where it is set.
  public var selection: Int? {
    get { state.value.translation.selection }
    set {
      if let newValue { checkPosition(newValue, in: memberCount, of: "SegmentNode's members") }
      hub.prepareForChange()
      let former = (node: state.value.shown, selection: selection)
      hub.publish(
        ChangeSet(state.value.show(newValue.map { state.value.translation.slot(at: $0) })), of: .view,
        inverse: { [self] in selection = former.selection })
      withExtendedLifetime(former.node) {}
    }
  }

  // MARK: Changing the members

  /// Inserts a member, which is shown only if there was no member and the policy shows the first one.
  ///
  /// Observers receive the insertion of all children where the member is shown, and otherwise nothing.
  ///
  /// - Parameters:
  ///   - member: the new member; the same node may already be a member.
  ///   - ordinal: `0...members.count`, its place among the members.
  /// - Precondition: `member` does not derive from this node: that would be a cycle.
  /// - Complexity: O(log m) for m members.
  public func insertMember(_ member: any TreeNode<Element>, at ordinal: Int) {
    checkInsertion(ordinal, in: memberCount, of: "SegmentNode's members")
    insert(member, at: ordinal, memberCount == 0 && policy.first == .shown ? .shown(insteadOf: nil) : .hidden)
  }

  /// Whether an inserted member is shown.
  private enum Visibility {
    case hidden
    /// The member is shown only if the given node is still shown; this node replaced the member when it was removed.
    case shown(insteadOf: (any TreeNode<Element>)?)
  }

  private func insert(_ member: any TreeNode<Element>, at ordinal: Int, _ visibility: Visibility) {
    hub.prepareForChange()
    hub.refuseCycle(with: member)
    let slot = state.value.translation.insertMember(at: ordinal)
    state.value.members.insert(member, at: slot)
    hub.link(member, slot: slot)
    // When an undo log inserts the member again, the user may already have chosen another one.
    var delta = Delta()
    let former = state.value.shown
    if case .shown(let replacement) = visibility, former === replacement { delta = state.value.show(slot) }
    hub.publish(ChangeSet(delta), inverse: { [self] in removeMember(at: ordinal) })
    withExtendedLifetime(former) {}
  }

  /// Adds a member at the end, which is shown only if there was no member and the policy shows the first one.
  ///
  /// - Parameter member: the new last member; the same node may already be a member.
  /// - Precondition: `member` does not derive from this node: that would be a cycle.
  /// - Complexity: O(log m) for m members.
  public func appendMember(_ member: any TreeNode<Element>) { insertMember(member, at: memberCount) }

  /// Removes a member.
  ///
  /// When the shown member is removed, the policy says which member is shown next, by default none. Observers then
  /// receive the removal of all children and the insertion of the next member's children. Otherwise they receive
  /// nothing.
  ///
  /// - Parameter ordinal: the member, `0..<members.count`.
  /// - Returns: the former member.
  /// - Complexity: O(log m) for m members, and the propagation.
  @discardableResult
  public func removeMember(at ordinal: Int) -> any TreeNode<Element> {
    let member = member(at: ordinal)
    hub.prepareForChange()
    var visibility = Visibility.hidden
    var delta = Delta()
    if ordinal == selection {
      let neighbor = policy.neighbor(of: ordinal, among: memberCount)
      delta = state.value.show(neighbor.map { state.value.translation.slot(at: $0) })
      visibility = .shown(insteadOf: state.value.shown)
    }
    let slot = state.value.translation.removeMember(at: ordinal)
    state.value.members.remove(at: slot)
    hub.unlink(slot: slot)
    hub.publish(ChangeSet(delta), inverse: { [self] in insert(member, at: ordinal, visibility) })
    return member
  }

  /// Puts another node in the place of a member.
  ///
  /// When the shown member is replaced, the new member is shown, and observers are notified as of another selection.
  ///
  /// - Parameters:
  ///   - ordinal: the member to replace, `0..<members.count`.
  ///   - member: the new member; the same node may already be a member.
  /// - Returns: the former member.
  /// - Precondition: `member` does not derive from this node: that would be a cycle.
  /// - Complexity: O(log m) for m members, and the propagation.
  @discardableResult
  public func replaceMember(at ordinal: Int, with member: any TreeNode<Element>) -> any TreeNode<Element> {
    let former = self.member(at: ordinal)
    guard former !== member else { return former }
    hub.prepareForChange()
    hub.refuseCycle(with: member)
    let slot = state.value.translation.slot(at: ordinal)
    state.value.members.insert(member, at: slot)
    hub.unlink(slot: slot)
    hub.link(member, slot: slot)
    let delta = ordinal == selection ? state.value.show(slot) : Delta()
    hub.publish(ChangeSet(delta), inverse: { [self] in replaceMember(at: ordinal, with: former) })
    return former
  }

  /// Moves a member to another place among the members.
  ///
  /// Observers receive nothing: the same member is shown.
  ///
  /// - Parameters:
  ///   - ordinal: the member, `0..<members.count`, before the move.
  ///   - destination: `0..<members.count`, after the move.
  /// - Complexity: O(log m) for m members.
  public func moveMember(from ordinal: Int, to destination: Int) {
    checkPosition(ordinal, in: memberCount, of: "SegmentNode's members")
    checkPosition(destination, in: memberCount, of: "SegmentNode's members")
    guard ordinal != destination else { return }
    hub.prepareForChange()
    state.value.translation.moveMember(from: ordinal, to: destination)
    hub.publish(ChangeSet(), inverse: { [self] in moveMember(from: destination, to: ordinal) })
  }
}

// MARK: - Writing through

@_spi(NodeAuthors)
extension SegmentNode: RoutingNode {}

extension SegmentNode: WritableNode {
  @_spi(NodeAuthors)
  public func owner(of position: Int) -> OwnedPlace<Element> {
    guard let shown = state.value.shown else { trap("SegmentNode: no member is shown that could be written.") }
    return OwnedPlace(shown, at: position)
  }

  @_spi(NodeAuthors)
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    state.value.shown.map { OwnedPlace($0, at: position) }
  }
}
