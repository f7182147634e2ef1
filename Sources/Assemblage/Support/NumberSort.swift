// `sort(by:)` is compiled anew for each type of element and each closure, some 4 KB of code a time. Most lists here are
// sorted by a position, so that one compiled sort, of numbers, does for all of them.

extension Array {
  /// Sorts by a number of each element, ascending.
  ///
  /// Passes a list that is in order already without further work, which is the usual case.
  ///
  /// - Complexity: O(n · log n) for n elements; O(n) where they are in order.
  mutating func sort(byNumber number: (Element) -> Int) {
    guard count > 1 else { return }
    var last = number(self[0])
    var isAscending = true
    for element in self.dropFirst() where isAscending {
      let next = number(element)
      isAscending = last <= next
      last = next
    }
    if !isAscending { self = ascendingOrder(of: map(number)).map { self[$0] } }
  }
}

extension Sequence {
  /// The elements by a number of each, ascending; see `Array.sort(byNumber:)`.
  func sorted(byNumber number: (Element) -> Int) -> [Element] {
    var elements = Array(self)
    elements.sort(byNumber: number)
    return elements
  }
}

/// The positions of numbers, in the order of the numbers.
@inline(never)
func ascendingOrder(of numbers: [Int]) -> [Int] {
  var entries: [(number: Int, position: Int)] = []
  entries.reserveCapacity(numbers.count)
  for (position, number) in numbers.enumerated() { entries.append((number, position)) }
  entries.sort { $0.number < $1.number }
  return entries.map { $0.position }
}
