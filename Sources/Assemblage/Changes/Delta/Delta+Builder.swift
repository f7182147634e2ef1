extension Delta {
  /// Builds a delta from its parts, in the order after the change.
  ///
  /// An element is removed if it is neither kept nor a survivor of an appended delta. For example, a join appends its
  /// members one by one, in the new order:
  ///
  /// ```swift
  /// var builder = Delta.Builder()
  /// builder.append(first, preStart: 0, preCount: 10, postCount: 11)   // a member that changed
  /// builder.insert(5)                                                 // a new member
  /// builder.keep(30..<40)                                             // a member that moved up; 10..<30 was removed
  /// let delta = builder.finish(preCount: 40)
  /// ```
  @_spi(NodeAuthors)
  public struct Builder {
    private var pieces: [Piece] = []
    private var updates: [Range<Int>] = []

    /// The number of elements appended so far: the position of the next element after the change.
    public private(set) var postCount = 0

    /// Creates a builder without any elements.
    public init() {}

    /// Appends the survivors that were at `range` before the change.
    ///
    /// - Precondition: no position is negative; none is kept twice (checked by `finish(preCount:)`).
    public mutating func keep(_ range: Range<Int>) {
      require(range.lowerBound >= 0, "Delta.Builder: a kept position is negative: \(range).")
      append(Piece(old: range.lowerBound, new: postCount, count: range.count))
      postCount += range.count
    }

    /// Appends the survivors that were at `range` before the change, and marks them as updated.
    ///
    /// - Precondition: no position is negative; none is kept twice (checked by `finish(preCount:)`).
    public mutating func update(_ range: Range<Int>) {
      if range.isEmpty { return }
      RangeLists.append(postCount..<(postCount + range.count), to: &updates)
      keep(range)
    }

    /// Appends `count` new elements.
    ///
    /// - Precondition: `count` is not negative.
    public mutating func insert(_ count: Int) {
      require(count >= 0, "Delta.Builder: the number of inserted elements is negative: \(count).")
      postCount += count
    }

    /// Appends a part that changed by `delta`.
    ///
    /// - Parameters:
    ///   - delta: the change of the part; its positions count from the part's start.
    ///   - preStart: the part's start before the change.
    ///   - preCount: the number of its elements before the change.
    ///   - postCount: the number of its elements after the change.
    /// - Precondition: `preCount` and `postCount` differ by `delta.countChange`, and the delta does not reach beyond
    ///   `preCount`.
    public mutating func append(_ delta: Delta, preStart: Int, preCount: Int, postCount: Int) {
      require(preStart >= 0 && preCount >= 0, "Delta.Builder: a part from \(preStart) with \(preCount) elements.")
      require(
        preCount + delta.countChange == postCount && delta.oldExtent <= preCount,
        "Delta.Builder: a part with \(preCount) elements before and \(postCount) after cannot have changed by \(delta)."
      )
      let start = self.postCount
      delta.forEachPiece(oldCount: preCount) { piece in
        append(Piece(old: preStart + piece.old, new: start + piece.new, count: piece.count))
      }
      for range in delta.updates {
        RangeLists.append((start + range.lowerBound)..<(start + range.upperBound), to: &updates)
      }
      self.postCount += postCount
    }

    private mutating func append(_ piece: Piece) {
      if piece.count == 0 { return }
      if let last = pieces.last, last.oldEnd == piece.old, last.newEnd == piece.new {
        pieces[pieces.count - 1].count += piece.count
      } else {
        pieces.append(piece)
      }
    }

    /// The delta of all appended elements.
    ///
    /// - Parameter preCount: the number of elements before the change; the elements that were not kept are removed.
    /// - Returns: the delta from the `preCount` elements to the appended ones, in canonical form.
    /// - Precondition: no element was kept twice, and none lies beyond `preCount`.
    /// - Complexity: O(p) for p parts; O(p · log p) where parts moved.
    public func finish(preCount: Int) -> Delta {
      var sorted = pieces
      if zip(pieces, pieces.dropFirst()).contains(where: { $0.old > $1.old }) {
        sorted.sort(byNumber: \.old)
      }
      for (left, right) in zip(sorted, sorted.dropFirst()) {
        require(
          left.oldEnd <= right.old,
          "Delta.Builder: the element at \(right.old) before the change is kept twice.")
      }
      if let last = sorted.last {
        require(
          last.oldEnd <= preCount,
          "Delta.Builder: the element at \(last.oldEnd - 1) before the change is kept, of \(preCount).")
      }
      let delta = Delta(pieces: pieces, oldCount: preCount, newCount: postCount, updates: updates)
      delta.checkInvariants()
      return delta
    }
  }
}
