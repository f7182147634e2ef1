/// A live view of a window of a node's children.
///
/// ```swift
/// let queue = ArrayNode(["a", "b", "c", "d"])
/// let next = SliceNode(queue, 0..<2)
/// next.elements               // ["a", "b"]
/// queue.insert("z", at: 0)    // next reports a removal of 1 and an insertion at 0
/// next.elements               // ["z", "a"]
/// next.window = 1..<4         // next reports a removal of 0 and an insertion of 1..<3
/// ```
///
/// The window is a range of positions, not of children. It stays in place while the source changes, and rows enter and
/// leave at its edges, as on the page of a list. The window may reach beyond the source's end; then the slice ends with
/// the source.
///
/// Observers are notified of the rows that enter and leave the window. The node itself has the value of its source, and
/// children that are nodes stay nodes.
public final class SliceNode<Element>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: NodeReader<Element>.Functions

  /// Creates a view of a window.
  ///
  /// - Parameters:
  ///   - source: the node to show a part of; it is kept alive.
  ///   - window: the positions of the source to show, for example `0..<10` or `5...`; not negative.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(_ source: any TreeNode<Element>, _ window: some RangeExpression<Int>) {
    // A range is a collection of its numbers. So a range expression of any kind becomes half-open relative to it.
    self.init(source, window.relative(to: 0..<Int.max), functions: .reading(State.self))
  }

  @usableFromInline
  init(_ source: any TreeNode<Element>, _ window: Range<Int>, functions: NodeReader<Element>.Functions) {
    Self.check(window)
    state = NodeCell(
      State(
        translation: SliceTranslation(window: window, sourceCount: source.count), reader: source.reader,
        source: source), of: port)
    self.functions = functions
    hub.attach(to: self)
    hub.state.value.nesting = .ofSources
    hub.link(source, slot: 0)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    if let source = cell.value.source { references.append(source) }
    cell.value.source = nil
  }

  /// The window and the source. The source is given up when the node is released.
  @usableFromInline
  struct State: ViewState, ~Copyable {
    @usableFromInline var translation: SliceTranslation
    @usableFromInline let reader: NodeReader<Element>
    @usableFromInline var source: (any TreeNode<Element>)?

    @inlinable
    var count: Int { translation.visible.count }

    @inlinable
    func sourcePosition(of position: Int) -> Int { translation.visible.lowerBound &+ position }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      guard !range.isEmpty else { return }
      let (start, reader) = unsafe (state.pointee.translation.visible.lowerBound, state.pointee.reader)
      reader.forEachSpan(in: range.lowerBound &+ start..<range.upperBound &+ start) { body($0 &- start, $1) }
    }
  }

  // MARK: Reading

  /// The node whose part is shown.
  public var source: any TreeNode<Element> { state.value.source! }

  @inlinable
  public var count: Int { state.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "SliceNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions) }

  // MARK: The window

  /// The positions of the source that are shown, as far as the source reaches.
  ///
  /// If the window is set, observers are notified of the rows that arrive and leave. Rows in both windows stay.
  ///
  /// - Precondition: the window is not negative.
  /// - Complexity: O(1); to set it, also the propagation.
  public var window: Range<Int> {
    get { state.value.translation.window }
    set {
      Self.check(newValue)
      hub.prepareForChange()
      let former = window
      hub.publish(
        state.value.translation.move(to: newValue), of: .view, inverse: { [self] in window = former })
    }
  }

  private static func check(_ window: Range<Int>) {
    require(
      window.lowerBound >= 0, "SliceNode: the window \(window.lowerBound)..<\(window.upperBound) begins below 0.")
  }

  /// Returns the position of a child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(1).
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "SliceNode")
    return state.value.translation.visible.lowerBound + position
  }

  /// Returns the position of a child of the source in the window, or nil if the child is outside.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space, or nil.
  /// - Complexity: O(1).
  public func position(ofSource position: Int) -> Int? {
    checkPosition(position, in: state.value.translation.sourceCount, of: "SliceNode's source")
    return state.value.translation.position(of: position)
  }

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    state.value.translation.translate(changes.takeOnlyChange(of: self))
  }
}

@available(*, unavailable)
extension SliceNode: Sendable {}

@_spi(NodeAuthors)
extension SliceNode: SourceView {}

extension SliceNode: SectionNode, WritableNode {
  @_spi(NodeAuthors)
  public func insertionPoint(at position: Int) -> Int { state.value.translation.visible.lowerBound + position }
}
