extension TextPattern {
  /// Whether every text that matches this pattern matches another one, too.
  ///
  /// Each needle of the other pattern must be in a needle of this pattern. If this needle is found in a text, the other
  /// needle is found there, too: a boundary of characters inside a needle is a boundary in the text, and so are the
  /// ends of the needle. That does not hold for a needle that begins with a mark, because the character before the mark
  /// is not known.
  func isNarrower(than other: TextPattern) -> Bool {
    if self == other || other.isEmpty { return true }
    if isEmpty || needles.contains(where: \.beginsWithMark) { return false }
    // All pieces that a matching text certainly contains.
    var pieces = needles.map(\.bytes)
    if kind == .prefix { pieces[0].removeFirst() }
    switch (kind, other.kind) {
    case (.fuzzy, .fuzzy):
      var rest = needles[...]
      return other.needles.allSatisfy { needle in
        guard let place = rest.firstIndex(of: needle) else { return false }
        rest = rest[(place + 1)...]
        return true
      }
    case (.fuzzy, .prefix), (.substring, .prefix), (.words, .prefix): return false
    case (.prefix, .prefix): return needles.contains { other.matches(folded: Array($0.bytes.dropFirst())) }
    case (_, .substring), (_, .fuzzy): return pieces.contains { other.matches(folded: $0) }
    case (_, .words):
      return other.needles.allSatisfy { needle in
        let word = TextPattern(substring: needle)
        return pieces.contains { word.matches(folded: $0) }
      }
    }
  }

  private func matches(folded bytes: [UInt8]) -> Bool {
    var chunk = TextChunk()
    chunk.append(folded: bytes)
    chunk.seal()
    return matches(chunk, 0)
  }

  /// A pattern of one piece.
  init(substring needle: ByteNeedle) {
    kind = .substring
    needles = [needle]
  }
}
