/// A piece of folded text that is searched in other texts.
///
///     offsets     0   1   2   3   4
///     needle      s   t   r   ä   …       low and high: the offsets of its two rarest bytes
///
/// The search compares the text at 32 places at a time with both rare bytes. Only where both are equal, it compares the
/// whole needle. This is the generic vector algorithm of W. Muła, "SIMD-friendly algorithms for substring searching",
/// with bytes chosen by frequency in place of the first and the last.
struct ByteNeedle: Hashable, Sendable {
  /// The UTF-8 of the needle; not empty.
  let bytes: [UInt8]
  /// Whether the needle begins with a mark or another part of a character. Such a needle is also found inside a
  /// character.
  let beginsWithMark: Bool
  private let low: Int
  private let high: Int

  /// The number of bytes that must be readable after the end of every text, whatever they are.
  static let padding = 64

  /// The byte between texts. No UTF-8 contains this byte.
  static let separator: UInt8 = 0xFF

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let order = bytes.indices.sorted { (Self.frequency(bytes[$0]), $0) < (Self.frequency(bytes[$1]), $1) }
    let other = order.first { bytes[$0] != bytes[order[0]] } ?? order[order.count - 1]
    low = order[0]
    high = other
    beginsWithMark = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe bytes[0] < 0xF8 && continuesCharacter(decodedScalar(bytes.baseAddress!))
    }
  }

  /// The expected frequency of the needle's rarest byte, for a comparison with other needles.
  var frequency: Int { Self.frequency(bytes[low]) }

  /// The frequency of the letters from a to z in English, of 1,000.
  private static let letters = [
    82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20, 1,
  ]

  /// An estimate of the frequency of a byte in names and titles of many languages, of 1,000.
  private static func frequency(_ byte: UInt8) -> Int {
    switch byte {
    case 0x61...0x7A:
      letters[Int(byte) - 97]
    case 0x20: 130
    case 0x30...0x39: 12
    case 0x80...0xBF: 30
    case 0xC3, 0xCC, 0xCE, 0xCF, 0xD0, 0xD1, 0xE3...0xE9: 40
    case separator: 120
    default: 5
    }
  }

  /// Finds the needle.
  ///
  /// - Parameters:
  ///   - text: the text to search. `padding` bytes after `end` can be read.
  ///   - start: the first offset where the needle may begin.
  ///   - end: the offset where the needle must have ended.
  /// - Returns: the offset of the first match; nil where there is none.
  /// - Complexity: O(n + p · m) for n bytes with p places where both rare bytes are found, and m bytes of the needle.
  @inline(__always)
  func find(in text: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int? {
    let last = end - bytes.count
    if start > last { return nil }
    return unsafe bytes.withUnsafeBufferPointer { needle in
      let first = unsafe SIMD32<UInt8>(repeating: needle[low])
      let second = unsafe SIMD32<UInt8>(repeating: needle[high])
      let raw = unsafe UnsafeRawPointer(text)
      var place = start
      while place <= last {
        let left = unsafe raw.loadUnaligned(fromByteOffset: place &+ low, as: SIMD32<UInt8>.self) .== first
        let right = unsafe raw.loadUnaligned(fromByteOffset: place &+ high, as: SIMD32<UInt8>.self) .== second
        // Each word has eight places. A place is all ones where both bytes are equal.
        let words = unsafe unsafeBitCast(left .& right, to: SIMD4<UInt64>.self)
        if words[0] | words[1] | words[2] | words[3] != 0 {
          for index in 0..<4 {
            var rest = words[index]
            while rest != 0 {
              let lane = rest.trailingZeroBitCount &>> 3
              let candidate = place &+ index &* 8 &+ lane
              if candidate > last { return nil }
              if unsafe Self.isEqual(text + candidate, needle), unsafe isWhole(text, candidate) { return candidate }
              rest &= ~(0xFF &<< UInt64(lane &* 8))
            }
          }
        }
        place &+= 32
      }
      return nil
    }
  }

  /// Whether a match of the needle's bytes begins and ends with whole characters.
  @inline(__always)
  func isWhole(_ text: UnsafePointer<UInt8>, _ offset: Int) -> Bool {
    unsafe (beginsWithMark || isCharacterBoundary(text, offset)) && isCharacterBoundary(text, offset + bytes.count)
  }

  @inline(__always)
  private static func isEqual(_ text: UnsafePointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
    for offset in 0..<needle.count where unsafe text[offset] != needle[offset] { return false }
    return true
  }
}
