/// What the mapped nodes of one tree have in common: the transform, and which node shows which.
@usableFromInline
final class MapFamily<Source, Element> {
  @usableFromInline let transform: (Source) -> Element
  let inverse: ((Element) -> Source)?
  let reading: NodeReader<Element>.Functions
  /// Tells the family from others.
  let number = SerialNumber.next()

  /// A node of the family. Each removes itself before it dies, so the reference is never used too late.
  private struct Member {
    unowned let node: MapNode<Source, Element>
    /// Tells the node from others when it dies: by then the reference can't be read.
    let identity: ObjectIdentifier
  }

  /// The living mapped nodes of children, by the node that each maps; they keep those alive.
  private var members: [ObjectIdentifier: Member] = [:]

  @usableFromInline
  init(
    _ transform: @escaping (Source) -> Element, inverse: ((Element) -> Source)?, reading: NodeReader<Element>.Functions
  ) {
    self.transform = transform
    self.inverse = inverse
    self.reading = reading
  }

  /// The mapped node of a source, which is made where there is none.
  ///
  /// - Complexity: expected O(1).
  func node(of source: any TreeNode<Source>) -> MapNode<Source, Element> {
    if let member = members[ObjectIdentifier(source)] { return member.node }
    let node = MapNode(unlinked: source, self)
    // The caller may be translating a change.
    node.hub.linkNew(source)
    members[ObjectIdentifier(source)] = Member(node: node, identity: ObjectIdentifier(node))
    return node
  }

  /// Notes that a node of the family dies, if it is one of a child.
  func forget(_ node: MapNode<Source, Element>, of source: any TreeNode<Source>) {
    if let member = members[ObjectIdentifier(source)], member.identity == ObjectIdentifier(node) {
      members[ObjectIdentifier(source)] = nil
    }
  }
}
