/// What law 5 demands of a delivered change.
///
/// Sources don't compare elements, so not every change can be as small as its values would allow: a script that takes a row
/// out and puts it back in one transaction makes a removal and an insertion. A child that ends in the parent where it began is
/// part of what happened to the parent, even if it was elsewhere in between. And law 5 holds between two settlements: a script
/// that reads a view, changes a setting, links a node or adds an observer inside a transaction has several of them, and its net
/// change may name a survivor as removed and inserted. Leave `survivors` and `acrossParents` out for such scripts.
///
/// ```swift
/// let friends = ArrayNode(["Al", "Bo"])
/// let checker = NodeChecker<String>()
/// try checker.checkTransaction(of: friends) { friends.replace(at: 0, with: "Al") }
/// try checker.checkTransaction(of: friends, minimality: .strict) {    // throws: law 5
///   friends.replace(at: 0, with: "Al")                                // reports an update of what stays the same
/// }
/// ```
public struct Minimality: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A child of a node before and after is reported neither removed nor inserted there, but followed to the
  /// place where it now is. Needs a checker with ids; ids that stand twice among one node's children are followed only as
  /// far as none of them is both removed and inserted.
  public static let survivors = Minimality(rawValue: 1 << 0)

  /// No more children move than have to: all survivors but a longest increasing subsequence.
  public static let fewestMoves = Minimality(rawValue: 1 << 1)

  /// What is reported as updated differs from what it was.
  public static let realUpdates = Minimality(rawValue: 1 << 2)

  /// Where children are replaced by others, the first of them differs from the first of the others, and the last from the
  /// last: what stayed at the ends was not replaced.
  public static let replacedEnds = Minimality(rawValue: 1 << 3)

  /// `survivors` for the whole tree: no element that is in it before and after is reported removed or inserted
  /// anywhere.
  public static let acrossParents = Minimality(rawValue: 1 << 4)

  /// Survivors are followed, with the fewest moves: what every node can hold, whatever its elements.
  public static let standard: Minimality = [.survivors, .fewestMoves]

  /// Everything within each parent.
  public static let strict: Minimality = [.survivors, .fewestMoves, .realUpdates, .replacedEnds]
}
