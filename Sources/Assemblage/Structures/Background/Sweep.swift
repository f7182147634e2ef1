import OffsetIndexing

/// Which elements of a source have no answer yet to a question that is asked piece by piece, while the source changes.
///
///     source       a b c d e f g h
///     waiting      0 0 0 0 0 1 1 1    not asked yet
///     under way        2 1 1          pieces, some of which may be asked about elsewhere; what happened since each was taken
///     answered     a b                everything else
///
/// An element that comes, or is updated, is asked about at once by the owner: it does not wait, and what is said of it in a piece
/// that was taken before is out of date.
struct Sweep {
  /// The elements that no piece has taken yet.
  private var waiting: BitIndex
  private var underWay: [UnderWay] = []
  private var nextID = 0
  /// Where the next piece begins, if something waits from there on; else at the first that waits.
  private var cursor: Int

  /// Some elements that are asked about together.
  struct Piece: Sendable {
    /// By which the sweep knows it.
    let id: Int
    /// Where it is, when it is taken.
    let range: Range<Int>
    /// Which elements of the range belong to it.
    let mask: BitRun
  }

  private struct UnderWay {
    let piece: Piece
    var meanwhile = DeltaComposer()
  }

  /// Begins to ask.
  ///
  /// - Parameters:
  ///   - waiting: the elements that are to be asked about.
  ///   - start: where to begin, `0...waiting.count`; what is before it comes last.
  init(_ waiting: BitIndex, from start: Int = 0) {
    self.waiting = waiting
    cursor = start
  }

  /// Whether everything has its answer.
  var isDone: Bool { waiting.setCount == 0 && underWay.isEmpty }

  /// How many elements have no answer.
  var unansweredCount: Int { underWay.reduce(waiting.setCount) { $0 + $1.piece.mask.setCount } }

  // MARK: Pieces

  /// Takes the elements that are to be asked about next.
  ///
  /// - Parameter count: how many at most, at least 1.
  /// - Returns: a piece that has some, and spans at most 64 times as many; nil where none waits.
  /// - Complexity: O(log n + r / 64) for a piece that spans r of n elements.
  mutating func take(atMost count: Int) -> Piece? {
    guard waiting.setCount > 0 else { return nil }
    var first = waiting.rank(min(cursor, waiting.count))
    if first == waiting.setCount { first = 0 }
    let start = waiting.select(first)
    let end = waiting.select(min(first + count, waiting.setCount) - 1) + 1
    let range = start..<min(end, start + 64 * count)
    let piece = Piece(id: nextID, range: range, mask: waiting.bits(in: range))
    nextID += 1
    cursor = range.upperBound
    waiting.replace(range, with: BitRun(repeating: false, count: range.count))
    underWay.append(UnderWay(piece: piece))
    return piece
  }

  /// Takes in that a piece has its answers.
  ///
  /// - Parameter piece: the piece, which was taken and has had none.
  /// - Returns: where its elements are now: ranges of the piece's own, and of the source. Those that were removed or updated are
  ///   left out.
  /// - Complexity: O(log c) for c changes since it was taken, and for what they changed in it.
  mutating func end(_ piece: Piece) -> [(piece: Range<Int>, source: Range<Int>)] {
    let index = underWay.firstIndex { $0.piece.id == piece.id }!
    return Self.places(underWay.remove(at: index))
  }

  private static func places(_ work: consuming UnderWay) -> [(piece: Range<Int>, source: Range<Int>)] {
    let range = work.piece.range
    if work.meanwhile.isEmpty { return [(0..<range.count, range)] }
    let delta = work.meanwhile.net()
    let updates = RangeSet(delta.updates)
    var places: [(piece: Range<Int>, source: Range<Int>)] = []
    Delta.PositionMap(delta).forEachRun(inOld: range) { old, new in
      for part in RangeSet(new).subtracting(updates).ranges {
        let start = old.lowerBound - range.lowerBound + part.lowerBound - new.lowerBound
        places.append((start..<start + part.count, part))
      }
    }
    return places
  }

  /// The elements without an answer: those that wait, and those under way.
  ///
  /// - Complexity: O(1) and that of `end(_:)` for each piece under way.
  var unanswered: BitIndex {
    var bits = waiting
    for work in underWay {
      for place in Self.places(work) {
        var run = bits.bits(in: place.source)
        run.formUnion(work.piece.mask[place.piece])
        bits.replace(place.source, with: run)
      }
    }
    return bits
  }

  // MARK: The source's changes

  /// Follows a change of the source, whose new and updated elements have been asked about.
  ///
  /// - Parameter delta: the change.
  /// - Complexity: O(c · log n) for c ranges, and amortised O(log k) for each piece under way after k changes.
  mutating func follow(_ delta: Delta) {
    waiting.follow(
      delta, inserted: delta.insertions.map { BitRun(repeating: false, count: $0.count) },
      updated: delta.updates.map { BitRun(repeating: false, count: $0.count) })
    for index in underWay.indices { underWay[index].meanwhile.append(delta) }
  }
}
