extension TreeNode {
  /// Calls a closure when the node, or any node or value below, has changed.
  ///
  /// The closure is called once for each outermost transaction, with the net change since it was last called. Every
  /// derived node has been brought up to date before. The closure may read and change any node, and add or end
  /// observations. A change that the closure makes itself is delivered to it in a further call. Observers are called in
  /// the order in which they registered. Registering inside a transaction first brings derived nodes up to date, as
  /// reading one does.
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
  /// - Complexity: O(1); for a view without observers and derived nodes, O(s) for its s sources.
  public func observe(_ handler: @escaping (ChangeSet) -> Void) -> NodeObservation {
    NodeObservation(of: self, handler)
  }

  /// Makes one transaction of all changes that a closure makes to this node's graph.
  ///
  /// Sources change at once. Derived nodes follow when one of them is read, or when the outermost transaction ends.
  /// Each of them then translates the net change of its sources, once. Readers never see a node with former contents.
  /// Observers are called when the outermost transaction ends, with the net change. The transaction covers every node
  /// that is connected with this one, through sources or dependents. `performUpdates(on:_:)` covers other nodes too.
  ///
  /// If `body` throws, its changes are reverted, the last one first, and the sources have their former contents again.
  /// If `body` read no derived node and changed no view, derived nodes have not changed, and observers receive nothing.
  /// Otherwise observers receive the composition of the changes and the inverse changes. A transaction inside another
  /// one reverts only its own changes. Changes without an inverse (`ProviderNode.announce` without one, or a
  /// `publish(_:)` of your own node) stay, and observers receive them. A `body` that cannot throw needs no inverses,
  /// and costs nothing more.
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
  /// - Parameter body: makes the changes; called once, before this method returns.
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws.
  /// - Complexity: that of the changes to the sources, O(k · log k) for k changes, and one translation of each derived
  ///   node; where `body` throws, that of the inverse changes too. Inside another transaction, a `body` that can throw
  ///   costs O(u) more for u nodes that have changed and have not been settled yet.
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
/// The function extends `TreeNode.performUpdates(_:)` to several nodes. Derived nodes translate the net change.
/// Observers are called once, after the last change, in the order in which they registered. If `body` throws, all
/// changes are reverted, the last one first. Nodes may be linked inside.
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
/// From then on the nodes count as connected, as linked nodes do. A transaction of one node covers the others. A
/// closure that is called while a node derived from one of them translates a change must not change the others.
///
/// - Parameters:
///   - nodes: nodes of one isolation domain, in any order; if there are none, the closure is just called.
///   - body: makes the changes; called once, before this function returns.
/// - Returns: the result of `body`.
/// - Throws: the error that `body` throws.
/// - Precondition: no node's graph is being settled, unless all nodes are connected already: a predicate or another
///   closure that a derived node calls while it translates a change must not connect nodes.
/// - Complexity: O(m) for m nodes, and that of `TreeNode.performUpdates(_:)`.
public func performUpdates<Result, Failure: Error>(
  on nodes: [any TreeNode], _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard let first = nodes.first else { return try body() }
  for node in nodes.dropFirst() { first.hub.shareGraph(with: node.hub) }
  return try first.performUpdates(body)
}
