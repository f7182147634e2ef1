import Foundation

// Members by identity: where a node stands among the members of a join or a segment node, or the children of a branch.

/// A node that shows children of its members, which stand in an order of their own.
///
/// A member is known by its position among the members, its *ordinal*, or as the node that it is. The same node may be a
/// member several times.
///
/// ```swift
/// let family = ArrayNode(["Dad", "Mum"])
/// let friends = ArrayNode(["Best mate"])
/// let everyone = JoinNode([family, friends])
/// everyone.position(ofMember: friends)            // 1
/// everyone.insertMember(ArrayNode(["me"]), before: family)
/// everyone.elements                               // ["me", "Dad", "Mum", "Best mate"]
/// everyone.removeMember(family)
/// everyone.position(ofMember: friends)            // 1
/// ```
public protocol MemberNode<Element>: TreeNode {
  /// The number of members.
  var memberCount: Int { get }

  /// The member at an ordinal, 0..<`memberCount`.
  func member(at ordinal: Int) -> any TreeNode<Element>

  /// The ordinals of a node among the members, ascending; none where it is no member.
  func positions(ofMember node: any TreeNode<Element>) -> [Int]

  /// Inserts a member at an ordinal, 0...`memberCount`.
  func insertMember(_ member: any TreeNode<Element>, at ordinal: Int)

  /// Removes the member at an ordinal, 0..<`memberCount`, and returns it.
  @discardableResult
  func removeMember(at ordinal: Int) -> any TreeNode<Element>

  /// Puts another node in the place of the member at an ordinal, 0..<`memberCount`, and returns the former member.
  @discardableResult
  func replaceMember(at ordinal: Int, with member: any TreeNode<Element>) -> any TreeNode<Element>
}

extension MemberNode {
  /// The ordinal of a node among the members.
  ///
  /// - Parameter node: any node.
  /// - Returns: 0..<`memberCount`, the first where the node is a member several times; nil where it is none.
  /// - Complexity: O(k · log m) for m members and k nodes that derive from `node`.
  public func position(ofMember node: any TreeNode<Element>) -> Int? { positions(ofMember: node).first }

  /// Inserts a member before another one.
  ///
  /// - Parameters:
  ///   - member: the new member; it may be a member already.
  ///   - sibling: a member; where it is one several times, its first place counts.
  /// - Precondition: `sibling` is a member, and `member` does not derive from this node: that would be a cycle.
  /// - Complexity: O(k · log m) for m members and k nodes that derive from `sibling`, and the propagation.
  public func insertMember(_ member: any TreeNode<Element>, before sibling: any TreeNode<Element>) {
    insertMember(member, at: require(sibling, positions(ofMember: sibling).first))
  }

  /// Inserts a member after another one.
  ///
  /// - Parameters:
  ///   - member: the new member; it may be a member already.
  ///   - sibling: a member; where it is one several times, its last place counts.
  /// - Precondition: `sibling` is a member, and `member` does not derive from this node: that would be a cycle.
  /// - Complexity: O(k · log m) for m members and k nodes that derive from `sibling`, and the propagation.
  public func insertMember(_ member: any TreeNode<Element>, after sibling: any TreeNode<Element>) {
    insertMember(member, at: require(sibling, positions(ofMember: sibling).last) + 1)
  }

  /// Removes a member; where it is one several times, the first.
  ///
  /// - Parameter member: any node.
  /// - Returns: the ordinal that the member had; nil where the node is no member, and nothing happens.
  /// - Complexity: O(k · log m) for m members and k nodes that derive from `member`, and the propagation.
  @discardableResult
  public func removeMember(_ member: any TreeNode<Element>) -> Int? {
    guard let ordinal = position(ofMember: member) else { return nil }
    removeMember(at: ordinal)
    return ordinal
  }

  /// Puts another node in the place of a member; where that is one several times, of the first.
  ///
  /// - Parameters:
  ///   - member: the member to replace.
  ///   - other: the new member; it may be a member already.
  /// - Precondition: `member` is a member, and `other` does not derive from this node: that would be a cycle.
  /// - Complexity: O(k · log m) for m members and k nodes that derive from `member`, and the propagation.
  public func replaceMember(_ member: any TreeNode<Element>, with other: any TreeNode<Element>) {
    replaceMember(at: require(member, position(ofMember: member)), with: other)
  }

