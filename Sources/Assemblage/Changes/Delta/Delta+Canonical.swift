extension Delta {
  /// Creates the delta of a partial injection.
  ///
  /// - Parameters:
  ///   - given: the runs of survivors, ascending in `new`, disjoint.
  ///   - oldCount: the number of elements before the change; all elements behind them survive in order.
  ///   - newCount: the number of elements after the change: the survivors of the `oldCount` elements, and the new
  ///     elements.
  ///   - updates: positions after the change, a canonical list; inserted positions are ignored.
  init(pieces given: [Piece], oldCount: Int, newCount: Int, updates: [Range<Int>]) {
    // 1. Join the runs, so that each is as long as possible.
    var pieces: [Piece] = []
    pieces.reserveCapacity(given.count)
    var insertions: [Range<Int>] = []
    var new = 0
    var ascending = true
    for piece in given where piece.count > 0 {
      if piece.new > new { RangeLists.append(new..<piece.new, to: &insertions) }
      if let last = pieces.last {
        if last.oldEnd == piece.old && last.newEnd == piece.new {
          pieces[pieces.count - 1].count += piece.count
          new = piece.newEnd
          continue
        }
        if last.old > piece.old { ascending = false }
      }
      pieces.append(piece)
      new = piece.newEnd
    }
    if newCount > new { insertions.append(new..<newCount) }

    // 2. The elements before the change that are in no run were removed.
    let order = ascending ? [] : Self.order(of: pieces, oldCount: oldCount)
    var removals: [Range<Int>] = []
    var old = 0
    for index in pieces.indices {
      let piece = pieces[ascending ? index : order[index]]
      if piece.old > old { RangeLists.append(old..<piece.old, to: &removals) }
      old = piece.oldEnd
    }
    if oldCount > old { removals.append(old..<oldCount) }

    // 3. The heaviest runs that are in order stay; the others moved.
    let moves = ascending ? [] : Self.fewestMoves(of: pieces, order: order)
    self.init(
      canonicalRemovals: removals, insertions: insertions,
      updates: RangeLists.subtracting(insertions, from: updates), moves: moves)
  }

  /// The indexes of runs in the order before the change.
  ///
  /// Many runs are distributed to a table of positions, without comparing them.
  ///
  /// - Complexity: O(p · log p) for p runs.
  private static func order(of pieces: [Piece], oldCount: Int) -> [Int] {
    guard oldCount / 16 <= pieces.count, oldCount <= UInt32.max else {
      return ascendingOrder(of: pieces.map(\.old))
    }
    var indexes = [UInt32](repeating: .max, count: oldCount)
    for (index, piece) in pieces.enumerated() { indexes[piece.old] = UInt32(index) }
    var order: [Int] = []
    order.reserveCapacity(pieces.count)
    for index in indexes where index != .max { order.append(Int(index)) }
    return order
  }

  /// The runs outside a heaviest increasing subsequence, in the order after the change.
  ///
  /// This is dynamic programming over a Fenwick tree of prefix maxima (Fredman, "On computing the length of longest
  /// increasing subsequences", 1975, with weights). The best sum that ends in a run is the run's own weight plus the
  /// best sum of the runs before it in both orders. Among equally good predecessors, the first one in the order after
  /// the change is used.
  ///
  /// Runs that follow each other in both orders, with only removals and insertions between them, form a block. They
  /// stay together or move together, so a block counts as one run with the sum of the weights. If few elements moved,
  /// there are few blocks.
  ///
  /// - Parameters:
  ///   - pieces: runs in the order after the change.
  ///   - order: the indexes of the runs in the order before the change.
  /// - Returns: moves sorted by destination; they move as few elements as possible.
  /// - Complexity: O(p + b · log b) for p runs in b blocks.
  static func fewestMoves(of pieces: [Piece], order: [Int]) -> [Move] {
    // The block of each run, and the weight of each block.
    var block = [Int](repeating: 0, count: pieces.count)
    for (position, index) in order.enumerated() { block[index] = position }
    var weights: [Int] = []
    var previous = Int.min
    for (index, piece) in pieces.enumerated() {
      let rank = block[index]
      if rank == previous + 1 { weights[weights.count - 1] += piece.count } else { weights.append(piece.count) }
      block[index] = weights.count - 1
      previous = rank
    }
    // The rank of each block in the order before the change.
    var ranks = [Int](repeating: 0, count: weights.count)
    var rank = 0
    previous = -1
    for index in order where block[index] != previous {
      previous = block[index]
      ranks[previous] = rank
      rank += 1
    }

    let stays = heaviestIncreasing(weights: weights, ranks: ranks)
    var moves: [Move] = []
    for (index, piece) in pieces.enumerated() where !stays[block[index]] {
      moves.append(Move(from: piece.old..<piece.oldEnd, to: piece.new..<piece.newEnd))
    }
    return moves
  }

  /// Finds the heaviest subsequence of weights whose ranks ascend.
  ///
  /// Among equal sums, the one that ends first is used. The same holds for the predecessors of each weight.
  ///
  /// - Parameters:
  ///   - weights: at least 1 each.
  ///   - ranks: a rank for each weight: the numbers below the count of weights, each once.
  /// - Returns: for each weight, whether it is in the subsequence.
  /// - Complexity: O(b · log b) for b weights.
  static func heaviestIncreasing(weights: [Int], ranks: [Int]) -> [Bool] {
    let count = weights.count
    // A sum and, in the lower bits, the complement of the index where it ends: of equal sums, the one that ends first
    // is greater.
    func key(_ sum: Int, _ index: Int) -> UInt128 { UInt128(UInt(sum)) << 64 | UInt128(UInt64(count - index)) }
    // Node i of the tree holds the best key among the ranks (i - lowbit(i))..<i; 0 for none.
    var best = [UInt128](repeating: 0, count: count + 1)
    var predecessor = [Int](repeating: count, count: count)
    func heaviest(before rank: Int) -> UInt128 {
      var result: UInt128 = 0
      var node = rank
      while node > 0 {
        result = max(result, best[node])
        node &= node - 1
      }
      return result
    }
    for index in 0..<count {
      let before = heaviest(before: ranks[index])
      predecessor[index] = count - Int(truncatingIfNeeded: before)
      let own = key(Int(truncatingIfNeeded: before >> 64) + weights[index], index)
      var node = ranks[index] + 1
      while node <= count {
        best[node] = max(best[node], own)
        node += node & -node
      }
    }
    var stays = [Bool](repeating: false, count: count)
    var index = count - Int(truncatingIfNeeded: heaviest(before: count))
    while index < count {
      stays[index] = true
      index = predecessor[index]
    }
    return stays
  }
}
