import Assemblage
import OffsetIndexing

/// The folded texts of a sequence of elements, in chunks of contiguous memory.
///
///     chunks    ▮ada▮bo▮▮eve▮   ▮mallory▮trent▮   …      some 16 KiB each
///     counts    4               2                        an OffsetIndex: element number ↔ chunk
///
/// An edit moves the bytes of a chunk or two. A search reads the chunks at memory speed, and looks up the start of an
/// element only where it has found a match.
@usableFromInline
struct TextColumn {
  private(set) var chunks: [TextChunk] = []
  private var counts = OffsetIndex()

  /// The size of a good chunk, in bytes. Without its last text, a chunk has up to twice this size. The last text may be
  /// of any length.
  ///
  /// An edit moves half a chunk, and a search has a fixed cost for each chunk. With 1,000,000 names, an edit took 2.8
  /// to 3.3 µs with 16 KiB and 3.7 µs with 32 KiB. A search took 2.6 ns for each name with both.
  /// (`benchmark --suite search --operation edit --operation substring --sizes 1000000`)
  let target: Int

  /// The texts before this number have been read, except texts that were moved there; `Int.max` where all have been
  /// read.
  var readingStart = Int.max

  init(target: Int = 1 << 14) { self.target = target }

  /// The number of texts.
  var count: Int { counts.total }

  /// The memory of the texts, in bytes.
  var byteCount: Int {
    chunks.reduce(counts.byteCount) { $0 + $1.bytes.capacity + $1.starts.capacity * 4 + MemoryLayout<TextChunk>.stride }
  }

  /// Returns the chunk of a text, and the text's index in the chunk.
  ///
  /// - Complexity: O(log n).
  func locate(_ number: Int) -> (chunk: Int, index: Int) {
    let (chunk, index) = counts.locate(number)
    return (chunk, index)
  }

  /// The first element from a number on whose text has not been read; nil where there is none.
  ///
  /// - Complexity: O(log n + b) for b bytes between.
  func firstUnread(from number: Int) -> Int? {
    guard number < count else { return nil }
    var (chunk, index) = locate(number)
    var base = number - index
    while chunk < chunks.count {
      if let found = chunks[chunk].firstUnread(from: index) { return base + found }
      base += chunks[chunk].count
      (chunk, index) = (chunk + 1, 0)
    }
    return nil
  }

  /// New texts for a column.
  @usableFromInline
  struct Builder {
    private(set) var chunks: [TextChunk] = []
    private var open: TextChunk
    private(set) var count = 0
    let folding: TextFolding
    private let target: Int

    init(_ folding: TextFolding, target: Int) {
      self.folding = folding
      self.target = target
      open = TextChunk()
    }

    /// Appends the text of an element. Nil is the text of a child without a value.
    @usableFromInline
    mutating func append(_ text: String?) {
      if let text { open.append(text, folding) } else { open.appendValueless() }
      count += 1
      if open.size >= target { close() }
    }

    /// Appends a placeholder for a text that is read later.
    mutating func appendUnread() {
      open.appendUnread()
      count += 1
      if open.size >= target { close() }
    }

    private mutating func close() {
      open.seal()
      chunks.append(open)
      open = TextChunk(capacity: target + ByteNeedle.padding * 2)
    }

    consuming func finish() -> [TextChunk] {
      if open.count > 0 { close() }
      return chunks
    }
  }

