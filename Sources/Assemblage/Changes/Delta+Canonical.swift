extension Delta {
  /// Creates the delta of a partial injection.
  ///
  /// - Parameters:
  ///   - given: the runs of survivors, ascending in `new`, disjoint.
  ///   - oldCount: the number of elements before the change; behind them everything survives in order.
  ///   - newCount: the number of those same elements and the new ones after the change.
  ///   - updates: positions after the change, a canonical list; inserted ones are ignored.
  init(pieces given: [Piece], oldCount: Int, newCount: Int, updates: [Range<Int>]) {
    // 1. Runs as long as they can be.
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

    // 2. What is in no run, before the change, was removed.
    let order = ascending ? [] : pieces.indices.sorted { pieces[$0].old < pieces[$1].old }
    var removals: [Range<Int>] = []
    var old = 0
    for index in pieces.indices {
      let piece = pieces[ascending ? index : order[index]]
      if piece.old > old { RangeLists.append(old..<piece.old, to: &removals) }
      old = piece.oldEnd
    }
    if oldCount > old { removals.append(old..<oldCount) }

    // 3. The heaviest runs that are in order stand still; the others moved.
    let moves = ascending ? [] : Self.fewestMoves(of: pieces, order: order)
    self.init(
      canonicalRemovals: removals, insertions: insertions,
      updates: RangeLists.subtracting(insertions, from: updates), moves: moves)
  }

  /// The runs outside a heaviest increasing subsequence, in the order after the change.
  ///
  /// - Parameters:
  ///   - pieces: runs in the order after the change.
  ///   - order: their indexes in the order before it.
  /// - Returns: moves sorted by destination; as few elements as can be.
  /// - Complexity: O(p log p) for p runs.
  static func fewestMoves(of pieces: [Piece], order: [Int]) -> [Move] {
    let stands = heaviestInOrder(pieces.map(\.count), order: order)
    var moves: [Move] = []
    for (index, piece) in pieces.enumerated() where !stands[index] {
      moves.append(Move(from: piece.old..<piece.oldEnd, to: piece.new..<piece.newEnd))
    }
    return moves
  }

  /// Which runs are in a heaviest increasing subsequence.
  ///
  /// Dynamic programming over a Fenwick tree of prefix maxima (Fredman, "On computing the length of longest increasing subsequences", 1975, with weights): the best sum
  /// that ends in a run is its own weight and the best of those before it in both orders. Of equally good
  /// predecessors the one that comes first in the order after the change is taken.
  ///
  /// - Parameters:
  ///   - weights: those of the runs, in the order after the change; none is negative.
  ///   - order: their indexes in the order before it.
  /// - Returns: for each run, whether it is in the subsequence.
  /// - Complexity: O(p log p) for p runs.
  static func heaviestInOrder(_ weights: [Int], order: [Int]) -> [Bool] {
    let count = weights.count
    var rank = [Int](repeating: 0, count: count)
    for (position, index) in order.enumerated() { rank[index] = position }
    // Node i of the tree holds the best run among the ranks (i - lowbit(i))..<i; -1: none.
    var best = [Int](repeating: -1, count: count + 1)
    var sums = [Int](repeating: 0, count: count)
    var predecessor = [Int](repeating: -1, count: count)
    func heaviest(before rank: Int) -> Int {
      var result = -1
      var node = rank
      while node > 0 {
        let candidate = best[node]
        if candidate >= 0, result < 0 || (sums[candidate], -candidate) > (sums[result], -result) {
          result = candidate
        }
        node &= node - 1
      }
      return result
    }
    for index in 0..<count {
      let before = heaviest(before: rank[index])
      predecessor[index] = before
      sums[index] = weights[index] + (before < 0 ? 0 : sums[before])
      var node = rank[index] + 1
      while node <= count {
        let held = best[node]
        // A later run replaces an earlier one only if it is better.
        if held < 0 || sums[index] > sums[held] { best[node] = index }
        node += node & -node
      }
    }
    var stands = [Bool](repeating: false, count: count)
    var index = heaviest(before: count)
    while index >= 0 {
      stands[index] = true
      index = predecessor[index]
    }
    return stands
  }
}
