/// A live view of a node's children in another order.
///
/// ```swift
/// let scores = ArrayNode([30, 10, 20])
/// let ranking = SortNode(scores)
/// ranking.elements             // [10, 20, 30]
/// ranking.sourcePosition(of: 0)  // 1
/// scores.append(15)            // ranking reports an insertion at 1
/// scores[0] = 5                // ranking reports a move from 3 to 0, and the update of 0
/// ranking.setComparator(>)
/// ranking.elements             // [20, 15, 10, 5]
/// ```
///
/// The order is stable: children that tie, because neither is before the other, keep the order of the source. Children
/// without a value are last. The node itself has the value of its source, and children that are nodes stay nodes.
/// Without a comparator the view shows the source's order, at no cost.
///
/// Observers are notified of the fewest moves that lead from one order to the next. The view takes about 20 bytes for
/// each child. Two of these bytes keep some of the values: every fourth object, or every eighth string. With these
/// values the view finds the position of a child that arrives or changes.
///
/// The comparator must depend only on its two arguments. If it reads anything else that changes, or the contents of
/// objects, call `refresh()` after such a change. The comparator should be a strict weak order, as for `sort(by:)`. If
/// it is not, the order is unspecified, but no child is lost. The comparator must not change any node of the graph:
/// that traps.
public final class SortNode<Element>: TreeNode, ReadableNode, DerivedNode {
  /// Returns whether the first of two values is before the second.
  @usableFromInline package typealias Comparator = (Element, Element) -> Bool

  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: Functions

  /// The functions that must be specialized for the element, at the place where the node is created.
  @usableFromInline
  struct Functions {
    @usableFromInline let reading: NodeReader<Element>.Functions
    /// Finds the sorted position of a single child that arrived or changed; see `placed(_:from:in:_:_:_:)`.
    @usableFromInline
    let placeSingle: (NodeReader<Element>, Int, _ former: Int, PermutationIndex, Landmarks<Element>, Comparator) -> Int
    /// Keeps some elements of a node with the given number of children. The handles of the children have the numbers of
    /// their positions. Returns nil if there are only a few children.
    @usableFromInline let keep: (NodeReader<Element>, Int) -> Landmarks<Element>?
    /// Removes the kept element of a handle.
    @usableFromInline let forget: (Landmarks<Element>, _ number: Int) -> Void
    /// Finds the position of a child of a node among other children; see `placed(_:_:_:_:)`.
    @usableFromInline let place: (NodeReader<Element>, Int, @escaping Comparator, SortTranslation.Search) -> Int
    /// Returns the order of some of a node's children by a comparator, as indexes into the list of their positions.
    @usableFromInline let sort: (NodeReader<Element>, [Int], Comparator) -> [Int]
    /// Returns the positions of a node's children in the order of a comparator, if that is the present order or its
    /// reverse.
    @usableFromInline let turn: (NodeReader<Element>, [Int], Comparator) -> [Int]?

    @inlinable
    init(
      reading: NodeReader<Element>.Functions,
      placeSingle:
        @escaping (
          NodeReader<Element>, Int, _ former: Int, PermutationIndex, Landmarks<Element>, Comparator
        ) -> Int,
      keep: @escaping (NodeReader<Element>, Int) -> Landmarks<Element>?,
      forget: @escaping (Landmarks<Element>, _ number: Int) -> Void,
      place: @escaping (NodeReader<Element>, Int, @escaping Comparator, SortTranslation.Search) -> Int,
      sort: @escaping (NodeReader<Element>, [Int], Comparator) -> [Int],
      turn: @escaping (NodeReader<Element>, [Int], Comparator) -> [Int]?
    ) {
      self.reading = reading
      self.placeSingle = placeSingle
      self.keep = keep
      self.forget = forget
      self.place = place
      self.sort = sort
      self.turn = turn
    }
  }

