import OffsetIndexing

/// The places of some children of a source, with a token each: those that a view follows while it does not show them.
///
/// Row i of these stands `distances[i]` behind row i - 1, the first one `distances[0] - 1` behind the source's start.
@usableFromInline
struct HiddenRows {
  private var distances = OffsetIndex()
  private var tokens = ChunkedArray<Crossing.Token>([])

  var isEmpty: Bool { distances.isEmpty }

  /// The first of the rows that stands at a position or behind it.
  private func index(from position: Int) -> Int {
    position < distances.total ? distances.locate(position).index : distances.count
  }

  private func position(_ index: Int) -> Int { distances.offset(of: index) + distances[index] - 1 }

  /// The token of the row at a position, or nil where there is none of these rows.
  ///
  /// - Complexity: O(log k) for k hidden rows.
  func token(at position: Int) -> Crossing.Token? {
    let index = index(from: position)
    return index < distances.count && self.position(index) == position ? tokens[index] : nil
  }

  /// All rows.
  ///
  /// - Complexity: O(k · log k) for k hidden rows.
  var all: [(position: Int, token: Crossing.Token)] { rows(in: 0..<distances.total) }

  /// The rows in a range of positions.
  ///
  /// - Complexity: O((r + 1) · log k) for r of the k hidden rows.
  func rows(in range: Range<Int>) -> [(position: Int, token: Crossing.Token)] {
    (index(from: range.lowerBound)..<index(from: range.upperBound)).map { (position($0), tokens[$0]) }
  }

  /// Forgets the row at a position.
  ///
  /// - Returns: its token, or nil where there is none of these rows.
  /// - Complexity: O(log k) for k hidden rows.
  mutating func remove(at position: Int) -> Crossing.Token? {
    let index = index(from: position)
    guard index < distances.count, self.position(index) == position else { return nil }
    let distance = distances.remove(at: index)
    if index < distances.count { distances.add(distance, at: index) }
    return tokens.remove(at: index)
  }

  /// Notes that the row at a position is hidden now.
  ///
  /// - Complexity: O(log k) for k hidden rows.
  mutating func insert(_ token: Crossing.Token, at position: Int) {
    let index = index(from: position)
    if index < distances.count, self.position(index) == position {
      tokens[index] = token
      return
    }
    let distance = position + 1 - (index < distances.count ? distances.offset(of: index) : distances.total)
    if index < distances.count { distances.add(-distance, at: index) }
    distances.insert(distance, at: index)
    tokens.insert(token, at: index)
  }

  /// Follows a change of the source.
  ///
  /// - Complexity: O((c + m) · log k) for c ranges, k hidden rows and m of them that moved.
  mutating func translate(_ delta: Delta) {
    if isEmpty || !delta.movesPositions { return }
    delta.rearrange(
      carrying: { range in
        rows(in: range).map { (offset: $0.position - range.lowerBound, token: $0.token) }
      },
      lifting: { remove($0) },
      putting: { range, moved in
        let index = index(from: range.lowerBound)
        if index < distances.count { distances.add(range.count, at: index) }
        for (offset, token) in moved ?? [] { insert(token, at: range.lowerBound + offset) }
      })
  }

  private mutating func remove(_ range: Range<Int>) {
    let first = index(from: range.lowerBound)
    let next = index(from: range.upperBound)
    if next < distances.count {
      let distance = position(next) + 1 - range.count - distances.offset(of: first)
      distances[next] = distance
    }
    distances.removeSubrange(first..<next)
    tokens.replaceSubrange(first..<next, with: EmptyCollection())
  }
}
