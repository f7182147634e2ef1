/// Reads a node's values without a look-up of its type, and without counting references.
///
/// A call through `any TreeNode<Element>` reaches generic code that is not specialized for the element; that, and
/// counting a reference to the node for the time of the call, cost several times what the access itself does. A reader
/// holds functions that were specialized where the node was made, and the place of the node's state. Nodes that stand on
/// others keep their sources' readers for as long as they keep the sources.
@safe @usableFromInline
package struct NodeReader<Element> {
  /// The functions that read one type of state; they capture nothing.
  @safe @usableFromInline
  struct Functions {
    @usableFromInline let element: (UnsafeRawPointer, Int) -> Element?
    @usableFromInline let spans: (UnsafeRawPointer, Range<Int>, (_ start: Int, _ span: Span<Element>) -> Void) -> Void
    /// Leads a walk from children side by side to their values.
    @usableFromInline let step: (UnsafeRawPointer, Int) -> ReadingStep

    @inlinable
    init(
      element: @escaping (UnsafeRawPointer, Int) -> Element?,
      spans: @escaping (UnsafeRawPointer, Range<Int>, (_ start: Int, _ span: Span<Element>) -> Void) -> Void,
      step: @escaping (UnsafeRawPointer, Int) -> ReadingStep
    ) {
      unsafe self.element = element
      unsafe self.spans = spans
      unsafe self.step = step
    }
  }

  // What the functions read: a node's state, or an object of a user's. The holder of a reader also holds the node.
  @usableFromInline let place: UnsafeRawPointer
  @usableFromInline let functions: Functions

  /// Through how many nodes a call to a function goes at most: see `callingDepth`.
  @usableFromInline let depth: Int

  @usableFromInline
  init(place: UnsafeRawPointer, _ functions: Functions, depth: Int = 0) {
    unsafe self.place = place
    self.functions = functions
    self.depth = depth
  }

  /// Creates a reader that calls `element(at:)` and `forEachSpan(in:_:)` of a node.
  ///
  /// - Parameter node: the node to read; it is not retained.
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
        step: { place, position in
          unsafe .value(ReadValue(Unmanaged<Node>.fromOpaque(place).takeUnretainedValue().element(at: position)))
        }))
  }

  /// The value of the node's child at `position`, as `element(at:)` gives it.
  @inlinable
  package func element(at position: Int) -> Element? {
    countElements()
    return unsafe functions.element(place, position)
  }

  /// Passes the node's values in contiguous pieces, as `forEachSpan(in:_:)` does.
  @inlinable
  package func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    countElements(range.count)
    unsafe functions.spans(place, range, body)
  }
}

@available(*, unavailable)
extension NodeReader: Sendable {}

/// A node of this library, which is read faster than by calls of its methods.
protocol ReadableNode<Element>: TreeNode {
  /// Direct access to the values, for nodes that stand on this one.
  ///
  /// The default calls `element(at:)` and `forEachSpan(in:_:)`.
  var reader: NodeReader<Element> { get }
}

extension ReadableNode {
  var reader: NodeReader<Element> { NodeReader(calling: self) }
}

/// What a node keeps in its cell, as far as reading it goes.
@usableFromInline
protocol NodeState<Element>: ~Copyable {
  associatedtype Element

  /// The number of children.
  var count: Int { get }

  /// See `TreeNode.element(at:)`.
  func element(at position: Int) -> Element?

  /// The same of the state at a place; where a state can do it, without counting references.
  static func element(at position: Int, in place: UnsafeRawPointer) -> Element?

  /// See `TreeNode.forEachSpan(in:_:)`; the range has been checked.
  ///
  /// A static function of a place, so that nothing is read in place while `body` runs: it may change the node, and the visit
  /// goes on with copies of what it began with.
  static func forEachSpan(
    in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void)

  /// Where a child's value is read, if it is another node's; nil by default: the node has it itself.
  func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)?

  /// The same as a step of a walk; the default follows from `origin(of:)`.
  func step(from position: Int) -> ReadingStep

  /// Through how many nodes a value is read by calls: 0 for a node that has its values itself, the default, and otherwise
  /// one more than the depth of the readers it calls.
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
      step: { place, position in
        unsafe place.assumingMemoryBound(to: State.self).pointee.step(from: position)
      })
  }
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
