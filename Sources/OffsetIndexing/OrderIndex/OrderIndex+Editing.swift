extension OrderIndex {
  /// Inserts a new handle before the handle at `position`.
  ///
  /// ```swift
  /// var order = OrderIndex(count: 2)
  /// order.insert(at: 1).number                         // 2: the first free number
  /// ```
  ///
  /// - Parameter position: the new handle's position, in `0...count`.
  /// - Returns: the new handle. Its number is the number that was freed last, or else the lowest that was never used.
  /// - Precondition: `position` is in its range and there are fewer than 2³⁰ handles; anything else traps.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  @discardableResult
  public mutating func insert(at position: Int) -> Handle {
    checkBoundary(position)
    checkRoom(1)
    let tree = unsafe makeUnique()
    let number = unsafe tree.pointee.leaves.takeHandle()
    unsafe tree.pointee.insert(number, at: position)
    checkAfterMutation()
    return Handle(number: Int(number))
  }

  /// Inserts `count` new handles before the handle at `position`.
  ///
  /// ```swift
  /// var order = OrderIndex(count: 1)
  /// order.insert(count: 2, at: 0).map(\.number)        // [1, 2]
  /// ```
  ///
  /// - Parameters:
  ///   - count: the number of new handles; 0 is legal.
  ///   - position: the first new handle's position, in `0...self.count`.
  /// - Returns: the new handles in order.
  /// - Precondition: `count` is not negative, `position` is in its range, and there are no more than 2³⁰ handles after
  ///   the insertion; anything else traps.
  /// - Complexity: O(log n + k), n = `self.count`, k = `count`; O(n) more where the storage is shared.
  @discardableResult
  public mutating func insert(count: Int, at position: Int) -> [Handle] {
    if count == 1 { return [insert(at: position)] }
    checkBoundary(position)
    checkRoom(count)
    var new: [Handle] = []
    new.reserveCapacity(count)
    unsafe makeUnique().pointee.insert(count: count, at: position) { new.append(Handle(number: Int($0))) }
    checkAfterMutation()
    return new
  }

  /// Appends a new handle at the end.
  ///
  /// ```swift
  /// var order = OrderIndex(count: 1)
  /// order.append().number                              // 1
  /// ```
  ///
  /// - Returns: the new handle, as for `insert(at:)`.
  /// - Precondition: there are fewer than 2³⁰ handles; a further one traps.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  @discardableResult
  public mutating func append() -> Handle { insert(at: count) }

  /// Removes the handle at `position` and frees its number.
  ///
  /// ```swift
  /// var order = OrderIndex(count: 2)
  /// order.remove(at: 0).number                         // 0
  /// ```
  ///
  /// - Parameter position: a position, in `0..<count`.
  /// - Returns: the removed handle, which is no longer valid.
  /// - Precondition: `position` is in its range; anything else traps.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  @discardableResult
  public mutating func remove(at position: Int) -> Handle {
    checkPosition(position)
    let tree = unsafe makeUnique()
    let number = unsafe tree.pointee.remove(at: position)
    unsafe tree.pointee.leaves.freeHandle(number)
    checkAfterMutation()
    return Handle(number: Int(number))
  }

  /// Removes the handles of `range` and frees their numbers.
  ///
  /// ```swift
  /// var order = OrderIndex(count: 4)
  /// order.removeSubrange(1..<3)
  /// order.map(\.number)                                // [0, 3]
  /// ```
  ///
  /// - Parameter range: positions within `0..<count`; an empty range removes nothing.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n + k), n = `count`, k the length of `range`; O(n) more where the storage is shared.
  public mutating func removeSubrange(_ range: Range<Int>) {
    if range.lowerBound < 0 || range.upperBound > count { UnitTrap.range(range, count: count) }
    unsafe makeUnique().pointee.removeSubrange(range)
    checkAfterMutation()
  }

  /// Moves the handle at one position to another. The handle stays valid.
  ///
  /// ```swift
  /// var order = OrderIndex(count: 3)
  /// order.move(from: 0, to: 2)
  /// order.map(\.number)                                // [1, 2, 0]
  /// ```
  ///
  /// - Parameters:
  ///   - source: the handle's position before the move, in `0..<count`.
  ///   - destination: the handle's position after the move, in `0..<count`.
  /// - Precondition: both are in their range; anything else traps.
  /// - Complexity: O(log n), n = `count`; O(n) once where the storage is shared.
  public mutating func move(from source: Int, to destination: Int) {
    checkPosition(source)
    checkPosition(destination)
    if source == destination { return }
    let tree = unsafe makeUnique()
    let number = unsafe tree.pointee.remove(at: source)
    unsafe tree.pointee.insert(number, at: destination)
    checkAfterMutation()
  }
}
