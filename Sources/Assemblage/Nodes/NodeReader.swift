/// Reads a node's values without a look-up of its type.
///
/// A call through `any TreeNode<Element>` reaches generic code that is not specialized for the element, which
/// costs several times what the access itself does. A reader holds functions that were specialized where the node
/// was made; nodes that stand on others keep their sources' readers.
public struct NodeReader<Element> {
  /// The functions of one class of nodes, for one type of element.
  ///
  /// A node makes them in its `@inlinable` initializer, so that they are specialized, and stores them.
  public struct Functions {
    @usableFromInline let element: (AnyObject, Int) -> Element?
    @usableFromInline let spans: (AnyObject, Range<Int>, (_ start: Int, _ span: Span<Element>) -> Void) -> Void

    /// Creates the functions of a class of nodes.
    ///
    /// - Parameters:
    ///   - element: `element(at:)` of the node that it is given; it should capture nothing.
    ///   - spans: `forEachSpan(in:_:)` of the node that it is given; it should capture nothing.
    @inlinable
    public init(
      element: @escaping (AnyObject, Int) -> Element?,
      spans: @escaping (AnyObject, Range<Int>, (_ start: Int, _ span: Span<Element>) -> Void) -> Void
    ) {
      self.element = element
      self.spans = spans
    }
  }

  // Whoever holds a reader also holds the node; so the reader need not count a reference at each access.
  @usableFromInline unowned(unsafe) let node: AnyObject
  @usableFromInline let functions: Functions

  /// Creates a reader of a node.
  ///
  /// - Parameters:
  ///   - node: the node to read; it is not retained.
  ///   - functions: the functions of the node's class.
  @inlinable
  public init(_ node: AnyObject, _ functions: Functions) {
    unsafe self.node = node
    self.functions = functions
  }

  /// The value of the node's child at `position`, as `element(at:)` gives it.
  @inlinable
  public func element(at position: Int) -> Element? { unsafe functions.element(node, position) }

  /// Passes the node's values in contiguous pieces, as `forEachSpan(in:_:)` does.
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    unsafe functions.spans(node, range, body)
  }
}

@available(*, unavailable)
extension NodeReader: Sendable {}

@available(*, unavailable)
extension NodeReader.Functions: Sendable {}

extension NodeReader.Functions {
  /// The functions that call `element(at:)` and `forEachSpan(in:_:)` of a class of nodes.
  @inlinable @inline(__always)
  static func calling<Node: TreeNode>(_ type: Node.Type) -> Self where Node.Element == Element {
    NodeReader.Functions(
      element: { node, position in unsafe unsafeDowncast(node, to: type).element(at: position) },
      spans: { node, range, body in unsafe unsafeDowncast(node, to: type).forEachSpan(in: range, body) })
  }
}
