/// Finds the best places of the characters of a fuzzy query in a text.
///
///     text         a   d   a   ␣   l   o   v   e
///     a           24   ·  16   ·   ·   ·   ·   ·      the best score that ends here
///     l            ·   ·   ·   ·  45   ·   ·   ·      24 + 16 + 8 - 3 skipped
///
/// There is a row for each character of the query. Each row is computed from the row before in one pass, with the best
/// score so far. This is dynamic programming as in the alignment of sequences (O. Gotoh, "An improved algorithm for
/// matching biological sequences", J. Mol. Biol. 162, 1982). The cost of a gap is its length.
struct FuzzyScorer {
  private let pattern: TextPattern
  /// The start of each scalar of the text.
  private var scalars: [Int] = []
  /// The best score with the last character at each scalar; `none` where the character is not there.
  private var row: [Int] = []
  private var next: [Int] = []
  /// For each row and scalar, the scalar where the character before was found, if places are wanted.
  private var origins: [[Int]] = []

  private static let none = Int.min / 2

  init(_ pattern: TextPattern) { self.pattern = pattern }

  /// The score of a matching text.
  ///
  /// - Complexity: O(m · n) for m characters of the query and n scalars of the text.
  mutating func score(_ chunk: TextChunk, _ index: Int) -> Int {
    fill(chunk, chunk.place(of: index), keepsOrigins: false)
    return row.max() ?? 0
  }

  /// The number of scalars of the text that was scored last.
  var length: Int { scalars.count }

  /// The places of the characters in the one text of a chunk, as ranges of its bytes. The text must match.
  mutating func places(_ chunk: TextChunk) -> [Range<Int>] {
    let text = chunk.place(of: 0)
    fill(chunk, text, keepsOrigins: true)
    // The first of the best scores.
    guard let best = row.max(), var scalar = row.firstIndex(of: best) else { return [] }
    var places: [Range<Int>] = []
    for (needle, origin) in zip(pattern.needles, origins).reversed() {
      places.append(scalars[scalar]..<scalars[scalar] + needle.bytes.count)
      scalar = origin[scalar]
    }
    return places.reversed()
  }

  private mutating func fill(_ chunk: TextChunk, _ text: Range<Int>, keepsOrigins: Bool) {
    scalars.removeAll(keepingCapacity: true)
    for offset in text where chunk.bytes[offset] & 0xC0 != 0x80 { scalars.append(offset) }
    if scalars.isEmpty || pattern.isEmpty {
      row = []
      return
    }
    row = [Int](repeating: Self.none, count: scalars.count)
    next = row
    // The number of scalars of the character before.
    var length = 0
    for (number, needle) in pattern.needles.enumerated() {
      if keepsOrigins { origins.append([Int](repeating: 0, count: scalars.count)) }
      // The best score that ends before this scalar, as if everything from the text's beginning had been skipped.
      var best = number == 0 ? 0 : Self.none
      var origin = 0
      for scalar in scalars.indices {
        next[scalar] = Self.none
        let previous = scalar - length
        if number > 0, previous >= 0, row[previous] > Self.none, row[previous] + previous + length > best {
          best = row[previous] + previous + length
          origin = previous
        }
        guard best > Self.none, has(needle, chunk, scalars[scalar], text.upperBound) else { continue }
        var score = number == 0 ? 0 : best - scalar
        var from = origin
        if number > 0, previous >= 0, row[previous] > Self.none, row[previous] + 8 >= score {
          score = row[previous] + 8
          from = previous
        }
        next[scalar] = score + 16 + (beginsWord(chunk, scalars[scalar]) ? 8 : 0)
        if keepsOrigins { origins[number][scalar] = from }
      }
      swap(&row, &next)
      length = needle.bytes.reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
    }
  }

  private func has(_ needle: ByteNeedle, _ chunk: TextChunk, _ offset: Int, _ end: Int) -> Bool {
    guard chunk.bytes[offset] == needle.bytes[0], offset + needle.bytes.count <= end else { return false }
    for index in needle.bytes.indices where chunk.bytes[offset + index] != needle.bytes[index] { return false }
    return unsafe chunk.bytes.withUnsafeBufferPointer { unsafe needle.isWhole($0.baseAddress!, offset) }
  }

  /// Whether a place is at the beginning of the text, or behind an ASCII character that is no letter and no digit.
  private func beginsWord(_ chunk: TextChunk, _ offset: Int) -> Bool {
    switch chunk.bytes[offset - 1] {
    case 0x30...0x39, 0x61...0x7A, 0x80..<ByteNeedle.separator: false
    default: true
    }
  }
}
