// The loops that sort rows. They are inlinable, so that they are specialized for the element where a client makes a
// sort.

extension Array {
  /// Sorts rows, stably.
  ///
  /// - Parameter areInIncreasingOrder: says whether its first argument precedes its second.
  /// - Throws: the error of the closure. The array then holds all rows, in some order.
  @inlinable @inline(__always)
  mutating func sortRows<Value, Failure: Error>(
    by areInIncreasingOrder: (Value, Value) throws(Failure) -> Bool
  ) throws(Failure) where Element == ElementRow<Value> {
    if isLendable(Value.self) {
      return try sortByMoving { (left, right) throws(Failure) in
        countCalls()
        return try areInIncreasingOrder(left.element, right.element)
      }
    }
    // For elements without references, the standard library is faster. Its sort is guaranteed to be stable too.
    do {
      try sort {
        countCalls()
        return try areInIncreasingOrder($0.element, $1.element)
      }
    } catch {
      throw error as! Failure
    }
  }

  /// Sorts rows in a job, and checks once in 65,536 comparisons whether the job is cancelled.
  ///
  /// - Throws: the error of the closure, or a `CancellationError`.
  @inlinable @inline(__always)
  mutating func sortRowsUnlessCancelled<Value>(
    by areInIncreasingOrder: (Value, Value) throws -> Bool
  ) throws where Element == ElementRow<Value> {
    var calls: UInt16 = 0
    try sortRows {
      calls &+= 1
      if calls == 0 { try Task.checkCancellation() }
      return try areInIncreasingOrder($0, $1)
    }
  }

  /// The positions of sorted rows, followed by the positions of the children that have no row.
  ///
  /// - Parameter count: the number of all children.
  /// - Returns: positions of all children.
  @inlinable
  func positions<Value>(of count: Int) -> [Int] where Element == ElementRow<Value> {
    var positions: [Int] = []
    positions.reserveCapacity(count)
    for row in self { positions.append(row.position) }
    return positions.completed(to: count)
  }
}

extension [Int] {
  /// These positions, followed by all other positions below a count.
  @inlinable
  func completed(to count: Int) -> [Int] {
    if self.count == count { return self }
    var isThere = [Bool](repeating: false, count: count)
    for position in self { isThere[position] = true }
    return self + (0..<count).lazy.filter { !isThere[$0] }
  }
}

/// The positions of a node's children in the order of a comparator; children without a value are last.
@inlinable @inline(__always)
func sortedPositions<Element>(
  _ reader: NodeReader<Element>, _ count: Int, _ areInIncreasingOrder: (Element, Element) -> Bool
) -> [Int] {
  var rows = elementRows(reader, 0..<count)
  rows.sortRows(by: areInIncreasingOrder)
  return rows.positions(of: count)
}

/// The order of some of a node's children by a comparator; children without a value are last.
///
/// - Parameters:
///   - positions: the positions of the children, ascending.
///   - reader: reads the node.
///   - areInIncreasingOrder: says whether its first argument precedes its second.
/// - Returns: indexes of `positions`.
@inlinable @inline(__always)
func sortedIndexes<Element>(
  of positions: [Int], _ reader: NodeReader<Element>, _ areInIncreasingOrder: (Element, Element) -> Bool
) -> [Int] {
  var rows: [ElementRow<Element>] = []
  rows.reserveCapacity(positions.count)
  var index = 0
  while index < positions.count {
    // Adjacent children are read in one call.
    let first = positions[index]
    var length = 1
    while index &+ length < positions.count, positions[index &+ length] == first &+ length { length &+= 1 }
    if length == 1 {
      if let element = reader.element(at: first) { rows.append((element, index)) }
    } else {
      let shift = index &- first
      reader.forEachSpan(in: first..<first &+ length) { start, span in
        for place in span.indices { rows.append((span[place], start &+ place &+ shift)) }
      }
    }
    index &+= length
  }
  rows.sortRows(by: areInIncreasingOrder)
  return rows.positions(of: positions.count)
}

/// Finds a place for a child of a node among other children, by a comparator.
///
/// The value of the child itself is read once.
///
/// - Parameters:
///   - position: the child's position.
///   - reader: reads the node.
///   - areInIncreasingOrder: says whether its first argument precedes its second.
///   - search: finds the place. Its argument says whether the child at another position precedes this child. Children
///     that tie keep the order of the node, and children without a value are last.
/// - Returns: the result of `search`.
@inlinable @inline(__always)
func placed<Element>(
  _ position: Int, _ reader: NodeReader<Element>, _ areInIncreasingOrder: @escaping (Element, Element) -> Bool,
  _ search: (_ isBefore: (_ other: Int) -> Bool) -> Int
) -> Int {
  guard let element = reader.element(at: position) else {
    return search { other in other < position || reader.element(at: other) != nil }
  }
  return search { other in
    guard let value = reader.element(at: other) else { return false }
    countCalls()
    return other < position ? !areInIncreasingOrder(element, value) : areInIncreasingOrder(value, element)
  }
}

