extension Delta {
  /// The net change of this delta and the delta that follows it.
  ///
  /// An element that was inserted and then removed is in neither list. An element that was removed and then inserted
  /// remains a removal and an insertion. The update of an inserted element is absorbed.
  ///
  /// ```swift
  /// Delta.insertion(2..<3).composed(with: .removal(2..<3)).isEmpty           // true
  /// Delta.insertion(2..<3).composed(with: .insertion(0..<1))                 // inserted 0 and 3
  /// ```
  ///
  /// - Parameter next: a delta whose positions before the change are this delta's positions after its change.
  /// - Returns: the delta from the positions before this delta to the positions after `next`.
  /// - Complexity: O(p + q) for p and q ranges; O((p + q) · log (p + q)) where elements moved.
  public func composed(with next: Delta) -> Delta {
    if case .identity = next.storage { return self }
    if case .identity = storage { return next }
    let result =
      hasMoves || next.hasMoves
      ? PieceTable(self).composed(with: PieceTable(next)).delta : composedInOrder(with: next)
    result.checkInvariants()
    return result
  }

  /// The net change of deltas without moves, found in one walk over the positions between the two.
  private func composedInOrder(with next: Delta) -> Delta {
    // Between the two deltas, a position is inserted by `self` or not, and removed by `next` or not. Each step of the
    // walk takes the longest run for which both answers stay the same.
    var firstRemoval = RangeCursor(removals)  // old
    var firstInsertion = RangeCursor(insertions)  // middle
    var nextRemoval = RangeCursor(next.removals)  // middle
    var nextInsertion = RangeCursor(next.insertions)  // new
    var netRemovals: [Range<Int>] = []
    var netInsertions: [Range<Int>] = []
    netRemovals.reserveCapacity(removals.count + next.removals.count)
    netInsertions.reserveCapacity(insertions.count + next.insertions.count)
    var old = 0
    var middle = 0
    var new = 0
    while true {
      if firstRemoval.lower == old {
        RangeLists.append(old..<firstRemoval.upper, to: &netRemovals)
        old = firstRemoval.upper
        firstRemoval.advance()
        continue
      }
      if nextInsertion.lower == new {
        RangeLists.append(new..<nextInsertion.upper, to: &netInsertions)
        new = nextInsertion.upper
        nextInsertion.advance()
        continue
      }
      let isInserted = firstInsertion.lower <= middle
      let isRemoved = nextRemoval.lower <= middle
      var count = Int.max
      if isInserted {
        count = firstInsertion.upper - middle
      } else {
        if !firstInsertion.isAtEnd { count = firstInsertion.lower - middle }
        if !firstRemoval.isAtEnd { count = min(count, firstRemoval.lower - old) }
      }
      if isRemoved {
        count = min(count, nextRemoval.upper - middle)
      } else {
        if !nextRemoval.isAtEnd { count = min(count, nextRemoval.lower - middle) }
        if !nextInsertion.isAtEnd { count = min(count, nextInsertion.lower - new) }
      }
      if count == Int.max { break }
      middle += count
      if isInserted {
        if !isRemoved {
          RangeLists.append(new..<(new + count), to: &netInsertions)
          new += count
        }
      } else if isRemoved {
        RangeLists.append(old..<(old + count), to: &netRemovals)
        old += count
      } else {
        old += count
        new += count
      }
      if isInserted && middle == firstInsertion.upper { firstInsertion.advance() }
      if isRemoved && middle == nextRemoval.upper { nextRemoval.advance() }
    }
    let carried = RangeLists.mapped(Array(updates), removing: next.removals, inserting: next.insertions)
    let added = RangeLists.subtracting(netInsertions, from: Array(next.updates))
    return Delta(
      canonicalRemovals: netRemovals, insertions: netInsertions, updates: RangeLists.union(carried, added))
  }

  /// The delta that reverts this change: insertions become removals, removals become insertions, and moves go back.
  ///
  /// Updated elements are updated by the inverse too, at their positions before the change.
  ///
  /// - Complexity: O(p) for p ranges; O(p · log p) where elements moved.
  public func inverse() -> Delta {
    switch storage {
    case .identity, .update: return self
    case .insertion(let range): return Delta(storage: .removal(range))
    case .removal(let range): return Delta(storage: .insertion(range))
    case .several(let several):
      if several.moves.isEmpty {
        return Delta(
          canonicalRemovals: several.insertions, insertions: several.removals,
          updates: RangeLists.mapped(several.updates, removing: insertions, inserting: removals))
      }
      let oldCount = several.oldExtent
      var pieces = several.pieces(oldCount: oldCount)
      for index in pieces.indices {
        (pieces[index].old, pieces[index].new) = (pieces[index].new, pieces[index].old)
      }
      pieces.sort(byNumber: \.new)
      let result = Delta(
        pieces: pieces, oldCount: oldCount + countChange, newCount: oldCount,
        updates: updates.isEmpty ? [] : PositionMap(self).ranges(before: updates))
      result.checkInvariants()
      return result
    }
  }

  /// The same change of a part that starts at `offset` of a larger index space.
  ///
  /// The elements before the part do not change, so `offset` is the same before and after the change.
  ///
  /// ```swift
  /// Delta.insertion(2..<3).shifted(by: 10)   // inserted 12
  /// ```
  ///
  /// - Parameter offset: the number that is added to every position; a negative number moves them down.
  /// - Returns: the delta of the larger index space.
  /// - Precondition: no position becomes negative or larger than 2^62.
  /// - Complexity: O(p) for p ranges.
  @_spi(NodeAuthors)
  public func shifted(by offset: Int) -> Delta {
    if offset == 0 { return self }
    func shift(_ range: Range<Int>) -> Range<Int> {
      let lower = range.lowerBound + offset
      let upper = range.upperBound + offset
      require(
        lower >= 0 && upper <= Self.largestPosition,
        "Delta: \(range) shifted by \(offset) leaves the positions from 0 to 2^62.")
      return lower..<upper
    }
    switch storage {
    case .identity: return self
    case .insertion(let range): return Delta(storage: .insertion(shift(range)))
    case .removal(let range): return Delta(storage: .removal(shift(range)))
    case .update(let range): return Delta(storage: .update(shift(range)))
    case .several(let several):
      return Delta(
        storage: .several(
          Several(
            removals: several.removals.map(shift), insertions: several.insertions.map(shift),
            updates: several.updates.map(shift),
            moves: several.moves.map { Move(from: shift($0.source), to: shift($0.destination)) })))
    }
  }
}
