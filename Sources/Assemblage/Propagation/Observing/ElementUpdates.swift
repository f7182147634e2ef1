/// Places whose elements refer to changed objects, each with the node that owns the place.
struct ElementUpdates<Element> {
  private var places: [(node: any TreeNode<Element>, position: Int)] = []

  /// Adds a place.
  ///
  /// - Parameters:
  ///   - position: `0..<count`.
  ///   - node: any node; for a view, the place is that of the node which owns the child.
  mutating func add(_ position: Int, in node: any TreeNode<Element>) {
    var (node, position) = (node, position)
    while let view = node.routing {
      let place = view.owner(of: position)
      (node, position) = (place.node, place.position)
    }
    places.append((node, position))
  }

  /// Reports all updates, in a transaction of the graph; no undo log records them.
  consuming func announce(in graph: Graph) {
    let places = places
    graph.announce {
      for (node, position) in places {
        if let source = node as? any ElementUpdating, source.canAnnounceUpdate(at: position) {
          source.announceUpdate(ofElementAt: position)
        } else if node.hub.hasNoSources {
          node.hub.publish(ChangeSet(.update(position..<position + 1)), inverse: {})
        } else if let writer = node.writer, writer.allows(.replace, at: position),
          let element = node.element(at: position)
        {
          writer.replace(at: position, with: element)
        }
      }
    }
  }
}
