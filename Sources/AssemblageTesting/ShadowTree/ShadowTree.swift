public import Assemblage

/// Follows a node by its change sets alone, and compares itself with the node after each delivery, at every depth.
///
/// A shadow replays each delivered change on a copy of the former contents (law 4). It demands that the change is
/// minimal (law 5), and checks the node during the delivery (law 7). The next `check()` throws the first violation.
///
/// ```swift
/// let friends = ArrayNode(["Al", "Bo"])
/// let shadow = ShadowTree(of: friends)
/// friends.append("Cy")
/// try shadow.check()
/// try shadow.checkTransaction { friends.removeSubrange(..<2) }   // and law 6: one delivery
/// ```
///
/// A shadow keeps the node alive, and follows the node until the shadow is released or `cancel()` is called.
///
/// - Complexity: O(n) for n places at all depths, for each delivery and each check.
public final class ShadowTree<Element> {
  /// The node that is followed.
  public let node: any TreeNode<Element>

  /// The demands of law 5 on the deliveries from now on.
  public var minimality: Minimality

  /// Whether the id of a value identifies its element, in the deliveries from now on. True for all values by default.
  /// It is not true for a value that the sources reported as another element, or that they show in several places.
  package var identifies: (Element) -> Bool = { _ in true }

  /// The number of deliveries so far.
  public internal(set) var deliveryCount = 0

  /// Checks of your own, which run during each delivery after the shadow's checks. An error that they throw is a
  /// violation of law 7.
  public var duringDelivery: (() throws -> Void)?

  /// The contents of the node according to its change sets: the contents at the last delivery.
  ///
  /// - Complexity: O(n) for n places at all depths.
  public var contents: TreeSnapshot<Element> { tree.snapshot }

  let checker: NodeChecker<Element>
  var tree: FlatTree<Element>
  /// The first fault, and the contents that the node showed then.
  var fault: Fault?
  /// The last delivered change, and the number of deliveries at the last check.
  var lastChange = ChangeSet()
  var checkedCount = 0
  private var token: NodeObservation?

  /// A fault in a delivery.
  struct Fault {
    var finding: Finding
    /// The contents that the node showed during the delivery.
    let shown: FlatTree<Element>
    /// The number of the delivery.
    let delivery: Int
  }

  /// Creates a shadow of a node's present contents.
  ///
  /// - Parameters:
  ///   - node: the node to follow.
  ///   - checker: compares values, and identifies elements.
  ///   - minimality: the demands of law 5.
  public init(
    of node: any TreeNode<Element>, checker: NodeChecker<Element>, minimality: Minimality = .standard
  ) {
    self.node = node
    self.checker = checker
    self.minimality = minimality
    tree = FlatTree(of: node)
    token = node.observe { [unowned self] in receive($0) }
  }

  /// Ends the observation.
  public func cancel() { token?.cancel() }

  /// Throws the first fault of a delivery, or a violation where the node's contents differ from the shadow's contents.
  ///
  /// - Throws: the first violation since the shadow was made; each later check throws the same violation.
  public func check() throws(LawViolation) {
    let present = FlatTree(of: node)
    if fault == nil { fault = unannounced(present) }
    checkedCount = deliveryCount
    guard let fault else { return }
    throw settled(fault, present).violation(of: name(of: node))
  }

  /// Makes one transaction, and checks laws 4 to 7 of its delivery.
  ///
  /// - Parameter body: makes one change, or one outermost transaction of several; no transaction may be open already.
  /// - Returns: the result of `body`.
  /// - Throws: the first violation, as a `LawViolation`, and the errors of `body`.
  @discardableResult
  public func checkTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try expectDeliveries(0...1, body)
  }

  /// Makes changes, and checks that the number of deliveries is as expected.
  ///
  /// - Parameters:
  ///   - expected: the allowed numbers of deliveries.
  ///   - body: makes the changes.
  /// - Returns: the result of `body`.
  /// - Throws: the first violation, as a `LawViolation`, which is one of law 6 where the number is wrong; and the
  ///   errors of `body`.
  @discardableResult
  public func expectDeliveries<Result>(_ expected: ClosedRange<Int>, _ body: () throws -> Result) throws -> Result {
    let former = deliveryCount
    let result = try body()
    let made = deliveryCount - former
    guard expected.contains(made) else {
      let wanted = expected.count == 1 ? "\(expected.lowerBound)" : "\(expected.lowerBound) to \(expected.upperBound)"
      throw LawViolation(
        .oneDeliveryATransaction, node: name(of: node), path: [],
        finding: "there were \(counted(made, "delivery", "deliveries")), where \(wanted) should be")
    }
    try check()
    return result
  }
}

@available(*, unavailable)
extension ShadowTree: Sendable {}

extension ShadowTree where Element: Equatable {
  /// Creates a shadow of a node's present contents.
  ///
  /// - Parameters:
  ///   - node: the node to follow.
  ///   - minimality: the demands of law 5, as far as they need no ids.
  public convenience init(of node: any TreeNode<Element>, minimality: Minimality = .standard) {
    self.init(of: node, checker: NodeChecker(), minimality: minimality)
  }

  /// Creates a shadow of a node's present contents, which identifies the surviving elements by ids.
  ///
  /// - Parameters:
  ///   - node: the node to follow.
  ///   - id: returns the id of an element; all values of one element have the same id.
  ///   - minimality: the demands of law 5.
  public convenience init<ID: Hashable>(
    of node: any TreeNode<Element>, id: @escaping (Element) -> ID, minimality: Minimality = .standard
  ) {
    self.init(of: node, checker: NodeChecker(id: id), minimality: minimality)
  }
}
