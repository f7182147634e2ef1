public import OffsetIndexing

/// A live view of a node that shows only the children whose values pass a predicate.
///
/// ```swift
/// let numbers = ArrayNode([3, 8, 5, 12, 9])
/// let large = FilterNode(numbers) { $0 > 4 }
/// large.elements              // [8, 5, 12, 9]
/// large.sourcePosition(of: 2) // 3
/// numbers[0] = 7              // large reports an insertion at 0
/// large.setPredicate(hint: .stricter) { $0 > 8 }
/// large.elements              // [12, 9]
/// ```
///
/// The predicate receives a child's value. A child without a value passes, because there is no value to test. The node
/// itself has the value of its source, and children that are nodes stay nodes. The filter keeps one bit for each child
/// of the source.
///
/// The predicate must depend only on its argument. If it captures something that changes, set the predicate again. The
/// predicate must not change any node of the graph: that traps.
public final class FilterNode<Element>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: Functions

  /// The functions that must be specialized for the element, at the place where the node is created.
  @usableFromInline
  struct Functions {
    @usableFromInline let reading: NodeReader<Element>.Functions
    @usableFromInline let asking: Asking
    @usableFromInline let evaluate: Evaluation

    @inlinable
    init(reading: NodeReader<Element>.Functions, asking: Asking, evaluate: @escaping Evaluation) {
      self.reading = reading
      self.asking = asking
      self.evaluate = evaluate
    }
  }

  /// Asks the predicate in a state about children of its source: about one child, or about a range.
  @safe @usableFromInline
  struct Asking {
    @usableFromInline let one: (UnsafeRawPointer, Int) -> Bool
    @usableFromInline let many: (UnsafeRawPointer, Range<Int>) -> BitRun

    @inlinable
    init(
      one: @escaping (UnsafeRawPointer, Int) -> Bool,
      many: @escaping (UnsafeRawPointer, Range<Int>) -> BitRun
    ) {
      unsafe self.one = one
      unsafe self.many = many
    }
  }

  /// Asks a predicate about a range of a node's children. Only children in a mask need an answer. The `Bool` is the
  /// answer for children without a value.
  @usableFromInline
  typealias Evaluation = (NodeReader<Element>, Range<Int>, BitRun?, Bool, (Element) -> Bool) -> BitRun

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - source: the node to filter; it is kept alive.
  ///   - predicate: returns whether a value is visible. It is called once for each child now, and later for new and
  ///     updated children.
  /// - Complexity: O(n).
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>, where predicate: @escaping (Element) -> Bool) {
    let reader = source.reader
    let verdicts = source.hub.refusingChanges { evaluate(reader, 0..<source.count, nil, predicate) }
    self.init(source, reader, verdicts, where: predicate)
  }

  /// Creates a filter whose predicate has been asked about all children.
  ///
  /// - Parameters:
  ///   - source: the node to filter.
  ///   - reader: its reader.
  ///   - verdicts: the answers of the predicate for all its children.
  ///   - valueless: whether children without a value pass; in the list of a tree filter they may not.
  ///   - predicate: returns whether a value is visible.
  @inlinable @inline(__always)
  convenience init(
    _ source: any TreeNode<Element>, _ reader: NodeReader<Element>, _ verdicts: BitRun, valueless: Bool = true,
    where predicate: @escaping (Element) -> Bool
  ) {
    unsafe self.init(
      source, reader, verdicts, valueless, predicate,
      Functions(
        reading: .reading(State.self),
        // The cell of the node that calls these holds the state they read.
        asking: Asking(
          one: { place, position in unsafe place.assumingMemoryBound(to: State.self).pointee.asks(position) },
          many: { place, range in unsafe place.assumingMemoryBound(to: State.self).pointee.asks(range) }),
        evaluate: { evaluate($0, $1, $2, valueless: $3, $4) }))
  }

  @usableFromInline
  init(
    _ source: any TreeNode<Element>, _ reader: NodeReader<Element>, _ verdicts: BitRun, _ valueless: Bool,
    _ predicate: @escaping (Element) -> Bool, _ functions: Functions
  ) {
    state = NodeCell(
      State(
        translation: FilterTranslation(verdicts), reader: reader, source: source, valueless: valueless,
        predicate: predicate), of: port)
    self.functions = functions
    let cell = state.cell
    // Reading in place relies on this.
    assert(unsafe withUnsafePointer(to: &cell.value.translation) { unsafe UnsafeRawPointer($0) == cell.place })
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

  /// The bits of the source's visible children, the source, and the predicate. The source is given up when the node is
  /// released.
  @safe @usableFromInline
  struct State: BitsState, ~Copyable {
    @usableFromInline var translation: FilterTranslation
    @usableFromInline let reader: NodeReader<Element>
    @usableFromInline var source: (any TreeNode<Element>)?
    // Points to the source's state. The source is kept alive as long as anything is read.
    /// The address of the source's state, if the source is a filter too.
    @usableFromInline let filterBelow: UnsafeRawPointer?
    /// Whether children without a value pass.
    @usableFromInline let valueless: Bool
    @usableFromInline var predicate: (Element) -> Bool
    /// Another predicate, while its verdicts are computed in the background.
    @usableFromInline var work: BackgroundWork? { willSet { work?.isSuperseded = true } }
    /// The search that made the predicate, if a search made it and all children have been tested.
    @usableFromInline var search: AnyObject?

    @usableFromInline
    init(
      translation: FilterTranslation, reader: NodeReader<Element>, source: any TreeNode<Element>,
      valueless: Bool, predicate: @escaping (Element) -> Bool
    ) {
      self.translation = translation
      self.reader = reader
      self.source = source
      unsafe filterBelow = (source as? FilterNode<Element>)?.state.place
      self.valueless = valueless
      self.predicate = predicate
    }

    /// Returns whether a child of the source passes.
    @inlinable
    func asks(_ position: Int) -> Bool {
      guard let element = reader.element(at: position) else { return valueless }
      countCalls()
      return predicate(element)
    }

    /// Returns a bit for each child in a range of the source, set if the child passes.
    @inlinable
    func asks(_ range: Range<Int>) -> BitRun {
      evaluate(reader, range, nil, valueless: valueless, predicate)
    }

    @inlinable
    var shown: BitIndex { translation.passes }

    /// Returns `element(at:)` in place: neither the bits nor the source are retained.
    @inlinable
    static func element(at position: Int, in place: UnsafeRawPointer) -> Element? {
      var (position, place) = unsafe (position, place)
      guard unsafe descend(from: &position, &place) else { return nil }
      return unsafe place.assumingMemoryBound(to: State.self).pointee.reader.element(at: position)
    }

    /// Descends through a stack of filters.
    ///
    /// This is a loop, because a call for each filter would take as long again as the look-up in its bits.
    ///
    /// - Parameters:
    ///   - position: a position in the topmost filter; becomes the position in the source of the lowest filter.
    ///   - place: the address of the topmost filter's state; becomes the address of the lowest filter's state.
    /// - Returns: whether there is such a child.
    @inlinable
    static func descend(from position: inout Int, _ place: inout UnsafeRawPointer) -> Bool {
      while true {
        // The translation is the first property, so it has the address of the state.
        position = unsafe FilterTranslation.sourcePosition(
          of: position, in: place.assumingMemoryBound(to: FilterTranslation.self))
        guard position >= 0 else { return false }
        let state = unsafe place.assumingMemoryBound(to: State.self)
        guard let below = unsafe state.pointee.filterBelow else { return true }
        unsafe place = below
      }
    }
  }

  // MARK: Reading

  /// The node that is filtered.
  public var source: any TreeNode<Element> { state.value.source! }

  @inlinable
  public var count: Int { state.value.translation.passes.setCount }

  @inlinable
  public func element(at position: Int) -> Element? { unsafe State.element(at: position, in: state.place) }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "FilterNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions.reading) }
}

