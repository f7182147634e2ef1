/// The state of a node that has its elements in an array.
@usableFromInline
protocol ElementsState<Element>: NodeState {
  /// The elements of the children.
  var elements: [Element] { get }
}

extension ElementsState {
  @inlinable
  var count: Int { elements.count }

  @inlinable
  func element(at position: Int) -> Element? {
    position >= 0 && position < elements.count ? elements[position] : nil
  }

  @inlinable
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    guard !range.isEmpty else { return }
    // A copy: should `body` change the node, this visit goes on with the elements it began with.
    let elements = kept(elements)
    body(range.lowerBound, elements.span.extracting(range))
  }
}
