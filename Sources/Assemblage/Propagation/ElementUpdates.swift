/// Places whose elements refer to something that has changed, by the nodes that own them.
struct ElementUpdates<Element> {
  /// The nodes without nodes as children, which are told together.
  private var sources: [ObjectIdentifier: (node: any TreeNode<Element>, positions: [Int])] = [:]
  /// The others.
  private var places: [(node: any TreeNode<Element>, position: Int)] = []

  /// Adds a place.
  ///
  /// - Parameters:
  ///   - position: `0..<count`.
  ///   - node: any node; a view leads to the node that owns the place.
  mutating func add(_ position: Int, in node: any TreeNode<Element>) {
    var (node, position) = (node, position)
    while let view = node as? any RoutingNode<Element> {
      let place = view.owner(of: position)
      (node, position) = (place.node, place.position)
    }
    if node.hub.hasNoSources {
      sources[ObjectIdentifier(node), default: (node, [])].positions.append(position)
    } else {
      places.append((node, position))
    }
  }

  /// Tells of all, in a transaction of the graph; no undo log records it.
  consuming func announce(in graph: Graph) {
    let (sources, places) = (sources, places)
    graph.announce {
      graph.settle(sources.values.map { ($0.node.hub, $0.positions) })
      for (node, position) in places {
        if let source = node as? any ElementUpdating<Element> {
          source.update(at: position)
        } else if let writer = node.writer, writer.allows(.replace, at: position),
          let element = node.element(at: position)
        {
          writer.replace(at: position, with: element)
        }
      }
    }
  }
}
