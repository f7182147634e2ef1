// The loops that sort. They are inlinable, so that they are specialized for the element where a sort is made.

extension Array {
  /// Sorts rows, stably.
  ///
  /// - Parameter areInIncreasingOrder: says whether the element of its first argument comes before that of its second.
  /// - Throws: what the closure throws; all rows are there then, in some order.
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
    // Where nothing is counted, the standard library is faster. It is stable too: that is guaranteed.
    do {
      try sort {
        countCalls()
        return try areInIncreasingOrder($0.element, $1.element)
      }
    } catch {
      throw error as! Failure
    }
  }

  /// The positions of sorted rows, and behind them those of the children that have none.
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
  /// These positions, and behind them all others up to a count.
  @inlinable
  func completed(to count: Int) -> [Int] {
    if self.count == count { return self }
    var isThere = [Bool](repeating: false, count: count)
    for position in self { isThere[position] = true }
    return self + (0..<count).lazy.filter { !isThere[$0] }
  }
}

/// The positions of a node's children in the order of a comparator, those without a value last.
@inlinable @inline(__always)
func sortedPositions<Element>(
  _ reader: NodeReader<Element>, _ count: Int, _ areInIncreasingOrder: (Element, Element) -> Bool
) -> [Int] {
  var rows = elementRows(reader, 0..<count)
  rows.sortRows(by: areInIncreasingOrder)
  return rows.positions(of: count)
}

/// Merges two sorted lists of rows.
///
/// - Parameters:
///   - first: the one whose elements come first where they tie.
///   - second: the other.
///   - areInIncreasingOrder: says whether its first argument comes before its second.
/// - Returns: all rows, in order.
/// - Throws: what the closure throws.
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
