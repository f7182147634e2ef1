@_spi(NodeAuthors) import Assemblage

/// A node that shows the values of another node at the same places, as other values.
private protocol Transforming { var transformed: any TreeNode { get } }

extension MapNode: Transforming { fileprivate var transformed: any TreeNode { source } }

extension NodePlace {
  /// The places of a row in the nodes behind this one, from this place to the place in the node that owns the row.
  var behind: [NodePlace] { following { $0.owner } }

  /// The places of an insertion in the nodes behind this one, from this place to the place in the node that inserts the
  /// row.
  var behindInsertion: [NodePlace] { following { $0.insertionOwner } }

  private func following(_ next: (NodePlace) -> NodePlace?) -> [NodePlace] {
    var places = [self]
    while let place = next(places[places.count - 1]) { places.append(place) }
    return places
  }

  private var owner: NodePlace? {
    func owner<Node: RoutingNode>(in node: Node) -> NodePlace {
      let place = node.owner(of: position)
      return NodePlace(place.node, at: place.position)
    }
    if let node = node as? any RoutingNode { return owner(in: node) }
    return (node as? any Transforming).map { NodePlace($0.transformed, at: position) }
  }

  private var insertionOwner: NodePlace? {
    func owner<Node: RoutingNode>(in node: Node) -> NodePlace? {
      node.insertionOwner(at: position).map { NodePlace($0.node, at: $0.position) }
    }
    if let node = node as? any RoutingNode { return owner(in: node) }
    return (node as? any Transforming).map { NodePlace($0.transformed, at: position) }
  }

  /// The node at this place; nil: the child is a leaf.
  var child: (any TreeNode)? {
    func child<Node: TreeNode>(of node: Node) -> (any TreeNode)? { node.child(at: position) }
    return child(of: node)
  }
}
