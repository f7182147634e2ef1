/// The place where a node meets its graph.
///
/// Every node has one. No member of a port is public, so the users of a node cannot report changes in the node's name.
/// The author of a node gets the port from a `NodeAuthor`, which the node keeps private.
///
/// A port belongs to the isolation domain of its node and is not `Sendable`.
public class NodePort {
  @usableFromInline
  init() {}
}

@available(*, unavailable)
extension NodePort: Sendable {}
