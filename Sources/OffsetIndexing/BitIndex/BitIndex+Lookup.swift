extension BitIndex {
  /// Reads or writes the bit at `index`.
  ///
  /// ```swift
  /// var bits = BitIndex([true, false])
  /// bits[1] = true
  /// bits.setCount                                      // 2
  /// ```
  ///
  /// - Parameter index: a position, in `0..<count`.
  /// - Precondition: `index` is in its range; anything else traps.
  /// - Complexity: O(log n), n = `count`.
  public subscript(index: Int) -> Bool {
    get {
      checkPosition(index)
      return tree.bit(at: index)
    }
    set {
      checkPosition(index)
      unsafe makeUnique().pointee.assign(newValue, at: index)
      checkAfterMutation()
    }
  }

  /// Returns the number of set bits before `index`.
  ///
  /// ```swift
  /// let bits = BitIndex([true, false, true])
  /// bits.rank(0)                                       // 0
  /// bits.rank(2)                                       // 1
  /// bits.rank(3)                                       // 2: all of them
  /// ```
  ///
  /// - Parameter index: a position, in `0...count`.
  /// - Returns: a number in `0...setCount`. Where the bit at `index` is set, the result is that bit's number.
  /// - Precondition: `index` is in its range; anything else traps.
  /// - Complexity: O(log n), n = `count`.
  public func rank(_ index: Int) -> Int {
    checkBoundary(index)
    return tree.rank(index)
  }

  /// Returns the numbers of the set bits inside `range`.
  ///
  /// ```swift
  /// let bits = BitIndex([true, false, true])
  /// bits.rank(1..<3)                                   // 1..<2: set bit number 1
  /// bits.rank(1..<2)                                   // 1..<1: none
  /// ```
  ///
  /// - Parameter range: positions within `0..<count`.
  /// - Returns: a range within `0..<setCount`.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n), n = `count`.
  public func rank(_ range: Range<Int>) -> Range<Int> {
    rank(range.lowerBound)..<rank(range.upperBound)
  }

  /// Returns the position of set bit number `rank`.
  ///
  /// This is the inverse of `rank(_:)`: `bits.rank(bits.select(k)) == k`.
  ///
  /// ```swift
  /// let bits = BitIndex([false, true, false, true])
  /// bits.select(0)                                     // 1
  /// bits.select(1)                                     // 3
  /// ```
  ///
  /// - Parameter rank: the number of set bits before the wanted one, in `0..<setCount`.
  /// - Returns: the position of a set bit, in `0..<count`.
  /// - Precondition: `rank` is in its range; anything else traps.
  /// - Complexity: O(log n), n = `count`.
  @inline(__always)
  public func select(_ rank: Int) -> Int {
    if rank < 0 || rank >= setCount { UnitTrap.position(rank, of: "set bit", count: setCount) }
    return tree.select(rank)
  }
}