  private func require(_ member: any TreeNode<Element>, _ ordinal: Int?) -> Int {
    guard let ordinal else {
      trap("\(hub.description): the \(type(of: member)) that was named is none of its \(memberCount) members.")
    }
    return ordinal
  }
}

extension JoinNode: MemberNode {
  /// The ordinals of a node among the members.
  ///
  /// - Parameter node: any node.
  /// - Returns: ordinals 0..<`memberCount`, ascending; none where the node is no member.
  /// - Complexity: O(k · log m) for m members and k nodes that derive from `node`.
  public func positions(ofMember node: any TreeNode<Element>) -> [Int] {
    hub.slots(of: node).map { state.value.translation.ordinal(ofSlot: $0) }.sorted()
  }

  /// The positions that a member takes up in the join; where it is one several times, in its first place.
  ///
  /// ```swift
  /// JoinNode([family, friends]).range(ofMember: friends)    // 2..<3
  /// ```
  ///
  /// - Parameter node: any node.
  /// - Returns: a range of the join's index space, empty where the member is; nil where the node is no member.
  /// - Complexity: O(k · log m) for m members and k nodes that derive from `node`.
  public func range(ofMember node: any TreeNode<Element>) -> Range<Int>? {
    position(ofMember: node).map { range(ofMember: $0) }
  }
}

extension SegmentNode: MemberNode {
  /// The ordinals of a node among the members.
  ///
  /// - Parameter node: any node.
  /// - Returns: ordinals 0..<`memberCount`, ascending; none where the node is no member.
  /// - Complexity: O(k · log m) for m members and k nodes that derive from `node`.
  public func positions(ofMember node: any TreeNode<Element>) -> [Int] {
    hub.slots(of: node).map { state.value.translation.ordinal(ofSlot: $0) }.sorted()
  }

  /// Shows a member; where it is one several times, the first.
  ///
  /// ```swift
  /// library.select(albums)      // library.selection == 1
  /// ```
  ///
  /// - Parameter member: a member.
  /// - Returns: its ordinal; nil where the node is no member, and nothing happens.
  /// - Complexity: O(k · log m) for m members and k nodes that derive from `member`, and the propagation.
  @discardableResult
  public func select(_ member: any TreeNode<Element>) -> Int? {
    guard let ordinal = position(ofMember: member) else { return nil }
    selection = ordinal
    return ordinal
  }
}

extension BranchNode {
  /// The positions of a node among the children.
  ///
  /// - Parameter node: any node.
  /// - Returns: positions 0..<`count`, ascending; none where the node is no child.
  /// - Complexity: O(k · log n) for n children and k nodes that derive from `node`.
  public func positions(ofMember node: any TreeNode<Element>) -> [Int] {
    hub.slots(of: node).map { state.value.translation.position(ofSlot: $0) }.sorted()
  }

  /// The position of a node among the children.
  ///
  /// ```swift
  /// let sections = BranchNode([family, friends])
  /// sections.position(ofMember: friends)    // 1
  /// sections.insert(.leaf("me"), before: friends)
  /// sections.position(ofMember: friends)    // 2
  /// ```
  ///
  /// - Parameter node: any node.
  /// - Returns: 0..<`count`, the first where the node stands in several places; nil where it is no child.
  /// - Complexity: O(k · log n) for n children and k nodes that derive from `node`.
  public func position(ofMember node: any TreeNode<Element>) -> Int? { positions(ofMember: node).first }

  /// Inserts a child before a node.
  ///
  /// - Parameters:
  ///   - child: a leaf or a node.
  ///   - sibling: a child; where it stands in several places, the first counts.
  /// - Precondition: `sibling` is a child, and a new node does not derive from this branch: that would be a cycle.
  /// - Complexity: O(k · log n) for n children and k nodes that derive from `sibling`, and the propagation.
  public func insert(_ child: TreeChild<Element>, before sibling: any TreeNode<Element>) {
    insert(child, at: require(sibling, positions(ofMember: sibling).first))
  }