@available(*, unavailable)
extension FilterNode: Sendable {}

// MARK: - Positions

@_spi(NodeAuthors)
extension FilterNode: SourceView {}

extension FilterNode: SectionNode, WritableNode {
  /// Returns the position of a visible child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children of the source.
  @inlinable
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "FilterNode")
    return state.value.translation.passes.select(position)
  }

  /// Returns the position of a child of the source among the visible children, or nil if the child is hidden.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space, or nil.
  /// - Complexity: O(log n) for n children of the source.
  @inlinable
  public func position(ofSource position: Int) -> Int? {
    checkPosition(position, in: state.value.translation.passes.count, of: "FilterNode's source")
    return state.value.translation.passes[position] ? state.value.translation.passes.rank(position) : nil
  }

  /// Returns the range of the visible children in a range of the source.
  ///
  /// - Parameter range: positions of the source, within 0..<the source's count; may be empty.
  /// - Returns: a range of this node's index space; empty if all these children are hidden.
  /// - Complexity: O(log n) for n children of the source.
  @inlinable
  public func range(ofSource range: Range<Int>) -> Range<Int> {
    checkRange(range, in: state.value.translation.passes.count, of: "FilterNode's source")
    return state.value.translation.passes.rank(range)
  }

  /// The memory of the filter's bits, in bytes.
  package var byteCount: Int { state.value.translation.passes.byteCount }
}
