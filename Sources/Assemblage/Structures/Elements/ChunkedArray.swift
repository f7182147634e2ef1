public import OffsetIndexing

/// An array that inserts and removes in the middle without moving the rest.
///
///     small:    elements [a b c d …]                     at most `capacities.small` of them
///
///     large:    offsets   512   700   1024  …            an OffsetIndex of the chunks' counts
///               chunks   [a…]  [k…]  [r…]   …            each at most `capacities.chunk` long
///
/// A small array is contiguous. A larger array is cut into chunks under an `OffsetIndex`: an edit moves at most one
/// chunk, and the index finds that chunk in O(log n).
///
/// The capacities: with chunks of up to 1,024 integers, a scan of 2^20 elements ran at a third of an array's speed. The
/// reason is that a chunk of 4 KiB ends before the processor's prefetching has caught up. With 2,048, an insertion
/// moves 6 KiB on average, and scans keep up. `benchmark --suite array --operation insert --operation scan` shows both.
@usableFromInline
struct ChunkedArray<Element> {
  @usableFromInline typealias Chunk = ContiguousArray<Element>

  /// The counts of the chunks. This is the first property, so its address is that of the array: see `element(at:in:)`.
  @usableFromInline var offsets = OffsetIndex()

  /// All elements, while the array is small; empty otherwise.
  @usableFromInline var small: Chunk

  /// The chunks, none of them empty, while the array is large; empty otherwise.
  @usableFromInline var chunks: ContiguousArray<Chunk> = []

  /// The number of elements.
  @usableFromInline var count: Int

  @usableFromInline let capacities: ChunkCapacities

  @inlinable
  init(_ elements: some Sequence<Element>, capacities: ChunkCapacities = .standard) {
    small = Chunk(elements)
    count = small.count
    self.capacities = capacities
    if count > capacities.small { split() }
  }
}

extension ChunkedArray: Sendable where Element: Sendable {}

extension ChunkedArray {
  /// Builds an array from elements that arrive one by one.
  ///
  /// A builder fills one chunk after the other, and needs no other memory than the array.
  @usableFromInline
  struct Builder: ~Copyable {
    @usableFromInline var chunks: ContiguousArray<Chunk> = []
    @usableFromInline var last = Chunk()
    /// The elements of the full chunks.
    @usableFromInline var full = 0
    @usableFromInline let fill: Int

    @inlinable
    init() { fill = ChunkCapacities.standard.fill }

    @inlinable var count: Int { full &+ last.count }

    @inlinable
    mutating func append(_ element: Element) {
      if last.count == fill { closeChunk() }
      last.append(element)
    }

    @inlinable @inline(never)
    mutating func closeChunk() {
      full += last.count
      chunks.append(last)
      last = Chunk()
      last.reserveCapacity(ChunkCapacities.standard.chunk + 1)
    }

    @inlinable
    consuming func finish() -> ChunkedArray {
      if chunks.isEmpty { return ChunkedArray(last) }
      var array = ChunkedArray(EmptyCollection())
      array.count = count
      if !last.isEmpty { chunks.append(last) }
      array.chunks = chunks
      array.offsets = OffsetIndex(chunks.lazy.map { $0.count })
      return array
    }
  }
}

/// How much a `ChunkedArray` keeps together.
@usableFromInline
struct ChunkCapacities: Sendable {
  /// The count up to which all elements lie in one array.
  @usableFromInline let small: Int

  /// The greatest count of a chunk.
  @usableFromInline let chunk: Int

  /// Creates capacities; tests use tiny ones.
  init(small: Int, chunk: Int) {
    require(small >= 0 && chunk >= 2, "A chunk holds at least two elements.")
    self.small = small
    self.chunk = chunk
  }

  /// The capacities in use: see `ChunkedArray`.
  @usableFromInline static let standard = ChunkCapacities(small: 2_048, chunk: 2_048)

  /// The least count of a chunk after a removal, at least 1: no chunk may be empty.
  @usableFromInline var least: Int { max(1, chunk / 4) }

  /// The count of each chunk when many are built at once: an eighth of the room is left for insertions.
  @usableFromInline var fill: Int { max(1, chunk - chunk / 8 - 1) }
}

// MARK: - Access

extension ChunkedArray: NodeState {
  @inlinable
  func element(at position: Int) -> Element? { position >= 0 && position < count ? self[position] : nil }

  /// `element(at:)` in place: only the element is retained.
  @inlinable
  static func element(at position: Int, in place: UnsafeRawPointer) -> Element? {
    let array = unsafe place.assumingMemoryBound(to: ChunkedArray.self)
    guard position >= 0, unsafe position < array.pointee.count else { return nil }
    if unsafe array.pointee.isSmall { return unsafe array.pointee.small[position] }
    let chunk = unsafe locateChunk(of: position, in: place.assumingMemoryBound(to: OffsetIndex.self))
    return unsafe array.pointee.chunks[chunk.index][chunk.offset]
  }

