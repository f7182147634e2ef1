import AssemblageSearch

/// The terms of a search, in the language of fzf.
///
/// Each term is searched on the whole path down to an element.
///
///     nodes filter       both, in the name or in the names above
///     nodes/fil          a name that begins with fil, below one that ends with nodes
///     ^fil   .md$   'fi  a name that begins with it, ends with it, has it in one piece
///     !test              no name on the path has it
///     a | b              one of them
///
/// An element matches if each group of terms matches on its path, and its own name matches at least one group. So
/// `nodes` finds the folder. And `nodes filter` finds the elements of this folder with "filter" in their names, and no
/// others. If every group has a negative term, the own name may be any name.
///
/// A name is matched with a slash on both sides: `^fil` is `/fil` there, and `.md$` is `.md/`.
struct TerminalTerms {
  /// A chain of queries, one for a name and one for each name above it; the first query is for the element's own name.
  private struct Way {
    let own: TextQuery
    /// The text that the own name must contain, at any position.
    let plain: TextQuery
    var matchers: [TextMatcher]

    init(_ queries: [TextQuery], plain: TextQuery) {
      own = queries[0]
      self.plain = plain
      matchers = queries.map { TextMatcher($0) }
    }
  }

  private struct Term {
    let isNegative: Bool
    /// One matching way is enough.
    var ways: [Way]
  }

  /// Each group must match; one matching term of a group is enough.
  private var groups: [[Term]] = []
  /// Whether the own name must match a group: true if some group has no negative term.
  private let needsOwnName: Bool
  /// The same terms as a query for the own name alone, if that is possible.
  let query: TextQuery?
  /// The names on the current path, the own name first.
  ///
  /// Their memory is reused for the next element.
  private var names: [[UInt8]] = []
  private var nameCount = 0

  /// Parses a text.
  ///
  /// - Parameters:
  ///   - text: terms with spaces between them; a space in a term has a backslash before it.
  ///   - isFuzzy: whether a term without a sign also matches with other characters between its own.
  init(_ text: String, isFuzzy: Bool) {
    var isAlternative = false
    var queries: [TextQuery?] = []
    for word in Self.words(text) {
      if word == "|" {
        isAlternative = !groups.isEmpty
        continue
      }
      guard let (term, query) = Self.term(word, isFuzzy: isFuzzy) else { continue }
      if isAlternative { groups[groups.count - 1].append(term) } else { groups.append([term]) }
      isAlternative = false
      queries.append(query)
    }
    query = queries.count == 1 ? queries[0] : nil
    needsOwnName = groups.contains { $0.allSatisfy { !$0.isNegative } }
  }

  /// Whether there are no terms.
  var isEmpty: Bool { groups.isEmpty }

  // MARK: Parsing

  /// Splits a text into words, at spaces that have no backslash before them.
  private static func words(_ text: String) -> [String] {
    var (words, isEscaped) = ([""], false)
    for character in text {
      if character == "\\", !isEscaped {
        isEscaped = true
        continue
      }
      if character.isWhitespace, !isEscaped {
        words.append("")
      } else {
        if isEscaped, !character.isWhitespace { words[words.count - 1].append("\\") }
        words[words.count - 1].append(character)
      }
      isEscaped = false
    }
    if isEscaped { words[words.count - 1].append("\\") }
    return words.filter { !$0.isEmpty }
  }

  /// Parses a term, also as a query for one name if possible; nil if the word consists of signs only.
  private static func term(_ word: String, isFuzzy: Bool) -> (Term, TextQuery?)? {
    var rest = word[...]
    func removeFirst(_ sign: Character) -> Bool {
      guard rest.first == sign else { return false }
      rest.removeFirst()
      return true
    }
    let isNegative = removeFirst("!")
    let isExact = removeFirst("'")
    let isAtStart = removeFirst("^")
    let isAtEnd = rest.last == "$"
    if isAtEnd { rest.removeLast() }
    if rest.isEmpty { return nil }

    let kind: TextQuery.Kind = isFuzzy && !isNegative && !isExact && !isAtStart && !isAtEnd ? .fuzzy : .substring
    let pieces = rest.split(separator: "/", omittingEmptySubsequences: false)
    func query(_ text: Substring, start: Bool, end: Bool) -> TextQuery {
      kind == .fuzzy ? .fuzzy(String(text)) : .substring((start ? "/" : "") + text + (end ? "/" : ""))
    }
    // The text of a value may contain a slash.
    var ways = [Way([query(rest, start: isAtStart, end: isAtEnd)], plain: TextQuery(kind, String(rest)))]
    if pieces.count > 1 {
      let last = pieces.count - 1
      let levels = pieces.enumerated().map { place, piece in
        query(piece, start: place > 0 || isAtStart, end: place < last || isAtEnd)
      }
      ways.append(Way(levels.reversed(), plain: TextQuery(kind, String(pieces[last]))))
    }
    let isOfOneName = pieces.count == 1 && !isNegative && !isAtEnd
    let simple = isAtStart ? TextQuery.prefix(String(rest)) : TextQuery(kind, String(rest))
    return (Term(isNegative: isNegative, ways: ways), isOfOneName ? simple : nil)
  }

