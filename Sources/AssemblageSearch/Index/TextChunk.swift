import Assemblage

/// Folded texts, one after the other in one piece of memory.
///
///     bytes     ▮ a d a ▮ b o ▮ ▮ e v e ▮ ▮▮▮▮▮▮▮…        ▮ is a byte that no text contains
///     starts      1       5     8 9       13
///
/// With the separator before the first text, a prefix is a substring that begins with a separator. The padding lets a
/// search read whole vectors. The text of a child without a value is one special byte that no text contains.
struct TextChunk {
  private(set) var bytes: [UInt8]
  /// The start of each text, and the end of the last one.
  private(set) var starts: [UInt32] = [1]
  /// The number of children without a value.
  private(set) var valuelessCount = 0

  /// The one byte of a child without a value.
  static let valueless: UInt8 = 0xFE
  /// The one byte of an element whose text has not been read.
  static let unread: UInt8 = 0xFD

  /// Creates a chunk without texts. The chunk can be searched after it is sealed.
  init(capacity: Int = 0) {
    bytes = []
    bytes.reserveCapacity(capacity)
    bytes.append(ByteNeedle.separator)
  }

  /// Creates a sealed chunk of one text.
  init(_ text: String, _ folding: TextFolding) {
    self.init(capacity: text.utf8.count + ByteNeedle.padding + 2)
    append(text, folding)
    seal()
  }

  /// The number of texts.
  var count: Int { starts.count - 1 }

  /// The number of bytes of the texts and their separators.
  var size: Int { Int(starts[starts.count - 1]) - 1 }

  /// The bytes of a text, without its separator.
  func place(of index: Int) -> Range<Int> { Int(starts[index])..<Int(starts[index + 1]) - 1 }

  /// The number of the text that contains an offset. The text is not before the text `first`.
  ///
  /// - Complexity: O(log d) for the distance d between `first` and the result.
  func index(at offset: Int, from first: Int) -> Int {
    unsafe starts.withUnsafeBufferPointer { unsafe Self.index(at: offset, from: first, in: $0) }
  }

  /// Does the same with the starts of a chunk.
  @inline(__always)
  static func index(at offset: Int, from first: Int, in starts: UnsafeBufferPointer<UInt32>) -> Int {
    let count = starts.count &- 1
    var (low, step) = (first, 1)
    while low &+ step < count, unsafe Int(starts[low &+ step]) <= offset {
      low &+= step
      step &*= 2
    }
    var high = min(low &+ step, count)
    while high &- low > 1 {
      let middle = (low &+ high) / 2
      if unsafe Int(starts[middle]) <= offset { low = middle } else { high = middle }
    }
    return low
  }

  // MARK: Filling

  /// Appends a text to a chunk that has not been sealed.
  mutating func append(_ text: String, _ folding: TextFolding) {
    folding.fold(text, into: &bytes)
    close()
  }

  /// Appends the text of a child without a value.
  mutating func appendValueless() {
    bytes.append(Self.valueless)
    valuelessCount += 1
    close()
  }

  /// Appends a placeholder for a text that is read later.
  mutating func appendUnread() {
    bytes.append(Self.unread)
    close()
  }

  /// The first text that has not been read, from `index` on.
  func firstUnread(from index: Int) -> Int? {
    let found = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe ByteNeedle([Self.unread]).find(in: bytes.baseAddress!, from: Int(starts[index]), to: size + 1)
    }
    return found.map { self.index(at: $0, from: index) }
  }

  /// Appends a folded text.
  mutating func append(folded text: [UInt8]) {
    bytes.append(contentsOf: text)
    close()
  }

  private mutating func close() {
    bytes.append(ByteNeedle.separator)
    require(bytes.count <= Int(UInt32.max), "TextIndex: the text of an element is longer than 4 GiB.")
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
  }

  /// Ends the filling.
  mutating func seal() {
    bytes.append(contentsOf: repeatElement(ByteNeedle.separator, count: ByteNeedle.padding))
  }

  // MARK: Editing

  /// Makes a sealed chunk of some of the texts.
  func slice(_ range: Range<Int>) -> TextChunk {
    var result = TextChunk()
    result.replaceSubrange(0..<0, with: self, range)
    result.seal()
    return result
  }

  /// Replaces some of the texts by texts of another chunk.
  ///
  /// - Complexity: O(b + n) for b bytes and n texts of both.
  mutating func replaceSubrange(_ range: Range<Int>, with other: TextChunk, _ source: Range<Int>) {
    let place = Int(starts[range.lowerBound])..<Int(starts[range.upperBound])
    let origin = Int(other.starts[source.lowerBound])..<Int(other.starts[source.upperBound])
    valuelessCount += other.valuelessCount(in: source) - valuelessCount(in: range)
    bytes.replaceSubrange(place, with: other.bytes[origin])
    let shift = origin.count - place.count
    if shift != 0 {
      for index in range.upperBound..<starts.count { starts[index] = UInt32(Int(starts[index]) + shift) }
    }
    let distance = place.lowerBound - origin.lowerBound
    starts.replaceSubrange(range, with: other.starts[source].lazy.map { UInt32(Int($0) + distance) })
  }

  private func valuelessCount(in range: Range<Int>) -> Int {
    valuelessCount == 0 ? 0 : range.reduce(0) { $0 + (bytes[Int(starts[$1])] == Self.valueless ? 1 : 0) }
  }

  /// Traps where the parts of the chunk do not fit together.
  func checkInvariants() {
    require(starts[0] == 1 && bytes[0] == ByteNeedle.separator, "TextChunk: it does not begin with a separator.")
    for index in 0..<count {
      require(starts[index] < starts[index + 1], "TextChunk: text \(index) has no place.")
      let text = bytes[place(of: index)]
      require(!text.contains(ByteNeedle.separator), "TextChunk: text \(index) contains a separator.")
      require(bytes[Int(starts[index + 1]) - 1] == ByteNeedle.separator, "TextChunk: text \(index) does not end.")
    }
    require(
      valuelessCount == valuelessCount(in: 0..<count) && bytes.count { $0 == Self.valueless } == valuelessCount,
      "TextChunk: the count of children without a value is wrong.")
    require(
      bytes.count == size + 1 + ByteNeedle.padding
        && bytes.suffix(ByteNeedle.padding).allSatisfy { $0 == ByteNeedle.separator },
      "TextChunk: there is no padding.")
  }
}
