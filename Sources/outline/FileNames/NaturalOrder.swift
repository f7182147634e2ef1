/// Orders names so that numbers count as numbers: `file2` before `file10`.
///
///     a  a1  a02  a2  a10  b
///
/// Names are compared part by part: a run of ASCII digits is one part, and every other byte is one part. Two runs
/// compare by their values, of any length. A run and a byte compare by the first digit of the run. Names that are equal
/// by this rule, like `02` and `2`, are ordered by their bytes, so that the order is total.
enum NaturalOrder {
  /// Whether a name is ordered before another one.
  ///
  /// - Complexity: O(n) for the bytes that both names share, and the digits there.
  static func precedes(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    let shared = min(first.count, second.count)
    var place = 0
    while place < shared, first[place] == second[place] { place += 1 }
    if place == shared, first.count == second.count { return false }
    // Only a digit at the first difference can make this order different from the order of bytes.
    if place < first.count, isDigit(first[place]) || place < second.count && isDigit(second[place]) {
      return precedes(first, second, from: place)
    }
    if place < second.count, isDigit(second[place]) { return precedes(first, second, from: place) }
    return place == first.count || place < second.count && first[place] < second[place]
  }

  /// Compares names at whose first difference at least one name has a digit.
  @inline(never)
  private static func precedes(_ first: Span<UInt8>, _ second: Span<UInt8>, from difference: Int) -> Bool {
    var start = difference
    while start > 0, isDigit(first[start - 1]) { start -= 1 }
    var (left, right) = (start, start)
    while left < first.count, right < second.count {
      if isDigit(first[left]), isDigit(second[right]) {
        let (ofFirst, ofSecond) = (run(first, &left), run(second, &right))
        if ofFirst.count != ofSecond.count { return ofFirst.count < ofSecond.count }
        for offset in 0..<ofFirst.count {
          let (one, other) = (first[ofFirst.lowerBound + offset], second[ofSecond.lowerBound + offset])
          if one != other { return one < other }
        }
      } else {
        if first[left] != second[right] { return first[left] < second[right] }
        left += 1
        right += 1
      }
    }
    if left < first.count || right < second.count { return left == first.count }
    return bytesPrecede(first, second)
  }

  /// Returns the digits of a run without leading zeros, and moves the position behind the run.
  private static func run(_ name: Span<UInt8>, _ place: inout Int) -> Range<Int> {
    while place < name.count, name[place] == UInt8(ascii: "0") { place += 1 }
    let start = place
    while place < name.count, isDigit(name[place]) { place += 1 }
    return start..<place
  }

  /// The first eight bytes of a key that orders names as `precedes` does, as far as eight bytes can.
  ///
  /// In the key, a run of digits is encoded as `0`, the number of digits and the digits, so that keys compare as
  /// numbers. Two names with different keys have the order of their keys.
  static func key(_ name: Span<UInt8>) -> UInt64 {
    var (key, filled, place) = (UInt64(0), 0, 0)
    func add(_ byte: UInt8) {
      key |= UInt64(byte) << UInt64(56 - 8 * filled)
      filled += 1
    }
    while place < name.count, filled < 8 {
      guard isDigit(name[place]) else {
        add(name[place])
        place += 1
        continue
      }
      let digits = run(name, &place)
      add(UInt8(ascii: "0"))
      if filled < 8 { add(UInt8(min(digits.count, 255))) }
      // Beyond this length, the digits of two names may be at different positions.
      if digits.count >= 255 { break }
      for index in digits where filled < 8 { add(name[index]) }
    }
    return key
  }

  /// Whether a name is ordered before another one byte by byte.
  static func bytesPrecede(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
    let shared = min(first.count, second.count)
    var place = 0
    while place < shared, first[place] == second[place] { place += 1 }
    return place == shared ? first.count < second.count : first[place] < second[place]
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}

extension FileName: Comparable {
  static func < (first: FileName, second: FileName) -> Bool {
    NaturalOrder.precedes(first.bytes.span, second.bytes.span)
  }
}
