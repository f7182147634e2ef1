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
  /// A text in the own name, which an index finds.
  case text(TextQuery)
  case terms(TerminalTerms)
  case pattern(Regex<AnyRegexOutput>)

  /// Understands a text.
  ///
  /// - Returns: nil where it is empty.
  /// - Throws: what is wrong with a regular expression.
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

  /// Where the own text of an element that was found matches.
  func ranges(in text: String) -> [Range<String.Index>] {
    switch self {
    case .text(let query): query.ranges(in: text)
    case .terms(let terms): terms.ranges(in: text)
    case .pattern(let regex): text.ranges(of: regex)
    }
  }

  /// The numbers of the elements among which all that is found are; nil where that may be any.
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

  /// Whether all that this query finds is found by another one, as far as that can be told.
  func isNarrower(than other: Self) -> Bool {
    switch (self, other) {
    case (.text(let query), .text(let other)): query.isNarrower(than: other)
    default: false
    }
  }
}

extension TerminalContents {
  /// The elements that a query finds, as a predicate.
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

/// A search under way: what is typed, and what has to be restored when it is given up.
struct TerminalSearch<Element, ID: Hashable & Sendable> {
  var line = TerminalLine()
  var kind: TerminalSearchKind
  /// Whether keys belong to the line.
  var isTyped = true
  /// Whether what is not found is hidden.
  var hides = true
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

  /// What stands before the text.
  var sign: String { hides ? "/" : "?" }

  /// The row that was the current one, and the lines between it and the first row of the screen.
  let cursor: NodeAnchor<Element>?
  let lineOffset: Int
  /// What was on the screen, beginning with the current row.
  let onScreen: [(element: Element, anchor: NodeAnchor<Element>)]
  /// What was expanded.
  let expansion: ExpansionState<ID>

  /// What asks about elements one after the other, and how far it has come.
  var task: Task<Void, Never>?
  var progress: BackgroundProgress?
  /// How many of those that have been asked about were found.
  var foundSoFar = 0
}

@available(*, unavailable)
extension TerminalSearch: Sendable {}
