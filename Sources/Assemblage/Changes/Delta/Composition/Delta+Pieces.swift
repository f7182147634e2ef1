extension Delta {
  /// A run of survivors: `count` neighbours that were at `old` before the change and are at `new` after it.
  struct Piece: Equatable {
    var old: Int
    var new: Int
    var count: Int

    var oldEnd: Int { old + count }
    var newEnd: Int { new + count }
  }

  /// The smallest number of elements before the change that the delta can be applied to.
  ///
  /// From this position on, every element keeps its place among its neighbours.
  var oldExtent: Int {
    switch storage {
    case .identity: 0
    case .insertion(let range): range.lowerBound
    case .removal(let range): range.upperBound
    case .update(let range): range.upperBound
    case .several(let several): several.oldExtent
    }
  }

  /// Calls `body` with the runs of survivors among `oldCount` elements, in the order after the change.
  ///
  /// The runs are as long as possible, except for the end of the last one.
  @inline(__always)
  func forEachPiece(oldCount: Int, _ body: (Piece) -> Void) {
    func emit(_ old: Int, _ new: Int, _ count: Int) {
      if count > 0 { body(Piece(old: old, new: new, count: count)) }
    }
    switch storage {
    case .identity, .update: emit(0, 0, oldCount)
    case .insertion(let range):
      emit(0, 0, range.lowerBound)
      emit(range.lowerBound, range.upperBound, oldCount - range.lowerBound)
    case .removal(let range):
      emit(0, 0, range.lowerBound)
      emit(range.upperBound, range.lowerBound, oldCount - range.upperBound)
    case .several(let several): several.forEachPiece(oldCount: oldCount, body)
    }
  }

  /// The runs of survivors among `oldCount` elements, in the order after the change.
  func pieces(oldCount: Int) -> [Piece] {
    var pieces: [Piece] = []
    forEachPiece(oldCount: oldCount) { pieces.append($0) }
    return pieces
  }
}

extension Delta.Several {
  var oldExtent: Int {
    var extent = max(0, removals.last?.upperBound ?? 0)
    if let last = insertions.last { extent = max(extent, last.upperBound - countChange) }
    if let last = updates.last { extent = max(extent, last.upperBound - countChange) }
    if let last = moves.last { extent = max(extent, last.destination.upperBound - countChange) }
    for move in moves { extent = max(extent, move.source.upperBound) }
    return extent
  }

  func pieces(oldCount: Int) -> [Delta.Piece] {
    var pieces: [Delta.Piece] = []
    pieces.reserveCapacity(removals.count + insertions.count + 2 * moves.count + 1)
    forEachPiece(oldCount: oldCount) { pieces.append($0) }
    return pieces
  }

  /// See `Delta.forEachPiece(oldCount:_:)`; `moves` must be sorted by destination.
  func forEachPiece(oldCount: Int, _ body: (Delta.Piece) -> Void) {
    // The elements that stay keep their order. They are neither removed nor moved away. One after the other, they fill
    // the places that are neither inserted nor the destination of a move.
    var gap = RangeCursor(
      Delta.Ranges(
        canonical: moves.isEmpty
          ? removals : RangeLists.union(removals, RangeLists.normalized(moves.lazy.map(\.source)))))
    var insertion = RangeCursor(Delta.Ranges(canonical: insertions))
    var move = 0
    var old = 0
    var new = 0
    while true {
      if gap.lower == old {
        old = gap.upper
        gap.advance()
        continue
      }
      if insertion.lower == new {
        new = insertion.upper
        insertion.advance()
        continue
      }
      let nextDestination = move < moves.count ? moves[move].destination.lowerBound : Int.max
      if nextDestination == new {
        body(Delta.Piece(old: moves[move].source.lowerBound, new: new, count: moves[move].source.count))
        new = moves[move].destination.upperBound
        move += 1
        continue
      }
      let toGap = gap.lower - old
      let toArrival = min(insertion.lower, nextDestination) - new
      if gap.isAtEnd && insertion.isAtEnd && nextDestination == Int.max {
        if oldCount > old { body(Delta.Piece(old: old, new: new, count: oldCount - old)) }
        return
      }
      let count = min(toGap, toArrival)
      body(Delta.Piece(old: old, new: new, count: count))
      old += count
      new += count
    }
  }
}
