import Assemblage

extension TextQuery {
  /// Returns the ranges that a search finds in a text, for highlighting.
  ///
  /// ```swift
  /// let text = "Große Straße"
  /// TextQuery.substring("ss").ranges(in: text).map { text[$0] }          // ["ß", "ß"]
  /// TextQuery.words("str gro").ranges(in: text).map { text[$0] }         // ["Gro", "Str"]
  /// TextQuery.fuzzy("gst").ranges(in: text).map { text[$0] }             // ["G", "St"]
  /// TextQuery.prefix("str").ranges(in: text)                             // []
  /// ```
  ///
  /// For a substring and for words, these are all places that do not overlap, from the first place on. For a fuzzy
  /// query, these are the places of its characters with the best score. A range covers whole characters of the text,
  /// even where only a part of one was found.
  ///
  /// - Parameter text: any text, not folded.
  /// - Returns: ranges of the text's indices, in ascending order. No two ranges touch. The array is empty where the
  ///   text does not match, or the query is empty.
  /// - Complexity: O(n · w) for n characters of the text and w words. For a fuzzy query, O(n · m) for m characters of
  ///   the query.
  public func ranges(in text: String) -> [Range<String.Index>] {
    if pattern.isEmpty { return [] }
    let map = CharacterMap(text, folding)
    guard pattern.matches(map.chunk, 0) else { return [] }
    var scorer = FuzzyScorer(pattern)
    let found = kind == .fuzzy ? scorer.places(map.chunk) : pattern.places(map.chunk)
    return RangeSet(found.map(map.characters)).ranges.map { map.indices[$0.lowerBound]..<map.indices[$0.upperBound] }
  }
}

extension TextPattern {
  /// The places of the needles in the one text of a chunk, as ranges of its bytes. The text must match. The ranges of
  /// one needle do not overlap.
  fileprivate func places(_ chunk: TextChunk) -> [Range<Int>] {
    let text = chunk.place(of: 0)
    let lead = kind == .prefix ? 1 : 0
    var places: [Range<Int>] = []
    unsafe chunk.bytes.withUnsafeBufferPointer { bytes in
      for needle in needles {
        var next = text.lowerBound - lead
        while let found = unsafe needle.find(in: bytes.baseAddress!, from: next, to: text.upperBound) {
          next = found + needle.bytes.count
          places.append(found + lead..<next)
          if kind == .prefix { break }
        }
      }
    }
    return places
  }
}

/// A folded text with the character of each of its bytes.
private struct CharacterMap {
  private(set) var chunk = TextChunk()
  /// The index of each character, and the end.
  private(set) var indices: [String.Index] = []
  /// The start and the end of the bytes of each character.
  private var starts: [Int] = []

  init(_ text: String, _ folding: TextFolding) {
    // Each character can be folded alone, because no mark leaves the character that it belongs to.
    var bytes: [UInt8] = []
    for index in text.indices {
      indices.append(index)
      starts.append(bytes.count + 1)
      folding.fold(String(text[index]), into: &bytes)
    }
    indices.append(text.endIndex)
    starts.append(bytes.count + 1)
    chunk.append(folded: bytes)
    chunk.seal()
  }

  /// The numbers of the characters of some bytes.
  func characters(_ bytes: Range<Int>) -> Range<Int> {
    let first = starts.partitioningIndex { $0 > bytes.lowerBound } - 1
    return first..<starts.partitioningIndex { $0 >= bytes.upperBound }
  }
}
