import OffsetIndexing

/// The job of the suite `bit-index`: which elements pass, counted in both directions.
protocol BitIndexing: Measured {
  /// Bit i is bit i % 64 of word i / 64.
  init(words: [UInt64], count: Int)
  var count: Int { get }
  var setCount: Int { get }
  var byteCount: Int { get }
  func rank(_ index: Int) -> Int
  func select(_ rank: Int) -> Int
  mutating func toggle(at index: Int)
  mutating func insert(_ bit: Bool, at index: Int)
  mutating func removeOne(at index: Int)
}

extension BitIndex: BitIndexing {
  static var name: String { "BitIndex" }
  static var origin: Subject.Origin { .library }
  mutating func removeOne(at index: Int) { remove(at: index) }
}

/// The positions of the set bits in a sorted array. Look-ups are quick, and each edit moves all later positions.
struct PositionArray: BitIndexing {
  static let name = "PositionArray"
  private(set) var positions: [Int]
  private(set) var count: Int

  init(words: [UInt64], count: Int) {
    self.count = count
    positions = []
    positions.reserveCapacity(words.reduce(0) { $0 + $1.nonzeroBitCount })
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        positions.append(index * 64 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
  }

  /// Creates the index from an ascending sequence of positions.
  init(positions: [Int], count: Int) {
    self.positions = positions
    self.count = count
  }

  var setCount: Int { positions.count }
  var byteCount: Int { positions.capacity * 8 }

  func rank(_ index: Int) -> Int {
    var (low, high) = (0, positions.count)
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < index { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func select(_ rank: Int) -> Int { positions[rank] }

  /// Whether the bit at `index` is set.
  func contains(_ index: Int) -> Bool {
    let rank = rank(index)
    return rank < positions.count && positions[rank] == index
  }

  mutating func toggle(at index: Int) {
    let rank = rank(index)
    if rank < positions.count, positions[rank] == index {
      positions.remove(at: rank)
    } else {
      positions.insert(index, at: rank)
    }
  }

  mutating func insert(_ bit: Bool, at index: Int) {
    let rank = rank(index)
    for i in rank..<positions.count { positions[i] += 1 }
    if bit { positions.insert(index, at: rank) }
    count += 1
  }

  mutating func removeOne(at index: Int) {
    let rank = rank(index)
    if rank < positions.count, positions[rank] == index { positions.remove(at: rank) }
    for i in rank..<positions.count { positions[i] -= 1 }
    count -= 1
  }
}
