/// A live view of a node in which every value is transformed, at every depth.
///
/// ```swift
/// let sizes = ArrayNode([512, 2_048])
/// let labels = MapNode(sizes) { "\($0) B" }
/// labels.elements             // ["512 B", "2048 B"]
/// sizes.append(16)            // labels reports an insertion at 2
/// ```
///
/// Nothing is stored: a value is transformed each time it is read. So the transform should be cheap, and must depend
/// only on its argument. Children that are nodes are mapped nodes here, created when they are first asked for. While
/// such a mapped node is held, it remains the mapped node of its source node. The mapped node of a child is an ordinary
/// node: it can be observed, filtered and joined by itself.
///
/// Suppose that the source is a `ForestNode` or a `HierarchyNode`, or a tree filter or a tree sort of one. Then
/// outlines, tree filters and tree sorts of the map create no node for a branch.
///
/// Observers are notified of the same changes as observers of the source, because the positions are the same. An
/// updated child is reported as updated, even if its transformed value is the same.
///
/// The elements of a map are not the elements of its source. Suppose that a node shows a mapped branch beside an
/// unmapped one. A child that moves from one to the other is then reported as removed and inserted.
///
/// A mapped node is read only, unless it is created with an inverse, or with `erasing(_:)`, which only changes the type
/// of the values. Then the caller writes by index path.
public final class MapNode<Source, Element>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  let family: MapFamily<Source, Element>

  /// Creates a mapped view, which can be written if it has an inverse.
  ///
  /// ```swift
  /// let celsius = ArrayNode([0.0, 100.0])
  /// let fahrenheit = MapNode(celsius, { $0 * 1.8 + 32 }, inverse: { ($0 - 32) / 1.8 })
  /// fahrenheit.insert(50, at: [1])   // celsius holds 0, 10, 100
  /// ```
  ///
  /// - Parameters:
  ///   - source: the node to map; it is kept alive.
  ///   - transform: makes a value of the view from a value of the source, at every depth.
  ///   - inverse: makes a value of the source from a value that is written here; nil for a view that can only be read.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(
    _ source: any TreeNode<Source>, _ transform: @escaping (Source) -> Element,
    inverse: ((Element) -> Source)? = nil
  ) {
    self.init(
      source, MapFamily(transform, inverse: inverse, reading: .reading(State.self)) { State.lend($0, $1, to: $2) })
  }

  /// Creates a view of the same values with a more general type; see `TreeNode.erasing(_:)`.
  @inlinable
  convenience init(erasing source: any TreeNode<Source>, _ upcast: @escaping (Source) -> Element) {
    self.init(
      source,
      MapFamily(upcast, inverse: { $0 as? Source }, keepsValues: true, reading: .reading(State.self)) {
        State.lend($0, $1, to: $2)
      })
  }

  @usableFromInline
  convenience init(_ source: any TreeNode<Source>, _ family: MapFamily<Source, Element>) {
    self.init(unlinked: source, family)
    hub.link(source, slot: 0)
    if let tree = source.branchTree, Self.lendsHandles(above: tree.handleDepth) {
      state.value.handles = MapHandles(tree)
    }
  }

  /// Creates a node that is not yet linked to its source.
  init(unlinked source: any TreeNode<Source>, _ family: MapFamily<Source, Element>) {
    state = NodeCell(
      State(reader: source.reader, source: source, transform: family.transform),
      of: unsafe unsafeDowncast(port, to: NodeHub.self))
    self.family = family
    hub.attach(to: self)
    hub.state.value.nesting = .ofSources
  }

  deinit {
    if let source = state.cell.value.source { family.forget(self, of: source) }
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    guard let source = cell.value.source else { return }
    family.forget(self, of: source)
    references.append(source)
    (cell.value.source, cell.value.handles) = (nil, nil)
  }

  /// The source and the transform. The source is given up when the node is released.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    @usableFromInline let reader: NodeReader<Source>
    @usableFromInline var source: (any TreeNode<Source>)?
    @usableFromInline let transform: (Source) -> Element
    /// The source, if its branches are known by handles.
    var handles: MapHandles<Source>?

    @usableFromInline
    init(reader: NodeReader<Source>, source: (any TreeNode<Source>)?, transform: @escaping (Source) -> Element) {
      self.reader = reader
      self.source = source
      self.transform = transform
    }

    /// Lends the reader of a branch, given the reader of the branch in the source.
    @inlinable
    static func lend(
      _ source: NodeReader<Source>, _ transform: @escaping (Source) -> Element,
      to body: (NodeReader<Element>) -> Void
    ) {
      let state = Self(reader: source, source: nil, transform: transform)
      NodeReader.lend(state, depth: state.depth, to: body)
    }

    // No count is stored: a node that shows this node's parent may read the count before this node receives the
    // source's change.
    @inlinable
    var count: Int { source?.count ?? 0 }

    @inlinable
    func element(at position: Int) -> Element? { reader.element(at: position).map(transform) }

    @inlinable
    static func step(from block: inout ReadingBlock, of state: UnsafePointer<Self>) -> ReadingStep {
      let transform = unsafe state.pointee.transform
      return unsafe .transformed(state.pointee.reader.walkingPlace) {
        ReadValues(($0 as! ReadValues<Source>).values.map { $0.map(transform) })
      }
    }

    @inlinable
    var depth: Int { reader.depth + 1 }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let (reader, transform) = unsafe (state.pointee.reader, state.pointee.transform)
      unsafe withUnsafeTemporaryAllocation(of: Element.self, capacity: gatheringCapacity) { memory in
        var buffer = unsafe SpanBuffer<Element>(base: memory.baseAddress!)
        reader.forEachSpan(in: range) { start, span in
          span.lendEach { buffer.append(transform($1), at: start &+ $0, body) }
        }
        buffer.flush(body)
      }
    }
  }

  // MARK: Reading

  /// The node that is mapped.
  public var source: any TreeNode<Source> { state.value.source! }

  public var value: Element? { source.value.map(state.value.transform) }

  @inlinable
  public var count: Int { state.value.count }

  @inlinable
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  public func element(at path: IndexPath) -> Element? {
    path.isEmpty ? value : source.element(at: path).map(family.transform)
  }

  public func count(at path: IndexPath) -> Int? { source.count(at: path) }

  public func child(at position: Int) -> (any TreeNode<Element>)? {
    source.child(at: position).map { family.node(of: $0) }
  }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "MapNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(family.reading) }

  @_spi(NodeAuthors)
  public var writer: (any WritableNode<Element>)? {
    guard let inverse = family.inverse, let writer = source.writer else { return nil }
    return MapWriter(node: self, source: writer, inverse: inverse)
  }

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    if let reported = state.cell.value.handles?.translate(in: hub) { return reported }
    var change = changes.takeOnlyChange(of: self)
    // A row that moves between this view and its source is not the same row in a node that shows both.
    if !family.keepsValues {
      change.dropOpenCrossings()
      // A slice of this view may show only one of a transfer's ends.
      change.renameCrossings()
    }
    return change
  }
}

@available(*, unavailable)
extension MapNode: Sendable {}

extension MapNode: SectionNode {
  public var header: Element? { source.header(at: []).map(state.value.transform) }
  public var footer: Element? { source.footer(at: []).map(state.value.transform) }
}
