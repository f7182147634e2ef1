public import Assemblage
import OffsetIndexing

extension TextIndex {
  /// The elements that a query matches, by their numbers in document order: in a flat node, their positions.
  ///
  /// ```swift
  /// let index = TextIndex(of: ArrayNode(["Ada", "Adele", "Bob"]))
  /// index.matches(for: .substring("ad")).ranges      // [0..<2]
  /// index.matches(for: .prefix("d")).isEmpty         // true
  /// ```
  ///
  /// - Parameter query: the query; the index folds it by its own folding.
  /// - Returns: the numbers, within `0..<count`.
  /// - Complexity: O(b + r) for b bytes of text and r ranges of numbers that are found.
  public func matches(for query: TextQuery) -> RangeSet<Int> {
    var ranges: [Range<Int>] = []
    search(query).forEachSetRange { ranges.append($0) }
    return RangeSet(ranges)
  }

  /// The number of elements that a query matches.
  ///
  /// - Parameter query: the query; the index folds it by its own folding.
  /// - Returns: the number, within `0...count`.
  /// - Complexity: O(b) for b bytes of text.
  public func count(for query: TextQuery) -> Int { search(query).setCount }

  /// The paths of the elements that a query matches, in ascending order.
  ///
  /// - Parameters:
  ///   - query: the query; the index folds it by its own folding.
  ///   - limit: how many at most, at least 0; all by default.
  /// - Returns: the paths from the index's node, of the first elements in document order.
  /// - Precondition: `limit` is not negative; anything else traps.
  /// - Complexity: O(b + k · d · log n) for b bytes of text and k paths of length d.
  public func paths(for query: TextQuery, limit: Int = .max) -> [IndexPath] {
    require(limit >= 0, "TextIndex: the limit \(limit) is negative.")
    var numbers: [Int] = []
    search(query).forEachSetRange { numbers += $0.prefix(limit - numbers.count) }
    return numbers.map { IndexPath(indexes: shape.path(to: $0)) }
  }

  /// The elements that fit a query best, the best first.
  ///
  /// ```swift
  /// let index = TextIndex(of: ArrayNode(["Calendar", "Ada Lovelace", "Alice"]))
  /// index.best(for: .fuzzy("al")).map(\.number)                  // [2, 1, 0]
  /// index.best(for: .fuzzy("al"), limit: 1).map(\.score)         // [48]
  /// ```
  ///
  /// Of equal scores the shorter text is first, and of texts of equal length the one that is first in the node. Queries
  /// that are not fuzzy have no scores: the result is their first matches, with the score 0.
  ///
  /// - Parameters:
  ///   - query: the query; the index folds it by its own folding.
  ///   - limit: how many at most, at least 0.
  /// - Returns: numbers in document order with their scores: see `TextQuery.score(of:)`.
  /// - Precondition: `limit` is not negative; anything else traps.
  /// - Complexity: O(b + f · (m + log k)) for b bytes of text, f bytes of texts that match, a query of m characters and
  ///   k results; O(f · k) at worst, where each is better than all before it.
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

  /// Which elements a query matches, a bit for each in document order.
  ///
  /// - Parameters:
  ///   - query: the query.
  ///   - mask: which elements are asked about; nil for all. The answer on others is false.
  ///   - valueless: the answer on children without a value.
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
  /// The best, descending.
  private var entries: [(number: Int, score: Int, length: Int)] = []

  init(limit: Int) { self.limit = limit }

  var results: [(number: Int, score: Int)] { entries.map { ($0.number, $0.score) } }

  mutating func append(_ numbers: Range<Int>) {
    for number in numbers.prefix(limit - entries.count) { entries.append((number, 0, 0)) }
  }

  /// Takes a result in, if it is one of the best; numbers ascend from call to call.
  mutating func insert(_ number: Int, score: Int, length: Int) {
    if entries.count == limit {
      guard let last = entries.last, (score, -length) > (last.score, -last.length) else { return }
      entries.removeLast()
    }
    let index = entries.partitioningIndex { ($0.score, -$0.length) < (score, -length) }
    entries.insert((number, score, length), at: index)
  }
}
