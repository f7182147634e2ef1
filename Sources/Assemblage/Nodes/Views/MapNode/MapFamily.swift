/// The data that the mapped nodes of one tree share: the transform, and the mapped node of each source node.
@usableFromInline
final class MapFamily<Source, Element> {
  @usableFromInline let transform: (Source) -> Element
  /// Makes a value of the source; nil where the source takes no such value.
  let inverse: ((Element) -> Source?)?
  /// Whether the values are those of the source, with another type. Then a row of the map is the row of the source.
  let keepsValues: Bool
  let reading: NodeReader<Element>.Functions
  /// Lends the reader of a branch, given the reader of the branch in the source.
  let lend: (NodeReader<Source>, @escaping (Source) -> Element, (NodeReader<Element>) -> Void) -> Void

  /// The mapped nodes of children, by the source node of each. The mapped nodes keep these source nodes alive.
  private var members = LivingNodes<ObjectIdentifier>()

  @usableFromInline
  init(
    _ transform: @escaping (Source) -> Element, inverse: ((Element) -> Source?)?, keepsValues: Bool = false,
    reading: NodeReader<Element>.Functions,
    lend: @escaping (NodeReader<Source>, @escaping (Source) -> Element, (NodeReader<Element>) -> Void) -> Void
  ) {
    self.transform = transform
    self.inverse = inverse
    self.keepsValues = keepsValues
    self.reading = reading
    self.lend = lend
  }

  /// Returns the mapped node of a source, and creates it if there is none.
  ///
  /// - Complexity: expected O(1).
  func node(of source: any TreeNode<Source>) -> MapNode<Source, Element> {
    if let node = livingNode(of: source) { return node }
    let node = MapNode(unlinked: source, self)
    // Not `link`, because the caller may be translating a change.
    node.hub.linkNew(source)
    members[ObjectIdentifier(source)] = node
    return node
  }

  /// Returns the mapped node of a source, if it exists already.
  func livingNode(of source: any TreeNode<Source>) -> MapNode<Source, Element>? {
    // Only nodes of this type are added.
    members[ObjectIdentifier(source)].map { unsafe unsafeDowncast($0, to: MapNode<Source, Element>.self) }
  }

  /// Removes a node of the family that is being released, if it is the node of a child.
  func forget(_ node: MapNode<Source, Element>, of source: any TreeNode<Source>) {
    members.forget(node, for: ObjectIdentifier(source))
  }
}
