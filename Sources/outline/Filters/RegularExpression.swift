/// A regular expression that is compared by its pattern.
struct RegularExpression: Equatable {
  let pattern: String
  let regex: Regex<AnyRegexOutput>

  /// Parses a pattern.
  ///
  /// - Throws: `UsageError` if the pattern is no regular expression.
  init(_ pattern: String) throws {
    self.pattern = pattern
    do {
      regex = try Regex(pattern)
    } catch {
      throw UsageError(description: "--regex takes a regular expression, and \"\(pattern.printedPattern)\" is none")
    }
  }

  static func == (first: RegularExpression, second: RegularExpression) -> Bool { first.pattern == second.pattern }
}
