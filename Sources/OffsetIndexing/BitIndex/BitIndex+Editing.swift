extension BitIndex {
  /// Appends `bit` at the end.
  ///
  /// ```swift
  /// var bits = BitIndex()
  /// bits.append(true)                                  // 1
  /// ```
  ///
  /// - Parameter bit: the new last bit.
  /// - Precondition: there are fewer than `Int32.max` bits; a further one traps.
  /// - Complexity: O(log n), n = `count`; O(n / 64) once where the storage is shared.
  public mutating func append(_ bit: Bool) { insert(bit, at: count) }

  /// Inserts `bit` before the bit at `index`.
  ///
  /// ```swift
  /// var bits = BitIndex([false, false])
  /// bits.insert(true, at: 1)                           // 0 1 0
  /// bits.insert(true, at: 3)                           // 0 1 0 1: at the end
  /// ```
  ///
  /// - Parameters:
  ///   - bit: the new bit.
  ///   - index: its position, in `0...count`.
  /// - Precondition: `index` is in its range and there are fewer than `Int32.max` bits; anything else traps.
  /// - Complexity: O(log n), n = `count`; O(n / 64) once where the storage is shared.
  public mutating func insert(_ bit: Bool, at index: Int) {
    checkBoundary(index)
    checkRoom(1)
    unsafe makeUnique().pointee.insert(bit, at: index)
    checkAfterMutation()
  }

  /// Inserts `count` bits that all equal `bit`.
  ///
  /// ```swift
  /// var bits = BitIndex([false, false])
  /// bits.insert(repeating: true, count: 2, at: 1)      // 0 1 1 0
  /// ```
  ///
  /// - Parameters:
  ///   - bit: the value of each new bit.
  ///   - count: the number of new bits; 0 is legal.
  ///   - index: the position of the first new bit, in `0...self.count`.
  /// - Precondition: `count` is not negative, `index` is in its range, and the result holds no more than `Int32.max`
  ///   bits; anything else traps.
  /// - Complexity: O(log n + k / 64), n = `self.count`, k = `count`; O(n / 64) more where the storage is shared.
  public mutating func insert(repeating bit: Bool, count: Int, at index: Int) {
    checkBoundary(index)
    if count < 0 { UnitTrap.count(count, of: "bits") }
    checkRoom(count)
    unsafe makeUnique().pointee.insert(repeating: bit, count: count, at: index)
    checkAfterMutation()
  }

  /// Inserts the first `count` bits of `words`.
  ///
  /// Bit i is bit i % 64 (the lowest is 0) of word i / 64. The bits of the words beyond `count` are ignored.
  ///
  /// ```swift
  /// var bits = BitIndex([false, false])
  /// bits.insert(words: [0b01], count: 2, at: 1)        // 0 1 0 0
  /// ```
  ///
  /// - Parameters:
  ///   - words: the new bits, 64 to a word.
  ///   - count: the number of bits to insert, in `0...64 * words.count`.
  ///   - index: the position of the first new bit, in `0...self.count`.
  /// - Precondition: `count` and `index` are in their ranges and the result holds no more than `Int32.max` bits;
  ///   anything else traps.
  /// - Complexity: O(log n + k / 64), n = `self.count`, k = `count`; O(n / 64) more where the storage is shared.
  public mutating func insert(words: [UInt64], count: Int, at index: Int) {
    checkBoundary(index)
    if count < 0 || count > 64 * words.count { UnitTrap.words(words.count, count: count) }
    checkRoom(count)
    // Without new bits, the sequence continues to share its storage.
    if count == 0 { return }
    // The words are only read.
    unsafe words.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      let source = unsafe Words(UnsafeMutablePointer(mutating: base))
      unsafe makeUnique().pointee.insert(words: source, count: count, at: index)
    }
    checkAfterMutation()
  }

  /// Removes the bit at `index` and returns it.
  ///
  /// ```swift
  /// var bits = BitIndex([false, true])
  /// bits.remove(at: 1)                                 // true
  /// ```
  ///
  /// - Parameter index: a position, in `0..<count`.
  /// - Returns: the removed bit.
  /// - Precondition: `index` is in its range; anything else traps.
  /// - Complexity: O(log n), n = `count`; O(n / 64) once where the storage is shared.
  @discardableResult
  public mutating func remove(at index: Int) -> Bool {
    checkPosition(index)
    let bit = unsafe makeUnique().pointee.remove(at: index)
    checkAfterMutation()
    return bit
  }

  /// Removes the bits of `range`.
  ///
  /// ```swift
  /// var bits = BitIndex([false, true, true, false])
  /// bits.removeSubrange(1..<3)                         // 0 0
  /// ```
  ///
  /// - Parameter range: positions within `0..<count`; an empty range removes nothing.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n + k / 64), n = `count`, k the length of `range`; O(n / 64) more where the storage is
  ///   shared.
  public mutating func removeSubrange(_ range: Range<Int>) {
    checkRange(range)
    unsafe makeUnique().pointee.removeSubrange(range)
    checkAfterMutation()
  }

  /// Sets or clears the bits of `range`.
  ///
  /// ```swift
  /// var bits = BitIndex([false, true, false])
  /// bits.set(0..<2, to: true)                          // 1 1 0
  /// ```
  ///
  /// - Parameters:
  ///   - range: positions within `0..<count`.
  ///   - bit: the new value of all these bits.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n + k / 64), n = `count`, k the length of `range`; O(n / 64) more where the storage is
  ///   shared.
  public mutating func set(_ range: Range<Int>, to bit: Bool) {
    updateEachWord(in: range) { _, _, _ in bit ? UInt64.max : 0 }
  }

  /// Flips the bits of `range`.
  ///
  /// ```swift
  /// var bits = BitIndex([false, true, false])
  /// bits.toggle(0..<2)                                 // 1 0 0
  /// ```
  ///
  /// - Parameter range: positions within `0..<count`.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n + k / 64), n = `count`, k the length of `range`; O(n / 64) more where the storage is
  ///   shared.
  public mutating func toggle(_ range: Range<Int>) {
    updateEachWord(in: range) { _, word, _ in ~word }
  }

  /// Flips the bit at `index`.
  ///
  /// ```swift
  /// var bits = BitIndex([false, true])
  /// bits.toggle(at: 0)                                 // 1 1
  /// ```
  ///
  /// - Parameter index: a position, in `0..<count`.
  /// - Precondition: `index` is in its range; anything else traps.
  /// - Complexity: O(log n), n = `count`; O(n / 64) once where the storage is shared.
  public mutating func toggle(at index: Int) {
    checkPosition(index)
    unsafe makeUnique().pointee.assign(nil, at: index)
    checkAfterMutation()
  }

  /// Replaces the bits of `range` a word at a time.
  ///
  /// Every bit of the range is passed exactly once, in ascending order. The structure decides where the words are cut.
  /// The cuts are not at multiples of 64.
  ///
  /// ```swift
  /// var bits = BitIndex([true, true, true])
  /// bits.updateEachWord(in: 1..<3) { position, word, count in 0b10 }   // 1 0 1
  /// ```
  ///
  /// - Parameters:
  ///   - range: positions within `0..<count`.
  ///   - body: receives the position of the word's lowest bit, the bits, and their number (1...64). The bits above them
  ///     are zero. The body returns the new bits. Its result above these bits is ignored.
  /// - Precondition: `range` lies within `0..<count`; anything else traps.
  /// - Complexity: O(log n + k / 64), n = `count`, k the length of `range`; O(n / 64) more where the storage is
  ///   shared.
  public mutating func updateEachWord(
    in range: Range<Int>, _ body: (_ position: Int, _ word: UInt64, _ count: Int) -> UInt64
  ) {
    checkRange(range)
    unsafe makeUnique().pointee.updateEachWord(in: range, body)
    checkAfterMutation()
  }

  @inline(__always)
  func checkPosition(_ index: Int) {
    if index < 0 || index >= count { UnitTrap.position(index, of: "bit", count: count) }
  }

  @inline(__always)
  func checkBoundary(_ index: Int) {
    if index < 0 || index > count { UnitTrap.boundary(index, count: count) }
  }

  @inline(__always)
  func checkRange(_ range: Range<Int>) {
    if range.lowerBound < 0 || range.upperBound > count { UnitTrap.range(range, count: count) }
  }

  /// Traps where `added` more bits don't fit.
  @inline(__always)
  func checkRoom(_ added: Int) {
    if added > Self.maximumCount - count {
      UnitTrap.limit(count, adding: added, limit: Self.maximumCount, of: "bits")
    }
  }
}