  /// The queries for own names, for each group without a negative term: one of a group's queries must match.
  ///
  /// If no name matches a group, no element matches. And each match has at least one of the groups in its own name.
  ///
  /// The value is nil if every own name may match.
  var ownQueries: [[TextQuery]]? {
    guard needsOwnName else { return nil }
    let groups = groups.filter { $0.allSatisfy { !$0.isNegative } }
    let queries = groups.map { $0.flatMap { $0.ways.map(\.plain) } }
    return queries.contains { $0.contains(where: \.isEmpty) } ? nil : queries
  }

  // MARK: Matching

  /// Whether an element matches.
  ///
  /// - Parameters:
  ///   - text: the element's own text.
  ///   - above: returns the names above the element one by one, the nearest first.
  /// - Returns: whether all groups match.
  mutating func matches(_ text: String, above: () -> String?) -> Bool {
    nameCount = 0
    append(text)
    // The own name is matched first: this decides most elements, without a look at the names above.
    var open: [Int] = []
    for group in groups.indices where !meetsOwn(group, above) { open.append(group) }
    if needsOwnName, open.count == groups.count { return false }
    for group in open where !meets(group, above) { return false }
    return true
  }

  /// Whether the own name matches a group.
  private mutating func meetsOwn(_ group: Int, _ above: () -> String?) -> Bool {
    for term in groups[group].indices where !groups[group][term].isNegative {
      if finds(group, term, at: 0, above) { return true }
    }
    return false
  }

  /// Whether a name on the path matches a group.
  private mutating func meets(_ group: Int, _ above: () -> String?) -> Bool {
    for term in groups[group].indices {
      let isNegative = groups[group][term].isNegative
      var (level, isFound) = (0, false)
      while !isFound, hasName(level, above) {
        isFound = finds(group, term, at: level, above)
        level += 1
      }
      if isFound != isNegative { return true }
    }
    return false
  }

  /// Whether a term matches a name and, if the term has slashes, the names above it.
  private mutating func finds(_ group: Int, _ term: Int, at level: Int, _ above: () -> String?) -> Bool {
    for way in groups[group][term].ways.indices {
      var place = 0
      let count = groups[group][term].ways[way].matchers.count
      while place < count, hasName(level + place, above) {
        let name = names[level + place]
        guard groups[group][term].ways[way].matchers[place].matches(name.span) else { break }
        place += 1
      }
      if place == count { return true }
    }
    return false
  }

  /// Reads the names above as far as needed; returns whether there is a name at a level.
  private mutating func hasName(_ level: Int, _ above: () -> String?) -> Bool {
    while nameCount <= level {
      guard let name = above() else { return false }
      append(name)
    }
    return true
  }

  /// Stores a name, with a slash on both sides.
  private mutating func append(_ name: String) {
    if nameCount == names.count { names.append([]) }
    names[nameCount].removeAll(keepingCapacity: true)
    names[nameCount].append(UInt8(ascii: "/"))
    names[nameCount].append(contentsOf: name.utf8)
    names[nameCount].append(UInt8(ascii: "/"))
    nameCount += 1
  }

  /// The ranges of terms in the own text, for highlighting.
  func ranges(in text: String) -> [Range<String.Index>] {
    let delimited = "/" + text + "/"
    var ranges: [Range<Int>] = []
    for term in groups.joined() where !term.isNegative {
      for way in term.ways {
        for range in way.own.ranges(in: delimited) {
          let start = delimited.utf8.distance(from: delimited.startIndex, to: range.lowerBound) - 1
          let end = delimited.utf8.distance(from: delimited.startIndex, to: range.upperBound) - 1
          let inside = max(0, start)..<min(text.utf8.count, max(0, end))
          if !inside.isEmpty { ranges.append(inside) }
        }
      }
    }
    return RangeSet(ranges).ranges.map { range in
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      return start..<text.utf8.index(start, offsetBy: range.count)
    }
  }
}
