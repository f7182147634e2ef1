public import OffsetIndexing

/// The values of a list at one moment: the elements themselves, or other contents and how they are looked at.
///
///     FilterNode                bits      1 0 1 1 …            a SnapshotLayer
///       JoinNode                offsets   0 5 9 …              a SnapshotLayer
///         ArrayNode             elements  [a b c d e]          in the chunks that the node has, too
///
/// It is built like the nodes it is taken of, of the same values: chunked arrays, bits, orders. They are shared until the node
/// changes them. Nothing of it ever changes.
@usableFromInline
enum SnapshotContents<Element> {
  /// Children that all have values.
  case elements(ChunkedArray<Element>)

  /// Children of which some have none: the values in order, and which children have one.
  case sparse(ChunkedArray<Element>, BitIndex)

  /// Children of others.
  case layer(SnapshotLayer<Element>)

  /// No children.
  static var empty: Self { .elements(ChunkedArray(EmptyCollection())) }

  /// Stores values, or none, in order.
  init(_ values: some Collection<Element?>) {
    let elements = ChunkedArray(values.lazy.compactMap { $0 })
    self =
      elements.count == values.count ? .elements(elements) : .sparse(elements, BitIndex(values.lazy.map { $0 != nil }))
  }
}

extension SnapshotContents: Sendable where Element: Sendable {}

/// How the children of a layer stand among those of its sources.
@usableFromInline
enum SnapshotMapping: Sendable {
  /// One source after the other.
  case join(OffsetIndex)
  /// Those with a set bit.
  case bits(BitIndex)
  /// A range of them.
  case window(Range<Int>)
  /// All in another order.
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

  /// The source of a child, and its position there; the child has been checked.
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
/// `@unchecked Sendable` because nothing is changed after `init`, but for `sources` in `deinit`, where no one else has a
/// reference any more.
@usableFromInline
final class SnapshotLayer<Element> {
  @usableFromInline let mapping: SnapshotMapping
  /// What is looked at: one, but for a join.
  @usableFromInline private(set) var sources: [SnapshotContents<Element>]
  /// Through how many layers a value is read.
  @usableFromInline let depth: Int

  /// Puts a layer over others.
  init(_ mapping: SnapshotMapping, _ sources: [SnapshotContents<Element>]) {
    self.mapping = mapping
    self.sources = sources
    depth = 1 + sources.reduce(0) { Swift.max($0, $1.depth) }
  }

  // Thousands of layers one above the other are released in a loop.
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
