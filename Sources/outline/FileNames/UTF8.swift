/// Returns the position at which a text stops being UTF-8.
///
/// - Returns: the position of the first byte that begins no well-formed sequence; nil if there is none.
func firstInvalidUTF8(in bytes: Span<UInt8>) -> Int? {
  var position = 0
  while position < bytes.count {
    if bytes[position] < 0x80 {
      position += 1
      continue
    }
    let length = sequenceLength(in: bytes, at: position)
    guard length > 0 else { return position }
    position += length
  }
  return nil
}

/// Returns the length of the UTF-8 sequence of a character beyond ASCII.
///
/// The table of the Unicode standard (3-7): no overlong forms, no surrogates, nothing beyond U+10FFFF.
///
/// - Returns: 2, 3 or 4; 0 if there is no well-formed sequence.
func sequenceLength(in bytes: Span<UInt8>, at position: Int) -> Int {
  let (length, second): (Int, ClosedRange<UInt8>)
  switch bytes[position] {
  case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
  case 0xE0: (length, second) = (3, 0xA0...0xBF)
  case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
  case 0xED: (length, second) = (3, 0x80...0x9F)
  case 0xF0: (length, second) = (4, 0x90...0xBF)
  case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
  case 0xF4: (length, second) = (4, 0x80...0x8F)
  default: return 0
  }
  guard position + length <= bytes.count, second.contains(bytes[position + 1]) else { return 0 }
  for index in position + 2..<position + length where bytes[index] & 0xC0 != 0x80 { return 0 }
  return length
}
