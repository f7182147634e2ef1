/// A place, together with the node that owns it; a derived node sends its edits there.
///
/// ```swift
/// let rows = JoinNode([ArrayNode(["a"]), ArrayNode(["b", "c"])])
/// let place = rows.owner(of: 2)
/// place.node.elements    // ["b", "c"]
/// place.position         // 1
/// place.member           // 1
/// ```
@_spi(NodeAuthors)
public struct OwnedPlace<Element> {
  /// The node to write.
  public let node: any TreeNode<Element>

  /// A position in that node's index space.
  public let position: Int

  /// The number of that node among the sources; nil for a single source.
  public let member: Int?

  /// Creates a place.
  ///
  /// - Parameters:
  ///   - node: the node that owns the place.
  ///   - position: the place, in that node's index space.
  ///   - member: the number of that node among the sources of the derived node, in any order; nil for a single
  ///     source. A child moves within its owner if both places have the same number.
  public init(_ node: any TreeNode<Element>, at position: Int, member: Int? = nil) {
    self.node = node
    self.position = position
    self.member = member
  }

  /// The node to write; `name` names the derived node in the message of the trap.
  func requireWriter(for name: @autoclosure () -> String) -> any WritableNode<Element> {
    guard let writer = node.writer else {
      trap(
        """
        \(name()): its \(member.map { "member \($0)" } ?? "source") is \(withArticle(type(of: node))), which cannot be \
        written.
        """)
    }
    return writer
  }
}

/// A node whose children belong to other nodes, and which sends each edit to the node that owns the place.
///
/// The node implements only the search for the owner of a place. Writing, and the answers to `allows(_:at:)`, follow
/// from the owner.
///
/// ```swift
/// let rows = JoinNode([ArrayNode(["a"]), ArrayNode(["b", "c"])])
/// let place = rows.owner(of: 2)     // position 1 of the second array, which is member 1
/// rows.remove(at: [2])              // removes the child from the second array
/// ```
@_spi(NodeAuthors)
public protocol RoutingNode<Element>: WritableNode {
  /// The owner of a child, and the child's place in the owner.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: the node that owns the child, and the child's place there.
  func owner(of position: Int) -> OwnedPlace<Element>

  /// The owner of an insertion, and the place of the insertion in the owner.
  ///
  /// - Parameter position: `0...count`, in this node's index space.
  /// - Returns: the node that makes the insertion, and the place in that node; nil if no node can.
  func insertionOwner(at position: Int) -> OwnedPlace<Element>?
}

extension RoutingNode {
  public var routing: (any RoutingNode<Element>)? { self }

  public func insert(_ element: Element, at position: Int) {
    let (writer, place) = requireInsertionPoint(at: position)
    writer.insert(element, at: place)
  }

  public func insert(_ node: any TreeNode<Element>, at position: Int) {
    let (writer, place) = requireInsertionPoint(at: position)
    writer.insert(node, at: place)
  }

  @discardableResult
  public func removeChild(at position: Int) -> TreeChild<Element> {
    let place = requireOwner(of: position)
    return place.requireWriter(for: kindName).removeChild(at: place.position)
  }

  public func replace(at position: Int, with element: Element) {
    let place = requireOwner(of: position)
    place.requireWriter(for: kindName).replace(at: place.position, with: element)
  }

  public func turnIntoBranch(at position: Int) {
    let place = requireOwner(of: position)
    place.requireWriter(for: kindName).turnIntoBranch(at: place.position)
  }

  public func allows(_ edit: ChildEdit, at position: Int) -> Bool { ownersAllow(edit, at: position) }

  /// Whether the nodes that own the places allow an edit.
  func ownersAllow(_ edit: ChildEdit, at position: Int) -> Bool {
    guard edit.isInRange(at: position, of: count) else { return false }
    switch edit {
    case .insert, .insertNode:
      guard let place = insertionOwner(at: position) else { return false }
      return place.node.writer?.allows(edit, at: place.position) ?? false
    case .remove, .replace, .turnIntoBranch:
      let place = owner(of: position)
      return place.node.writer?.allows(edit, at: place.position) ?? false
    case .move(let destination):
      let (place, goal) = (owner(of: position), owner(of: destination))
      if place.member == goal.member {
        return place.node.writer?.allows(.move(to: goal.position), at: place.position) ?? false
      }
      // The goal of a relocation is counted before the move, when the child is still in its place. So it is one
      // position further if the child moves towards the end.
      return allowsRelocation(from: position, to: destination > position ? destination + 1 : destination)
    }
  }

  /// Whether a child can be removed from its owner, and inserted at a position that is counted before the removal.
  func allowsRelocation(from position: Int, to destination: Int) -> Bool {
    let place = owner(of: position)
    let isNode = place.node.child(at: place.position) != nil
    guard isNode || place.node.element(at: place.position) != nil else { return false }
    return allows(.remove, at: position) && allows(isNode ? .insertNode : .insert, at: destination)
      && ownChild(at: position).map { accepts($0, at: destination) } ?? true
  }

  func requireOwner(of position: Int) -> OwnedPlace<Element> {
    require(
      position >= 0 && position < count, "\(kindName): the position \(position) is out of range 0..<\(count).")
    return owner(of: position)
  }

  private func requireInsertionPoint(at position: Int) -> (writer: any WritableNode<Element>, position: Int) {
    require(
      position >= 0 && position <= count,
      "\(kindName): the position \(position) of an insertion is out of range 0...\(count).")
    let place = requireInsertionOwner(at: position)
    return (place.requireWriter(for: kindName), place.position)
  }

  func requireInsertionOwner(at position: Int) -> OwnedPlace<Element> {
    guard let place = insertionOwner(at: position) else {
      trap(
        """
        \(kindName): nothing can be inserted, because it shows no member, or because the child that it showed has left \
        the source.
        """)
    }
    return place
  }
}
