/// A regular expression that can be compared: by its pattern.
struct RegularExpression: Equatable {
  let pattern: String
  let regex: Regex<AnyRegexOutput>

  /// Reads a pattern.
  ///
  /// - Throws: `UsageError` where it is none.
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
