/// The place where a node meets its graph.
///
/// Every node has one. What can be done with it is the library's business: nothing of it is public, so a node's users cannot
/// report changes in its name. An author of a node gets the port of a `NodeAuthor`, which the node keeps private.
///
/// A port belongs to the isolation domain of its node and is not `Sendable`.
public class NodePort {
  @usableFromInline
  init() {}
}

@available(*, unavailable)
extension NodePort: Sendable {}
