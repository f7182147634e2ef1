public import Assemblage

/// The laws that every node obeys, by the numbers that `TreeNode` gives them.
///
/// ```swift
/// NodeLaw.changesAreMinimal.description    // "law 5 (changes are minimal)"
/// NodeLaw(rawValue: 4)                     // .replayAgrees
/// ```
public enum NodeLaw: Int, CaseIterable, Codable, Sendable, CustomStringConvertible {
  /// `count` equals the number of children that enumeration yields.
  case countIsEnumerated = 1
  /// `element(at:)`, enumeration and `forEachSpan(in:_:)` agree.
  case accessAgrees
  /// The maps to the sources and back are inverse on visible children, and nil on hidden ones.
  case mapsAreInverse
  /// Replaying each delivered change on a copy of the former contents gives the present contents.
  case replayAgrees
  /// A delivered change is minimal, as far as nothing was settled in the middle of the transaction.
  case changesAreMinimal
  /// There is one delivery for each outermost transaction.
  case oneDeliveryATransaction
  /// A reader never sees former contents, inside a transaction or during a delivery.
  case deliveriesAreSettled
  /// Look-ups beyond the children are nil.
  case boundsAreKept

  /// The law's number and a short form of the law.
  public var description: String {
    switch self {
    case .countIsEnumerated: "law 1 (count is the number of enumerated children)"
    case .accessAgrees: "law 2 (element(at:), enumeration and spans agree)"
    case .mapsAreInverse: "law 3 (maps to the sources and back are inverse)"
    case .replayAgrees: "law 4 (replaying the change gives the contents)"
    case .changesAreMinimal: "law 5 (changes are minimal)"
    case .oneDeliveryATransaction: "law 6 (one delivery a transaction)"
    case .deliveriesAreSettled: "law 7 (deliveries see the settled state)"
    case .boundsAreKept: "law 8 (nothing is found out of range)"
    }
  }
}

/// Reports a finding of a checker or a shadow: which law a node broke, where, and with which counts.
///
/// ```swift
/// // `clock` has 3 children, but its count is 4.
/// do {
///   try NodeChecker<Int>().check(clock)
/// } catch {
///   error.law        // .countIsEnumerated
///   error.path       // [3]
///   error.finding    // "the count is 4, but there is neither a value nor a node at 3"
/// }
/// ```
public struct LawViolation: Error, CustomStringConvertible, Sendable {
  /// The law that was broken.
  public let law: NodeLaw

  /// The name of the node that broke the law: the node that was checked, or a node below it.
  public let node: String

  /// The path from the node that was checked to the place where the law was broken; `[]` is that node itself.
  ///
  /// Where a delivered change is at fault, this is a path after the change.
  public let path: IndexPath

  /// The finding at that place, in one sentence.
  public let finding: String

  /// Creates a violation, for checks of your own.
  ///
  /// - Parameters:
  ///   - law: the law that was broken.
  ///   - node: the name of the node that broke the law.
  ///   - path: the path from the node that was checked to the place.
  ///   - finding: the finding at that place, in one sentence.
  public init(_ law: NodeLaw, node: String, path: IndexPath, finding: String) {
    self.law = law
    self.node = node
    self.path = path
    self.finding = finding
  }

  /// A text like `ArrayNode(3 elements) breaks law 1 (count is the number of enumerated children) at [0, 2]: …`.
  public var description: String { "\(node) breaks \(law) at \(path.bracketed): \(finding)" }
}

/// A violation without the node's name: the parts of this library throw it to each other.
struct Finding: Error {
  var law: NodeLaw
  var path: [Int]
  var text: String

  init(_ law: NodeLaw, at path: [Int], _ text: String) {
    self.law = law
    self.path = path
    self.text = text
  }

  /// This finding in a node at `path`.
  func below(_ path: [Int]) -> Finding { Finding(law, at: path + self.path, text) }

  /// This finding as a violation by the node `name`.
  func violation(of name: String) -> LawViolation {
    LawViolation(law, node: name, path: IndexPath(indexes: path), finding: text)
  }
}
