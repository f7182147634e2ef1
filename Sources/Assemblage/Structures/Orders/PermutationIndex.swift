import OffsetIndexing

/// Holds two orders of the same things, and converts positions between the orders.
///
///     source       d   a   c   b              handles 0 1 2 3
///     sorted       a   b   c   d              handles 1 3 2 0
///
/// A thing is a handle. The order of the source makes and frees the handles, and the sorted order holds the same
/// handles in another sequence. So a position in one order leads to a handle, and the handle leads to the position in
/// the other order: in O(log n) both ways. The index takes about 18 bytes a thing.
@usableFromInline
struct PermutationIndex: Sendable {
  private(set) var source: OrderIndex
  private(set) var sorted: OrderIndex

  /// Creates the index of a permutation; the number of a handle is its position in the source.
  ///
  /// - Parameter sources: for each sorted position, the position in the source.
  /// - Complexity: O(n).
  init(_ sources: [Int]) {
    source = OrderIndex(count: sources.count)
    sorted = OrderIndex(numbers: sources.map { Int32(truncatingIfNeeded: $0) })
  }

  @usableFromInline var count: Int { source.count }

  /// One more than the greatest number of a handle.
  @usableFromInline var handleLimit: Int { source.handleLimit }

  /// The memory of both orders, in bytes.
  var byteCount: Int { source.byteCount + sorted.byteCount }

  /// The source position of the thing at a sorted position.
  @usableFromInline
  func sourcePosition(of position: Int) -> Int { sourcePosition(ofNumber: number(at: position)) }

  /// The sorted position of the thing at a source position.
  @usableFromInline
  func sortedPosition(of position: Int) -> Int { sorted.position(of: source[position]) }

  /// `sourcePosition(of:)` through a pointer, without reference counting.
  static func sourcePosition(of position: Int, in index: UnsafePointer<PermutationIndex>) -> Int {
    let number = unsafe index.pointer(to: \.sorted)!.number(at: position)
    return unsafe index.pointer(to: \.source)!.position(ofNumber: number)
  }

  /// The position in the source of the thing with a handle's number.
  @usableFromInline
  func sourcePosition(ofNumber number: Int) -> Int { source.position(of: OrderIndex.Handle(number: number)) }

  /// The number of the handle of the thing at a sorted position.
  @usableFromInline
  func number(at position: Int) -> Int { sorted[position].number }

  /// The handle nearest to a sorted position, among the handles whose number is a multiple of a power of two.
  ///
  /// The search covers the handles of a range that lie in the same leaf. It returns the handle at the position itself
  /// where there is no such handle.
  @usableFromInline
  func handle(near position: Int, in range: Range<Int>, multipleOf power: Int) -> (position: Int, number: Int) {
    sorted.handle(near: position, in: range, multipleOf: power)
  }

  /// For each sorted position, the position in the source.
  ///
  /// - Complexity: O(n).
  var sources: [Int] { Self.positions(in: source, of: sorted) }

  /// For each position in the source, the sorted position.
  ///
  /// - Complexity: O(n).
  var sortedPositions: [Int] { Self.positions(in: sorted, of: source) }

  /// For each thing of one order, its position in the other.
  private static func positions(in other: OrderIndex, of order: OrderIndex) -> [Int] {
    var positions = [Int](repeating: 0, count: max(order.handleLimit, other.handleLimit))
    for (position, handle) in other.enumerated() { positions[handle.number] = position }
    var result: [Int] = []
    result.reserveCapacity(order.count)
    // `map` would look up each position; the iterator walks from one to the next.
    for handle in order { result.append(positions[handle.number]) }
    return result
  }

  /// Inserts a thing.
  ///
  /// - Parameters:
  ///   - position: its position in the source.
  ///   - place: its sorted position.
  /// - Complexity: O(log n).
  mutating func insert(at position: Int, sorted place: Int) {
    let handle = source.insert(at: position)
    sorted.put(handle, at: place)
  }

  /// Removes a thing.
  ///
  /// - Parameter position: its position in the source.
  /// - Returns: its sorted position.
  /// - Complexity: O(log n).
  mutating func remove(at position: Int) -> Int { sorted.takeOut(source.remove(at: position)) }

  /// Moves a thing among the sorted.
  ///
  /// - Complexity: O(log n).
  mutating func moveSorted(from position: Int, to destination: Int) { sorted.move(from: position, to: destination) }

  /// Removes things, and inserts others or the same.
  ///
  /// - Parameters:
  ///   - removals: the source positions, before the change, of the things that leave the source; ascending.
  ///   - arrivals: the things that get a place among the sorted, in sorted order.
  /// - Complexity: O(k · log n) for k things.
  mutating func move(removing removals: [Int], inserting arrivals: [Arrival]) {
    var handles: [OrderIndex.Handle] = []
    handles.reserveCapacity(arrivals.count)
    for arrival in arrivals {
      // An element that keeps its place in the source keeps its handle.
      let handle = arrival.keepsSource ? source[arrival.former] : OrderIndex.Handle(number: -1)
      if arrival.keepsSource { sorted.takeOut(handle) }
      handles.append(handle)
    }
    for position in removals.reversed() { sorted.takeOut(source.remove(at: position)) }
    // In the order of the source, so that all things before them are there already.
    let entering = arrivals.indices.filter { !arrivals[$0].keepsSource }
    for index in entering.sorted(byNumber: { arrivals[$0].position }) {
      handles[index] = source.insert(at: arrivals[index].position)
    }
    for (arrival, handle) in zip(arrivals, handles) { sorted.put(handle, at: arrival.sorted) }
  }

  /// A thing that gets a place among the sorted.
  struct Arrival {
    /// Its position in the source after the change.
    let position: Int
    /// Its position in the source before the change; negative where it is new.
    let former: Int
    /// Whether it keeps its place in the source, apart from other things that arrive or leave.
    let keepsSource: Bool
    /// Whether it was updated.
    let isUpdated: Bool
    /// Its sorted position before the change; negative where it is new.
    var formerSorted = -1
    /// Its sorted position after the change.
    var sorted = 0
  }

  /// Traps unless the two orders hold the same handles.
  func checkInvariants() {
    source.checkInvariants()
    sorted.checkInvariants()
    require(
      source.count == sorted.count, "PermutationIndex: \(source.count) things in the source, \(sorted.count) sorted.")
    require(
      source.allSatisfy { sorted.contains($0) },
      "PermutationIndex: a thing of the source has no place among the sorted.")
  }
}
