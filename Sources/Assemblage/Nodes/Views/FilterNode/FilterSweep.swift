import OffsetIndexing

/// What uses a filter to find verdicts for something else.
@usableFromInline
protocol SweepOwner: AnyObject {
  /// Whether it does not want the verdicts any more.
  var isSuperseded: Bool { get }

  /// Is told of each step.
  ///
  /// - Parameter count: how many elements have their verdicts.
  /// - Throws: a `CancellationError` where the sweep must not go on.
  func check(answered count: Int) throws

  /// Takes in that all of them have theirs.
  ///
  /// - Throws: a `CancellationError` where it does not want them any more.
  func end() throws

  /// Takes in that the sweep has been given up, or superseded, and that the filter shows what it did before.
  func giveUp()
}

/// A predicate that a filter is going to have, while its verdicts are found piece by piece.
///
/// The filter shows one set of verdicts, and the sweep has another one behind it; both follow the source. What comes or is
/// updated meanwhile is asked about by both predicates at once.
///
///                      shown                          behind
///     .whenDone        the former predicate's         the new one's, as far as they are known
///     .asItGoes        the new one's, as far as       the former one's, in case the sweep is given up
///                      they are known
@usableFromInline
final class FilterSweep<Element> {
  /// The new predicate: false where the user's throws.
  let predicate: (Element) -> Bool

  /// The predicate that the filter goes back to.
  let formerPredicate: (Element) -> Bool

  let isShownAsItGoes: Bool

  /// What has still to be asked.
  var sweep: Sweep

  /// The node that the verdicts are for, where it is not the filter itself.
  var owner: (any SweepOwner)?

  /// The verdicts that are not shown.
  var behind: BitIndex

  /// How often `behind` was changed.
  private(set) var version = 0

  private let firstError = FirstError()

  init(
    _ predicate: @escaping (Element) throws -> Bool, former: @escaping (Element) -> Bool, isShownAsItGoes: Bool,
    sweep: Sweep, behind: BitIndex
  ) {
    self.predicate = firstError.keeping(false, predicate)
    formerPredicate = former
    self.isShownAsItGoes = isShownAsItGoes
    self.sweep = sweep
    self.behind = behind
  }

  /// The predicate of the verdicts that are not shown.
  var predicateBehind: (Element) -> Bool { isShownAsItGoes ? formerPredicate : predicate }

  /// Throws what the new predicate threw first.
  func checkFailure() throws { try firstError.check() }

  /// Follows a change of the source.
  ///
  /// - Parameters:
  ///   - delta: the change.
  ///   - verdicts: the verdicts of `predicateBehind` on the inserted and updated elements.
  func follow(_ delta: Delta, behind verdicts: FilterTranslation.Verdicts) {
    sweep.follow(delta)
    behind.follow(delta, inserted: verdicts.inserted, updated: verdicts.updated)
    version += 1
  }

  /// Notes that all elements of a range have been asked about.
  ///
  /// - Parameters:
  ///   - range: the range, not empty.
  ///   - verdicts: what `predicateBehind` says of it.
  func renew(_ range: Range<Int>, behind verdicts: BitRun) {
    sweep.follow(.update(range))
    take(verdicts, on: range)
  }

  /// Takes in verdicts behind what is shown.
  func take(_ verdicts: BitRun, on range: Range<Int>) {
    behind.replace(range, with: verdicts)
    version += 1
  }
}
