extension Delta {
  /// A list of ranges in ascending order, disjoint and not adjacent: removals, insertions or updates of a delta.
  ///
  /// A list of one range uses no memory on the heap.
  ///
  /// ```swift
  /// let delta = Delta.insertion(3..<5)
  /// delta.insertions == [3..<5]   // true
  /// ```
  public struct Ranges: RandomAccessCollection, Hashable, Sendable {
    enum Storage: Hashable, Sendable {
      case one(Range<Int>)
      case list([Range<Int>])
    }

    var storage: Storage

    init() { storage = .list([]) }

    init(_ range: Range<Int>) { storage = .one(range) }

    init(canonical list: [Range<Int>]) { storage = list.count == 1 ? .one(list[0]) : .list(list) }

    /// The position of the first range: 0.
    public var startIndex: Int { 0 }

    /// The number of ranges.
    public var endIndex: Int {
      switch storage {
      case .one: 1
      case .list(let list): list.count
      }
    }

    /// The range number `index`.
    ///
    /// - Precondition: `index` is in `0..<count`.
    public subscript(index: Int) -> Range<Int> {
      switch storage {
      case .one(let range):
        require(index == 0, "Delta: the index \(index) of a range is out of range 0..<1.")
        return range
      case .list(let list): return list[index]
      }
    }

    /// The number of elements in all ranges together.
    ///
    /// - Complexity: O(p) for p ranges.
    package var elementCount: Int { reduce(0) { $0 + $1.count } }

    /// Whether `position` lies in one of the ranges.
    ///
    /// - Complexity: O(log p) for p ranges.
    public func contains(position: Int) -> Bool {
      switch storage {
      case .one(let range): return range.contains(position)
      case .list(let list):
        let after = list.partitioningIndex { $0.lowerBound > position }
        return after > 0 && position < list[after - 1].upperBound
      }
    }
  }

  /// Surviving neighbours that moved together.
  ///
  /// ```swift
  /// let delta = Delta.move(0..<2, to: 3)    // the first two of five elements move behind the last one
  /// delta.moves[0].source                   // 0..<2
  /// delta.moves[0].destination              // 3..<5
  /// ```
  public struct Move: Hashable, Sendable, CustomStringConvertible {
    /// The positions before the change.
    public let source: Range<Int>

    /// The positions after the change; as many as in `source`.
    public let destination: Range<Int>

    /// Creates a move.
    ///
    /// - Parameters:
    ///   - source: the positions of the elements before the change.
    ///   - destination: their positions after the change.
    ///
    /// - Precondition: both ranges have the same number of elements.
    public init(from source: Range<Int>, to destination: Range<Int>) {
      require(
        source.count == destination.count,
        "Delta: a move from \(source) to \(destination) has \(source.count) elements before and \(destination.count) after."
      )
      self.source = source
      self.destination = destination
    }

    /// A text like `4..<6→0..<2`, or `4→0` for one element.
    public var description: String { "\(Delta.text(source))→\(Delta.text(destination))" }
  }
}

extension Delta.Ranges: ExpressibleByArrayLiteral, CustomStringConvertible {
  /// Creates a list of ranges, which are sorted and coalesced.
  public init(arrayLiteral ranges: Range<Int>...) { self.init(ranges) }

  /// Creates a list of the positions in `ranges`, which may be in any order and may overlap.
  package init(_ ranges: some Sequence<Range<Int>>) { self.init(canonical: RangeLists.normalized(ranges)) }

  /// A text like `[1..<3, 5..<6]`.
  public var description: String {
    "[\(map { "\($0.lowerBound)..<\($0.upperBound)" }.joined(separator: ", "))]"
  }
}
