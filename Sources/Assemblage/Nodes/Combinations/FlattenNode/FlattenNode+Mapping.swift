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

extension FlattenNode: WritableNode {
  /// Inserts an element in the member that owns the place: a boundary belongs to the earlier one, and behind a leaf that is the
  /// source itself.
  public func insert(_ element: Element, at position: Int) {
    let (writer, place) = insertionPoint(at: position)
    writer.insert(element, at: place)
  }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    let (writer, place) = insertionPoint(at: position)
    writer.insert(node, at: place)
  }

  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    let (writer, place) = place(of: position)
    return writer.removeChild(at: place)
  }

  public func replace(at position: Int, with element: Element) {
    let (writer, place) = place(of: position)
    writer.replace(at: place, with: element)
  }

  /// Moves a row; it stays in its member where the destination is possible there, and goes to the member that owns the place
  /// otherwise, as one transaction.
  ///
  /// A leaf stays a child of the source where another leaf stands at the destination.
  public func move(from position: Int, to destination: Int) {
    checkPosition(destination, in: count, of: "FlattenNode")
    let (writer, place) = place(of: position)
    let (from, to) = (locate(position), locate(destination))
    if (from.position == nil) == (to.position == nil), from.position == nil || from.member == to.member {
      return writer.move(from: place, to: to.position ?? to.member)
    }
    relocate(place, of: writer) { insert($0, at: min(destination, count)) }
  }

  private func place(of position: Int) -> (writer: any WritableNode<Element>, position: Int) {
    let (ordinal, offset) = locate(position)
    guard let offset else { return (requireWriter(source, "source"), ordinal) }
    return (requireWriter(source.child(at: ordinal)!, "member \(ordinal)"), offset)
  }

  private func insertionPoint(at position: Int) -> (writer: any WritableNode<Element>, position: Int) {
    checkInsertion(position, in: count, of: "FlattenNode")
    if position > 0 {
      let before = place(of: position - 1)
      return (before.writer, before.position + 1)
    }
    if memberCount > 0, let first = source.child(at: 0) { return (requireWriter(first, "member 0"), 0) }
    return (requireWriter(source, "source"), 0)
  }

  private func requireWriter(_ node: any TreeNode<Element>, _ role: String) -> any WritableNode<Element> {
    guard let writer = node.writer else {
      trap("FlattenNode: its \(role) is a \(type(of: node)), which cannot be written.")
    }
    return writer
  }
}
