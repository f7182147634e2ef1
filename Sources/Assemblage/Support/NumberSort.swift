// `sort(by:)` is compiled again for each type of element and each closure, with about 4 KB of code each time. Most
// lists here are sorted by a position. So one compiled sort of numbers serves all of them.

extension Array {
  /// Sorts by a number of each element, ascending.
  ///
  /// A list that is already in order needs no further work. This is the usual case.
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
  /// The elements in ascending order of a number of each element; see `Array.sort(byNumber:)`.
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
