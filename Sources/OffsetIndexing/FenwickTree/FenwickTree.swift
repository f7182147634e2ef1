/// The prefix sums of a fixed number of weights that can be changed one at a time.
///
/// This is the textbook structure of Fenwick, "A New Data Structure for Cumulative Frequency Tables" (1994). It is an
/// array in which the cell `k`, counted from one, holds the sum of the `k & -k` weights that end at `k`.
///
/// ```
///   cell        1    2    3    4    5    6    7    8
///   covers      1  1-2    3  1-4    5  5-6    7  1-8
/// ```
///
/// A prefix sum adds the cells on the way down: each step clears the lowest set bit of the position. A change of one
/// weight adds to the cells on the way up: each step adds the lowest set bit to the position. The number of weights
/// can't change. ``OffsetIndex`` is the structure that can grow.
///
/// ```swift
/// var weights = FenwickTree([3, 0, 4])
/// weights.prefixSum(upTo: 2)       // 3
/// weights.index(containing: 3)     // (index: 2, offset: 0): a weight of zero contains nothing
/// weights.add(2, at: 1)
/// weights.index(containing: 3)     // (index: 1, offset: 0)
/// ```
public struct FenwickTree: Sendable {
  /// The sums: `cells[k - 1]` is the sum of the weights at `k - (k & -k)..<k`.
  @usableFromInline var cells: [Int]

  /// The sum of all weights.
  ///
  /// - Complexity: O(1).
  public private(set) var total: Int

  /// Creates a tree of the given weights.
  ///
  /// - Parameter weights: the weights in order, each zero or more. There may be none.
  /// - Precondition: no weight is negative, and their sum fits in an `Int`.
  /// - Complexity: O(n), where n is the number of weights.
  public init(_ weights: some Sequence<Int>) {
    cells = Array(weights)
    total = 0
    for weight in cells {
      guard weight >= 0 else { SumTrap.negative("weight", weight) }
      let (sum, overflow) = total.addingReportingOverflow(weight)
      guard !overflow else { SumTrap.overflow("sum of weights") }
      total = sum
    }
    accumulate()
  }

  /// Creates a tree of `count` equal weights.
  ///
  /// - Parameters:
  ///   - weight: the weight of each index, zero or more.
  ///   - count: the number of weights, zero or more.
  /// - Precondition: neither is negative, and their product fits in an `Int`.
  /// - Complexity: O(`count`).
  public init(repeating weight: Int, count: Int) {
    guard weight >= 0 else { SumTrap.negative("weight", weight) }
    guard count >= 0 else { SumTrap.negative("count", count) }
    let (product, overflow) = weight.multipliedReportingOverflow(by: count)
    guard !overflow else { SumTrap.overflow("sum of weights") }
    cells = Array(repeating: weight, count: count)
    total = product
    accumulate()
  }

  /// Turns an array of weights into an array of sums: each cell is added to the next cell that covers it.
  private mutating func accumulate() {
    let count = cells.count
    var position = 1
    while position < count {
      let parent = position + (position & -position)
      if parent <= count { cells[parent - 1] &+= cells[position - 1] }
      position += 1
    }
  }

  /// The number of weights.
  ///
  /// - Complexity: O(1).
  public var count: Int { cells.count }

  /// The weight at `index`.
  ///
  /// - Parameter index: a position among the weights, `0..<count`.
  /// - Precondition: `index` is in `0..<count`.
  /// - Complexity: O(log n), where n is `count`; O(1) on average.
  public subscript(index: Int) -> Int {
    guard index >= 0, index < count else { SumTrap.index(index, count) }
    var weight = cells[index]
    let end = (index + 1) & index
    var position = index
    while position > end {
      weight &-= cells[position - 1]
      position &= position - 1
    }
    return weight
  }

  /// Returns the sum of the weights before `index`.
  ///
  /// The sum up to zero is zero, and the sum up to `count` is `total`.
  ///
  /// - Parameter index: the end of the prefix, `0...count`.
  /// - Returns: the sum of the weights at `0..<index`.
  /// - Precondition: `index` is in `0...count`.
  /// - Complexity: O(log n), where n is `count`.
  public func prefixSum(upTo index: Int) -> Int {
    guard index >= 0, index <= count else { SumTrap.boundary(index, count) }
    var sum = 0
    var position = index
    while position > 0 {
      sum &+= cells[position - 1]
      position &= position - 1
    }
    return sum
  }

  /// Returns the weight that contains the unit number `offset`, if the weights are laid end to end.
  ///
  /// A weight of zero contains no unit and is never returned. If several weights begin at the same offset, the last of
  /// them is returned.
  ///
  /// - Parameter offset: a distance from the beginning, `0..<total`.
  /// - Returns: the weight's index, and the distance of the unit from the beginning of that weight.
  /// - Precondition: `offset` is in `0..<total`.
  /// - Complexity: O(log n), where n is `count`.
  public func index(containing offset: Int) -> (index: Int, offset: Int) {
    guard offset >= 0, offset < total else { SumTrap.offset(offset, total) }
    // `position` weights are wholly before the unit. Their sum is `offset - rest`.
    var position = 0
    var rest = offset
    var step = 1 << (Int.bitWidth - 1 - count.leadingZeroBitCount)
    while step > 0 {
      let next = position + step
      if next <= count, cells[next - 1] <= rest {
        position = next
        rest &-= cells[next - 1]
      }
      step >>= 1
    }
    return (position, rest)
  }

  /// Adds `delta` to the weight at `index`.
  ///
  /// - Parameters:
  ///   - delta: the difference, which may be negative.
  ///   - index: a position among the weights, `0..<count`.
  /// - Precondition: `index` is in `0..<count`, the weight does not become negative, and the total fits in an
  ///   `Int`.
  /// - Complexity: O(log n), where n is `count`.
  public mutating func add(_ delta: Int, at index: Int) {
    guard index >= 0, index < count else { SumTrap.index(index, count) }
    if delta < 0, self[index] + delta < 0 { SumTrap.negative("weight", self[index] + delta) }
    let (sum, overflow) = total.addingReportingOverflow(delta)
    guard !overflow else { SumTrap.overflow("sum of weights") }
    total = sum
    var position = index + 1
    while position <= cells.count {
      cells[position - 1] &+= delta
      position += position & -position
    }
  }
}

extension FenwickTree: Equatable, CustomStringConvertible {
  /// Whether both trees hold the same weights in the same order.
  ///
  /// - Complexity: O(n), where n is `count`.
  public static func == (left: FenwickTree, right: FenwickTree) -> Bool {
    // The weights determine the cells, and the cells determine the weights.
    left.total == right.total && left.cells == right.cells
  }

  /// The number of weights and their sum, for example `FenwickTree(count: 3, total: 7)`.
  public var description: String { "FenwickTree(count: \(count), total: \(total))" }
}
