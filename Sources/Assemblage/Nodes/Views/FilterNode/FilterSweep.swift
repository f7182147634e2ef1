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

  /// What is known of some elements: of those that a change of the source is about.
  struct Verdicts {
    let shown: FilterTranslation.Verdicts
    /// What `predicateBehind` says.
    let behind: FilterTranslation.Verdicts
    /// Which have not been asked about; nil for none.
    var unanswered: FilterTranslation.Verdicts?
  }

  /// The same of elements that a change takes away, for the case that it is taken back.
  struct Memory {
    let sweep: FilterSweep
    let verdicts: Verdicts
  }

  /// What is behind the visible verdicts of a range, for the case that it is wanted back.
  struct Saved {
    let sweep: FilterSweep
    let behind: BitRun
    let unanswered: BitRun
  }

  /// Takes in what the source changes.
  ///
  /// - Parameters:
  ///   - delta: the change.
  ///   - verdicts: what is known of what it inserts and updates.
  func follow(_ delta: Delta, _ verdicts: Verdicts) {
    sweep.follow(delta, inserted: verdicts.unanswered?.inserted, updated: verdicts.unanswered?.updated)
    behind.follow(delta, inserted: verdicts.behind.inserted, updated: verdicts.behind.updated)
    version += 1
  }

  func saved(_ range: Range<Int>) -> Saved {
    Saved(sweep: self, behind: behind.bits(in: range), unanswered: sweep.unanswered.bits(in: range))
  }

  /// Takes in that a range has been asked about, or as much of it as had been before.
  ///
  /// - Parameters:
  ///   - range: the range, not empty.
  ///   - verdicts: what `predicateBehind` says of it.
  ///   - unanswered: what has not been asked about; nil for nothing.
  func renew(_ range: Range<Int>, behind verdicts: BitRun, unanswered: BitRun? = nil) {
    sweep.follow(.update(range), updated: unanswered.map { [$0] })
    take(verdicts, on: range)
  }

  /// Takes in verdicts behind what is shown.
  func take(_ verdicts: BitRun, on range: Range<Int>) {
    behind.replace(range, with: verdicts)
    version += 1
  }
}
