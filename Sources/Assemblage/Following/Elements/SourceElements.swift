extension ElementUpdates {
  /// Adds the places in the sources of a node whose elements a closure accepts.
  ///
  /// Sources are current even if a transaction has changed them and no view has been settled since. An update of a
  /// source then belongs to the next settlement. So a sort does not compare new rows with a row that has changed and
  /// has not moved yet.
  ///
  /// - Parameters:
  ///   - node: any node.
  ///   - isWanted: whether an element is searched for; called once for each place in the sources.
  /// - Complexity: O(n) for n elements of the sources, at all depths.
  mutating func add(inSourcesOf node: any TreeNode<Element>, where isWanted: (Element) -> Bool) {
    node.hub.graph.freezing {
      var visited: Set<ObjectIdentifier> = []
      var open: [any TreeNode] = [node]
      while let next = open.popLast() {
        guard visited.insert(ObjectIdentifier(next.hub)).inserted else { continue }
        open += next.hub.state.value.sources.compactMap { $0?.hub.owner }
        guard let source = next as? any TreeNode<Element> else { continue }
        let holder = source as? any ElementUpdating
        guard holder != nil || next.hub.state.value.sources.isEmpty else { continue }
        for position in 0..<source.count {
          // The branches of a forest are not among its sources.
          if let child = source.child(at: position) { open.append(child) }
          guard holder?.canAnnounceUpdate(at: position) ?? true else { continue }
          if let element = source.element(at: position), isWanted(element) { add(position, in: source) }
        }
      }
    }
  }
}