  @inlinable
  static func forEachSpan(
    in range: Range<Int>, of array: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    let array = unsafe array.pointee
    array.forEachSpan(in: range, body)
  }

  // The count, because `isEmpty` looks up types at run time where this is not specialized.
  @inlinable var isSmall: Bool { chunks.count == 0 }  // swift-format-ignore: EmptyCollectionCheck

  /// The element at `position`, which the caller has checked.
  @inlinable
  subscript(position: Int) -> Element {
    get {
      if isSmall { return small[position] }
      let place = offsets.locate(position)
      return chunks[place.index][place.offset]
    }
    set {
      if isSmall { return small[position] = newValue }
      let place = offsets.locate(position)
      chunks[place.index][place.offset] = newValue
    }
  }

  /// Replaces the element at a position, and returns the former element.
  @inlinable
  mutating func exchange(at position: Int, with element: Element) -> Element {
    var element = element
    if isSmall {
      swap(&element, &small[position])
      return element
    }
    let place = offsets.locate(position)
    swap(&element, &chunks[place.index][place.offset])
    return element
  }

  /// Passes the elements of a range in contiguous pieces.
  @inlinable
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    guard !range.isEmpty else { return }
    // Copies: should `body` change the array, the pieces that it reads stay as they were.
    if isSmall {
      let elements = small
      return body(range.lowerBound, elements.span.extracting(range))
    }
    let chunks = chunks
    var (chunk, offset) = offsets.locate(range.lowerBound)
    var position = range.lowerBound
    while position < range.upperBound {
      let length = Swift.min(chunks[chunk].count &- offset, range.upperBound &- position)
      let elements = chunks[chunk]
      body(position, elements.span.extracting(offset..<offset &+ length))
      position &+= length
      chunk &+= 1
      offset = 0
    }
  }

  /// Slices of the arrays that hold the elements of a range.
  @inlinable
  func slices(of range: Range<Int>) -> [ArraySlice<Element>] {
    guard !range.isEmpty else { return [] }
    if isSmall { return [small[range]] }
    var slices: [ArraySlice<Element>] = []
    var (chunk, offset) = offsets.locate(range.lowerBound)
    var left = range.count
    while left > 0 {
      let length = Swift.min(chunks[chunk].count - offset, left)
      slices.append(chunks[chunk][offset..<offset + length])
      left -= length
      chunk += 1
      offset = 0
    }
    return slices
  }

  /// The elements of a range, in order.
  @inlinable
  func elements(in range: Range<Int>) -> [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(range.count)
    forEachSpan(in: range) { _, span in
      for index in span.indices { elements.append(span[index]) }
    }
    return elements
  }
}

// MARK: - Edits

extension ChunkedArray {
  @inlinable
  mutating func insert(_ element: Element, at position: Int) {
    count += 1
    if isSmall {
      small.insert(element, at: position)
      if small.count > capacities.small { split() }
      return
    }
    // An insertion between two chunks goes to the end of the earlier one.
    let place = position == 0 ? (index: 0, offset: -1) : offsets.locate(position - 1)
    if position == count - 1, chunks[place.index].count == capacities.chunk {
      // A new chunk, so that single appends leave full chunks behind them.
      chunks.append([element])
      offsets.append(1)
      return
    }
    chunks[place.index].insert(element, at: place.offset + 1)
    offsets.add(1, at: place.index)
    if chunks[place.index].count > capacities.chunk { splitChunk(at: place.index) }
  }

  @inlinable
  mutating func remove(at position: Int) -> Element {
    count -= 1
    if isSmall { return small.remove(at: position) }
    let place = offsets.locate(position)
    let element = chunks[place.index].remove(at: place.offset)
    offsets.add(-1, at: place.index)
    if chunks[place.index].count < capacities.least { mergeChunk(at: place.index) }
    return element
  }

