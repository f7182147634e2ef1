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
/// A `TextIndex` searches all elements of a node. `matches(_:)` compares the query with one text, and `ranges(in:)`
/// gives the ranges to highlight.
///
/// A query finds whole characters, as Swift's `Character` divides the folded text. So `e` does not find `é`, and `가`
/// does not find `각`. Neither half of a flag and no single person of a family is found. A query that begins with a mark
/// finds that mark. One half of the folding of one letter is found: `stras` finds `Straße`, because the user may be
/// about to type `strasse`.
///
/// A query without any text to find, for example `words("  ")`, matches every text. Queries are equal if they search
/// the same parts in the same way, with the same folding: `words("b a")` equals `words("A b")`.
public struct TextQuery: Sendable {
  /// The way in which a query is searched.
  ///
  /// ```swift
  /// TextQuery.words("ada love").kind == .words      // true
  /// ```
  public enum Kind: Hashable, Sendable, CaseIterable {
    /// The whole query in one piece, anywhere.
    case substring
    /// Each of the query's words anywhere, in any order. White space separates the words, and they may overlap in the
    /// text.
    case words
    /// The whole query in one piece, at the beginning of the text.
    case prefix
    /// The query's characters in their order, with other characters between them. White space in the query does not
    /// count.
    case fuzzy
  }

  /// The way in which the query is searched.
  public let kind: Kind
  /// The text of the query, as it was typed.
  public let text: String
  /// The folding, which decides which texts are equal.
  public let folding: TextFolding

  let pattern: TextPattern

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - kind: the way in which the query is searched.
  ///   - text: the text to find. An empty text matches everything.
  ///   - folding: decides which texts are equal. An index uses its own folding.
  /// - Complexity: O(m) for m characters.
  public init(_ kind: Kind, _ text: String, folding: TextFolding = .standard) {
    self.kind = kind
    self.text = text
    self.folding = folding
    pattern = TextPattern(kind, text, folding)
  }

  /// Creates a query for the whole of a text in one piece, anywhere.
  ///
  /// - Complexity: O(m) for m characters.
  public static func substring(_ text: String, folding: TextFolding = .standard) -> TextQuery {
    TextQuery(.substring, text, folding: folding)
  }

  /// Creates a query for all words of a text, in any order.
  ///
  /// - Complexity: O(m) for m characters.
  public static func words(_ text: String, folding: TextFolding = .standard) -> TextQuery {
    TextQuery(.words, text, folding: folding)
  }

  /// Creates a query for texts that begin with a text.
  ///
  /// - Complexity: O(m) for m characters.
  public static func prefix(_ text: String, folding: TextFolding = .standard) -> TextQuery {
    TextQuery(.prefix, text, folding: folding)
  }

  /// Creates a query for the characters of a text in their order.
  ///
  /// - Complexity: O(m) for m characters.
  public static func fuzzy(_ text: String, folding: TextFolding = .standard) -> TextQuery {
    TextQuery(.fuzzy, text, folding: folding)
  }

  /// The same query with another folding.
  func folded(by other: TextFolding) -> TextQuery {
    folding == other ? self : TextQuery(kind, text, folding: other)
  }

  /// Whether the query matches every text, because there is no text to find.
  public var isEmpty: Bool { pattern.isEmpty }

  /// Returns whether a text matches the query.
  ///
  /// - Parameter text: any text, not folded.
  /// - Returns: whether the text matches.
  /// - Complexity: O(n) for n characters of the text. More only where the text repeats a part of the query.
  public func matches(_ text: String) -> Bool {
    pattern.isEmpty || pattern.matches(TextChunk(text, folding), 0)
  }

  /// Returns how well a text fits a fuzzy query. A higher score is better; nil where the text does not match.
  ///
  /// Of all ways to find the characters in their order, the best way counts. A character is worth 16. It is worth 8
  /// more where it begins a word, and 8 more where it directly follows the character before. Each skipped scalar
  /// between the first and the last character costs 1. A word begins at the beginning of the text, and after an ASCII
  /// character that is no letter and no digit. Scores of different queries cannot be compared.
  ///
  /// ```swift
  /// TextQuery.fuzzy("al").score(of: "Ada Lovelace")      // 45: two words begin; "da " is skipped
  /// TextQuery.fuzzy("al").score(of: "Alice")             // 48
  /// TextQuery.fuzzy("al").score(of: "Bob")               // nil
  /// ```
  ///
  /// - Parameter text: any text, not folded.
  /// - Returns: the score. It is 0 for a match of another kind of query, because such matches have no scores.
  /// - Complexity: O(m · n) for m characters of the query and n of the text.
  public func score(of text: String) -> Int? {
    let chunk = TextChunk(text, folding)
    guard pattern.isEmpty || pattern.matches(chunk, 0) else { return nil }
    if kind != .fuzzy { return 0 }
    var scorer = FuzzyScorer(pattern)
    return scorer.score(chunk, 0)
  }

  /// Returns whether every text that matches this query also matches another one, as far as the queries show.
  ///
  /// ```swift
  /// TextQuery.substring("strass").isNarrower(than: .substring("stra"))       // true: a letter typed
  /// TextQuery.words("ada love").isNarrower(than: .words("ada l"))            // true
  /// TextQuery.prefix("ada").isNarrower(than: .substring("d"))                // true
  /// TextQuery.substring("é").isNarrower(than: .substring("e"))               // false: e does not find é
  /// ```
  ///
  /// - Parameter other: any query.
  /// - Returns: whether that is certain. Every query is narrower than itself. Queries with different foldings are not
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
