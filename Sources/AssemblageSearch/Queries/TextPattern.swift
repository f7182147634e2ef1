/// The folded parts of a query, in the form that a search uses.
struct TextPattern: Hashable, Sendable {
  let kind: TextQuery.Kind
  /// The parts to be found. The needle of a prefix begins with the separator. A fuzzy query has a needle for each
  /// character.
  let needles: [ByteNeedle]

  init(_ kind: TextQuery.Kind, _ text: String, _ folding: TextFolding) {
    self.kind = kind
    switch kind {
    case .substring: needles = Self.needle(text, folding).map { [$0] } ?? []
    case .prefix:
      needles = Self.needle(text, folding).map { [ByteNeedle([ByteNeedle.separator] + $0.bytes)] } ?? []
    case .words:
      let words = Set(text.split(whereSeparator: \.isWhitespace).compactMap { Self.needle(String($0), folding) })
      // The rarest word is first, so that fewer texts are compared with the other words. Equal words are ordered by
      // content, so that the order in the query does not count.
      needles = words.sorted {
        let (left, right) = ((-$0.bytes.count, $0.frequency), (-$1.bytes.count, $1.frequency))
        return left == right ? $0.bytes.lexicographicallyPrecedes($1.bytes) : left < right
      }
    case .fuzzy: needles = Self.characters(folding.folded(text))
    }
  }

  private static func needle(_ text: String, _ folding: TextFolding) -> ByteNeedle? {
    var bytes: [UInt8] = []
    folding.fold(text, into: &bytes)
    return bytes.isEmpty ? nil : ByteNeedle(bytes)
  }

  /// The characters of a folded text, without white space.
  private static func characters(_ text: String) -> [ByteNeedle] {
    text.compactMap { character in
      // A mark may follow a space, and then it belongs to the character of the space.
      let scalars = character.unicodeScalars.drop { $0.properties.isWhitespace }
      return scalars.isEmpty ? nil : ByteNeedle(Array(String(scalars).utf8))
    }
  }

  /// Whether the pattern matches every text.
  var isEmpty: Bool { needles.isEmpty }

  /// Whether a text of a chunk matches the pattern.
  ///
  /// - Parameters:
  ///   - text: the bytes of the chunk.
  ///   - place: the place of the text in the chunk.
  /// - Returns: whether the text matches.
  func matches(_ text: UnsafePointer<UInt8>, _ place: Range<Int>) -> Bool {
    if unsafe text[place.lowerBound] == TextChunk.valueless { return false }
    switch kind {
    case .substring, .words:
      for needle in needles {
        if unsafe needle.find(in: text, from: place.lowerBound, to: place.upperBound) == nil { return false }
      }
      return true
    case .prefix:
      for needle in needles {
        // The needle includes the separator before the text.
        let end = place.lowerBound - 1 + needle.bytes.count
        guard end <= place.upperBound,
          unsafe needle.find(in: text, from: place.lowerBound - 1, to: end) != nil
        else { return false }
      }
      return true
    case .fuzzy: return unsafe hasCharacters(text, place)
    }
  }

  /// Whether a text has the characters in their order. Each character is searched behind the one before.
  private func hasCharacters(_ text: UnsafePointer<UInt8>, _ place: Range<Int>) -> Bool {
    var next = place.lowerBound
    for needle in needles {
      if needle.bytes.count == 1 {
        let byte = needle.bytes[0]
        while true {
          if next >= place.upperBound { return false }
          // A byte that is a character is no mark. `needle.isWhole(_:_:)` would count a reference at each byte.
          let isFound =
            unsafe text[next] == byte && isCharacterBoundary(text, next)
            && isCharacterBoundary(text, next &+ 1)
          next &+= 1
          if isFound { break }
        }
      } else {
        guard let found = unsafe needle.find(in: text, from: next, to: place.upperBound) else { return false }
        next = found + needle.bytes.count
      }
    }
    return true
  }

  /// Whether a text matches the pattern.
  func matches(_ chunk: TextChunk, _ index: Int) -> Bool {
    let place = chunk.place(of: index)
    return unsafe chunk.bytes.withUnsafeBufferPointer { unsafe matches($0.baseAddress!, place) }
  }
}
