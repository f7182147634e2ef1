import OffsetIndexing
import Testing

/// A bit index, and an array of booleans that gets the same edits.
struct BitIndexModel {
  var index: BitIndex
  var bits: [Bool]

  /// Node capacities, from the smallest to the usual; nil means the usual ones.
  static let shapes: [(leafCapacity: Int, fanOut: Int)?] = [(2, 3), (3, 4), (7, 3), (64, 5), (100, 9), nil]

  init(_ bits: [Bool] = [], shape: (leafCapacity: Int, fanOut: Int)?) {
    index = shape.map { BitIndex(leafCapacity: $0.leafCapacity, fanOut: $0.fanOut) } ?? BitIndex()
    self.bits = bits
    index.insert(words: Self.words(bits), count: bits.count, at: 0)
  }

  static func words(_ bits: [Bool]) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: (bits.count + 63) / 64)
    for (position, bit) in bits.enumerated() where bit { words[position / 64] |= 1 << UInt64(position % 64) }
    return words
  }

  /// Returns a fault of the index, or nil. Every answer of the index is compared with the array.
  func complaint() -> String? {
    index.checkInvariants()
    if index.count != bits.count { return "count \(index.count), not \(bits.count)" }
    var positions: [Int] = []
    for (position, bit) in bits.enumerated() {
      if index[position] != bit { return "bit \(position) is not \(bit)" }
      if index.rank(position) != positions.count { return "rank of \(position) is not \(positions.count)" }
      if bit { positions.append(position) }
    }
    if index.rank(bits.count) != positions.count { return "rank of the end is not \(positions.count)" }
    if index.setCount != positions.count { return "setCount is not \(positions.count)" }
    for (rank, position) in positions.enumerated() where index.select(rank) != position {
      return "set bit \(rank) is not at \(position) but \(index.select(rank))"
    }
    if Array(index) != bits { return "iteration differs" }
    return scanComplaint(0..<bits.count)
  }

  /// Returns a fault of the scans of `range`, or nil.
  func scanComplaint(_ range: Range<Int>) -> String? {
    var seen: [Bool] = []
    var isWhole = true
    index.forEachWord(in: range) { position, word, count in
      isWhole = isWhole && position == range.lowerBound + seen.count && (1...64).contains(count)
      for bit in 0..<count { seen.append(word >> UInt64(bit) & 1 != 0) }
      if count < 64 && word >> UInt64(count) != 0 { isWhole = false }
    }
    if !isWhole || seen != Array(bits[range]) { return "forEachWord(in: \(range)) differs" }
    var runs: [Range<Int>] = []
    index.forEachSetRange(in: range) { runs.append($0) }
    var expected: [Range<Int>] = []
    for position in range where bits[position] {
      if let last = expected.last, last.upperBound == position {
        expected[expected.count - 1] = last.lowerBound..<position + 1
      } else {
        expected.append(position..<position + 1)
      }
    }
    if runs != expected { return "forEachSetRange(in: \(range)) passes \(runs), not \(expected)" }
    let ranks = bits[..<range.lowerBound].count { $0 }..<bits[..<range.upperBound].count { $0 }
    return index.rank(range) == ranks ? nil : "rank(\(range)) is not \(ranks)"
  }
}

/// An edit of a bit index, with its arguments.
enum BitEdit: CaseIterable {
  case set, toggleOne, insert, insertRepeating, insertWords, append, remove, removeRange, setRange,
    toggleRange
  case updateWords

  /// Applies the edit to both at `range`.
  ///
  /// Edits of one bit use the start of the range. Edits that insert use its start and its length.
  ///
  /// - Returns: whether the edit was possible there.
  func apply(to model: inout BitIndexModel, _ range: Range<Int>, _ bit: Bool, pattern: UInt64) -> Bool {
    let place = range.lowerBound
    switch self {
    case .set:
      guard place < model.bits.count else { return false }
      model.index[place] = bit
      model.bits[place] = bit
    case .toggleOne:
      guard place < model.bits.count else { return false }
      model.index.toggle(at: place)
      model.bits[place].toggle()
    case .insert:
      model.index.insert(bit, at: place)
      model.bits.insert(bit, at: place)
    case .insertRepeating:
      model.index.insert(repeating: bit, count: range.count, at: place)
      model.bits.insert(contentsOf: repeatElement(bit, count: range.count), at: place)
    case .insertWords:
      // Bits beyond the count must not matter.
      let words = [UInt64](repeating: pattern, count: (range.count + 63) / 64 + 1)
      model.index.insert(words: words, count: range.count, at: place)
      let new = (0..<range.count).map { pattern >> UInt64($0 % 64) & 1 != 0 }
      model.bits.insert(contentsOf: new, at: place)
    case .append:
      model.index.append(bit)
      model.bits.append(bit)
    case .remove:
      guard place < model.bits.count else { return false }
      return model.index.remove(at: place) == model.bits.remove(at: place)
    case .removeRange:
      model.index.removeSubrange(range)
      model.bits.removeSubrange(range)
    case .setRange:
      model.index.set(range, to: bit)
      for position in range { model.bits[position] = bit }
    case .toggleRange:
      model.index.toggle(range)
      for position in range { model.bits[position].toggle() }
    case .updateWords:
      model.index.updateEachWord(in: range) { position, word, count in
        ~word ^ pattern << UInt64((position - range.lowerBound) % 64)
      }
      // The index itself decides where it cuts words. So only a pattern with period 1 would have a known result. The
      // new bits are therefore read from the index.
      var expected = model.bits
      model.index.forEachWord(in: range) { position, word, count in
        for bit in 0..<count { expected[position + bit] = word >> UInt64(bit) & 1 != 0 }
      }
      model.bits = expected
    }
    return true
  }
}
