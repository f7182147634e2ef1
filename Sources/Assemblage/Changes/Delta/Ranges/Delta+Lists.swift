extension Delta {
  /// The lists of a delta while they are gathered in any order.
  struct Lists {
    var removals: [Range<Int>] = []
    var insertions: [Range<Int>] = []
    var updates: [Range<Int>] = []
    var moves: [Move] = []

    /// Records one child by its positions before and after the change; nil if it was not there.
    mutating func append(_ former: Int?, _ present: Int?) {
      switch (former, present) {
      case (let former?, let present?):
        moves.append(Move(from: former..<former + 1, to: present..<present + 1))
      case (let former?, nil): removals.append(former..<former + 1)
      case (nil, let present?): insertions.append(present..<present + 1)
      case (nil, nil): break
      }
    }

    /// The delta, which usually has one child or none.
    var delta: Delta {
      switch (removals.count, insertions.count, updates.count, moves.count) {
      case (0, 0, 0, 0): Delta()
      case (1, 0, 0, 0): .removal(removals[0])
      case (0, 1, 0, 0): .insertion(insertions[0])
      case (0, 0, 1, 0): .update(updates[0])
      default: Delta(removals: removals, insertions: insertions, updates: updates, moves: moves)
      }
    }
  }
}
