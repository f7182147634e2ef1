/// A list that mostly has one element, which needs no allocation and no look at other memory.
struct FirstAndRest<Element>: RandomAccessCollection {
  private var first: Element?
  private var rest: [Element] = []

  init() {}

  /// Always 0.
  var startIndex: Int { 0 }

  /// The number of elements.
  var endIndex: Int { first == nil ? 0 : 1 + rest.count }

  /// Whether there is no element.
  var isEmpty: Bool { first == nil }

  /// The only element, where there is no other.
  var only: Element? { rest.isEmpty ? first : nil }

  /// The element at a position, `0..<count`.
  subscript(position: Int) -> Element {
    guard position == 0, let first else { return rest[position - 1] }
    return first
  }

  /// Takes the only element out; nil where there are several, which then all stay.
  mutating func removeOnly() -> Element? { rest.isEmpty ? first.take() : nil }

  /// Adds an element at the end.
  mutating func append(_ element: consuming Element) {
    if first == nil { first = consume element } else { rest.append(consume element) }
  }

  /// Removes the element at a position, `0..<count`; the last element takes its place.
  ///
  /// - Returns: the element that has taken the place; nil where the last one was removed.
  mutating func removeBySwap(at position: Int) -> Element? {
    guard position == 0 else { return rest.removeBySwap(at: position - 1) }
    first = rest.popLast()
    return first
  }
}
