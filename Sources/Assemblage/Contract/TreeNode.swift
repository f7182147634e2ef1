public import Foundation

/// A node of a tree whose places are addressed by index paths.
///
/// A node has one *index space* of children, numbered `0..<count`. Each child has a value, or none, and may
/// itself be a node. In an index path, `[]` is the node itself, `[i]` its child i, and `[i, j]` child j of
/// that.
///
/// ```swift
/// let family = ArrayNode(["Dad", "Mum"])
/// let friends = ArrayNode(["Best mate"])
/// let sections = BranchNode([family, friends])
/// sections[[1, 0]]            // "Best mate"
/// sections[[1]]               // nil: the child is a node without a value of its own
/// sections.element(at: 7)     // nil: there is no such child
/// ```
///
/// Nodes are classes and not `Sendable`: they belong to the isolation domain that made them.
///
/// ## Laws
/// 1. `count` equals the number of children that enumeration yields.
/// 2. `element(at:)`, enumeration and `forEachSpan(in:_:)` agree.
/// 3. Where a node maps positions to a source and back, the maps are inverse on visible children, and nil on
///    hidden ones.
/// 4. Replaying each delivered change on a copy of the former contents gives the present contents.
/// 5. A delivered change is minimal: what survives is never reported removed.
/// 6. There is one delivery for each outermost transaction, and none for an empty net change.
/// 7. Whoever reads during a delivery sees the settled graph.
/// 8. A path out of range traps in a subscript, with the path and the count in the message, and is nil in
///    `element(at:)` and `child(at:)`.
public protocol TreeNode<Element>: AnyObject {
  /// The type of the children's values.
  associatedtype Element

  /// The place where this node meets its graph.
  ///
  /// A node of your own gives that of its `NodeAuthor`.
  var port: NodePort { get }

  /// The number of children.
  var count: Int { get }

  /// Whether there are children, as far as can be told without loading them.
  ///
  /// The default compares `count` with 0. A node whose children come from afar when they are first asked for may know it
  /// beforehand.
  var hasChildren: Bool { get }

  /// The value of the node itself, nil by default.
  var value: Element? { get }

  /// The value of a child.
  ///
  /// - Parameter position: any integer, in this node's index space.
  /// - Returns: the value, or nil where the child has none or there is no such child.
  func element(at position: Int) -> Element?

  /// The node that stands at a position.
  ///
  /// - Parameter position: any integer, in this node's index space.
  /// - Returns: the node, or nil where the child is a leaf or there is no such child.
  func child(at position: Int) -> (any TreeNode<Element>)?

  /// Passes the children's values in order, in pieces that are contiguous in memory.
  ///
  /// The pieces are as long as the node's storage allows. Children without a value are left out: then the next
  /// piece starts at a greater position than the former one ended. `body` may read nodes; a change that it makes
  /// does not affect the piece it was given, but what further pieces show is then unspecified, and the visit may trap.
  ///
  /// - Parameters:
  ///   - range: the positions to visit, within `0..<count`.
  ///   - body: receives the position of a piece's first value, and the piece, which is never empty.
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void)

  /// The node to call in order to change this one's children, nil by default.
  var writer: (any WritableNode<Element>)? { get }
}

extension TreeNode {
  public var hasChildren: Bool { count > 0 }

  public var value: Element? { nil }

  public func child(at position: Int) -> (any TreeNode<Element>)? { nil }

  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    gatherSpans(in: range, body) { element(at: $0) }
  }

  public var writer: (any WritableNode<Element>)? { nil }
}

extension TreeNode {
  /// Whether the node has no children.
  public var isEmpty: Bool { count == 0 }

