/// The sizes of children that lie end to end, with their offsets: which child holds a position, and where a child begins.
public struct OffsetIndex: Sendable {
  var sizes: [Int]

  /// Creates an index of no children.
  ///
  /// - Complexity: O(1).
  public init() { sizes = [] }

  /// Creates an index of children of the given sizes.
  ///
  /// - Parameter sizes: the sizes in order, each zero or more. There may be none.
  /// - Precondition: no size is negative, and their sum fits in an `Int`.
  /// - Complexity: O(*n*), where *n* is the number of sizes.
  public init(_ sizes: some Sequence<Int>) {
    self.sizes = Array(sizes)
    check()
  }

  /// Creates an index of `count` children of the same size.
  ///
  /// Equal sizes are stored once: a thousand million children of size 1 take less than 1 KB.
  ///
  /// - Parameters:
  ///   - size: the size of each child, zero or more.
  ///   - count: the number of children, zero or more.
  /// - Precondition: neither is negative, and their product fits in an `Int`.
  /// - Complexity: O(1).
  public init(repeating size: Int, count: Int) {
    guard count >= 0 else { SumTrap.negative("count", count) }
    sizes = Array(repeating: size, count: count)
    check()
  }

  private func check() {
    var total = 0
    for size in sizes {
      guard size >= 0 else { SumTrap.negative("size", size) }
      let (sum, overflow) = total.addingReportingOverflow(size)
      guard !overflow else { SumTrap.overflow("sum of sizes") }
      total = sum
    }
  }

  /// The number of children.
  ///
  /// - Complexity: O(1).
  public var count: Int { sizes.count }

  /// The sum of all sizes.
  ///
  /// - Complexity: O(1).
  public var total: Int { sizes.reduce(0, +) }

  public subscript(index: Int) -> Int {
    get {
      guard index >= 0, index < count else { SumTrap.index(index, count) }
      return sizes[index]
    }
    set { add(newValue - self[index], at: index) }
  }

  public func offset(of index: Int) -> Int {
    guard index >= 0, index <= count else { SumTrap.boundary(index, count) }
    return sizes[..<index].reduce(0, +)
  }

  public func range(of index: Int) -> Range<Int> {
    guard index >= 0, index < count else { SumTrap.index(index, count) }
    let start = offset(of: index)
    return start..<start + sizes[index]
  }

  public func locate(_ offset: Int) -> (index: Int, offset: Int) {
    guard offset >= 0, offset < total else { SumTrap.offset(offset, total) }
    var rest = offset
    var index = 0
    while sizes[index] <= rest {
      rest -= sizes[index]
      index += 1
    }
    return (index, rest)
  }

  public mutating func add(_ delta: Int, at index: Int) {
    guard index >= 0, index < count else { SumTrap.index(index, count) }
    sizes[index] += delta
    check()
  }

  public mutating func append(_ size: Int) { replaceSubrange(count..<count, with: CollectionOfOne(size)) }

  public mutating func insert(_ size: Int, at index: Int) {
    replaceSubrange(index..<index, with: CollectionOfOne(size))
  }

  public mutating func insert(repeating size: Int, count: Int, at index: Int) {
    replaceSubrange(index..<index, with: repeatElement(size, count: count))
  }

  public mutating func insert(contentsOf newSizes: some Collection<Int>, at index: Int) {
    replaceSubrange(index..<index, with: newSizes)
  }

  @discardableResult
  public mutating func remove(at index: Int) -> Int {
    guard index >= 0, index < count else { SumTrap.index(index, count) }
    return sizes.remove(at: index)
  }

  public mutating func removeSubrange(_ range: Range<Int>) {
    replaceSubrange(range, with: EmptyCollection())
  }

  public mutating func replaceSubrange(_ range: Range<Int>, with newSizes: some Collection<Int>) {
    guard range.lowerBound >= 0, range.upperBound <= count else { SumTrap.range(range, count) }
    sizes.replaceSubrange(range, with: newSizes)
    check()
  }

  public func forEachRun(_ body: (_ size: Int, _ count: Int) -> Void) {
    for size in sizes { body(size, 1) }
  }

  public var byteCount: Int { sizes.capacity * 8 }

  public var debugShape: String { "\(sizes)" }
}

extension OffsetIndex: RandomAccessCollection, Equatable, CustomStringConvertible {
  public var startIndex: Int { 0 }
  public var endIndex: Int { count }
  public var description: String { "OffsetIndex(count: \(count), total: \(total))" }
}
