/// Places whose elements refer to something that has changed, by the nodes that own them.
struct ElementUpdates<Element> {
  /// What is told together, by the nodes that tell it.
  private var updates: [ObjectIdentifier: (hub: NodeHub, change: ChangeSetComposer)] = [:]
  /// The places of nodes that have to be written to.
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
    if let source = node as? any ElementUpdating<Element> {
      if let (hub, change) = source.elementUpdate(at: position) { return add(change, of: hub) }
    } else if node.hub.hasNoSources {
      return add(ChangeSet(.update(position..<position + 1)), of: node.hub)
    }
    places.append((node, position))
  }

  private mutating func add(_ change: ChangeSet, of hub: NodeHub) {
    updates[ObjectIdentifier(hub), default: (hub, ChangeSetComposer())].change.append(change)
  }

  /// Tells of all, in a transaction of the graph; no undo log records it.
  consuming func announce(in graph: Graph) {
    let (updates, places) = (updates, places)
    graph.announce {
      graph.settle(
        updates.values.map { update in
          var change = update.change
          return (update.hub, change.net())
        })
      for (node, position) in places {
        if let writer = node.writer, writer.allows(.replace, at: position), let element = node.element(at: position) {
          writer.replace(at: position, with: element)
        }
      }
    }
  }
}
