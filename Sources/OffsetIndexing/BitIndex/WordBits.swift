/// Counting and searching the bits of words, in plain arithmetic: no instruction set beyond the baseline is assumed.
///
/// Sideways addition and selection are Knuth's and Vigna's ("Broadword implementation of rank/select queries").
extension UInt64 {
  /// A word whose lowest `count` bits are set, `count` in 0...64.
  @inline(__always)
  static func lowBits(_ count: Int) -> UInt64 { count >= 64 ? .max : (1 &<< UInt64(count)) &- 1 }

  /// The number of set bits.
  ///
  /// The same as `nonzeroBitCount`, in the same type.
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

  /// The position of the set bit that has `rank` set bits below it, which there must be.
  @inline(__always)
  func position(ofRank rank: UInt64) -> Int {
    // In byte i: the number of set bits in bytes 0...i, at most 64.
    let sums = byteCounts &* 0x0101_0101_0101_0101
    // The top bit of byte i stays where the sum is at most the rank.
    let ranks = rank &* 0x0101_0101_0101_0101
    let passed = ((ranks | 0x8080_8080_8080_8080) &- sums) & 0x8080_8080_8080_8080
    let shift = (((passed &>> 7) &* 0x0101_0101_0101_0101) &>> 56) &* 8
    let left = rank &- ((sums &<< 8) &>> shift & 0xFF)
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
