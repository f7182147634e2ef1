extension TreeNode {
  /// Calls a closure when the node, or anything below it, has changed.
  ///
  /// The closure is called once for each outermost transaction, with the net change since it was last called, after
  /// every derived node has been brought up to date. It may read and change any node, and add or end observations;
  /// a change that it makes itself is delivered to it in a further call. Observers are called in the order in which
  /// they registered. To register inside a transaction brings derived nodes up to date first, as reading one does.
  ///
  /// ```swift
  /// let names = ArrayNode(["Ada", "Grace"])
  /// let token = names.observe { change in print(change.delta.insertions) }
  /// names.append("Edsger")      // prints [2..<3]
  /// ```
  ///
  /// - Parameter handler: receives the change, in this node's index space.
  /// - Returns: the token that keeps the observation, and the node, alive; releasing it ends the observation. A handler
  ///   that captures its own token keeps both alive until `cancel()`.
  /// - Complexity: O(1).
  public func observe(_ handler: @escaping (ChangeSet) -> Void) -> NodeObservation {
    NodeObservation(of: self, handler)
  }

  /// Makes one transaction of all changes that a closure makes to this node's graph.
  ///
  /// Sources change at once. Derived nodes follow when one of them is read, or when the outermost transaction ends; each
  /// then translates the net change of its sources, once. Readers never see a node with former contents. Observers are
  /// called when the outermost transaction ends, with the net change. The transaction covers every node that is connected
  /// with this one, through sources or dependents; `performUpdates(on:_:)` covers others too.
  ///
  /// Where `body` throws, the changes it made are taken back, the last one first, and the sources have the contents they
  /// had. If `body` read no derived node and changed no view, derived nodes have not moved, and observers receive nothing.
  /// Otherwise they receive the composition of what was done and what was taken back. A transaction inside another one
  /// takes back its own part only. Changes without an inverse (`ProviderNode.announce` without one, or a `publish(_:)` of
  /// your own node) stay, and observers receive them. A `body` that cannot throw is not prepared for it, and costs nothing
  /// more.
  ///
  /// ```swift
  /// let names = ArrayNode(["Ada"])
  /// let token = names.observe { change in print(change.delta.insertions) }
  /// names.performUpdates {
  ///   names.append("Grace")
  ///   names.append("Edsger")
  ///   names.remove(at: 0)
  /// }                           // prints [0..<2], once
  /// ```
  ///
  /// - Parameter body: makes the changes; it is called once, before this method returns.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  /// - Complexity: that of the changes to the sources, O(k · log k) for k changes, and one translation of each derived node;
  ///   where `body` throws, that of the inverse changes too.
  public func performUpdates<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if Failure.self == Never.self {
      hub.graph.beginTransaction(of: hub)
      // The graph may have been merged into another by the time the transaction ends.
      defer { hub.graph.endTransaction() }
      return try body()
    }
    let transaction = hub.beginReversibleTransaction()
    let result: Result
    do {
      result = try body()
    } catch {
      hub.rollBack(transaction)
      throw error
    }
    hub.commit(transaction)
    return result
  }
}

/// Makes one transaction of all changes that a closure makes to several nodes, connected or not.
///
/// It is what `TreeNode.performUpdates(_:)` is for one node and those that are connected with it: derived nodes translate the net
/// change, and observers are called once, after the last change, in the order in which they registered. Where `body` throws, all
/// changes are taken back, the last one first. Nodes may be linked inside.
///
/// ```swift
/// let names = ArrayNode(["Ada"])
/// let years = ArrayNode([1815])
/// performUpdates(on: [names, years]) {
///   names.append("Grace")
///   years.append(1906)
/// }
/// ```
///
/// From then on the nodes count as connected, as linked nodes do: a transaction of one covers the others, and a closure that a
/// node derived from one of them calls while it translates a change must not change the others.
///
/// - Parameters:
///   - nodes: nodes of one isolation domain, in any order; where there are none, the closure is just called.
///   - body: makes the changes; it is called once, before this function returns.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws.
/// - Precondition: no node's graph is being settled, unless all nodes are connected already: a predicate or another closure that
///   a derived node calls while it translates a change must not connect nodes.
/// - Complexity: O(m) for m nodes, and that of `TreeNode.performUpdates(_:)`.
public func performUpdates<Result, Failure: Error>(
  on nodes: [any TreeNode], _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let first = nodes.first else { return try body() }
  for node in nodes.dropFirst() { first.hub.shareGraph(with: node.hub) }
  return try first.performUpdates(body)
}
