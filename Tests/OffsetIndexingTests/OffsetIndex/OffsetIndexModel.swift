import OffsetIndexing

/// The sizes of an ``OffsetIndex`` in an array, which gives every answer by counting.
struct OffsetIndexModel {
  var sizes: [Int]

  /// Returns a fault of `index`, or nil if it agrees.
  ///
  /// The index is asked about the given places in `0..<sizes.count` and offsets in `0..<total`.
  func disagreement(_ index: OffsetIndex, indices: some Sequence<Int>, offsets: some Sequence<Int>) -> String? {
    index.checkInvariants()
    let total = sizes.reduce(0, +)
    if index.count != sizes.count { return "count \(index.count), not \(sizes.count)" }
    if index.total != total { return "total \(index.total), not \(total)" }
    if Array(index) != sizes { return "iteration \(Array(index)), not \(sizes)" }
    if index.offset(of: sizes.count) != total { return "offset of the end" }
    var starts = [0]
    for size in sizes { starts.append(starts[starts.count - 1] + size) }
    for place in indices {
      if index[place] != sizes[place] { return "size at \(place): \(index[place]), not \(sizes[place])" }
      if index.offset(of: place) != starts[place] { return "offset of \(place): \(index.offset(of: place))" }
      if index.range(of: place) != starts[place]..<starts[place + 1] { return "range of \(place)" }
    }
    for offset in offsets {
      // The last child that begins at the offset or before it. So it has not the size zero.
      var low = 0
      var high = sizes.count
      while high - low > 1 {
        let middle = (low + high) / 2
        if starts[middle] <= offset { low = middle } else { high = middle }
      }
      let found = index.locate(offset)
      if found != (low, offset - starts[low]) { return "located \(offset) in \(found), not \(low)" }
    }
    return nil
  }

  /// Returns a fault of `index` at any place, or nil if it agrees.
  func disagreement(_ index: OffsetIndex) -> String? {
    disagreement(index, indices: sizes.indices, offsets: 0..<sizes.reduce(0, +))
  }
}
