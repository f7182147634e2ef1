/// A list that usually has one element; a list of one element needs no allocation and no access to other memory.
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

  /// The only element; nil if there are none or several.
  var only: Element? { rest.isEmpty ? first : nil }

  /// The element at a position, `0..<count`.
  subscript(position: Int) -> Element {
    guard position == 0, let first else { return rest[position - 1] }
    return first
  }

  /// Removes the only element, and returns it; nil if there are several elements, which then all stay.
  mutating func removeOnly() -> Element? { rest.isEmpty ? first.take() : nil }

  /// Adds an element at the end.
  mutating func append(_ element: consuming Element) {
    if first == nil { first = consume element } else { rest.append(consume element) }
  }

  /// Removes the element at a position, `0..<count`, and moves the last element to this position.
  ///
  /// - Returns: the element that is now at the position; nil if the removed element was the last one.
  mutating func removeBySwap(at position: Int) -> Element? {
    guard position == 0 else { return rest.removeBySwap(at: position - 1) }
    first = rest.popLast()
    return first
  }
}
