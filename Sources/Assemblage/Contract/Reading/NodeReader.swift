/// Reads a node's values without a look-up of the node's type, and without counting references.
///
/// A call through `any TreeNode<Element>` runs generic code that is not specialized for the element. The call also
/// counts a reference to the node. Both together cost several times as much as the access itself. A reader holds the
/// place of the node's state, and functions that were specialized where the node was made. A derived node keeps its
/// sources' readers for as long as it keeps the sources.
@safe @usableFromInline
package struct NodeReader<Element> {
  /// The functions that read one type of state; they capture nothing.
  @safe @usableFromInline
  struct Functions {
    @usableFromInline let element: (UnsafeRawPointer, Int) -> Element?
    @usableFromInline let spans: (UnsafeRawPointer, Range<Int>, (_ start: Int, _ span: Span<Element>) -> Void) -> Void
    /// Takes one step of a walk from children to their values.
    @usableFromInline let step: (UnsafeRawPointer, inout ReadingBlock) -> ReadingStep

    @inlinable
    init(
      element: @escaping (UnsafeRawPointer, Int) -> Element?,
      spans: @escaping (UnsafeRawPointer, Range<Int>, (_ start: Int, _ span: Span<Element>) -> Void) -> Void,
      step: @escaping (UnsafeRawPointer, inout ReadingBlock) -> ReadingStep
    ) {
      unsafe self.element = element
      unsafe self.spans = spans
      unsafe self.step = step
    }
  }

  // The functions read this memory: a node's state, or an object of a user. The holder of a reader also holds the node.
  @usableFromInline let place: UnsafeRawPointer
  @usableFromInline let functions: Functions

  /// The greatest number of nodes through which a call to a function goes: see `callingDepth`.
  @usableFromInline let depth: Int

  @usableFromInline
  init(place: UnsafeRawPointer, _ functions: Functions, depth: Int = 0) {
    unsafe self.place = place
    self.functions = functions
    self.depth = depth
  }

  /// Creates a reader that calls `element(at:)` and `forEachSpan(in:_:)` of a node.
  ///
  /// - Parameter node: the node to read; the reader does not retain it.
  init<Node: TreeNode>(calling node: Node) where Node.Element == Element {
    unsafe self.init(
      place: Unmanaged.passUnretained(node).toOpaque(),
      Functions(
        element: { place, position in
          unsafe Unmanaged<Node>.fromOpaque(place).takeUnretainedValue().element(at: position)
        },
        spans: { place, range, body in
          unsafe Unmanaged<Node>.fromOpaque(place).takeUnretainedValue().forEachSpan(in: range, body)
        },
        step: { place, block in
          let node = unsafe Unmanaged<Node>.fromOpaque(place).takeUnretainedValue()
          return .values(ReadValues((0..<block.count).map { block[$0] < 0 ? nil : node.element(at: block[$0]) }))
        }))
  }

  /// The value of the node's child at `position`, like `TreeNode.element(at:)`.
  @inlinable
  package func element(at position: Int) -> Element? {
    countElements()
    return unsafe functions.element(place, position)
  }

  /// Passes the node's values in contiguous pieces, like `TreeNode.forEachSpan(in:_:)`.
  @inlinable
  package func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    countElements(range.count)
    unsafe functions.spans(place, range, body)
  }

  /// The results of a function for a range of children, in order.
  ///
  /// - Parameters:
  ///   - range: `0..<count`, or part of it.
  ///   - placeholder: the result for a child without a value.
  ///   - function: called with each value, which is not retained.
  /// - Returns: one result for each child.
  @inlinable @inline(__always)
  func results<Result>(
    of range: Range<Int>, placeholder: Result, _ function: (Element) -> Result
  ) -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(range.count)
    forEachSpan(in: range) { start, span in
      while results.count < start &- range.lowerBound { results.append(placeholder) }
      span.lendEach { results.append(function($1)) }
    }
    while results.count < range.count { results.append(placeholder) }
    return results
  }
}

@available(*, unavailable)
extension NodeReader: Sendable {}

/// A node of this library; a reader reads its values faster than calls of its methods would.
protocol ReadableNode<Element>: TreeNode {
  /// Direct access to the values, for nodes that derive from this one.
  ///
  /// The default calls `element(at:)` and `forEachSpan(in:_:)`.
  var reader: NodeReader<Element> { get }
}

extension ReadableNode {
  var reader: NodeReader<Element> { NodeReader(calling: self) }
}

/// The state that a node keeps in its cell, as a reader needs it.
@usableFromInline
protocol NodeState<Element>: ~Copyable {
  associatedtype Element

  /// The number of children.
  var count: Int { get }

  /// See `TreeNode.element(at:)`.
  func element(at position: Int) -> Element?

  /// The value of a child of the state at a place; a state that can do so reads it without counting references.
  static func element(at position: Int, in place: UnsafeRawPointer) -> Element?

  /// See `TreeNode.forEachSpan(in:_:)`; the caller has checked the range.
  ///
  /// This is a static function of a place, because no access to the state may be open while `body` runs. `body` may
  /// change the node; the visit then goes on with copies of the contents that it began with.
  static func forEachSpan(
    in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void)

  /// The child of another node whose value is this child's value; nil, the default, if this node has the value itself.
  func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)?

  /// The next step of a walk from some children; the default follows from `origin(of:)`.
  static func step(from block: inout ReadingBlock, of state: UnsafePointer<Self>) -> ReadingStep

  /// The number of nodes through which a value is read by calls.
  ///
  /// The default is 0, for a node that has its values itself. Otherwise, the depth is one more than that of the readers
  /// that the node calls.
  var depth: Int { get }
}

extension NodeState where Self: ~Copyable {
  @inlinable
  static func element(at position: Int, in place: UnsafeRawPointer) -> Element? {
    unsafe place.assumingMemoryBound(to: Self.self).pointee.element(at: position)
  }
}

extension NodeReader.Functions {
  /// The functions that read a type of state in its cell.
  @inlinable @inline(__always)
  static func reading<State: NodeState & ~Copyable>(_ type: State.Type) -> Self where State.Element == Element {
    unsafe NodeReader.Functions(
      element: { place, position in
        unsafe State.element(at: position, in: place)
      },
      spans: { place, range, body in
        unsafe State.forEachSpan(in: range, of: place.assumingMemoryBound(to: State.self), body)
      },
      step: { place, block in
        unsafe State.step(from: &block, of: place.assumingMemoryBound(to: State.self))
      })
  }
}

extension NodeReader {
  /// A reader of the same values whose calls go through less than `limit` nodes.
  func below(_ limit: Int) -> NodeReader { depth < limit ? self : unsafe NodeReader(place: place, functions.walking) }
}

extension Cell where Value: NodeState & ~Copyable {
  /// See `NodeState.forEachSpan(in:of:_:)`.
  @inlinable
  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Value.Element>) -> Void) {
    unsafe Value.forEachSpan(in: range, of: UnsafePointer(pointer), body)
  }

  /// A reader of the state in this cell.
  func reader(_ functions: NodeReader<Value.Element>.Functions) -> NodeReader<Value.Element> {
    let depth = value.depth
    if depth < callingDepth { return unsafe NodeReader(place: place, functions, depth: depth) }
    return unsafe NodeReader(place: place, functions.walking)
  }
}
