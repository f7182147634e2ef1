public import Assemblage
import OffsetIndexing

extension TextIndex {
  /// Returns the elements that match a query, by their numbers in document order.
  ///
  /// In a flat node, these numbers are positions.
  ///
  /// ```swift
  /// let index = TextIndex(of: ArrayNode(["Ada", "Adele", "Bob"]))
  /// index.matches(for: .substring("ad")).ranges      // [0..<2]
  /// index.matches(for: .prefix("d")).isEmpty         // true
  /// ```
  ///
  /// - Parameter query: the query. The index folds the query by its own folding.
  /// - Returns: the numbers, within `0..<count`.
  /// - Complexity: O(b + r) for b bytes of text and r ranges of numbers in the result.
  public func matches(for query: TextQuery) -> RangeSet<Int> {
    var ranges: [Range<Int>] = []
    search(query).forEachSetRange { ranges.append($0) }
    return RangeSet(ranges)
  }

  /// Returns the number of elements that match a query.
  ///
  /// - Parameter query: the query. The index folds the query by its own folding.
  /// - Returns: the number, within `0...count`.
  /// - Complexity: O(b) for b bytes of text.
  public func count(for query: TextQuery) -> Int { search(query).setCount }

  /// Returns the paths of the elements that match a query, in ascending order.
  ///
  /// - Parameters:
  ///   - query: the query. The index folds the query by its own folding.
  ///   - limit: the greatest number of paths, at least 0; all paths by default.
  /// - Returns: the paths from the index's node. They are the paths of the first matches in document order.
  /// - Precondition: `limit` is not negative; anything else traps.
  /// - Complexity: O(b + k · d · log n) for b bytes of text and k paths of length d.
  public func paths(for query: TextQuery, limit: Int = .max) -> [IndexPath] {
    require(limit >= 0, "TextIndex: the limit \(limit) is negative.")
    var numbers: [Int] = []
    search(query).forEachSetRange { numbers += $0.prefix(limit - numbers.count) }
    return numbers.map { IndexPath(indexes: shape.path(to: $0)) }
  }

  /// Returns the elements that fit a query best, the best element first.
  ///
  /// ```swift
  /// let index = TextIndex(of: ArrayNode(["Calendar", "Ada Lovelace", "Alice"]))
  /// index.best(for: .fuzzy("al")).map(\.number)                  // [2, 1, 0]
  /// index.best(for: .fuzzy("al"), limit: 1).map(\.score)         // [48]
  /// ```
  ///
  /// If scores are equal, the shorter text is first. If the lengths are equal, too, the element that is first in the
  /// node is first. Queries that are not fuzzy have no scores: the result is their first matches, with the score 0.
  ///
  /// - Parameters:
  ///   - query: the query. The index folds the query by its own folding.
  ///   - limit: the greatest number of elements, at least 0.
  /// - Returns: numbers in document order with their scores. See `TextQuery.score(of:)`.
  /// - Precondition: `limit` is not negative; anything else traps.
  /// - Complexity: O(b + f · (m + log k)) for b bytes of text, f bytes of matching texts, a query of m characters and k
  ///   results. O(f · k) at worst, if each match is better than all matches before it.
  public func best(for query: TextQuery, limit: Int = 100) -> [(number: Int, score: Int)] {
    require(limit >= 0, "TextIndex: the limit \(limit) is negative.")
    let query = query.folded(by: folding)
    let found = search(query)
    var ranking = TextRanking(limit: limit)
    guard query.kind == .fuzzy else {
      found.forEachSetRange { ranking.append($0) }
      return ranking.results
    }
    var scorer = FuzzyScorer(query.pattern)
    var base = 0
    for chunk in column.chunks {
      for index in 0..<chunk.count where found[base + index] {
        ranking.insert(base + index, score: scorer.score(chunk, index), length: scorer.length)
      }
      base += chunk.count
    }
    return ranking.results
  }

  // MARK: Bits

  /// Finds the elements that match a query.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - mask: the elements to search; nil for all. The bits of other elements are false in the result.
  ///   - valueless: the bit of children without a value.
  /// - Returns: a bit for each element.
  func search(_ query: TextQuery, among mask: BitRun? = nil, valueless: Bool = false) -> BitRun {
    catchUp()
    var result = column.search(query.folded(by: folding).pattern, among: mask)
    if valueless, column.hasValueless {
      var others = column.valueless()
      if let mask { others.formIntersection(mask) }
      result.formUnion(others)
    }
    return result
  }
}

/// The best results of a search.
private struct TextRanking {
  private let limit: Int
  /// The best results, in descending order.
  private var entries: [(number: Int, score: Int, length: Int)] = []

  init(limit: Int) { self.limit = limit }

  var results: [(number: Int, score: Int)] { entries.map { ($0.number, $0.score) } }

  mutating func append(_ numbers: Range<Int>) {
    for number in numbers.prefix(limit - entries.count) { entries.append((number, 0, 0)) }
  }

  /// Adds a result if it is one of the best. The numbers ascend from call to call.
  mutating func insert(_ number: Int, score: Int, length: Int) {
    if entries.count == limit {
      guard let last = entries.last, (score, -length) > (last.score, -last.length) else { return }
      entries.removeLast()
    }
    let index = entries.partitioningIndex { ($0.score, -$0.length) < (score, -length) }
    entries.insert((number, score, length), at: index)
  }
}
