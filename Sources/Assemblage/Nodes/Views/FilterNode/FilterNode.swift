public import OffsetIndexing

/// A live view of a node's children: the ones whose values pass a predicate.
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
/// The predicate sees a child's value. A child without a value passes: there is nothing to say against it. The node
/// itself has the value of its source, and children that are nodes stay nodes. It keeps one bit for each child of the
/// source.
///
/// The predicate must depend on nothing but the value it is given, and, where something else that it captures changes,
/// be set again. It must not change any node of the graph: that traps.
public final class FilterNode<Element>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: Functions

  /// What has to be specialized for the element where the node is made.
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

  /// Asks the predicate in a state about children of its source: about one, or a range.
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

  /// Asks a predicate about a range of a node's children, of which only those in a mask need an answer; the `Bool` is the answer
  /// on those without a value.
  @usableFromInline
  typealias Evaluation = (NodeReader<Element>, Range<Int>, BitRun?, Bool, (Element) -> Bool) -> BitRun

  /// Creates a filter.
  ///
  /// - Parameters:
  ///   - source: the node to filter; it is kept alive.
  ///   - predicate: says which values are visible; it is called once for each child now, and for new and updated ones
  ///     later.
  /// - Complexity: O(n).
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>, where predicate: @escaping (Element) -> Bool) {
    let reader = source.reader
    let verdicts = source.hub.refusingChanges { evaluate(reader, 0..<source.count, nil, predicate) }
    self.init(source, reader, verdicts, where: predicate)
  }

  /// Creates a filter whose predicate has been asked about everything.
  ///
  /// - Parameters:
  ///   - source: the node to filter.
  ///   - reader: its reader.
  ///   - verdicts: what the predicate says of each of its children.
  ///   - valueless: whether children without a value pass: those of a tree filter's list may not.
  ///   - predicate: says which values are visible.
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
    // Reading in place relies on it.
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

  /// Which of the source's children are visible, the source, which is given up when the node is released, and the
  /// predicate.
  @safe @usableFromInline
  struct State: BitsState, ~Copyable {
    @usableFromInline var translation: FilterTranslation
    @usableFromInline let reader: NodeReader<Element>
    @usableFromInline var source: (any TreeNode<Element>)?
    // The source's state; the source is kept for as long as anything is read.
    /// Where the source's state is, if that is a filter too.
    @usableFromInline let filterBelow: UnsafeRawPointer?
    /// Whether children without a value pass.
    @usableFromInline let valueless: Bool
    @usableFromInline var predicate: (Element) -> Bool
    /// Another predicate, while its verdicts are computed in the background.
    @usableFromInline var work: BackgroundWork? { willSet { work?.isSuperseded = true } }
    /// The search that the predicate comes from, where it comes from one and everything has been asked.
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

    /// Whether a child of the source passes.
    @inlinable
    func asks(_ position: Int) -> Bool {
      guard let element = reader.element(at: position) else { return valueless }
      countCalls()
      return predicate(element)
    }

    /// Which children of a range of the source pass.
    @inlinable
    func asks(_ range: Range<Int>) -> BitRun {
      evaluate(reader, range, nil, valueless: valueless, predicate)
    }

    @inlinable
    var shown: BitIndex { translation.passes }

    /// `element(at:)` in place: neither the bits nor the source are retained.
    @inlinable
    static func element(at position: Int, in place: UnsafeRawPointer) -> Element? {
      var (position, place) = unsafe (position, place)
      guard unsafe descend(from: &position, &place) else { return nil }
      return unsafe place.assumingMemoryBound(to: State.self).pointee.reader.element(at: position)
    }

    @inlinable
    func step(from position: Int) -> ReadingStep {
      guard position >= 0, position < count else { return .value(ReadValue<Element>(nil)) }
      var position = sourcePosition(of: position)
      guard var place = unsafe filterBelow, unsafe Self.descend(from: &position, &place) else {
        return .source(reader.place(of: position))
      }
      return unsafe .source(place.assumingMemoryBound(to: State.self).pointee.reader.place(of: position))
    }

    /// Goes down through filters that are one above the other, in a loop: a call for each would take as long again as a look
    /// into its bits.
    ///
    /// - Parameters:
    ///   - position: a position in the topmost; becomes that in the source of the lowest.
    ///   - place: where the state of the topmost is; becomes that of the lowest.
    /// - Returns: whether there is such a child.
    @inlinable
    static func descend(from position: inout Int, _ place: inout UnsafeRawPointer) -> Bool {
      while true {
        // The translation is the first property, so it stands where the state does.
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
  /// The position of a visible child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the source's index space.
  /// - Complexity: O(log n) for n children of the source.
  @inlinable
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "FilterNode")
    return state.value.translation.passes.select(position)
  }

  /// The position of a child of the source among the visible ones, or nil where it is hidden.
  ///
  /// - Parameter position: 0..<the source's count, in the source's index space.
  /// - Returns: a position in this node's index space, or nil.
  /// - Complexity: O(log n) for n children of the source.
  @inlinable
  public func position(ofSource position: Int) -> Int? {
    checkPosition(position, in: state.value.translation.passes.count, of: "FilterNode's source")
    return state.value.translation.passes[position] ? state.value.translation.passes.rank(position) : nil
  }

  /// The visible children of a range of the source.
  ///
  /// - Parameter range: positions of the source, within 0..<the source's count; may be empty.
  /// - Returns: a range of this node's index space, empty where all of them are hidden.
  /// - Complexity: O(log n) for n children of the source.
  @inlinable
  public func range(ofSource range: Range<Int>) -> Range<Int> {
    checkRange(range, in: state.value.translation.passes.count, of: "FilterNode's source")
    return state.value.translation.passes.rank(range)
  }

  /// The memory that the filter's bits take, in bytes.
  package var byteCount: Int { state.value.translation.passes.byteCount }
}
