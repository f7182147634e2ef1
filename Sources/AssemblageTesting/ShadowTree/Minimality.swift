/// The demands of law 5 on a delivered change.
///
/// Sources don't compare elements, so not every change can be as small as its values would allow. For example, a script
/// that removes a row and inserts the row again in one transaction makes a removal and an insertion. A child that ends
/// in the parent where it began belongs to that parent's delta, even if the child was elsewhere in between. Law 5 holds
/// between two settlements only. A script has several settlements if it reads a view, changes a setting, links a node
/// or adds an observer inside a transaction. Its net change may then name a survivor as removed and inserted. Leave
/// `survivors` and `acrossParents` out for such scripts.
///
/// ```swift
/// let friends = ArrayNode(["Al", "Bo"])
/// let checker = NodeChecker<String>()
/// try checker.checkTransaction(of: friends) { friends.replace(at: 0, with: "Al") }
/// try checker.checkTransaction(of: friends, minimality: .strict) {    // throws: law 5
///   friends.replace(at: 0, with: "Al")                                // reports an update of an equal value
/// }
/// ```
public struct Minimality: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A child that a node has before and after is not reported as removed or inserted there, but followed to its present
  /// place. This needs a checker with ids. For an id that occurs twice among one node's children, only one demand
  /// remains: the id is not both removed and inserted.
  public static let survivors = Minimality(rawValue: 1 << 0)

  /// No more children move than necessary: all survivors except a longest increasing subsequence.
  public static let fewestMoves = Minimality(rawValue: 1 << 1)

  /// A child that is reported as updated differs from its former value.
  public static let realUpdates = Minimality(rawValue: 1 << 2)

  /// Where children are replaced with others, the first former child differs from the first new child, and the last
  /// from the last. So children that stayed at the ends are not reported as replaced.
  public static let replacedEnds = Minimality(rawValue: 1 << 3)

  /// `survivors` for the whole tree: no element that is in the tree before and after is reported as removed or inserted
  /// anywhere.
  public static let acrossParents = Minimality(rawValue: 1 << 4)

  /// Survivors are followed, with the fewest moves: every node can meet these demands, whatever its elements are.
  public static let standard: Minimality = [.survivors, .fewestMoves]

  /// All demands within each parent.
  public static let strict: Minimality = [.survivors, .fewestMoves, .realUpdates, .replacedEnds]
}
