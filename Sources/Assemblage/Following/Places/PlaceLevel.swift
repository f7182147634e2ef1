import OffsetIndexing

/// The children of one node that are followed, and where they stand.
///
///     position    0   1   2   3   4   5
///     kept            x       y   z
///     distances       2       2   1        from the one before, or from position -1
///     order           #0      #2  #1       handles
///     places     [x, z, y]                 by handle
///
/// So a change of the node's children costs logarithmic time for each range in it, however many are kept, and where all
/// are, the distances are one run.
struct PlaceLevel {
  private var distances = OffsetIndex()
  private var order = OrderIndex()
  private var places: [Int32] = []

  var count: Int { distances.count }

  /// The first that stands at a position or behind it.
  private func index(from position: Int) -> Int {
    position < distances.total ? distances.locate(position).index : distances.count
  }

  private func position(ofIndex index: Int) -> Int { distances.offset(of: index) + distances[index] - 1 }

  private func place(ofIndex index: Int) -> Int { Int(places[order[index].number]) }

  /// Where the child with a handle stands.
  ///
  /// - Complexity: O(log k) for k kept children.
  func position(of handle: OrderIndex.Handle) -> Int { position(ofIndex: order.position(of: handle)) }

  /// The place that is kept at a position.
  ///
  /// - Complexity: O(log k) for k kept children.
  func place(at position: Int) -> Int? {
    let index = index(from: position)
    return index < count && self.position(ofIndex: index) == position ? place(ofIndex: index) : nil
  }

  /// The places that are kept within a range, with their positions.
  func places(in range: Range<Int>) -> [(position: Int, place: Int)] {
    (index(from: range.lowerBound)..<index(from: range.upperBound)).map {
      (position(ofIndex: $0), place(ofIndex: $0))
    }
  }

  /// All places, in order.
  var allPlaces: [Int] { order.map { Int(places[$0.number]) } }

  /// Keeps children that stand one behind the other, where none is kept yet; no child's position changes.
  ///
  /// - Returns: their handles, in order.
  /// - Complexity: O(log k + m) for m new ones besides k.
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

  /// Lets go of a child; no other child's position changes.
  ///
  /// - Complexity: O(log k) for k kept children.
  mutating func drop(_ handle: OrderIndex.Handle) {
    let index = order.position(of: handle)
    let distance = distances[index]
    distances.remove(at: index)
    if index < count { distances.add(distance, at: index) }
    order.remove(at: index)
  }

  /// Takes the children of a range out, kept or not: what follows moves up.
  mutating func close(_ range: Range<Int>) {
    let first = index(from: range.lowerBound)
    let next = index(from: range.upperBound)
    if next < count { distances[next] = position(ofIndex: next) + 1 - range.count - distances.offset(of: first) }
    distances.removeSubrange(first..<next)
    order.removeSubrange(first..<next)
  }

  /// Makes room for a range: what stands there, and behind, moves down.
  mutating func open(_ range: Range<Int>) {
    let index = index(from: range.lowerBound)
    if index < count { distances.add(range.count, at: index) }
  }

  /// Traps where the parts do not fit.
  func checkInvariants() {
    distances.checkInvariants()
    order.checkInvariants()
    require(distances.count == order.count, "PlaceLevel: \(distances.count) distances, \(order.count) handles.")
    require(distances.allSatisfy { $0 > 0 }, "PlaceLevel: two places have one position.")
  }
}
