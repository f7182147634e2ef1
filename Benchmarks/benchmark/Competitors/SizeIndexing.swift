import OffsetIndexing

/// The job of the suite `offset-index`: children's sizes, and the conversion between offsets and children.
protocol SizeIndexing: Measured {
  init(sizes: [Int])
  var count: Int { get }
  /// The heap bytes that the subject holds.
  var byteCount: Int { get }
  func offset(of index: Int) -> Int
  func locate(_ offset: Int) -> (index: Int, offset: Int)
  mutating func add(_ delta: Int, at index: Int)
  mutating func insert(_ size: Int, at index: Int)
  mutating func removeOne(at index: Int)
}

extension OffsetIndex: SizeIndexing {
  static var name: String { "OffsetIndex" }
  static var origin: Subject.Origin { .library }
  init(sizes: [Int]) { self.init(sizes) }
  mutating func removeOne(at index: Int) { remove(at: index) }
}

/// The textbook structure, whose length is fixed. An insertion reads all weights and builds the structure again.
extension FenwickTree: SizeIndexing {
  static var name: String { "FenwickTree" }
  init(sizes: [Int]) { self.init(sizes) }
  var byteCount: Int { 8 * count }
  func offset(of index: Int) -> Int { prefixSum(upTo: index) }
  func locate(_ offset: Int) -> (index: Int, offset: Int) { index(containing: offset) }
  mutating func insert(_ size: Int, at index: Int) {
    var weights = (0..<count).map { self[$0] }
    weights.insert(size, at: index)
    self = FenwickTree(weights)
  }
  mutating func removeOne(at index: Int) {
    var weights = (0..<count).map { self[$0] }
    weights.remove(at: index)
    self = FenwickTree(weights)
  }
}

/// The offsets of all children, searched by halving. Look-ups are quick, and each edit rewrites all later offsets.
struct PrefixArray: SizeIndexing {
  static let name = "PrefixArray"
  /// `offsets[i]` is the sum of the sizes before child i. The last offset is the total.
  private var offsets: [Int]

  init(sizes: [Int]) {
    offsets = []
    offsets.reserveCapacity(sizes.count + 1)
    var sum = 0
    offsets.append(0)
    for size in sizes {
      sum += size
      offsets.append(sum)
    }
  }

  var count: Int { offsets.count - 1 }
  var byteCount: Int { offsets.capacity * 8 }

  func offset(of index: Int) -> Int { offsets[index] }

  func locate(_ offset: Int) -> (index: Int, offset: Int) {
    // The last child that begins at or before `offset`. If several begin there, only the last of them is not empty.
    var (low, high) = (0, count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if offsets[middle] <= offset { low = middle } else { high = middle }
    }
    return (low, offset - offsets[low])
  }

  mutating func add(_ delta: Int, at index: Int) {
    for i in (index + 1)..<offsets.count { offsets[i] += delta }
  }

  mutating func insert(_ size: Int, at index: Int) {
    offsets.insert(offsets[index], at: index)
    for i in (index + 1)..<offsets.count { offsets[i] += size }
  }

  mutating func removeOne(at index: Int) {
    let size = offsets[index + 1] - offsets[index]
    offsets.remove(at: index)
    for i in index..<offsets.count { offsets[i] -= size }
  }
}

/// The sizes alone. Edits are quick, and each look-up adds up all sizes before.
struct LinearScan: SizeIndexing {
  static let name = "LinearScan"
  private var sizes: [Int]

  init(sizes: [Int]) {
    self.sizes = []
    // This makes a copy, as every other subject has to. An assignment would share the storage.
    self.sizes.reserveCapacity(sizes.count)
    self.sizes.append(contentsOf: sizes)
  }

  var count: Int { sizes.count }
  var byteCount: Int { sizes.capacity * 8 }

  func offset(of index: Int) -> Int {
    var sum = 0
    for i in 0..<index { sum += sizes[i] }
    return sum
  }

  func locate(_ offset: Int) -> (index: Int, offset: Int) {
    var (index, rest) = (0, offset)
    while rest >= sizes[index] {
      rest -= sizes[index]
      index += 1
    }
    return (index, rest)
  }

  mutating func add(_ delta: Int, at index: Int) { sizes[index] += delta }
  mutating func insert(_ size: Int, at index: Int) { sizes.insert(size, at: index) }
  mutating func removeOne(at index: Int) { sizes.remove(at: index) }
}
