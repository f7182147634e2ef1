import AssemblageSearch

/// The terms of a search, in the language of fzf, each of which is looked for on the whole way down to an element.
///
///     nodes filter       both, in the name or in those above it
///     nodes/fil          a name that begins with fil, below one that ends with nodes
///     ^fil   .md$   'fi  a name that begins with it, ends with it, has it in one piece
///     !test              no name on the way has it
///     a | b              one of them
///
/// An element is found where each group of terms is met on its way, and its own name has a part in that. So `nodes` finds the
/// folder, and `nodes filter` what is called like that in it, and not everything that is in the folder.
///
/// A name is asked about with a slash on both sides: `^fil` is `/fil` there, and `.md$` is `.md/`.
struct TerminalTerms {
  /// What a name and some of those above it have to contain, each a query, the own name's first.
  private struct Way {
    let own: TextQuery
    /// What the own name has to contain, without regard to where it begins and ends.
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
    /// One of them is enough.
    var ways: [Way]
  }

  /// Each group has to be met, which one of its terms is enough for.
  private var groups: [[Term]] = []
  /// Whether the own name has to meet a group: where one says what there is, and not only what there is not.
  private let needsOwnName: Bool
  /// The same as a query for the own name alone, where there is one.
  let query: TextQuery?
  /// The names on the way that is being looked at, the own one first; their memory is used again for the next element.
  private var names: [[UInt8]] = []
  private var nameCount = 0

  /// Understands a text.
  ///
  /// - Parameters:
  ///   - text: terms with spaces between them; a space in a term has a backslash before it.
  ///   - isFuzzy: whether a term without a sign is found with other characters between its own.
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

  /// Whether there is nothing to look for.
  var isEmpty: Bool { groups.isEmpty }

  // MARK: Understanding

  /// The words of a text, at spaces that have no backslash before them.
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

  /// A term, and the same as a query for one name, where that is possible; nil where the word has nothing but signs.
  private static func term(_ word: String, isFuzzy: Bool) -> (Term, TextQuery?)? {
    var rest = word[...]
    func takesFirst(_ sign: Character) -> Bool {
      guard rest.first == sign else { return false }
      rest.removeFirst()
      return true
    }
    let isNegative = takesFirst("!")
    let isExact = takesFirst("'")
    let isAtStart = takesFirst("^")
    let isAtEnd = rest.last == "$"
    if isAtEnd { rest.removeLast() }
    if rest.isEmpty { return nil }

    let kind: TextQuery.Kind = isFuzzy && !isNegative && !isExact && !isAtStart && !isAtEnd ? .fuzzy : .substring
    let pieces = rest.split(separator: "/", omittingEmptySubsequences: false)
    func query(_ text: Substring, start: Bool, end: Bool) -> TextQuery {
      kind == .fuzzy ? .fuzzy(String(text)) : .substring((start ? "/" : "") + text + (end ? "/" : ""))
    }
    // The text of a value may have a slash in it.
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

  /// What own names have to contain, for each group that says what there is: one of some texts. Where a group is found in no
  /// name, nothing is found; and what is found has one of the groups in its own name.
  ///
  /// It is nil where own names may be any.
  var ownQueries: [[TextQuery]]? {
    guard needsOwnName else { return nil }
    let groups = groups.filter { $0.allSatisfy { !$0.isNegative } }
    let queries = groups.map { $0.flatMap { $0.ways.map(\.plain) } }
    return queries.contains { $0.contains(where: \.isEmpty) } ? nil : queries
  }

  // MARK: Asking

  /// Whether an element is found.
  ///
  /// - Parameters:
  ///   - text: the element's own text.
  ///   - above: gives the names above it, one after the other, the nearest first.
  /// - Returns: whether all groups are met.
  mutating func matches(_ text: String, above: () -> String?) -> Bool {
    nameCount = 0
    append(text)
    // The own name first: most elements are told by it, without a look at what is above.
    var open: [Int] = []
    for group in groups.indices where !meetsOwn(group, above) { open.append(group) }
    if needsOwnName, open.count == groups.count { return false }
    for group in open where !meets(group, above) { return false }
    return true
  }

  /// Whether the own name meets a group.
  private mutating func meetsOwn(_ group: Int, _ above: () -> String?) -> Bool {
    for term in groups[group].indices where !groups[group][term].isNegative {
      if finds(group, term, at: 0, above) { return true }
    }
    return false
  }

  /// Whether something on the way meets a group.
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

  /// Whether a term is found in a name, and where it has slashes, in those above it.
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

  /// Reads the names above as far as they are asked about; returns whether there is one.
  private mutating func hasName(_ level: Int, _ above: () -> String?) -> Bool {
    while nameCount <= level {
      guard let name = above() else { return false }
      append(name)
    }
    return true
  }

  /// Notes a name, with a slash on both sides.
  private mutating func append(_ name: String) {
    if nameCount == names.count { names.append([]) }
    names[nameCount].removeAll(keepingCapacity: true)
    names[nameCount].append(UInt8(ascii: "/"))
    names[nameCount].append(contentsOf: name.utf8)
    names[nameCount].append(UInt8(ascii: "/"))
    nameCount += 1
  }

  /// Where terms are in an own text, for highlighting.
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
    var joined: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, range.lowerBound <= last.upperBound {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        joined.append(range)
      }
    }
    return joined.map { range in
      let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
      return start..<text.utf8.index(start, offsetBy: range.count)
    }
  }
}
