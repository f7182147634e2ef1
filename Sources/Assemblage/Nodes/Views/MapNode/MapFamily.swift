/// What the mapped nodes of one tree have in common: the transform, and which node shows which.
@usableFromInline
final class MapFamily<Source, Element> {
  @usableFromInline let transform: (Source) -> Element
  let inverse: ((Element) -> Source)?
  let reading: NodeReader<Element>.Functions

  /// The mapped nodes of children, by the node that each maps; they keep those alive.
  private var members = LivingNodes<ObjectIdentifier>()

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
    if let node = members[ObjectIdentifier(source)] {
      // No others are added.
      return unsafe unsafeDowncast(node, to: MapNode<Source, Element>.self)
    }
    let node = MapNode(unlinked: source, self)
    // The caller may be translating a change.
    node.hub.linkNew(source)
    members[ObjectIdentifier(source)] = node
    return node
  }

  /// Notes that a node of the family dies, if it is one of a child.
  func forget(_ node: MapNode<Source, Element>, of source: any TreeNode<Source>) {
    members.forget(node, for: ObjectIdentifier(source))
  }
}
