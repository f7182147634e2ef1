import Assemblage

extension TextQuery {
  /// The ranges that a search found in a text, for highlighting.
  ///
  /// ```swift
  /// let text = "Große Straße"
  /// TextQuery.substring("ss").ranges(in: text).map { text[$0] }          // ["ß", "ß"]
  /// TextQuery.words("str gro").ranges(in: text).map { text[$0] }         // ["Gro", "Str"]
  /// TextQuery.fuzzy("gst").ranges(in: text).map { text[$0] }             // ["G", "St"]
  /// TextQuery.prefix("str").ranges(in: text)                             // []
  /// ```
  ///
  /// Of a substring and of words these are all places that do not overlap, from the first on; of a fuzzy query the
  /// places of its characters that have the best score. A range covers whole characters of the text, also where only a
  /// part of one was found.
  ///
  /// - Parameter text: any text, not folded.
  /// - Returns: ranges of the text's indices, ascending, of which no two touch; none where the text does not match, or
  ///   there is nothing to be found.
  /// - Complexity: O(n · w) for n characters of the text and w words; of a fuzzy query O(n · m) for m characters of
  ///   that.
  public func ranges(in text: String) -> [Range<String.Index>] {
    if pattern.isEmpty { return [] }
    let map = CharacterMap(text, folding)
    guard pattern.matches(map.chunk, 0) else { return [] }
    var ranges: [Range<Int>] = []
    var scorer = FuzzyScorer(pattern)
    let found = kind == .fuzzy ? scorer.places(map.chunk) : pattern.places(map.chunk)
    for place in found.map(map.characters).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = ranges.last, place.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, place.upperBound)
      } else {
        ranges.append(place)
      }
    }
    return ranges.map { map.indices[$0.lowerBound]..<map.indices[$0.upperBound] }
  }
}

extension TextPattern {
  /// Where the needles are in the one text of a chunk that matches, as ranges of its bytes; the ranges of one needle do
  /// not overlap.
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

/// A folded text that knows from which character each of its bytes is.
private struct CharacterMap {
  private(set) var chunk = TextChunk()
  /// The index of each character, and the end.
  private(set) var indices: [String.Index] = []
  /// Where the bytes of each character begin, and where they end.
  private var starts: [Int] = []

  init(_ text: String, _ folding: TextFolding) {
    // Characters are folded like the text, because no mark moves out of the one that it belongs to.
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

  /// The numbers of the characters that some bytes are from.
  func characters(_ bytes: Range<Int>) -> Range<Int> {
    let first = starts.partitioningIndex { $0 > bytes.lowerBound } - 1
    return first..<starts.partitioningIndex { $0 >= bytes.upperBound }
  }
}