  /// Replaces a range. A chunk that lies wholly outside it stays as it is, unless a neighbour has become too short.
  @inlinable
  mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<Element>) {
    let inserted = elements.count
    count += inserted - range.count
    if isSmall {
      small.replaceSubrange(range, with: elements)
      if small.count > capacities.small { split() }
      return
    }
    let first = range.lowerBound == 0 ? (index: 0, offset: 0) : next(after: offsets.locate(range.lowerBound - 1))
    let last = range.isEmpty ? first : next(after: offsets.locate(range.upperBound - 1))
    if first.index == last.index, chunks[first.index].count - range.count + inserted <= capacities.chunk {
      chunks[first.index].replaceSubrange(first.offset..<last.offset, with: elements)
      offsets.add(inserted - range.count, at: first.index)
      if chunks[first.index].count < capacities.least { mergeChunk(at: first.index) }
      return
    }
    var middle = Chunk(chunks[first.index][..<first.offset])
    middle.append(contentsOf: elements)
    middle.append(contentsOf: chunks[last.index][last.offset...])
    replaceChunks(first.index..<last.index + 1, with: middle)
  }

  /// The place behind an element: never the start of the following chunk.
  @inlinable
  func next(after place: (index: Int, offset: Int)) -> (index: Int, offset: Int) {
    (place.index, place.offset + 1)
  }

  @inlinable
  mutating func removeAll() {
    self = ChunkedArray(EmptyCollection(), capacities: capacities)
  }
}

// MARK: - Chunks

extension ChunkedArray {
  /// Cuts the one array into chunks.
  @inlinable @inline(never)
  mutating func split() {
    var elements: Chunk = []
    swap(&elements, &small)
    chunks = cut(elements)
    offsets = OffsetIndex(chunks.lazy.map { $0.count })
  }

  /// Cuts elements into chunks of even length, none fuller than `ChunkCapacities.fill`.
  @inlinable
  func cut(_ elements: Chunk) -> ContiguousArray<Chunk> {
    let number = (elements.count + capacities.fill - 1) / capacities.fill
    var chunks = ContiguousArray<Chunk>()
    chunks.reserveCapacity(number)
    for index in 0..<number {
      // Even shares without the overflow of `count * index` for huge counts.
      let start = elements.count / number * index + Swift.min(index, elements.count % number)
      let end = elements.count / number * (index + 1) + Swift.min(index + 1, elements.count % number)
      var chunk = Chunk()
      chunk.reserveCapacity(capacities.chunk + 1)
      chunk.append(contentsOf: elements[start..<end])
      chunks.append(chunk)
    }
    return chunks
  }

  /// Cuts a chunk that has become too long in two.
  @inlinable @inline(never)
  mutating func splitChunk(at index: Int) {
    var chunk: Chunk = []
    swap(&chunk, &chunks[index])
    replaceChunks(index..<index + 1, with: chunk)
  }

  /// Joins a chunk that has become too short with a neighbour, or joins all chunks into one array.
  @inlinable @inline(never)
  mutating func mergeChunk(at index: Int) {
    if count <= capacities.small / 2 || (chunks.count == 1 && count <= capacities.small) { return joinChunks() }
    guard chunks.count > 1 else { return }
    let first = index == 0 ? 0 : index - 1
    var merged: Chunk = []
    swap(&merged, &chunks[first])
    merged.append(contentsOf: chunks[first + 1])
    if merged.count <= capacities.chunk {
      chunks[first] = merged
      chunks.remove(at: first + 1)
      offsets.replaceSubrange(first..<first + 2, with: CollectionOfOne(merged.count))
    } else {
      replaceChunks(first..<first + 2, with: merged)
    }
  }

  /// Replaces some chunks with elements.
  @inlinable
  mutating func replaceChunks(_ range: Range<Int>, with elements: Chunk) {
    let new = cut(elements)
    chunks.replaceSubrange(range, with: new)
    offsets.replaceSubrange(range, with: new.map { $0.count })
    // Everything may have been removed, or what remains may be few.
    if count <= capacities.small / 2 || chunks.isEmpty { joinChunks() }
  }

  /// Joins all chunks into one array.
  @inlinable
  mutating func joinChunks() {
    var elements = Chunk()
    elements.reserveCapacity(count)
    for chunk in chunks { elements.append(contentsOf: chunk) }
    small = elements
    chunks = []
    offsets = OffsetIndex()
  }

  /// Traps unless the chunks and the index agree.
  @inlinable
  func checkInvariants() {
    if isSmall {
      require(small.count == count && offsets.isEmpty, "A small ChunkedArray holds everything in one array.")
      require(count <= capacities.small, "A small ChunkedArray is longer than its capacity.")
    } else {
      require(small.isEmpty, "A large ChunkedArray holds elements outside its chunks.")
      require(offsets.total == count, "A ChunkedArray's index has another total than its count.")
      require(offsets.elementsEqual(chunks.map { $0.count }), "A ChunkedArray's index disagrees with its chunks.")
      require(
        chunks.allSatisfy { !$0.isEmpty && $0.count <= capacities.chunk }, "A chunk is empty or too long.")
    }
  }
}

/// The chunk that holds a position, and the place in that chunk.
///
/// This is a free function: a function of a generic type would look up the type's metadata at each call.
@usableFromInline
func locateChunk(of position: Int, in offsets: UnsafePointer<OffsetIndex>) -> (index: Int, offset: Int) {
  unsafe offsets.locate(position)
}
