import OffsetIndexing

/// The children of one node that are followed, with their positions.
///
///     position    0   1   2   3   4   5
///     kept            x       y   z
///     distances       2       2   1        from the one before, or from position -1
///     order           #0      #2  #1       handles
///     places     [x, z, y]                 by handle
///
/// So a change of the node's children costs logarithmic time for each of its ranges, however many children are kept. If
/// all children are kept, the distances are one run.
struct PlaceLevel {
  private var distances = OffsetIndex()
  private var order = OrderIndex()
  private var places: [Int32] = []

  var count: Int { distances.count }

  /// Finds the first kept child at a position or behind that, by its index.
  private func index(from position: Int) -> Int {
    position < distances.total ? distances.locate(position).index : distances.count
  }

  private func position(ofIndex index: Int) -> Int { distances.offset(of: index) + distances[index] - 1 }

  private func place(ofIndex index: Int) -> Int { Int(places[order[index].number]) }

  /// Finds the position of the child with a handle.
  ///
  /// - Complexity: O(log k) for k kept children.
  func position(of handle: OrderIndex.Handle) -> Int { position(ofIndex: order.position(of: handle)) }

  /// Finds the place that is kept at a position.
  ///
  /// - Complexity: O(log k) for k kept children.
  func place(at position: Int) -> Int? {
    let index = index(from: position)
    return index < count && self.position(ofIndex: index) == position ? place(ofIndex: index) : nil
  }

  /// Finds the places that are kept within a range, with their positions.
  func places(in range: Range<Int>) -> [(position: Int, place: Int)] {
    (index(from: range.lowerBound)..<index(from: range.upperBound)).map {
      (position(ofIndex: $0), place(ofIndex: $0))
    }
  }

  /// All places, in order.
  var allPlaces: [Int] { order.map { Int(places[$0.number]) } }

  /// Keeps children at consecutive positions, where none is kept yet; no child's position changes.
  ///
  /// - Returns: their handles, in order.
  /// - Complexity: O(log k + m) for m new children besides k kept ones.
  mutating func keep(_ new: [Int], at position: Int) -> [OrderIndex.Handle] {
    if new.isEmpty { return [] }
    let index = index(from: position)
    let first = position + 1 - (index < count ? distances.offset(of: index) : distances.total)
    if index < count { distances.add(-(first + new.count - 1), at: index) }
    distances.insert(repeating: 1, count: new.count - 1, at: index)
    distances.insert(first, at: index)
    let handles = order.insert(count: new.count, at: index)
    for (handle, place) in zip(handles, new) {
      if handle.number >= places.count {
        places.append(contentsOf: repeatElement(-1, count: handle.number + 1 - places.count))
      }
      places[handle.number] = Int32(place)
    }
    return handles
  }

  /// Stops keeping a child; no other child's position changes.
  ///
  /// - Complexity: O(log k) for k kept children.
  mutating func drop(_ handle: OrderIndex.Handle) {
    let index = order.position(of: handle)
    let distance = distances[index]
    distances.remove(at: index)
    if index < count { distances.add(distance, at: index) }
    order.remove(at: index)
  }

  /// Removes a range of positions, with the kept children there: the following children move up.
  mutating func close(_ range: Range<Int>) {
    let first = index(from: range.lowerBound)
    let next = index(from: range.upperBound)
    if next < count { distances[next] = position(ofIndex: next) + 1 - range.count - distances.offset(of: first) }
    distances.removeSubrange(first..<next)
    order.removeSubrange(first..<next)
  }

  /// Inserts a range of positions: the children at its start and behind move down.
  mutating func open(_ range: Range<Int>) {
    let index = index(from: range.lowerBound)
    if index < count { distances.add(range.count, at: index) }
  }

  /// Traps if the parts do not fit together.
  func checkInvariants() {
    distances.checkInvariants()
    order.checkInvariants()
    require(distances.count == order.count, "PlaceLevel: \(distances.count) distances, \(order.count) handles.")
    require(distances.allSatisfy { $0 > 0 }, "PlaceLevel: two places have one position.")
  }
}
