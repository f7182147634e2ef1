/// The usual way to show an array sorted: an array of the sorted positions beside it.
///
/// Look-ups are quick. An update moves all positions between the old place and the new one. An insertion increases
/// every later position.
struct PermutationArray: Notifying {
  private(set) var elements: [Int]
  /// For each sorted position, the position in `elements`.
  private(set) var order: [Int]
  var observer: (Int) -> Void = { _ in }

  @inline(__always)
  init(_ elements: [Int], by areInIncreasingOrder: (Int, Int) -> Bool) {
    self.elements = elements
    order = []
    sort(by: areInIncreasingOrder)
  }

  var count: Int { order.count }

  /// Sorts by another order.
  @inline(__always)
  mutating func sort(by areInIncreasingOrder: (Int, Int) -> Bool) {
    var rows = elements.enumerated().map { (element: $1, position: $0) }
    rows.sort { areInIncreasingOrder($0.element, $1.element) }
    order = rows.map(\.position)
  }

  func element(at position: Int) -> Int { elements[order[position]] }

  /// The sorted position of the element at a position, if the order is the order of the numbers; O(log n).
  func position(ofSource position: Int) -> Int? { place(of: elements[position], at: position) }

  /// The number of elements before an element that is at a position.
  private func place(of element: Int, at position: Int) -> Int {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      let other = order[middle]
      if elements[other] < element || (elements[other] == element && other < position) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Replaces the value of an element.
  mutating func update(at position: Int, to element: Int) {
    order.remove(at: self.place(of: elements[position], at: position))
    elements[position] = element
    let place = place(of: element, at: position)
    order.insert(position, at: place)
    observer(place)
  }

  mutating func insert(_ element: Int, at position: Int) {
    elements.insert(element, at: position)
    for index in order.indices where order[index] >= position { order[index] += 1 }
    let place = place(of: element, at: position)
    order.insert(position, at: place)
    observer(place)
  }

  mutating func remove(at position: Int) {
    let place = place(of: elements[position], at: position)
    order.remove(at: place)
    elements.remove(at: position)
    for index in order.indices where order[index] > position { order[index] -= 1 }
    observer(place)
  }
}