  /// Inserts a child after a node.
  ///
  /// - Parameters:
  ///   - child: a leaf or a node.
  ///   - sibling: a child; where it stands in several places, the last counts.
  /// - Precondition: `sibling` is a child, and a new node does not derive from this branch: that would be a cycle.
  /// - Complexity: O(k · log n) for n children and k nodes that derive from `sibling`, and the propagation.
  public func insert(_ child: TreeChild<Element>, after sibling: any TreeNode<Element>) {
    insert(child, at: require(sibling, positions(ofMember: sibling).last) + 1)
  }

  /// Inserts a node before another one; see `insert(_:before:)` for children of both kinds.
  public func insert(_ node: any TreeNode<Element>, before sibling: any TreeNode<Element>) {
    insert(.node(node), before: sibling)
  }

  /// Inserts a node after another one; see `insert(_:after:)` for children of both kinds.
  public func insert(_ node: any TreeNode<Element>, after sibling: any TreeNode<Element>) {
    insert(.node(node), after: sibling)
  }

  /// Removes a node from the children, with everything below it; where it stands in several places, from the first.
  ///
  /// - Parameter node: any node.
  /// - Returns: the position that the node had; nil where it is no child, and nothing happens.
  /// - Complexity: O(k · log n) for n children and k nodes that derive from `node`, and the propagation.
  @discardableResult
  public func remove(_ node: any TreeNode<Element>) -> Int? {
    guard let position = position(ofMember: node) else { return nil }
    remove(at: position)
    return position
  }

  /// Puts another child in the place of a node; where that stands in several places, in the first.
  ///
  /// Observers hear of one removal and one insertion.
  ///
  /// - Parameters:
  ///   - node: a child.
  ///   - child: a leaf or a node.
  /// - Precondition: `node` is a child, and a new node does not derive from this branch: that would be a cycle.
  /// - Complexity: O(k · log n) for n children and k nodes that derive from `node`, and the propagation.
  public func replace(_ node: any TreeNode<Element>, with child: TreeChild<Element>) {
    replace(at: require(node, position(ofMember: node)), with: child)
  }

  private func require(_ node: any TreeNode<Element>, _ position: Int?) -> Int {
    guard let position else {
      trap("BranchNode: the \(type(of: node)) that was named is none of its \(count) children.")
    }
    return position
  }
}

extension FlattenNode {
  /// The positions of the rows that come from a member; where it is one several times, in its first place.
  ///
  /// ```swift
  /// let letters = GroupNode(ArrayNode(["bee", "ant", "bat"])) { $0.first }
  /// FlattenNode(letters).range(ofMember: letters.section(at: 1))    // 2..<3
  /// ```
  ///
  /// - Parameter node: a child of the source.
  /// - Returns: a range of this node's index space, empty where the member is; nil where the node is no child of the source.
  /// - Complexity: that of the source's `path(of:)`, and O(log m) for m members.
  public func range(ofMember node: any TreeNode<Element>) -> Range<Int>? {
    source.paths(of: node).lazy.filter { $0.count == 1 }.first.map { range(ofMember: $0[0]) }
  }
}

extension GroupNode {
  /// The positions that a section's rows have where the sections stand one after the other, as in a `FlattenNode` of the group.
  ///
  /// ```swift
  /// GroupNode(ArrayNode(["bee", "ant", "bat"])) { $0.first }.flatRange(ofSection: 1)    // 2..<3
  /// ```
  ///
  /// A `FlattenNode` that stands on the group anyway tells the same in O(log m): `range(ofMember:)`.
  ///
  /// - Parameter ordinal: the section, 0..<`count`.
  /// - Returns: a range of 0..<the source's count; empty where the section has no rows.
  /// - Complexity: O(m · log m) for the m sections before it.
  public func flatRange(ofSection ordinal: Int) -> Range<Int> {
    checkPosition(ordinal, in: count, of: "GroupNode")
    let start = (0..<ordinal).reduce(0) { $0 + rowCount(ofSection: $1) }
    return start..<start + rowCount(ofSection: ordinal)
  }
}

extension NodeHub {
  /// The slots under which this node has linked a source, in no particular order.
  fileprivate func slots(of source: any TreeNode) -> [Int] {
    source.hub.state.value.dependents.lazy.filter { unsafe $0.hub === self }.map(\.slot)
  }
}
