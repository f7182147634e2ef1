/// Writes through a mapped node that has an inverse.
///
/// The writer represents the node that it writes: it has the same children and the same hub.
final class MapWriter<Source, Element>: TransformingNode, ChoosingNode {
  private let node: MapNode<Source, Element>
  private let source: any WritableNode<Source>
  private let inverse: (Element) -> Source?

  init(node: MapNode<Source, Element>, source: any WritableNode<Source>, inverse: @escaping (Element) -> Source?) {
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
    source.insert(requireValue(of: element), at: position)
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
    source.replace(at: position, with: requireValue(of: element))
  }

  func turnIntoBranch(at position: Int) { source.turnIntoBranch(at: position) }

  func allows(_ edit: ChildEdit, at position: Int) -> Bool { source.allows(edit, at: position) }

  func accepts(_ child: TreeChild<Element>, at position: Int) -> Bool {
    switch child {
    case .leaf(let element): inverse(element).map { source.accepts(.leaf($0), at: position) } ?? false
    case .node(let node): sourceNode(of: node).map { source.accepts(.node($0), at: position) } ?? false
    }
  }

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
        case .leaf(let element): place.insert(.leaf(requireValue(of: element)), position)
        case .node(let node): place.insert(.node(requireSource(of: node)), position)
        }
      }, move: place.move)
  }

  /// Returns the value of the source for a value that is written here.
  private func requireValue(of element: Element) -> Source {
    guard let value = inverse(element) else {
      trap("MapNode: the value \(element) is a \(type(of: element as Any)), and the source takes \(Source.self).")
    }
    return value
  }

  /// Returns the node of the source behind a node that this family maps, or behind any node whose values are those of
  /// its source.
  private func sourceNode(of node: any TreeNode<Element>) -> (any TreeNode<Source>)? {
    guard let mapped = node as? MapNode<Source, Element>,
      mapped.family === self.node.family || mapped.family.keepsValues && self.node.family.keepsValues
    else { return nil }
    return mapped.source
  }

  private func requireSource(of node: any TreeNode<Element>) -> any TreeNode<Source> {
    guard let source = sourceNode(of: node) else {
      trap(
        "MapNode: the node \(node) cannot be inserted, because it is not a node of this mapped tree; insert a node in the source."
      )
    }
    return source
  }
}
