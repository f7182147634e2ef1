import Assemblage
import AssemblageSearch

/// How a search interprets its text.
enum TerminalSearchKind: String, CaseIterable {
  case words, fuzzy, substring, regex

  /// The kind that follows this one.
  var next: Self {
    let kinds = Self.allCases
    return kinds[((kinds.firstIndex(of: self) ?? 0) + 1) % kinds.count]
  }
}

/// The text, the terms or the pattern of a search.
enum TerminalQuery {
  /// A text in the element's own name, which an index finds.
  case text(TextQuery)
  case terms(TerminalTerms)
  case pattern(Regex<AnyRegexOutput>)

  /// Parses a text.
  ///
  /// - Returns: nil if the text is empty.
  /// - Throws: the error of a regular expression.
  init?(_ text: String, _ kind: TerminalSearchKind) throws {
    if text.isEmpty { return nil }
    switch kind {
    case .words, .fuzzy:
      let terms = TerminalTerms(text, isFuzzy: kind == .fuzzy)
      if terms.isEmpty { return nil }
      self = terms.query.map { .text($0) } ?? .terms(terms)
    case .substring: self = .text(.substring(text))
    case .regex: self = .pattern(try Regex(text).ignoresCase())
    }
  }

  /// The ranges at which an element's own text matches.
  func ranges(in text: String) -> [Range<String.Index>] {
    switch self {
    case .text(let query): query.ranges(in: text)
    case .terms(let terms): terms.ranges(in: text)
    case .pattern(let regex): text.ranges(of: regex)
    }
  }

  /// The numbers of the elements that may match; nil if every element may match.
  func candidates<Element>(in index: TextIndex<Element>) -> RangeSet<Int>? {
    switch self {
    case .text(let query): return index.matches(for: query)
    case .pattern: return nil
    case .terms(let terms):
      guard let groups = terms.ownQueries else { return nil }
      var all = RangeSet<Int>()
      for group in groups {
        let found = group.reduce(into: RangeSet<Int>()) { $0.formUnion(index.matches(for: $1)) }
        if found.isEmpty { return found }
        all.formUnion(found)
      }
      return all
    }
  }

  /// Whether another query surely finds all matches of this query.
  func isNarrower(than other: Self) -> Bool {
    switch (self, other) {
    case (.text(let query), .text(let other)): query.isNarrower(than: other)
    default: false
    }
  }
}

extension TerminalContents {
  /// Returns the predicate of the elements that match a query.
  func predicate(of query: TerminalQuery, hiding: TerminalHiding) -> (Element) -> Bool {
    let (isShown, text) = (isShown, text)
    switch query {
    case .text(let query): return { isShown($0, hiding) && query.matches(text($0)) }
    case .pattern(let regex):
      return { isShown($0, hiding) && (try? regex.firstMatch(in: text($0))) != nil }
    case .terms(var terms):
      let (parent, name) = (parent, name)
      return { element in
        var here = element
        return isShown(element, hiding)
          && terms.matches(text(element)) {
            guard let above = parent(here) else { return nil }
            here = above
            return name(above)
          }
      }
    }
  }
}

/// A search in progress: the text that is typed, and the state to restore when the search is cancelled.
struct TerminalSearch<Element, ID: Hashable & Sendable> {
  var line = TerminalLine()
  var kind: TerminalSearchKind
  /// Whether keys edit the line.
  var isTyped = true
  /// Whether the search hides the rows that do not match.
  var hides = true
  /// The last query; nil if the line contains no query.
  var query: TerminalQuery?
  /// The query whose result the filter shows, if the result was found with an index.
  var shown: TerminalQuery?
  /// Whether the result of the last query is not known yet.
  var isPending = false
  /// A message about the text or its result.
  var problem: String?
  /// Whether all of the result is expanded.
  var isExpanded = false

  /// The sign before the text.
  var sign: String { hides ? "/" : "?" }

  /// The former current row, and the number of lines between this row and the top of the screen.
  let cursor: NodeAnchor<Element>?
  let lineOffset: Int
  /// The former rows of the screen, from the current row on.
  let onScreen: [(element: Element, anchor: NodeAnchor<Element>)]
  /// The former expansion.
  let expansion: ExpansionState<ID>

  /// The task that checks elements one by one, and its progress.
  var task: Task<Void, Never>?
  var progress: BackgroundProgress?
  /// The number of matches among the elements checked so far.
  var foundSoFar = 0
}

@available(*, unavailable)
extension TerminalSearch: Sendable {}