  /// Replaces some of the texts by other texts.
  ///
  /// - Parameters:
  ///   - range: the numbers of the texts that leave, within `0..<count`.
  ///   - new: sealed chunks; each of them has a text.
  /// - Complexity: O(log n + c) for chunks of c bytes, and the cost of a copy of the new texts.
  mutating func replaceSubrange(_ range: Range<Int>, with new: [TextChunk]) {
    if range.isEmpty && new.isEmpty { return }
    if readingStart != .max, range.lowerBound <= readingStart {
      readingStart += new.reduce(0) { $0 + $1.count } - range.clamped(to: 0..<readingStart).count
    }
    if chunks.isEmpty {
      chunks = new
      counts = OffsetIndex(new.map(\.count))
      return
    }
    let first =
      range.lowerBound == count
      ? (chunk: chunks.count - 1, index: chunks[chunks.count - 1].count) : locate(range.lowerBound)
    var last = first
    if !range.isEmpty {
      last = locate(range.upperBound - 1)
      last.index += 1
    }
    if replaceInside(first.chunk, first.index, last, with: new) { return }

    // The rest of the first and of the last chunk is packed together with the new texts. If that is little, a neighbour
    // is packed, too.
    var outer = first.chunk..<last.chunk + 1
    var parts: [(chunk: TextChunk, range: Range<Int>)] = [(chunks[first.chunk], 0..<first.index)]
    parts += new.map { ($0, 0..<$0.count) }
    parts.append((chunks[last.chunk], last.index..<chunks[last.chunk].count))
    let size = parts.reduce(0) { $0 + Int($1.chunk.starts[$1.range.upperBound] - $1.chunk.starts[$1.range.lowerBound]) }
    if size < target / 2 {
      if outer.upperBound < chunks.count {
        parts.append((chunks[outer.upperBound], 0..<chunks[outer.upperBound].count))
        outer = outer.lowerBound..<outer.upperBound + 1
      } else if outer.lowerBound > 0 {
        parts.insert((chunks[outer.lowerBound - 1], 0..<chunks[outer.lowerBound - 1].count), at: 0)
        outer = outer.lowerBound - 1..<outer.upperBound
      }
    }
    let made = Self.pack(parts, target)
    chunks.replaceSubrange(outer, with: made)
    counts.replaceSubrange(outer, with: made.map(\.count))
  }

  /// Does the same if one chunk can hold the new texts and stays neither too large nor too small.
  private mutating func replaceInside(
    _ chunk: Int, _ start: Int, _ last: (chunk: Int, index: Int), with new: [TextChunk]
  ) -> Bool {
    guard last.chunk == chunk, new.count <= 1 else { return false }
    let removed = Int(chunks[chunk].starts[last.index] - chunks[chunk].starts[start])
    let size = chunks[chunk].size - removed + (new.first?.size ?? 0)
    let count = chunks[chunk].count - (last.index - start) + (new.first?.count ?? 0)
    guard count > 0, size <= 2 * target, size >= min(target / 4, chunks[chunk].size) || chunks.count == 1 else {
      return false
    }
    let other = new.first ?? TextChunk()
    chunks[chunk].replaceSubrange(start..<last.index, with: other, 0..<other.count)
    counts[chunk] = count
    return true
  }

  /// Packs parts of chunks into chunks of a good size.
  private static func pack(_ parts: [(chunk: TextChunk, range: Range<Int>)], _ target: Int) -> [TextChunk] {
    var made: [TextChunk] = []
    var open = TextChunk()
    func close() {
      if open.count == 0 { return }
      open.seal()
      made.append(open)
      open = TextChunk()
    }
    for (chunk, range) in parts where !range.isEmpty {
      if range.count == chunk.count, open.count == 0 || open.size >= target / 2, chunk.size >= target / 2,
        chunk.size <= 2 * target || chunk.count == 1
      {
        close()
        made.append(chunk)
        continue
      }
      var start = range.lowerBound
      while start < range.upperBound {
        // As many texts as fit, and at least one.
        let limit = Int(chunk.starts[start]) + max(0, target - open.size)
        var end = range.upperBound
        if Int(chunk.starts[end]) > limit { end = max(start + 1, min(end, chunk.index(at: limit, from: start))) }
        open.replaceSubrange(open.count..<open.count, with: chunk, start..<end)
        if open.size >= target { close() }
        start = end
      }
    }
    close()
    return made
  }

  /// Copies the texts in a range.
  ///
  /// - Complexity: O(log n + b) for b bytes of these texts, and of the first and the last chunk.
  func slice(_ range: Range<Int>) -> [TextChunk] {
    if range.isEmpty { return [] }
    let (first, last) = (locate(range.lowerBound), locate(range.upperBound - 1))
    return (first.chunk...last.chunk).map { number in
      let start = number == first.chunk ? first.index : 0
      let end = number == last.chunk ? last.index + 1 : chunks[number].count
      return start == 0 && end == chunks[number].count ? chunks[number] : chunks[number].slice(start..<end)
    }
  }

  /// Traps where the parts of the column do not fit together.
  func checkInvariants() {
    require(counts.count == chunks.count, "TextColumn: there are counts of \(counts.count) chunks of \(chunks.count).")
    for (number, chunk) in chunks.enumerated() {
      chunk.checkInvariants()
      require(chunk.count > 0 && counts[number] == chunk.count, "TextColumn: the count of chunk \(number) is wrong.")
      require(
        Int(chunk.starts[chunk.count - 1]) - 1 <= 2 * target, "TextColumn: chunk \(number) has room for no more texts.")
    }
  }
}
