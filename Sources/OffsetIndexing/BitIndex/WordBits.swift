/// Counting and searching the bits of words, in plain arithmetic: no instruction set beyond the baseline is assumed.
///
/// Sideways addition and selection are Knuth's and Vigna's ("Broadword implementation of rank/select queries").
extension UInt64 {
  /// A word whose lowest `count` bits are set, `count` in 0...64.
  @inline(__always)
  static func lowBits(_ count: Int) -> UInt64 { count >= 64 ? .max : (1 &<< UInt64(count)) &- 1 }

  /// The number of set bits in each byte.
  @inline(__always)
  var byteCounts: UInt64 {
    var sums = self &- (self &>> 1 & 0x5555_5555_5555_5555)
    sums = (sums & 0x3333_3333_3333_3333) &+ (sums &>> 2 & 0x3333_3333_3333_3333)
    return (sums &+ sums &>> 4) & 0x0F0F_0F0F_0F0F_0F0F
  }

  /// The position of the set bit that has `rank` set bits below it, which there must be.
  @inline(__always)
  func position(ofRank rank: Int) -> Int {
    // In byte i: the number of set bits in bytes 0...i, at most 64.
    let sums = byteCounts &* 0x0101_0101_0101_0101
    // The top bit of byte i stays where the sum is at most the rank.
    let ranks = UInt64(truncatingIfNeeded: rank) &* 0x0101_0101_0101_0101
    let passed = ((ranks | 0x8080_8080_8080_8080) &- sums) & 0x8080_8080_8080_8080
    let shift = (((passed &>> 7) &* 0x0101_0101_0101_0101) &>> 56) &* 8
    let left = UInt64(truncatingIfNeeded: rank) &- ((sums &<< 8) &>> shift & 0xFF)
    // Its bits, one in each byte, and the same again: no loop that is mispredicted.
    let byte = self &>> shift & 0xFF
    let spread = (byte &* 0x0101_0101_0101_0101) & 0x8040_2010_0804_0201
    let bits = ((spread &+ 0x7F7F_7F7F_7F7F_7F7F) | spread) &>> 7 & 0x0101_0101_0101_0101
    let bitSums = bits &* 0x0101_0101_0101_0101
    let bitRanks = (left &* 0x0101_0101_0101_0101 | 0x8080_8080_8080_8080) &- bitSums
    let below = ((bitRanks & 0x8080_8080_8080_8080) &>> 7 &* 0x0101_0101_0101_0101) &>> 56
    return Int(truncatingIfNeeded: shift &+ below)
  }
}

/// Bit ranges across words.
extension Words {
  /// Bits `position..<position + count` in the low bits, `count` in 1...64.
  @inline(__always)
  func bits(at position: Int, count: Int) -> UInt64 {
    let word = position &>> 6
    let shift = UInt64(truncatingIfNeeded: position & 63)
    var bits = self[word] &>> shift
    if Int(shift) &+ count > 64 { bits |= self[word &+ 1] &<< (64 &- shift) }
    return bits & .lowBits(count)
  }

  /// Makes bits `position..<position + count` the low bits of `bits`, whose others are zero; `count` in 1...64.
  @inline(__always)
  func setBits(at position: Int, count: Int, to bits: UInt64) {
    let word = position &>> 6
    let shift = UInt64(truncatingIfNeeded: position & 63)
    let mask = UInt64.lowBits(count)
    self[word] = self[word] & ~(mask &<< shift) | bits &<< shift
    if Int(shift) &+ count > 64 {
      self[word &+ 1] = self[word &+ 1] & ~(mask &>> (64 &- shift)) | bits &>> (64 &- shift)
    }
  }

  /// Copies bits in ascending order: the two may overlap where `destination` is below `source`.
  @inline(__always)
  func copyBits(from source: Words, at start: Int, to destination: Int, count: Int) {
    var done = 0
    // The first piece ends on a word's boundary of the destination.
    var piece = Swift.min(64 &- destination & 63, count)
    while done < count {
      setBits(at: destination &+ done, count: piece, to: source.bits(at: start &+ done, count: piece))
      done &+= piece
      piece = Swift.min(64, count &- done)
    }
  }

  /// Moves bits `position..<end` up by `distance`; what they leave behind is undefined.
  func raiseBits(from position: Int, to end: Int, by distance: Int) {
    var high = end
    while high > position {
      // From the top, by pieces that start on a word's boundary of the destination.
      let top = high &+ distance
      let low = Swift.max(position, (top &- 1) & ~63 &- distance)
      setBits(at: low &+ distance, count: high &- low, to: bits(at: low, count: high &- low))
      high = low
    }
  }

  /// Clears bits `range`.
  func clearBits(_ range: Range<Int>) {
    var position = range.lowerBound
    while position < range.upperBound {
      let piece = Swift.min(64 - position & 63, range.upperBound - position)
      setBits(at: position, count: piece, to: 0)
      position += piece
    }
  }

  /// The number of set bits among the first `end` of 1024, without a branch.
  ///
  /// Words are masked, added up in fields of 4 bits, three vectors at a time, and then in bytes.
  @inline(__always)
  func rank(_ end: Int) -> Int {
    let word = end &>> 6
    let limit = SIMD4<Int32>(repeating: Int32(truncatingIfNeeded: word))
    let zero = SIMD4<UInt32>(repeating: 0)
    @inline(__always) func nibbles(_ pair: Int32) -> SIMD4<UInt32> {
      let even = pair &* 2
      let words = vector(Int(pair)).replacing(
        with: zero, where: SIMD4<Int32>(even, even, even &+ 1, even &+ 1) .>= limit)
      let pairs = words &- (words &>> 1 & 0x5555_5555)
      return (pairs & 0x3333_3333) &+ (pairs &>> 2 & 0x3333_3333)
    }
    @inline(__always) func bytes(_ nibbles: SIMD4<UInt32>) -> SIMD4<UInt32> {
      (nibbles & 0x0F0F_0F0F) &+ (nibbles &>> 4 & 0x0F0F_0F0F)
    }
    let low = bytes(nibbles(0) &+ nibbles(1) &+ nibbles(2))
    let middle = bytes(nibbles(3) &+ nibbles(4) &+ nibbles(5))
    let high = bytes(nibbles(6) &+ nibbles(7))
    let sums = unsafe unsafeBitCast(low &+ middle &+ high, to: SIMD2<UInt64>.self)
    // At most 64 in a byte of each half.
    var all = sums[0] &+ sums[1]
    // Word 16 does not exist; the mask is empty then.
    all &+= (self[word & 15] & .lowBits(end & 63)).byteCounts
    all = (all & 0x00FF_00FF_00FF_00FF) &+ (all &>> 8 & 0x00FF_00FF_00FF_00FF)
    return Int(truncatingIfNeeded: (all &* 0x0001_0001_0001_0001) &>> 48)
  }

  @inline(__always)
  private func vector(_ pair: Int) -> SIMD4<UInt32> {
    unsafe UnsafeRawPointer(base).load(fromByteOffset: pair &* 16, as: SIMD4<UInt32>.self)
  }

  /// The position of the set bit that has `rank` set bits below it, which there must be.
  @inline(__always)
  func position(ofRank rank: Int) -> Int {
    var word = 0
    var left = rank
    while true {
      let count = self[word].nonzeroBitCount
      if left < count { break }
      left &-= count
      word &+= 1
    }
    return word &* 64 &+ self[word].position(ofRank: left)
  }
}
