/// How a new predicate relates to the former one.
///
/// ```swift
/// let found = FilterNode(ArrayNode(["Ada", "Al", "Bo"])) { $0.hasPrefix("A") }
/// found.setPredicate(hint: .stricter) { $0.hasPrefix("Al") }    // a letter typed: "Ada" and "Al" are asked
/// found.elements                                                // ["Al"]
/// found.setPredicate(hint: .looser) { $0.hasPrefix("A") }       // and deleted: "Ada" and "Bo" are asked
/// found.elements                                                // ["Ada", "Al"]
/// ```
public enum FilterHint: Sendable {
  /// Nothing is known: every element is asked about.
  case different

  /// The new predicate passes nothing that the former did not: only the elements that passed are asked about.
  case stricter

  /// The new predicate passes everything that the former did: only the elements that did not pass are asked about.
  case looser

  /// Which elements the new predicate has to be asked about; nil for all.
  ///
  /// - Parameter former: what the former predicate said.
  /// - Returns: a bit for each of `former`.
  func mask(former: @autoclosure () -> BitRun) -> BitRun? {
    switch self {
    case .different: nil
    case .stricter: former()
    case .looser: former().inverted()
    }
  }

  /// What the new predicate says, with what is known from the former one.
  ///
  /// - Parameters:
  ///   - former: what the former predicate said.
  ///   - ask: asks the new one about what a mask names, or about everything; the answer on the rest is false.
  /// - Returns: a bit for each of `former`.
  func verdicts(former: @autoclosure () -> BitRun, asking ask: (_ mask: BitRun?) -> BitRun) -> BitRun {
    if case .different = self { return ask(nil) }
    var verdicts = former()
    let mask = mask(former: verdicts)!
    if mask.setCount > 0 { verdicts.take(ask(mask), where: mask) }
    return verdicts
  }

  /// The hint relative to the predicate that is shown, where this one is relative to a later predicate.
  ///
  /// - Parameter later: how the later predicate, whose verdicts are not known, relates to the one that is shown; nil where there
  ///   is no later one.
  /// - Returns: the hint.
  func after(_ later: FilterHint?) -> FilterHint { later == nil || later == self ? self : .different }
}
