public import Assemblage

/// Follows a node by its change sets alone, and compares itself with the node after each delivery, at every depth.
///
/// It replays what it hears on a copy of the former contents (law 4), demands that the change is minimal (law 5), and
/// checks the node during the delivery (law 7). What it finds is thrown by the next `check()`.
///
/// ```swift
/// let friends = ArrayNode(["Al", "Bo"])
/// let shadow = ShadowTree(of: friends)
/// friends.append("Cy")
/// try shadow.check()
/// try shadow.checkTransaction { friends.removeFirst(2) }   // and law 6: one delivery
/// ```
///
/// It keeps the node alive, and follows it until it is released or `cancel()` is called.
///
/// - Complexity: O(n) for n places at all depths, for each delivery and each check.
public final class ShadowTree<Element> {
  /// The node that is followed.
  public let node: any TreeNode<Element>

  /// What law 5 demands of the deliveries that come.
  public var minimality: Minimality

  /// Which values tell by their ids, in the deliveries that come, who is the same: all of them, unless the sources said of
  /// some that they are others, or show them in several places.
  package var identifies: (Element) -> Bool = { _ in true }

  /// The number of deliveries heard so far.
  public internal(set) var deliveryCount = 0

  /// Checks of your own, made during each delivery after the shadow's; what they throw is a violation of law 7.
  public var duringDelivery: (() throws -> Void)?

  /// What the node shows, as far as its change sets have told: its contents at the last delivery.
  ///
  /// - Complexity: O(n) for n places at all depths.
  public var contents: TreeSnapshot<Element> { tree.snapshot }

  let checker: NodeChecker<Element>
  var tree: FlatTree<Element>
  /// What was wrong first, and the contents that the node showed then.
  var fault: Fault?
  /// The last change heard, and how many there had been at the last check.
  var lastChange = ChangeSet()
  var checkedCount = 0
  private var token: NodeObservation?

  /// Something that was wrong in a delivery.
  struct Fault {
    var finding: Finding
    /// What the node showed during the delivery.
    let shown: FlatTree<Element>
    /// The number of the delivery.
    let delivery: Int
  }

  /// Creates a shadow of a node's present contents.
  ///
  /// - Parameters:
  ///   - node: the node to follow.
  ///   - checker: tells values and elements apart.
  ///   - minimality: what law 5 demands.
  public init(
    of node: any TreeNode<Element>, checker: NodeChecker<Element>, minimality: Minimality = .standard
  ) {
    self.node = node
    self.checker = checker
    self.minimality = minimality
    tree = FlatTree(of: node)
    token = node.observe { [unowned self] in hear($0) }
  }

  /// Ends the observation.
  public func cancel() { token?.cancel() }

  /// Throws what went wrong in a delivery, or where the node shows something else than the shadow.
  ///
  /// - Throws: the first violation since the shadow was made; once there is one, every check throws it.
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
  /// - Returns: what `body` returns.
  /// - Throws: the first violation, as a `LawViolation`, and what `body` throws.
  @discardableResult
  public func checkTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try expectDeliveries(0...1, body)
  }

  /// Makes changes, and checks that they are told in as many deliveries as expected.
  ///
  /// - Parameters:
  ///   - expected: the numbers of deliveries that are right.
  ///   - body: makes the changes.
  /// - Returns: what `body` returns.
  /// - Throws: the first violation, as a `LawViolation`, of law 6 where the number is wrong; and what `body` throws.
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
  ///   - minimality: what law 5 demands, as far as it needs no ids.
  public convenience init(of node: any TreeNode<Element>, minimality: Minimality = .standard) {
    self.init(of: node, checker: NodeChecker(), minimality: minimality)
  }

  /// Creates a shadow of a node's present contents, that can tell which elements survive.
  ///
  /// - Parameters:
  ///   - node: the node to follow.
  ///   - id: what tells one element from another; values of one element have the same id.
  ///   - minimality: what law 5 demands.
  public convenience init<ID: Hashable>(
    of node: any TreeNode<Element>, id: @escaping (Element) -> ID, minimality: Minimality = .standard
  ) {
    self.init(of: node, checker: NodeChecker(id: id), minimality: minimality)
  }
}
