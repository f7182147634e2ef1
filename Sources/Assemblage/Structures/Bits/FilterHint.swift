/// How a new predicate relates to the former one.
///
/// ```swift
/// let found = FilterNode(ArrayNode(["Ada", "Al", "Bo"])) { $0.hasPrefix("A") }
/// found.setPredicate(hint: .stricter) { $0.hasPrefix("Al") }    // a letter is typed: asks about "Ada", "Al"
/// found.elements                                                // ["Al"]
/// found.setPredicate(hint: .looser) { $0.hasPrefix("A") }       // and deleted: asks about "Ada", "Bo"
/// found.elements                                                // ["Ada", "Al"]
/// ```
public enum FilterHint: Sendable {
  /// Nothing is known: every element is asked about.
  case different

  /// The new predicate passes only elements that the former passed: only these elements are asked about.
  case stricter

  /// The new predicate passes all elements that the former passed: only the other elements are asked about.
  case looser

  /// The elements that the new predicate must be asked about; nil for all.
  ///
  /// - Parameter former: the verdicts of the former predicate.
  /// - Returns: a bit for each of `former`.
  func mask(former: @autoclosure () -> BitRun) -> BitRun? {
    switch self {
    case .different: nil
    case .stricter: former()
    case .looser: former().inverted()
    }
  }

  /// The verdicts of the new predicate; some of them follow from the former verdicts.
  ///
  /// - Parameters:
  ///   - former: the verdicts of the former predicate.
  ///   - ask: asks the new predicate about the elements for which a mask is set, or about all where the mask is nil.
  ///     The verdicts on the other elements are false.
  /// - Returns: a bit for each of `former`.
  func verdicts(former: @autoclosure () -> BitRun, asking ask: (_ mask: BitRun?) -> BitRun) -> BitRun {
    if case .different = self { return ask(nil) }
    var verdicts = former()
    let mask = mask(former: verdicts)!
    if mask.setCount > 0 { verdicts.take(ask(mask), where: mask) }
    return verdicts
  }

  /// Converts this hint, which is relative to a later predicate, to a hint relative to the shown predicate.
  ///
  /// - Parameter later: how the later predicate, whose verdicts are not known, relates to the shown predicate; nil
  ///   where there is no later predicate.
  /// - Returns: the hint.
  func after(_ later: FilterHint?) -> FilterHint { later == nil || later == self ? self : .different }
}