  /// The children's values in order, without those of children that have none.
  ///
  /// - Complexity: O(n).
  public var elements: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    forEachSpan(in: 0..<count) { _, span in
      for index in span.indices { elements.append(span[index]) }
    }
    return elements
  }

  /// Calls a closure when the node, or anything below it, has changed.
  ///
  /// The closure is called once for each outermost transaction, with the net change since it was last called, after
  /// every derived node has been brought up to date. It may read and change any node, and add or end observations;
  /// a change that it makes itself is delivered to it in a further call. Observers are called in the order in which
  /// they registered.
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
  /// The graph is settled after every single change, inside the transaction too; but observers hear only when the
  /// outermost transaction ends, and only the net change. The transaction covers every node that is connected with
  /// this one, through sources or dependents.
  ///
  /// Where `body` throws, the changes it made are taken back, the last one first: the nodes have the contents they had,
  /// and observers hear nothing. A transaction inside another takes back its own part only. What cannot be taken back
  /// (`ProviderNode.announce` without an inverse, or a `publish(_:)` of your own node) stays, and those who observe it hear of it; so
  /// does whoever began to observe inside `body`. A `body` that cannot throw is not prepared for it, and costs nothing more.
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
  /// - Complexity: that of the changes, and O(k · log k) for each observer, where k is the number of changes; where `body`
  ///   throws, that of the inverse changes too.
  public func performUpdates<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if Failure.self == Never.self {
      hub.graph.beginTransaction()
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

// MARK: - Index paths

extension TreeNode {
  /// The value at an index path; `[]` is the node itself.
  ///
  /// - Parameter path: a path from this node.
  /// - Returns: the value, or nil where the place has none.
  /// - Precondition: there is such a place.
  /// - Complexity: O(d · log n) for a path of length d.
  public subscript(path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    return requireParent(of: path).element(at: last)
  }

  /// The value at an index path, or nil where there is no such place.
  ///
  /// - Parameter path: any path from this node.
  /// - Returns: the value, or nil where the place has none or does not exist.
  /// - Complexity: O(d · log n) for a path of length d.
  public func element(at path: IndexPath) -> Element? {
    guard let last = path.last else { return value }
    return child(at: path.dropLast())?.element(at: last)
  }

  /// The node at an index path, or nil where there is none.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the node, or nil where the place is a leaf or does not exist.
  /// - Complexity: O(d · log n) for a path of length d.
  public func child(at path: IndexPath) -> (any TreeNode<Element>)? {
    var node: any TreeNode<Element> = self
    for position in path {
      guard let next = node.child(at: position) else { return nil }
      node = next
    }
    return node
  }

  /// The number of children at an index path, or nil where there is no such node.
  ///
  /// - Parameter path: any path from this node; `[]` is the node itself.
  /// - Returns: the count, or nil.
  /// - Complexity: O(d · log n) for a path of length d.
  public func count(at path: IndexPath) -> Int? { child(at: path)?.count }

  /// The node that has a child at `path`, which is not [].
  func requireParent(of path: IndexPath) -> any TreeNode<Element> {
    let parent = requireNode(at: path.dropLast(), for: path)
    let last = path[path.count - 1]
    require(
      last >= 0 && last < parent.count,
      "The path \(path.sentence) is out of range: there are \(parent.count) children at \(path.dropLast().sentence).")
    return parent
  }

  /// The node at `path`, which the caller needs in order to reach `goal`.
  func requireNode(at path: IndexPath, for goal: IndexPath) -> any TreeNode<Element> {
    var node: any TreeNode<Element> = self
    for (depth, position) in path.enumerated() {
      require(
        position >= 0 && position < node.count,
        """
        The path \(goal.sentence) is out of range: there are \(node.count) children at \
        \(path.prefix(depth).sentence).
        """)
      guard let next = node.child(at: position) else {
        trap(
          "The path \(goal.sentence) leads through \(path.prefix(depth + 1).sentence), which is a leaf.")
      }
      node = next
    }
    return node
  }
}

extension Sequence<Int> {
  /// The components in brackets, for messages.
  var sentence: String { "[" + map(String.init).joined(separator: ", ") + "]" }
}
