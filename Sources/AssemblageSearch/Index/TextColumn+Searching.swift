import Assemblage

extension TextColumn {
  /// Finds the texts that match a pattern.
  ///
  /// - Parameters:
  ///   - pattern: the pattern.
  ///   - mask: the texts to search; nil for all. The bits of other texts are false in the result.
  /// - Returns: a bit for each text.
  /// - Complexity: O(b) for b bytes. With a mask that has few set bits, O(c + m) for c chunks and m bytes of the masked
  ///   texts.
  func search(_ pattern: TextPattern, among mask: BitRun? = nil) -> BitRun {
    if pattern.isEmpty {
      var result = mask ?? BitRun(repeating: true, count: count)
      if hasValueless { result.subtract(valueless()) }
      return result
    }
    guard pattern.kind == .words, pattern.needles.count > 1 else { return searchOnce(pattern, mask) }
    var result = mask
    for needle in pattern.needles {
      result = searchOnce(TextPattern(substring: needle), result)
      if result!.setCount == 0 { break }
    }
    return result!
  }

  /// Whether there are children without a value.
  ///
  /// - Complexity: O(c) for c chunks.
  var hasValueless: Bool { chunks.contains { $0.valuelessCount > 0 } }

  /// The children without a value, a bit for each text.
  func valueless() -> BitRun {
    var search = ColumnSearch(count: count)
    let marker = ByteNeedle([TextChunk.valueless])
    for chunk in chunks {
      if chunk.valuelessCount > 0 { search.findAll(marker, in: chunk) }
      search.base += chunk.count
    }
    return search.result
  }

  private func searchOnce(_ pattern: TextPattern, _ mask: BitRun?) -> BitRun {
    var search = ColumnSearch(count: count)
    let words = mask?.allWords
    for chunk in chunks {
      if let words {
        search.find(pattern, in: chunk, among: words)
      } else {
        search.findAll(pattern, in: chunk)
      }
      search.base += chunk.count
    }
    var result = search.result
    if let mask { result.formIntersection(mask) }
    return result
  }
}

/// The bits of a search under way.
private struct ColumnSearch {
  private var words: [UInt64]
  private let count: Int
  /// The number of the first text of the chunk that is being searched.
  var base = 0

  init(count: Int) {
    self.count = count
    words = [UInt64](repeating: 0, count: (count + 63) / 64)
  }

  var result: BitRun { BitRun(words: words, count: count) }

  private mutating func set(_ index: Int) {
    let place = base &+ index
    words[place &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: place & 63)
  }

  /// Searches all texts of a chunk.
  mutating func findAll(_ pattern: TextPattern, in chunk: TextChunk) {
    guard pattern.kind == .fuzzy else { return findAll(pattern.needles[0], in: chunk) }
    // Only the texts with the rarest character are worth a full comparison.
    let rarest = pattern.needles.min { $0.frequency < $1.frequency }!
    unsafe chunk.bytes.withUnsafeBufferPointer { bytes in
      unsafe forEachHit(rarest, in: chunk, bytes.baseAddress!) { search, index in
        if unsafe pattern.matches(bytes.baseAddress!, chunk.place(of: index)) { search.set(index) }
      }
    }
  }

  /// Searches all texts of a chunk for one needle.
  mutating func findAll(_ needle: ByteNeedle, in chunk: TextChunk) {
    unsafe chunk.bytes.withUnsafeBufferPointer { bytes in
      unsafe forEachHit(needle, in: chunk, bytes.baseAddress!) { search, index in search.set(index) }
    }
  }

  /// Passes the texts of a chunk that contain a needle, all in one search.
  @inline(__always)
  private mutating func forEachHit(
    _ needle: ByteNeedle, in chunk: TextChunk, _ bytes: UnsafePointer<UInt8>,
    _ body: (inout ColumnSearch, Int) -> Void
  ) {
    // A prefix is found at the separator. The byte after the separator belongs to the text.
    let lead = needle.bytes[0] == ByteNeedle.separator ? 1 : 0
    let end = chunk.size + 1
    let count = chunk.count
    var index = 0
    var next = 1 - lead
    unsafe chunk.starts.withUnsafeBufferPointer { starts in
      while let found = unsafe needle.find(in: bytes, from: next, to: end) {
        index = unsafe TextChunk.index(at: found + lead, from: index, in: starts)
        body(&self, index)
        index &+= 1
        if index == count { break }
        next = unsafe Int(starts[index]) &- lead
      }
    }
  }

  /// Searches the texts of a chunk that a mask contains. If there are few, they are searched one by one.
  mutating func find(_ pattern: TextPattern, in chunk: TextChunk, among mask: [UInt64]) {
    let range = base..<base + chunk.count
    let chosen = mask.setCount(in: range)
    if chosen == 0 { return }
    // A single text costs about as much as eight texts in a search through all texts.
    if chosen * 8 > chunk.count { return findAll(pattern, in: chunk) }
    unsafe chunk.bytes.withUnsafeBufferPointer { bytes in
      mask.forEachSetBit(in: range) { place in
        if unsafe pattern.matches(bytes.baseAddress!, chunk.place(of: place - range.lowerBound)) {
          set(place - range.lowerBound)
        }
      }
    }
  }
}

extension [UInt64] {
  /// The bits of a word that are in a range of positions.
  private func bits(ofWord index: Int, in range: Range<Int>) -> UInt64 {
    var word = self[index]
    let first = index * 64
    if first < range.lowerBound { word &= ~0 << UInt64(range.lowerBound - first) }
    if first + 64 > range.upperBound { word &= ~(~0 << UInt64(range.upperBound - first)) }
    return word
  }

  fileprivate func setCount(in range: Range<Int>) -> Int {
    if range.isEmpty { return 0 }
    return (range.lowerBound / 64...(range.upperBound - 1) / 64).reduce(0) {
      $0 + bits(ofWord: $1, in: range).nonzeroBitCount
    }
  }

  fileprivate func forEachSetBit(in range: Range<Int>, _ body: (Int) -> Void) {
    if range.isEmpty { return }
    for index in range.lowerBound / 64...(range.upperBound - 1) / 64 {
      var rest = bits(ofWord: index, in: range)
      while rest != 0 {
        body(index * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }
}

extension BitRun {
  /// Clears the bits that are set in another run of the same length.
  mutating func subtract(_ other: BitRun) {
    self = BitRun(words: zip(allWords, other.allWords).map { $0 & ~$1 }, count: count)
  }

  /// Passes the ranges of set bits in ascending order. No two ranges touch.
  func forEachSetRange(_ body: (Range<Int>) -> Void) {
    var start: Int?
    for (index, word) in allWords.enumerated() {
      // Most words are all clear or all set.
      if word == 0, start == nil { continue }
      if word == ~0, start != nil { continue }
      var offset = 0
      while offset < 64 {
        let rest = (start == nil ? word : ~word) >> UInt64(offset)
        if rest == 0 { break }
        offset += rest.trailingZeroBitCount
        if let first = start {
          body(first..<index * 64 + offset)
          start = nil
        } else {
          start = index * 64 + offset
        }
      }
    }
    if let start { body(start..<count) }
  }
}
