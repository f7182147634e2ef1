public import OffsetIndexing

// Moves of ranges from one array to another. A long range moves chunk by chunk, and its elements are not touched.
extension ChunkedArray {
  /// An array of chunks, none of them empty or too long.
  @inlinable
  init(chunks: ContiguousArray<Chunk>, capacities: ChunkCapacities) {
    self.init(EmptyCollection(), capacities: capacities)
    append(chunks, at: 0)
  }

  /// Removes a range, and returns it as an array of its own.
  ///
  /// - Complexity: O(log n + c) for c chunks, and the copy of one chunk at each end of the range.
  @inlinable
  mutating func cut(_ range: Range<Int>) -> ChunkedArray {
    if isSmall || range.count <= capacities.chunk {
      var elements = Chunk()
      elements.reserveCapacity(range.count)
      // Slices, not spans: where this is not specialized, each element would look up its type at run time.
      for slice in slices(of: range) { elements.append(contentsOf: slice) }
      replaceSubrange(range, with: EmptyCollection())
      return ChunkedArray(elements, capacities: capacities)
    }
    let first = divide(at: range.lowerBound)
    let last = divide(at: range.upperBound)
    let taken = ContiguousArray(chunks[first..<last])
    chunks.removeSubrange(first..<last)
    offsets.replaceSubrange(first..<last, with: EmptyCollection())
    count -= range.count
    mergeSeam(at: first)
    return ChunkedArray(chunks: taken, capacities: capacities)
  }

  /// Inserts the elements of another array.
  ///
  /// - Complexity: O(log n + c) for c chunks, and the copy of two chunks.
  @inlinable
  mutating func insert(contentsOf other: consuming ChunkedArray, at position: Int) {
    if other.isSmall || other.count <= capacities.chunk {
      if !other.isSmall { other.joinChunks() }
      return replaceSubrange(position..<position, with: other.small)
    }
    if isSmall { split() }
    append(other.chunks, at: divide(at: position))
  }

  /// Inserts chunks before the chunk at an index.
  @inlinable
  mutating func append(_ new: ContiguousArray<Chunk>, at index: Int) {
    chunks.insert(contentsOf: new, at: index)
    offsets.replaceSubrange(index..<index, with: new.map { $0.count })
    count = offsets.total
    mergeSeam(at: index + new.count)
    mergeSeam(at: index)
  }

  /// Divides a chunk if no chunk begins at a position yet, and returns the index of the chunk that begins there.
  ///
  /// At the end of the array the index is the number of chunks.
  @inlinable
  mutating func divide(at position: Int) -> Int {
    if position == 0 || position == count { return position == 0 ? 0 : chunks.count }
    let place = offsets.locate(position)
    if place.offset == 0 { return place.index }
    let tail = Chunk(chunks[place.index][place.offset...])
    chunks[place.index].removeSubrange(place.offset...)
    chunks.insert(tail, at: place.index + 1)
    offsets.replaceSubrange(place.index..<place.index + 1, with: [place.offset, tail.count])
    return place.index + 1
  }

  /// The number of elements that there is memory for.
  var capacity: Int { chunks.reduce(small.capacity) { $0 + $1.capacity } }

  /// Joins the chunk on either side of an index with a neighbour, if that chunk is too short.
  @inlinable
  mutating func mergeSeam(at index: Int) {
    if index < chunks.count, chunks[index].count < capacities.least { mergeChunk(at: index) }
    if index > 0, index <= chunks.count, chunks[index - 1].count < capacities.least { mergeChunk(at: index - 1) }
  }
}
