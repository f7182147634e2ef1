/// What the mapped nodes of one tree have in common: the transform, and which node shows which.
@usableFromInline
final class MapFamily<Source, Element> {
  @usableFromInline let transform: (Source) -> Element
  let inverse: ((Element) -> Source)?
  let reading: NodeReader<Element>.Functions
  /// Lends the reader of a branch, given the reader of the branch in the source.
  let lend: (NodeReader<Source>, @escaping (Source) -> Element, (NodeReader<Element>) -> Void) -> Void

  /// The mapped nodes of children, by the node that each maps; they keep those alive.
  private var members = LivingNodes<ObjectIdentifier>()

  @usableFromInline
  init(
    _ transform: @escaping (Source) -> Element, inverse: ((Element) -> Source)?,
    reading: NodeReader<Element>.Functions,
    lend: @escaping (NodeReader<Source>, @escaping (Source) -> Element, (NodeReader<Element>) -> Void) -> Void
  ) {
    self.transform = transform
    self.inverse = inverse
    self.reading = reading
    self.lend = lend
  }

  /// The mapped node of a source, which is made where there is none.
  ///
  /// - Complexity: expected O(1).
  func node(of source: any TreeNode<Source>) -> MapNode<Source, Element> {
    if let node = livingNode(of: source) { return node }
    let node = MapNode(unlinked: source, self)
    // The caller may be translating a change.
    node.hub.linkNew(source)
    members[ObjectIdentifier(source)] = node
    return node
  }

  /// The same where it is there already.
  func livingNode(of source: any TreeNode<Source>) -> MapNode<Source, Element>? {
    // No others are added.
    members[ObjectIdentifier(source)].map { unsafe unsafeDowncast($0, to: MapNode<Source, Element>.self) }
  }

  /// Notes that a node of the family dies, if it is one of a child.
  func forget(_ node: MapNode<Source, Element>, of source: any TreeNode<Source>) {
    members.forget(node, for: ObjectIdentifier(source))
  }
}
