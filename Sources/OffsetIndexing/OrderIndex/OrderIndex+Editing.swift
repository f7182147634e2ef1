extension OrderIndex {
  /// Inserts a new handle before the one that stands at `position`.
  ///
  ///     var order = OrderIndex(count: 2)
  ///     order.insert(at: 1).number                         // 2: the first free number
  ///
  /// - Parameter position: the new handle's position, in `0...count`.
  /// - Returns: the new handle, with the number that was freed last, or else the lowest that was never used.
  /// - Precondition: `position` is in its range and there are fewer than `Int32.max` handles; anything else traps.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  @discardableResult
  public mutating func insert(at position: Int) -> Handle {
    checkEnd(position)
    let number = newNumber()
    numbers.insert(number, at: position)
    return Handle(number: number)
  }

  /// Inserts `count` new handles before the one that stands at `position`.
  ///
  ///     var order = OrderIndex(count: 1)
  ///     order.insert(count: 2, at: 0).map(\.number)        // [1, 2]
  ///
  /// - Parameters:
  ///   - count: how many; none is legal.
  ///   - position: the first one's position, in `0...self.count`.
  /// - Returns: the new handles in order.
  /// - Precondition: `count` is not negative, `position` is in its range, and there are no more than `Int32.max`
  ///   handles in the end; anything else traps.
  /// - Complexity: O(log n + k), n = `self.count`, k = `count`; O(n) more where the storage is shared.
  @discardableResult
  public mutating func insert(count: Int, at position: Int) -> [Handle] {
    checkEnd(position)
    precondition(count >= 0, "cannot insert \(count) handles")
    let new = (0..<count).map { _ in newNumber() }
    numbers.insert(contentsOf: new, at: position)
    return new.map { Handle(number: $0) }
  }

  /// Appends a new handle at the end.
  ///
  ///     var order = OrderIndex(count: 1)
  ///     order.append().number                              // 1
  ///
  /// - Returns: the new handle, as for `insert(at:)`.
  /// - Precondition: there are fewer than `Int32.max` handles; a further one traps.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  @discardableResult
  public mutating func append() -> Handle { insert(at: count) }

  /// Removes the handle at `position` and frees its number.
  ///
  ///     var order = OrderIndex(count: 2)
  ///     order.remove(at: 0).number                         // 0
  ///
  /// - Parameter position: a position, in `0..<count`.
  /// - Returns: the handle that stood there, which is no longer valid.
  /// - Precondition: `position` is in its range; anything else traps.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  @discardableResult
  public mutating func remove(at position: Int) -> Handle {
    checkPosition(position)
    let number = numbers.remove(at: position)
    free.append(number)
    return Handle(number: number)
  }

  /// Removes the handles of `range` and frees their numbers.
  ///
  ///     var order = OrderIndex(count: 4)
  ///     order.removeSubrange(1..<3)
  ///     order.map(\.number)                                // [0, 3]
  ///
  /// - Parameter range: positions within `0..<count`; an empty range removes nothing.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n + k), n = `count`, k the length of `range`; O(n) more where the storage is shared.
  public mutating func removeSubrange(_ range: Range<Int>) {
    checkRange(range)
    free.append(contentsOf: numbers[range])
    numbers.removeSubrange(range)
  }

  /// Moves the handle at one position to another; it stays valid.
  ///
  ///     var order = OrderIndex(count: 3)
  ///     order.move(from: 0, to: 2)
  ///     order.map(\.number)                                // [1, 2, 0]
  ///
  /// - Parameters:
  ///   - source: where the handle stands, in `0..<count`.
  ///   - destination: where it stands in the end, in `0..<count`.
  /// - Precondition: both are in their range; anything else traps.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  public mutating func move(from source: Int, to destination: Int) {
    checkPosition(source)
    checkPosition(destination)
    numbers.insert(numbers.remove(at: source), at: destination)
  }

  private mutating func newNumber() -> Int {
    if let number = free.popLast() { return number }
    limit += 1
    return limit - 1
  }

  func checkPosition(_ position: Int) {
    precondition(position >= 0 && position < count, "position \(position) is out of range 0..<\(count)")
  }

  func checkEnd(_ position: Int) {
    precondition(position >= 0 && position <= count, "position \(position) is out of range 0...\(count)")
  }

  func checkRange(_ range: Range<Int>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count,
      "positions \(range) are out of range 0..<\(count)")
  }
}
