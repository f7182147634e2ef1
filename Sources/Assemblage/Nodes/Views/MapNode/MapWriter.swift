/// Writes through a mapped node that has an inverse.
///
/// The writer represents the node that it writes: it has the same children and the same hub.
final class MapWriter<Source, Element>: TransformingNode {
  private let node: MapNode<Source, Element>
  private let source: any WritableNode<Source>
  private let inverse: (Element) -> Source

  init(node: MapNode<Source, Element>, source: any WritableNode<Source>, inverse: @escaping (Element) -> Source) {
    self.node = node
    self.source = source
    self.inverse = inverse
  }

  var port: NodePort { node.port }
  var count: Int { node.count }
  var value: Element? { node.value }
  func element(at position: Int) -> Element? { node.element(at: position) }
  func child(at position: Int) -> (any TreeNode<Element>)? { node.child(at: position) }

  func insert(_ element: Element, at position: Int) {
    checkInsertion(position, in: count, of: "MapNode")
    source.insert(inverse(element), at: position)
  }

  /// Inserts a node that this family maps, by inserting its source node into the source.
  func insert(_ node: any TreeNode<Element>, at position: Int) { source.insert(requireSource(of: node), at: position) }

  func removeChild(at position: Int) -> TreeChild<Element> {
    checkPosition(position, in: count, of: "MapNode")
    let mapped = child(at: position)
    return switch source.removeChild(at: position) {
    case .leaf(let element): .leaf(node.family.transform(element))
    case .node: .node(mapped!)
    }
  }

  func replace(at position: Int, with element: Element) {
    checkPosition(position, in: count, of: "MapNode")
    source.replace(at: position, with: inverse(element))
  }

  func turnIntoBranch(at position: Int) { source.turnIntoBranch(at: position) }

  func allows(_ edit: ChildEdit, at position: Int) -> Bool { source.allows(edit, at: position) }

  func move(from position: Int, to destination: Int) { source.move(from: position, to: destination) }

  func sourceRow(at position: Int) -> (node: any TreeRows, row: Int)? { source.treeRow(at: position) }

  func heldPlace(_ position: Int, ofInsertion isInsertion: Bool) -> HeldPlace<Element> {
    let place = source.heldPlace(of: position, forInsertion: isInsertion)
    let mapped = isInsertion ? nil : child(at: position)
    return HeldPlace(
      holder: place.holder, position: place.position,
      remove: { [node] in
        switch place.remove() {
        case .leaf(let element): .leaf(node.family.transform(element))
        case .node: .node(mapped!)
        }
      },
      insert: { [self] child, position in
        switch child {
        case .leaf(let element): place.insert(.leaf(inverse(element)), position)
        case .node(let node): place.insert(.node(requireSource(of: node)), position)
        }
      }, move: place.move)
  }

  /// Returns the node of the source behind a node that this family maps.
  private func requireSource(of node: any TreeNode<Element>) -> any TreeNode<Source> {
    guard let mapped = node as? MapNode<Source, Element>, mapped.family === self.node.family else {
      trap(
        "MapNode: the node \(node) cannot be inserted, because it is not a node of this mapped tree; insert a node in the source."
      )
    }
    return mapped.source
  }
}
