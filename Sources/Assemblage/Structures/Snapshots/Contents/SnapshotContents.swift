public import OffsetIndexing

/// The values of a list at one moment: elements, or a layer over other contents.
///
///     FilterNode                bits      1 0 1 1 …            a SnapshotLayer
///       JoinNode                offsets   0 5 9 …              a SnapshotLayer
///         ArrayNode             elements  [a b c d e]          in the chunks that the node has, too
///
/// The contents are built like the nodes that they are taken from, with the same structures: chunked arrays, bits,
/// orders. These are shared until the node changes them. The contents never change.
@usableFromInline
enum SnapshotContents<Element> {
  /// Children that all have values.
  case elements(ChunkedArray<Element>)

  /// Children that may have no value: the values in order, and a bit for each child, which is set where it has a value.
  case sparse(ChunkedArray<Element>, BitIndex)

  /// Children of other contents.
  case layer(SnapshotLayer<Element>)

  /// No children.
  static var empty: Self { .elements(ChunkedArray(EmptyCollection())) }

  /// Stores values in order; nil means a child without a value.
  init(_ values: some Collection<Element?>) {
    let elements = ChunkedArray(values.lazy.compactMap { $0 })
    self =
      elements.count == values.count ? .elements(elements) : .sparse(elements, BitIndex(values.lazy.map { $0 != nil }))
  }
}

extension SnapshotContents: Sendable where Element: Sendable {}

/// Maps the children of a layer to the children of its sources.
@usableFromInline
enum SnapshotMapping: Sendable {
  /// One source after the other.
  case join(OffsetIndex)
  /// The children with a set bit.
  case bits(BitIndex)
  /// The children of a range.
  case window(Range<Int>)
  /// All children in another order.
  case order(PermutationIndex)
  /// The rows of a section.
  case section(SectionIndex, slot: Int)

  @usableFromInline
  var count: Int {
    switch self {
    case .join(let offsets): offsets.total
    case .bits(let bits): bits.setCount
    case .window(let range): range.count
    case .order(let order): order.count
    case .section(let rows, let slot): rows.count(ofSlot: slot)
    }
  }

  /// The source of a child, and its position there. The caller has checked the child's position.
  @usableFromInline
  func place(of position: Int) -> (source: Int, position: Int) {
    switch self {
    case .join(let offsets):
      let (index, offset) = offsets.locate(position)
      return (index, offset)
    case .bits(let bits): return (0, bits.select(position))
    case .window(let range): return (0, range.lowerBound + position)
    case .order(let order): return (0, order.sourcePosition(of: position))
    case .section(let rows, let slot): return (0, rows.position(slot: slot, row: position))
    }
  }

  /// For each child of a range, its position in the only source.
  ///
  /// - Complexity: O(r · log n) for r children, and never more than O(n).
  @usableFromInline
  func sourcePositions(of range: Range<Int>) -> [Int] {
    switch self {
    case .order(let order) where range.count > order.count / 16: Array(order.sources[range])
    case .section(let rows, let slot): rows.positions(slot: slot, rows: range)
    default: range.map { place(of: $0).position }
    }
  }
}

/// A view, or a join, in a snapshot.
///
/// `@unchecked Sendable` because nothing changes after `init`, except `sources` in `deinit`: there is no other
/// reference any more then.
@usableFromInline
final class SnapshotLayer<Element> {
  @usableFromInline let mapping: SnapshotMapping
  /// The contents below the layer: only a join may have several.
  @usableFromInline private(set) var sources: [SnapshotContents<Element>]
  /// The number of layers through which a value is read.
  @usableFromInline let depth: Int

  /// Puts a layer over other contents.
  ///
  /// - Parameters:
  ///   - mapping: finds the children of the layer in the sources.
  ///   - sources: the contents.
  ///   - below: the number of layers through which a value of the sources is read at most; nil: the sources are asked.
  init(_ mapping: SnapshotMapping, _ sources: [SnapshotContents<Element>], below: Int? = nil) {
    self.mapping = mapping
    self.sources = sources
    depth = 1 + (below ?? sources.reduce(0) { Swift.max($0, $1.depth) })
  }

  // A loop, because thousands of layers may lie one above the other.
  deinit {
    var open = takeLayers()
    while var layer = open.popLast() {
      if isKnownUniquelyReferenced(&layer) { open += layer.takeLayers() }
    }
  }

  private func takeLayers() -> [SnapshotLayer] {
    guard depth > 1 else { return [] }
    defer { sources = [] }
    return sources.compactMap { if case .layer(let layer) = $0 { layer } else { nil } }
  }
}

extension SnapshotLayer: @unchecked Sendable where Element: Sendable {}