  /// Creates a sorted view.
  ///
  /// - Parameters:
  ///   - source: the node to sort; it is kept alive.
  ///   - areInIncreasingOrder: returns whether its first argument is before its second; nil for the source's order.
  /// - Complexity: O(n · log n) for n children.
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>, by areInIncreasingOrder: ((Element, Element) -> Bool)?) {
    let reader = source.reader
    let sources = areInIncreasingOrder.map { comparator in
      source.hub.refusingChanges { sortedPositions(reader, source.count, comparator) }
    }
    self.init(
      source, reader, sources, sources.flatMap { Landmarks(reader, $0.count) }, areInIncreasingOrder,
      Functions(
        reading: .reading(State.self),
        placeSingle: { placed($1, from: $2, in: $3, $4, $0, $5) },
        keep: { Landmarks($0, $1) },
        forget: { $0.forget($1) },
        place: { placed($1, $0, $2, $3) },
        sort: { sortedIndexes(of: $1, $0, $2) },
        turn: { turnedPositions(of: $1, $0, $2) }))
  }

  @usableFromInline
  init(
    _ source: any TreeNode<Element>, _ reader: NodeReader<Element>, _ sources: [Int]?,
    _ landmarks: Landmarks<Element>?, _ comparator: Comparator?, _ functions: Functions
  ) {
    state = NodeCell(
      State(
        translation: SortTranslation(count: source.count, sources: sources), reader: reader, source: source,
        comparator: comparator, landmarks: landmarks), of: port)
    self.functions = functions
    // Reading in place relies on this.
    let cell = state.cell
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
    // The owner of the data may keep the source alive too.
    cell.value.order = nil
  }

  /// The order of the children, the source, and the comparator. The source is given up when the node is released.
  @usableFromInline
  struct State: ViewState, ~Copyable {
    @usableFromInline var translation: SortTranslation
    @usableFromInline let reader: NodeReader<Element>
    @usableFromInline var source: (any TreeNode<Element>)?
    @usableFromInline var comparator: Comparator?
    /// The order by data that do not belong to the children's values; then there is no comparator.
    var order: ChildOrder?
    /// Some of the elements, which speed up the search for the position of a single child.
    @usableFromInline var landmarks: Landmarks<Element>?
    /// Another order, while it is computed in the background.
    @usableFromInline var work: BackgroundWork? { willSet { work?.isSuperseded = true } }

    @inlinable
    var count: Int { translation.count }

    @inlinable
    func sourcePosition(of position: Int) -> Int { translation.sourcePosition(of: position) }

    /// Returns `element(at:)` in place: neither the orders nor the source are retained.
    @inlinable
    static func element(at position: Int, in place: UnsafeRawPointer) -> Element? {
      // The translation is the first property, so it has the address of the state.
      let source = unsafe SortTranslation.sourcePosition(
        of: position, in: place.assumingMemoryBound(to: SortTranslation.self))
      guard source >= 0 else { return nil }
      return unsafe place.assumingMemoryBound(to: State.self).pointee.reader.element(at: source)
    }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let (sources, reader) = unsafe (state.pointee.translation.sources(in: range), state.pointee.reader)
      if let first = sources.first, sources.indices.allSatisfy({ sources[$0] == first &+ $0 }) {
        // The range is in the source's order already.
        let distance = range.lowerBound &- first
        return reader.forEachSpan(in: first..<first &+ range.count) { body($0 &+ distance, $1) }
      }
      gatherSpans(in: range, body) { reader.element(at: sources[$0 &- range.lowerBound]) }
    }
  }

  // MARK: Reading

  /// The node that is sorted.
  public var source: any TreeNode<Element> { state.value.source! }

  @inlinable
  public var count: Int { state.value.translation.count }

  @inlinable
  public func element(at position: Int) -> Element? { unsafe State.element(at: position, in: state.place) }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "SortNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions.reading) }
}

@available(*, unavailable)
extension SortNode: Sendable {}
