/// A piece of a snapshot: the elements of a range of a source.
@usableFromInline
struct SourcePiece<Element> {
  /// The positions of the elements in the snapshot.
  @usableFromInline let range: Range<Int>
  @usableFromInline let contents: Contents
  /// The places of the range that the job asks about; nil for all.
  @usableFromInline let mask: BitRun?

  @usableFromInline
  enum Contents {
    /// All elements of the range, in order, in arrays that the node shares.
    case shared([ArraySlice<Element>])
    /// Copies of the elements that are asked about, with their positions. Children without a value have no row.
    case copied([ElementRow<Element>])
  }

  init(_ range: Range<Int>, _ contents: Contents, among mask: BitRun? = nil) {
    self.range = range
    self.contents = contents
    self.mask = mask
  }

  /// The number of elements.
  var rowCount: Int {
    switch contents {
    case .copied(let rows): rows.count
    case .shared: range.count
    }
  }

  /// The elements with their positions in the snapshot.
  @inlinable @inline(__always)
  var rows: [ElementRow<Element>] {
    switch contents {
    case .copied(let rows): return rows
    case .shared(let slices):
      var rows: [ElementRow<Element>] = []
      rows.reserveCapacity(range.count)
      for slice in slices { for element in slice { rows.append((element, range.lowerBound &+ rows.count)) } }
      return rows
    }
  }

  // MARK: Parts

  /// The places of the range, in parts: after each part a job checks whether it is cancelled.
  @inlinable
  var parts: [Range<Int>] {
    stride(from: 0, to: range.count, by: 2_048).map { $0..<Swift.min($0 &+ 2_048, range.count) }
  }

  /// Advances a place beyond a number of elements that are asked about. As many as 64 elements that are not asked about
  /// count as one, because they take time, too.
  ///
  /// - Parameters:
  ///   - place: the place in the range.
  ///   - count: the number of elements; receives the number of elements that are left when the piece ends.
  func advance(_ place: inout Int, asking count: inout Int) {
    guard let mask else {
      let step = Swift.min(count, range.count - place)
      place += step
      count -= step
      return
    }
    var skipped = 0
    while place < range.count, count > 0 {
      if mask[place] {
        count -= 1
      } else {
        skipped += 1
        if skipped.isMultiple(of: 64) { count -= 1 }
      }
      place += 1
    }
  }

  /// Calls a closure with each element of a part and its place in the range.
  ///
  /// - Throws: the error of the closure.
  @inlinable @inline(__always)
  func forEach(in part: Range<Int>, _ body: (_ place: Int, _ element: Element) throws -> Void) rethrows {
    switch contents {
    case .copied(let rows):
      for row in rows[firstRow(in: part, rows)...] {
        let place = row.position &- range.lowerBound
        if place >= part.upperBound { return }
        try body(place, row.element)
      }
    case .shared(let slices):
      try Self.forEachSlice(slices, in: part) { slice, place in
        try slice.span.lendEach { try body(place &+ $0, $1) }
      }
    }
  }

  /// Asks a predicate about the elements of a part.
  ///
  /// - Parameters:
  ///   - part: places in the range.
  ///   - verdicts: receives the verdicts, by places in the range; before the call, the bits of the part are clear.
  ///   - valueless: the verdict on children without a value.
  ///   - predicate: the predicate.
  /// - Throws: the error of the predicate.
  @inlinable @inline(__always)
  func ask(
    _ part: Range<Int>, _ verdicts: inout BitRun, valueless: Bool, _ predicate: (Element) throws -> Bool
  ) rethrows {
    switch contents {
    case .copied(let rows):
      if valueless { verdicts.set(part, among: mask) }
      for row in rows[firstRow(in: part, rows)...] {
        let place = row.position &- range.lowerBound
        if place >= part.upperBound { return }
        countCalls()
        verdicts.set(place, to: try predicate(row.element))
      }
    case .shared(let slices):
      try Self.forEachSlice(slices, in: part) { slice, place in
        try verdicts.ask(about: slice.span, from: place, among: mask, predicate)
      }
    }
  }

  /// The index of the first row at or behind the start of a part.
  @usableFromInline
  func firstRow(in part: Range<Int>, _ rows: [ElementRow<Element>]) -> Int {
    if part.lowerBound == 0 { return 0 }
    return rows.partitioningIndex { $0.position &- range.lowerBound >= part.lowerBound }
  }

