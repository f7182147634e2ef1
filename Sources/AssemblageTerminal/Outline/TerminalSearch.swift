import Assemblage
import AssemblageSearch

/// How the text of a search is understood.
enum TerminalSearchKind: String, CaseIterable {
  case words, fuzzy, substring, regex

  /// The kind that comes after this one.
  var next: Self {
    let kinds = Self.allCases
    return kinds[((kinds.firstIndex(of: self) ?? 0) + 1) % kinds.count]
  }
}

/// What is looked for.
enum TerminalQuery {
  case text(TextQuery)
  case pattern(Regex<AnyRegexOutput>)

  /// Understands a text.
  ///
  /// - Returns: nil where it is empty.
  /// - Throws: what is wrong with a regular expression.
  init?(_ text: String, _ kind: TerminalSearchKind) throws {
    switch kind {
    case .words: self = .text(.words(text))
    case .fuzzy: self = .text(.fuzzy(text))
    case .substring: self = .text(.substring(text))
    case .regex: self = .pattern(try Regex(text).ignoresCase())
    }
    if case .text(let query) = self, query.isEmpty { return nil }
    if text.isEmpty { return nil }
  }

  func matches(_ text: String) -> Bool {
    switch self {
    case .text(let query): query.matches(text)
    case .pattern(let regex): (try? regex.firstMatch(in: text)) != nil
    }
  }

  /// Where a text matches.
  func ranges(in text: String) -> [Range<String.Index>] {
    switch self {
    case .text(let query): query.ranges(in: text)
    case .pattern(let regex): text.ranges(of: regex)
    }
  }

  /// Whether all that this query finds is found by another one, as far as that can be told.
  func isNarrower(than other: Self) -> Bool {
    switch (self, other) {
    case (.text(let query), .text(let other)): query.isNarrower(than: other)
    default: false
    }
  }
}

/// A search under way: what is typed, and what has to be restored when it is given up.
struct TerminalSearch<Element> {
  var line = TerminalLine()
  var kind: TerminalSearchKind
  /// Whether keys belong to the line.
  var isTyped = true
  /// What was looked for last; nil while nothing is.
  var query: TerminalQuery?
  /// What the filter shows, where that was found with an index.
  var shown: TerminalQuery?
  /// Whether the filter shows another query than the last one until the next turn.
  var isPending = false
  /// What is wrong with the text.
  var problem: String?
  /// Whether all that was found is expanded.
  var isExpanded = false

  /// The row that was the current one, and the lines between it and the first row of the screen.
  let cursor: NodeAnchor<Element>?
  let lineOffset: Int
  /// What was on the screen, beginning with the current row.
  let onScreen: [(element: Element, anchor: NodeAnchor<Element>)]

  /// What asks about elements one after the other, and how far it has come.
  var task: Task<Void, Never>?
  var progress: BackgroundProgress?
  /// How many of those that have been asked about were found.
  var foundSoFar = 0
}

@available(*, unavailable)
extension TerminalSearch: Sendable {}
