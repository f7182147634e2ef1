/// Counting and searching the bits of words, in plain arithmetic. The code assumes no instruction set beyond the
/// baseline.
///
/// Sideways addition is Knuth's, and selection is Vigna's ("Broadword implementation of rank/select queries").
extension UInt64 {
  /// A word whose lowest `count` bits are set, `count` in 0...64.
  @inline(__always)
  static func lowBits(_ count: Int) -> UInt64 { count >= 64 ? .max : (1 &<< UInt64(count)) &- 1 }

  /// The number of set bits.
  ///
  /// The value is the same as `nonzeroBitCount`, in the type `UInt64`.
  @inline(__always)
  var bitCount: UInt64 { (byteCounts &* 0x0101_0101_0101_0101) &>> 56 }

  /// The number of set bits in each byte.
  @inline(__always)
  var byteCounts: UInt64 {
    let nibbles = nibbleCounts
    return (nibbles &+ nibbles &>> 4) & 0x0F0F_0F0F_0F0F_0F0F
  }

  /// The number of set bits in each four bits.
  @inline(__always)
  var nibbleCounts: UInt64 {
    let pairs = self &- (self &>> 1 & 0x5555_5555_5555_5555)
    return (pairs & 0x3333_3333_3333_3333) &+ (pairs &>> 2 & 0x3333_3333_3333_3333)
  }

  /// The position of the set bit that has `rank` set bits below it. Such a bit must exist.
  @inline(__always)
  func position(ofRank rank: UInt64) -> Int {
    // Byte i has the number of set bits in bytes 0...i, at most 64.
    let sums = byteCounts &* 0x0101_0101_0101_0101
    // The top bit of byte i stays set where the sum is at most the rank.
    let ranks = rank &* 0x0101_0101_0101_0101
    let passed = ((ranks | 0x8080_8080_8080_8080) &- sums) & 0x8080_8080_8080_8080
    let shift = (((passed &>> 7) &* 0x0101_0101_0101_0101) &>> 56) &* 8
    let left = rank &- ((sums &<< 8) &>> shift & 0xFF)
    // The bits of this byte go into one byte each, and then the same search follows. So there is no loop with
    // mispredicted branches.
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

  /// Writes `bits` to bits `position..<position + count`. All other bits of `bits` are zero, and `count` is in 1...64.
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

  /// Copies bits in ascending order. The two ranges may overlap where `destination` is below `source`.
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

  /// Moves bits `position..<end` up by `distance`. The bits that are left behind are undefined.
  func raiseBits(from position: Int, to end: Int, by distance: Int) {
    var high = end
    while high > position {
      // The loop starts at the top. Its pieces start on a word's boundary of the destination.
      let top = high &+ distance
      let low = Swift.max(position, (top &- 1) & ~63 &- distance)
      setBits(at: low &+ distance, count: high &- low, to: bits(at: low, count: high &- low))
      high = low
    }
  }

  /// Clears bits `range`.
  func clearBits(_ range: Range<Int>) { fillBits(range, with: false) }

  /// Makes all bits of `range` equal `bit`.
  func fillBits(_ range: Range<Int>, with bit: Bool) {
    var position = range.lowerBound
    while position < range.upperBound {
      let piece = Swift.min(64 - position & 63, range.upperBound - position)
      setBits(at: position, count: piece, to: bit ? .lowBits(piece) : 0)
      position += piece
    }
  }
}