  @inlinable @inline(__always)
  static func forEachSlice(
    _ slices: [ArraySlice<Element>], in part: Range<Int>,
    _ body: (_ slice: ArraySlice<Element>, _ place: Int) throws -> Void
  ) rethrows {
    var start = 0
    for slice in slices {
      let common = part.clamped(to: start..<start &+ slice.count)
      if !common.isEmpty {
        let first = slice.startIndex &+ common.lowerBound &- start
        try body(slice[first..<first &+ common.count], common.lowerBound)
      }
      start &+= slice.count
    }
  }
}

extension SourcePiece: Sendable where Element: Sendable {}
extension SourcePiece.Contents: Sendable where Element: Sendable {}

/// An element of a node, and its position there.
@usableFromInline
typealias ElementRow<Element> = (element: Element, position: Int)

/// Copies the elements of a range of a node's children for which a mask is set: `elementRows(_:_:among:)`, specialized.
@usableFromInline
typealias CopyingElements<Element> = (NodeReader<Element>, Range<Int>, BitRun?) -> [ElementRow<Element>]

/// Copies the elements of a range of a node's children; children without a value are left out.
///
/// - Parameters:
///   - reader: reads the node.
///   - range: the positions.
///   - mask: which of the node's children are wanted; nil for all.
/// - Returns: the elements with their positions.
@inlinable @inline(__always)
func elementRows<Element>(
  _ reader: NodeReader<Element>, _ range: Range<Int>, among mask: BitRun? = nil
) -> [ElementRow<Element>] {
  var rows: [ElementRow<Element>] = []
  if mask == nil { rows.reserveCapacity(range.count) }
  reader.forEachSpan(in: range) { start, span in
    for index in span.indices where mask?[start &+ index] ?? true { rows.append((span[index], start &+ index)) }
  }
  return rows
}

extension BackgroundWork {
  /// The largest piece whose elements the domain releases in one turn.
  static var smallPiece: Int { 2_048 }

  /// The largest piece of a job that asks a closure about each element.
  static var largePiece: Int { 131_072 }

  /// Takes the snapshot: the source shares its elements, or they are copied in several turns of the domain.
  ///
  /// If the source changes while elements are copied, the copying begins again. The fourth attempt does not pause.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - reader: reads it.
  ///   - largest: the largest number of elements in a piece. There are at least a few pieces for each core.
  ///   - mask: which elements are asked about; nil for all.
  ///   - copying: copies the elements of a range for which a mask is set.
  /// - Returns: the pieces, in order.
  /// - Throws: as `check(_:of:)` does.
  /// - Complexity: O(c) for c chunks that are shared; otherwise O(n).
  func snapshot<Element>(
    of source: any TreeNode<Element>, _ reader: NodeReader<Element>, inPiecesOf largest: Int = .max,
    among mask: () -> BitRun? = { nil }, copying: CopyingElements<Element>
  ) async throws -> [SourcePiece<Element>] {
    let sharing = source as? any SharingNode<Element>
    var attempt = 0
    attempts: while true {
      attempt += 1
      beginSnapshot()
      let (version, count, mask) = (version, source.count, mask())
      let size =
        BackgroundPacing.elements
        ?? Swift.min(largest, Swift.max(4_096, count / (4 * BackgroundPacing.coreCount) + 1))
      var turns = Turns()
      var pieces: [SourcePiece<Element>] = []
      for start in stride(from: 0, to: count, by: size) {
        let range = start..<Swift.min(start + size, count)
        if let slices = sharing?.sharedSlices(of: range) {
          pieces.append(SourcePiece(range, .shared(slices), among: mask?[range]))
          continue
        }
        var rows: [ElementRow<Element>] = []
        if mask == nil { rows.reserveCapacity(range.count) }
        for part in stride(from: range.lowerBound, to: range.upperBound, by: Self.smallPiece) {
          rows += copying(reader, part..<Swift.min(part + Self.smallPiece, range.upperBound), mask)
          guard attempt < 4, turns.isOver else { continue }
          await turns.pass()
          try check()
          if version != self.version { continue attempts }
        }
        pieces.append(SourcePiece(range, .copied(rows), among: mask?[range]))
      }
      return pieces
    }
  }
}
