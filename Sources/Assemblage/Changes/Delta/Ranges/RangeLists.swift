/// Ascending lists of disjoint, non-adjacent, non-empty ranges, with the operations that deltas need, in linear time.
enum RangeLists {
  /// Appends `range` to an ascending list; if it touches the last range, the two are joined.
  @inline(__always)
  static func append(_ range: Range<Int>, to list: inout [Range<Int>]) {
    if let last = list.last, last.upperBound >= range.lowerBound {
      list[list.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      list.append(range)
    }
  }

  /// Whether `ranges` is ascending, and no range is empty or touches the next.
  static func isNormalized(_ ranges: [Range<Int>]) -> Bool {
    for (index, range) in ranges.enumerated() {
      if range.isEmpty || (index > 0 && range.lowerBound <= ranges[index - 1].upperBound) { return false }
    }
    return true
  }

  /// The positions in `ranges`, which may be in any order and may overlap.
  static func normalized(_ ranges: [Range<Int>]) -> [Range<Int>] {
    isNormalized(ranges) ? ranges : normalized(ranges[...])
  }

  /// The positions in `ranges`, which may be in any order and may overlap.
  static func normalized(_ ranges: some Sequence<Range<Int>>) -> [Range<Int>] {
    let sorted = ranges.filter { !$0.isEmpty }.sorted(byNumber: \.lowerBound)
    var result: [Range<Int>] = []
    result.reserveCapacity(sorted.count)
    for range in sorted { append(range, to: &result) }
    return result
  }

  /// The positions in either list.
  static func union(_ left: [Range<Int>], _ right: [Range<Int>]) -> [Range<Int>] {
    if left.isEmpty { return right }
    if right.isEmpty { return left }
    var result: [Range<Int>] = []
    result.reserveCapacity(left.count + right.count)
    var i = 0
    var j = 0
    while i < left.count && j < right.count {
      if left[i].lowerBound <= right[j].lowerBound {
        append(left[i], to: &result)
        i += 1
      } else {
        append(right[j], to: &result)
        j += 1
      }
    }
    while i < left.count {
      append(left[i], to: &result)
      i += 1
    }
    while j < right.count {
      append(right[j], to: &result)
      j += 1
    }
    return result
  }

  /// The positions of `list` that are not in `holes`.
  static func subtracting(_ holes: [Range<Int>], from list: [Range<Int>]) -> [Range<Int>] {
    if holes.isEmpty || list.isEmpty { return list }
    var result: [Range<Int>] = []
    result.reserveCapacity(list.count)
    var hole = 0
    for range in list {
      var lower = range.lowerBound
      while hole < holes.count && holes[hole].upperBound <= lower { hole += 1 }
      var next = hole
      while lower < range.upperBound {
        guard next < holes.count, holes[next].lowerBound < range.upperBound else {
          result.append(lower..<range.upperBound)
          break
        }
        if holes[next].lowerBound > lower { result.append(lower..<holes[next].lowerBound) }
        lower = holes[next].upperBound
        next += 1
      }
    }
    return result
  }

  /// The positions in both lists; touching ranges are joined.
  static func intersection(_ left: [Range<Int>], _ right: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var i = 0
    var j = 0
    while i < left.count && j < right.count {
      let lower = max(left[i].lowerBound, right[j].lowerBound)
      let upper = min(left[i].upperBound, right[j].upperBound)
      if lower < upper { append(lower..<upper, to: &result) }
      if left[i].upperBound <= right[j].upperBound { i += 1 } else { j += 1 }
    }
    return result
  }

  /// The positions (post) of the elements at `list` (pre), without the removed ones.
  ///
  /// `removals` are pre positions, and `insertions` are post positions.
  static func mapped(
    _ list: [Range<Int>], removing removals: Delta.Ranges, inserting insertions: Delta.Ranges
  ) -> [Range<Int>] {
    if list.isEmpty { return list }
    if removals.isEmpty && insertions.isEmpty { return list }
    var result: [Range<Int>] = []
    result.reserveCapacity(list.count)
    var removal = RangeCursor(removals)
    var insertion = RangeCursor(insertions)
    var shift = 0  // post minus pre, at the loop's current place
    var gone = 0  // the end (pre) of the removals so far
    for range in list {
      var lower = max(range.lowerBound, gone)
      while lower < range.upperBound {
        // A removal that starts at or before `lower` shifts the rest of the range, or removes its beginning.
        if removal.lower <= lower {
          gone = removal.upper
          lower = max(lower, gone)
          shift -= removal.upper - removal.lower
          removal.advance()
          continue
        }
        if insertion.lower <= lower + shift {
          shift += insertion.upper - insertion.lower
          insertion.advance()
          continue
        }
        var upper = min(range.upperBound, removal.lower)
        if insertion.lower != Int.max { upper = min(upper, insertion.lower - shift) }
        append((lower + shift)..<(upper + shift), to: &result)
        lower = upper
      }
    }
    return result
  }
}

/// A place in a list of ranges; behind the last range, the cursor shows an empty range at `Int.max`.
struct RangeCursor {
  private let ranges: Delta.Ranges
  private var index = 0
  /// The bounds of the current range; the user may raise `lower` while the range is used up.
  var lower: Int
  private(set) var upper: Int

  init(_ ranges: Delta.Ranges) {
    self.ranges = ranges
    lower = Int.max
    upper = Int.max
    if let first = ranges.first {
      lower = first.lowerBound
      upper = first.upperBound
    }
  }

  var isAtEnd: Bool { lower == Int.max }

  @inline(__always)
  mutating func advance() {
    index += 1
    if index < ranges.endIndex {
      let range = ranges[index]
      lower = range.lowerBound
      upper = range.upperBound
    } else {
      lower = Int.max
      upper = Int.max
    }
  }
}

extension Range<Int> {
  /// The range with `distance` added to both bounds.
  func shifted(by distance: Int) -> Range<Int> { (lowerBound + distance)..<(upperBound + distance) }
}
