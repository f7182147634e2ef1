public import Assemblage

/// Whether children may have neither a value nor a node of their own.
///
/// ```swift
/// let tree = BranchNode([.node(BranchNode(leaves: ["Al"]))])    // a section without a value of its own
/// let outline = OutlineNode(tree, id: { $0 })                   // shows it as a row without a value
/// try NodeChecker<String>().check(outline)                      // throws: law 1
/// try NodeChecker<String>().allowingEmptyLeaves().check(outline)
/// ```
public enum EmptyLeafPolicy: Sendable {
  /// Such a child means that the count is too high: law 1.
  case refused
  /// Such a child is allowed, as in a node that shows optional properties.
  case allowed
}

/// Checks that a node obeys the laws of `TreeNode`, at every depth.
///
/// A checker takes any node, also your own, and throws a `LawViolation` that names the broken law, the path and the
/// counts. It depends on no testing framework: a thrown error fails a test in every framework.
///
/// ```swift
/// let checker = NodeChecker<String>()
/// let friends = ArrayNode(["Al", "Bo"])
/// try checker.check(friends)                                             // laws 1, 2, 3 and 8, as the node is now
/// try checker.checkTransaction(of: friends) { friends.append("Cy") }     // all laws, around one transaction
/// try checker.checkReading(of: friends) { friends.append("Di") }         // the same, and read inside
/// ```
///
/// | law | checked by |
/// |---|---|
/// | 1, 2, 8 | `check(_:)` |
/// | 3 | `check(_:)` for nodes that conform to `SourceView` or `PositionMapping`, and `checkMapping(of:to:toSource:fromSource:)` |
/// | 4, 5, 6, 7 | `checkTransaction(of:minimality:_:)`, or a `ShadowTree` that follows the node for longer |
/// | 7 | also `checkReading(of:minimality:_:)`, which reads the node inside a transaction |
///
/// Law 5 holds between two settlements: a transaction that reads a view, or changes a view's setting, needs a smaller
/// `Minimality`.
///
/// For law 8, a checker checks that look-ups out of range are nil. The trap of a subscript can't be checked in the
/// process that traps: use the exit tests of your testing framework.
public struct NodeChecker<Element> {
  let areEqual: (Element, Element) -> Bool
  let id: ((Element) -> AnyHashable)?

  /// Whether children may have neither a value nor a node of their own.
  public var emptyLeaves = EmptyLeafPolicy.refused

  /// Creates a checker.
  ///
  /// - Parameter areEqual: returns whether two values are the same.
  public init(areEqual: @escaping (Element, Element) -> Bool) {
    self.areEqual = areEqual
    id = nil
  }

  /// Creates a checker that identifies the survivors of a change by ids.
  ///
  /// Without ids, minimality is checked only as far as it needs none.
  ///
  /// - Parameters:
  ///   - id: returns the id of an element; all values of one element have the same id.
  ///   - areEqual: returns whether two values are the same.
  public init<ID: Hashable>(id: @escaping (Element) -> ID, areEqual: @escaping (Element, Element) -> Bool) {
    self.areEqual = areEqual
    self.id = { AnyHashable(id($0)) }
  }

  /// The checker with `emptyLeaves` set to `.allowed`.
  ///
  /// ```swift
  /// let shadow = ShadowTree(of: outline, checker: NodeChecker(id: \.id).allowingEmptyLeaves())
  /// ```
  public func allowingEmptyLeaves() -> NodeChecker {
    var checker = self
    checker.emptyLeaves = .allowed
    return checker
  }

