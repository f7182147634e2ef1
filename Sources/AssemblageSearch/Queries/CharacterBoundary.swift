// Finds the boundaries between the characters of a folded text. The standard library decides these boundaries. At most
// places the code here decides without it, by the scalars on both sides.

/// Whether a place in a chunk is between two characters.
///
/// - Parameters:
///   - text: the bytes of the chunk: folded texts with separators between them.
///   - offset: the place. A byte before it can be read, unless a separator follows it.
/// - Returns: whether a character ends before the place, or begins behind it.
@inline(__always)
func isCharacterBoundary(_ text: UnsafePointer<UInt8>, _ offset: Int) -> Bool {
  let after = unsafe text[offset]
  if after >= 0xF8 { return true }
  let before = unsafe text[offset - 1]
  if before < 0x80, after < 0x80 { return before != 0x0D || after != 0x0A }
  return unsafe before >= 0xF8 || isBoundaryOfScalars(text, offset)
}

@inline(never)
private func isBoundaryOfScalars(_ text: UnsafePointer<UInt8>, _ offset: Int) -> Bool {
  var start = offset - 1
  while unsafe text[start] & 0xC0 == 0x80 { start -= 1 }
  let (before, after) = unsafe (decodedScalar(text + start), decodedScalar(text + offset))
  if !continuesCharacter(after), !maybeJoinsNext(before) { return true }

  // A character begins with each ASCII byte except a line feed. In a text without such bytes, the loop goes back a
  // limited way. So a search in a long text takes time in proportion to its length, and not to the square of its
  // length.
  while unsafe text[start - 1] < 0xF8, unsafe text[start] >= 0x80 || text[start] == 0x0A,
    unsafe offset - start < 4_096 || text[start] & 0xC0 == 0x80
  {
    start -= 1
  }
  let end = unsafe offset + scalarLength(text[offset])
  let piece = unsafe String(decoding: UnsafeBufferPointer(start: text + start, count: end - start), as: UTF8.self)
  return piece.utf8.index(piece.startIndex, offsetBy: offset - start).samePosition(in: piece) != nil
}

/// Whether a scalar always belongs to the character before it, if there is one. Such scalars are marks, joiners, skin
/// tones, and vowels and final consonants of Hangul.
func continuesCharacter(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x300: false
  // The two vowels that are no marks.
  case 0xE33, 0xEB3: true
  case 0x1160...0x11FF, 0xD7B0...0xD7FF, 0x200D, 0x1F3FB...0x1F3FF: true
  default: scalar.properties.isGraphemeExtend || scalar.properties.generalCategory == .spacingMark
  }
}

/// Whether a scalar may join the next scalar to its character, although the next one could begin a character: false for
/// most scripts.
private func maybeJoinsNext(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x600, 0x606..<0x6DD, 0x6DE..<0x70F: false
  // Initial consonants of Hangul.
  case 0x1100...0x115F: true
  case 0x900..<0xD4E, 0xD4F...0x1CFF: scalar.properties.isGraphemeExtend
  case 0x1D00..<0x200D, 0x200E..<0xA800, 0xAC00...0xFFFF: false
  case 0x1F200...0x3FFFF: false
  // The joiner, halves of flags, signs before a number, and rare scripts.
  default: true
  }
}

private func scalarLength(_ first: UInt8) -> Int { first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4 }

/// The scalar whose well-formed UTF-8 begins at `text`.
func decodedScalar(_ text: UnsafePointer<UInt8>) -> Unicode.Scalar {
  let first = unsafe UInt32(text[0])
  let length = unsafe scalarLength(text[0])
  if length == 1 { return Unicode.Scalar(UInt8(truncatingIfNeeded: first)) }
  var value = first & (0x7F >> UInt32(length))
  for offset in 1..<length { value = unsafe value << 6 | UInt32(text[offset] & 0x3F) }
  return Unicode.Scalar(value) ?? "\u{FFFD}"
}
