/// A query for texts, folded once.
///
/// ```swift
/// TextQuery.substring("strasse").matches("Lange Straße")      // true
/// TextQuery.words("lovelace ada").matches("Ada Lovelace")     // true: in any order
/// TextQuery.prefix("lov").matches("Ada Lovelace")             // false: the text begins otherwise
/// TextQuery.fuzzy("adlo").matches("Ada Lovelace")             // true
/// TextQuery.substring("e").matches("Éva")                     // false: é is another character
/// TextQuery.substring("").matches("")                         // true
/// ```
///
/// A `TextIndex` searches all elements of a node for it; `matches(_:)` asks about one text, and `ranges(in:)` gives
/// the ranges to highlight.
///
/// A query finds whole characters, as Swift's `Character` has them in the folded text: `e` does not find `é`, `가` does
/// not find `각`, and neither half of a flag nor one person of a family is found. A query that begins with a mark finds
/// that mark. One half of the folding of one letter is found: `stras`
/// finds `Straße`, as it must for one who is about to type `strasse`.
///
/// A query without anything to be found, like `words("  ")`, matches every text. Queries are equal where they find
/// the same because they look for the same: `words("b a")` equals `words("A b")`.
public struct TextQuery: Sendable {
  /// How a query is searched for.
  ///
  /// ```swift
  /// TextQuery.words("ada love").kind == .words      // true
  /// ```
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// All of it in one piece, anywhere.
    case substring
    /// Each of its words anywhere, in any order; white space separates them, and they may overlap in the text.
    case words
    /// All of it in one piece, where the text begins.
    case prefix
    /// Its characters in their order, with others between them; white space in the query does not count.
    case fuzzy
  }

  /// How it is searched for.
  public let kind: Kind
  /// The text of the query, as it was typed.
  public let text: String
  /// The folding, which says which texts are equal.
  public let folding: TextFolding

  let pattern: TextPattern

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - kind: how it is searched for.
  ///   - text: the text to find; an empty one finds everything.
  ///   - folding: says which texts are equal. An index asks by its own folding.
  /// - Complexity: O(m) for m characters.
  public init(_ kind: Kind, _ text: String, folding: TextFolding = .standard) {
    self.kind = kind
    self.text = text
    self.folding = folding
    pattern = TextPattern(kind, text, folding)
  }

  /// A query for all of a text in one piece, anywhere.
  ///
  /// - Complexity: O(m) for m characters.
  public static func substring(_ text: String, folding: TextFolding = .standard) -> TextQuery {
    TextQuery(.substring, text, folding: folding)
  }

  /// A query for all words of a text, in any order.
  ///
  /// - Complexity: O(m) for m characters.
  public static func words(_ text: String, folding: TextFolding = .standard) -> TextQuery {
    TextQuery(.words, text, folding: folding)
  }

  /// A query for texts that begin with a text.
  ///
  /// - Complexity: O(m) for m characters.
  public static func prefix(_ text: String, folding: TextFolding = .standard) -> TextQuery {
    TextQuery(.prefix, text, folding: folding)
  }

  /// A query for the characters of a text in their order.
  ///
  /// - Complexity: O(m) for m characters.
  public static func fuzzy(_ text: String, folding: TextFolding = .standard) -> TextQuery {
    TextQuery(.fuzzy, text, folding: folding)
  }

  /// The same query by another folding.
  func folded(by other: TextFolding) -> TextQuery {
    folding == other ? self : TextQuery(kind, text, folding: other)
  }

  /// Whether it matches every text, because there is nothing to be found.
  public var isEmpty: Bool { pattern.isEmpty }

  /// Whether the query finds something in a text.
  ///
  /// - Parameter text: any text, not folded.
  /// - Returns: whether it is found.
  /// - Complexity: O(n) for n characters of the text; more only where it repeats a part of the query.
  public func matches(_ text: String) -> Bool {
    pattern.isEmpty || pattern.matches(TextChunk(text, folding), 0)
  }

  /// How well a text fits a fuzzy query, more being better; nil where it does not match.
  ///
  /// Of all ways to find the characters in their order, the best counts. A character is worth 16, 8 more where it
  /// begins a word and 8 more where it follows the one before directly; each scalar that is skipped between the first
  /// and the last takes 1. A word begins where the text does, and after an ASCII character that is no letter and no
  /// digit. Scores of different queries cannot be compared.
  ///
  /// ```swift
  /// TextQuery.fuzzy("al").score(of: "Ada Lovelace")      // 45: two words begin; "da " is skipped
  /// TextQuery.fuzzy("al").score(of: "Alice")             // 48
  /// TextQuery.fuzzy("al").score(of: "Bob")               // nil
  /// ```
  ///
  /// - Parameter text: any text, not folded.
  /// - Returns: the score; 0 for a match of another kind of query, which is not weighed.
  /// - Complexity: O(m · n) for m characters of the query and n of the text.
  public func score(of text: String) -> Int? {
    let chunk = TextChunk(text, folding)
    guard pattern.isEmpty || pattern.matches(chunk, 0) else { return nil }
    if kind != .fuzzy { return 0 }
    var scorer = FuzzyScorer(pattern)
    return scorer.score(chunk, 0)
  }

  /// Whether everything that this query matches is matched by another one too, as far as the queries show.
  ///
  /// ```swift
  /// TextQuery.substring("strass").isNarrower(than: .substring("stra"))       // true: a letter typed
  /// TextQuery.words("ada love").isNarrower(than: .words("ada l"))            // true
  /// TextQuery.prefix("ada").isNarrower(than: .substring("d"))                // true
  /// TextQuery.substring("é").isNarrower(than: .substring("e"))               // false: e does not find é
  /// ```
  ///
  /// - Parameter other: any query.
  /// - Returns: whether that is certain; every query is narrower than itself. Queries of different folding are not
  ///   compared.
  /// - Complexity: O(m) for the characters of both; O(m²) for words.
  public func isNarrower(than other: TextQuery) -> Bool {
    folding == other.folding && pattern.isNarrower(than: other.pattern)
  }
}

extension TextQuery: Hashable {
  public static func == (left: TextQuery, right: TextQuery) -> Bool {
    left.pattern == right.pattern && left.folding == right.folding
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(pattern)
    hasher.combine(folding)
  }
}

extension TextQuery: CustomStringConvertible {
  public var description: String { "\(kind) “\(text)”" }
}