  /// Checks laws 1, 2, 3 and 8 of a node and of every node below it, as they are now.
  ///
  /// Law 3 is checked where a node conforms to `SourceView` or `PositionMapping`. A node that is in several places is
  /// checked once.
  ///
  /// - Parameter node: the node to check, which is only read.
  /// - Throws: the first violation.
  /// - Complexity: O(n) look-ups for n children at all depths.
  public func check(_ node: any TreeNode<Element>) throws(LawViolation) {
    // The nodes are kept until the end. Otherwise a node that is made for a look-up could get the address of a node
    // that was checked before. Each node has its place only: whole paths would take d² steps in a chain of d levels.
    var nodes: [(node: any TreeNode<Element>, parent: Int, position: Int)] = [(node, 0, 0)]
    var seen: Set = [ObjectIdentifier(node)]
    var next = 0
    while next < nodes.count {
      let node = nodes[next].node
      do {
        try checkCount(of: node)
        try checkAccess(to: node)
        try checkBounds(of: node)
        if let map = SourceMap(of: node) { try checkMapping(of: node, map) }
      } catch {
        var path: [Int] = []
        while next > 0 {
          path.append(nodes[next].position)
          next = nodes[next].parent
        }
        throw error.below(path.reversed()).violation(of: name(of: node))
      }
      for position in 0..<node.count {
        guard let child = node.child(at: position) else { continue }
        if seen.insert(ObjectIdentifier(child)).inserted { nodes.append((child, next, position)) }
      }
      next += 1
    }
  }

  /// Makes one transaction, and checks all laws around it.
  ///
  /// Laws 1, 2, 3 and 8 are checked before the transaction, during the delivery and afterwards. The delivery itself, if
  /// there is one, is checked by laws 4 to 7.
  ///
  /// - Parameters:
  ///   - node: the node to check.
  ///   - minimality: the demands of law 5.
  ///   - body: makes one change, or one outermost transaction of several; see `Minimality` for a transaction that reads
  ///     views.
  /// - Returns: the result of `body`.
  /// - Throws: the first violation, as a `LawViolation`, and the errors of `body`.
  /// - Complexity: O(n) look-ups for n children at all depths.
  @discardableResult
  public func checkTransaction<Result>(
    of node: any TreeNode<Element>, minimality: Minimality = .standard, _ body: () throws -> Result
  ) throws -> Result {
    try check(node)
    let shadow = ShadowTree(of: node, checker: self, minimality: minimality)
    let result = try shadow.checkTransaction(body)
    try check(node)
    shadow.cancel()
    return result
  }

  /// Makes one transaction, reads the node before it ends, and checks all laws around it.
  ///
  /// A read inside a transaction finds the edits before it (law 7). A derived node whose state is not in a `NodeBox`
  /// shows former contents there.
  ///
  /// ```swift
  /// let pears = FilterNode(fruits) { $0.contains("pear") }
  /// try checker.checkReading(of: pears) { fruits.append("pear") }
  /// ```
  ///
  /// - Parameters:
  ///   - node: the node to check.
  ///   - minimality: the demands of law 5.
  ///   - body: makes the changes, inside a transaction of the node. See `Minimality` for a `body` that reads views.
  /// - Returns: the result of `body`.
  /// - Throws: the first violation, as a `LawViolation`, and the errors of `body`. The transaction is rolled back where
  ///   `body` throws, or a law is broken inside.
  /// - Complexity: O(n) look-ups for n children at all depths.
  @discardableResult
  public func checkReading<Result>(
    of node: any TreeNode<Element>, minimality: Minimality = .standard, _ body: () throws -> Result
  ) throws -> Result {
    let (result, shown) = try checkTransaction(of: node, minimality: minimality) {
      try node.performUpdates {
        let result = try body()
        let shown = FlatTree(of: node)
        try check(node)
        return (result, shown)
      }
    }
    let present = FlatTree(of: node)
    if let difference = shown.firstDifference(from: present, by: areEqual) {
      throw Finding(
        .deliveriesAreSettled, at: shown.path(to: difference.entry),
        "a read inside the transaction found \(difference.text)"
      ).violation(of: name(of: node))
    }
    return result
  }
}

extension NodeChecker where Element: Equatable {
  /// Creates a checker of values that can be compared.
  public init() { self.init(areEqual: ==) }

  /// Creates a checker of values that can be compared, which identifies the survivors of a change by ids.
  ///
  /// - Parameter id: returns the id of an element; all values of one element have the same id.
  public init<ID: Hashable>(id: @escaping (Element) -> ID) { self.init(id: id, areEqual: ==) }
}
