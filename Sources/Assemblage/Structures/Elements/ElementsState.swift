/// The state of a node that has its elements in an array.
@usableFromInline
protocol ElementsState<Element>: NodeState, ~Copyable {
  /// The elements of the children.
  var elements: [Element] { get }
}

extension ElementsState where Self: ~Copyable {
  @inlinable
  var count: Int { elements.count }

  @inlinable
  func element(at position: Int) -> Element? {
    position >= 0 && position < elements.count ? elements[position] : nil
  }

  @inlinable
  static func forEachSpan(
    in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    guard !range.isEmpty else { return }
    let elements = unsafe state.pointee.elements
    body(range.lowerBound, elements.span.extracting(range))
  }
}
