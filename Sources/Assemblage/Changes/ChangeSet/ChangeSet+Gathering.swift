extension ChangeSet {
  /// Creates the change of a node and of the nodes below it, without crossings.
  ///
  /// A node below is left out if neither its children nor the nodes further below changed.
  ///
  /// - Parameters:
  ///   - root: the key of the node.
  ///   - updatesValue: whether the value of the node changed.
  ///   - delta: the change of the children of a node.
  ///   - children: the nodes below a node that may have changed, by position after the change, ascending.
  /// - Complexity: O(s) for s nodes, and the calls.
  init<Key, Below: Sequence>(
    gathering root: Key, updatesValue: Bool, delta: (Key) -> Delta, children: (Key) -> Below
  ) where Below.Element == (position: Int, key: Key) {
    var nodes: [Node] = []
    var open = [(key: root, position: 0, start: 0, rest: children(root).makeIterator())]
    while true {
      if let child = open[open.count - 1].rest.next() {
        open.append((child.key, child.position, nodes.count, children(child.key).makeIterator()))
        continue
      }
      let node = open.removeLast()
      if open.isEmpty { break }
      let delta = delta(node.key)
      if nodes.count > node.start || !delta.isEmpty {
        nodes.append(Node(position: node.position, size: nodes.count - node.start + 1, delta: delta))
      }
    }
    self.init(delta: delta(root), updatesValue: updatesValue, nodes: nodes)
  }
}