/// Finds the order of a node's children by a comparator without sorting, where that is the present order or its
/// reverse.
///
/// - Parameters:
///   - present: the positions of all children in the present order.
///   - reader: reads the node.
///   - areInIncreasingOrder: says whether its first argument precedes its second.
/// - Returns: the positions of the children in that order, ties in the order of the source. Nil where the order is
///   another one, where a child has no value, or where the children are few.
/// - Complexity: O(n) for n children; O(1) where a few samples show another order already.
@inlinable @inline(__always)
func turnedPositions<Element>(
  of present: [Int], _ reader: NodeReader<Element>, _ areInIncreasingOrder: (Element, Element) -> Bool
) -> [Int]? {
  // A few children are sorted as fast.
  let samples = 16
  if present.count < 4 &* samples { return nil }
  var isTurned = false
  var isKept = false
  for sample in 0..<samples {
    let place = sample &* (present.count &- 1) / samples
    guard let first = reader.element(at: present[place]), let second = reader.element(at: present[place &+ 1]) else {
      return nil
    }
    countCalls(2)
    if areInIncreasingOrder(second, first) {
      isTurned = true
    } else if areInIncreasingOrder(first, second) {
      isKept = true
    }
  }
  if isTurned && isKept { return nil }
  var rows = elementRows(reader, 0..<present.count)
  guard rows.count == present.count else { return nil }
  return rows.turned(present, isTurned: isTurned, areInIncreasingOrder)
}

extension Array {
  /// Compares the elements of two rows, without retaining them where the element type allows that.
  @inlinable @inline(__always)
  mutating func precedes<Value>(
    _ first: Int, _ second: Int, _ areInIncreasingOrder: (Value, Value) -> Bool
  ) -> Bool where Element == ElementRow<Value> {
    countCalls()
    guard isLendable(Value.self) else { return areInIncreasingOrder(self[first].element, self[second].element) }
    return unsafe withUnsafeMutableBufferPointer { rows in
      let base = rows.baseAddress!
      return unsafe MovingSort.precedes(base + first, base + second) {
        areInIncreasingOrder($0.element, $1.element)
      }
    }
  }

  /// `turnedPositions(of:_:_:)` for the rows of all children, which are in the order of the source.
  @inlinable @inline(__always)
  mutating func turned<Value>(
    _ present: [Int], isTurned: Bool, _ areInIncreasingOrder: (Value, Value) -> Bool
  ) -> [Int]? where Element == ElementRow<Value> {
    if !isTurned {
      for place in 1..<present.count {
        let (first, second) = (present[place &- 1], present[place])
        if precedes(second, first, areInIncreasingOrder) { return nil }
        // Children that tie must be in the order of the source.
        if first > second, !precedes(first, second, areInIncreasingOrder) { return nil }
      }
      return present
    }
    var positions = [Int](repeating: 0, count: present.count)
    // The place of the first child that ties with the present one.
    var start = 0
    for place in 1...present.count {
      if place < present.count {
        let (first, second) = (present[place &- 1], present[place])
        if !precedes(second, first, areInIncreasingOrder) {
          if precedes(first, second, areInIncreasingOrder) { return nil }
          continue
        }
      }
      if place == start &+ 1 {
        positions[present.count &- place] = present[start]
      } else {
        positions.replaceSubrange(
          present.count &- place..<present.count &- start, with: present[start..<place].sorted())
      }
      start = place
    }
    return positions
  }
}

/// Merges two sorted lists of rows.
///
/// - Parameters:
///   - first: the list whose elements are first where elements tie.
///   - second: the other list.
///   - areInIncreasingOrder: says whether its first argument precedes its second.
/// - Returns: all rows, in order.
/// - Throws: the error of the closure.
@inlinable @inline(__always)
func merged<Element>(
  _ first: [ElementRow<Element>], _ second: [ElementRow<Element>],
  _ areInIncreasingOrder: (Element, Element) throws -> Bool
) rethrows -> [ElementRow<Element>] {
  var rows: [ElementRow<Element>] = []
  rows.reserveCapacity(first.count &+ second.count)
  var (left, right) = (0, 0)
  while left < first.count, right < second.count {
    countCalls()
    if try areInIncreasingOrder(second[right].element, first[left].element) {
      rows.append(second[right])
      right &+= 1
    } else {
      rows.append(first[left])
      left &+= 1
    }
  }
  rows.append(contentsOf: first[left...])
  rows.append(contentsOf: second[right...])
  return rows
}
