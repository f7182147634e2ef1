/// Some of a source's elements, to be worked on elsewhere.
@usableFromInline
struct SourcePiece<Element> {
  /// Their positions in the source, when it was looked at.
  @usableFromInline let range: Range<Int>
  @usableFromInline let contents: Contents

  @usableFromInline
  enum Contents {
    /// All elements of the range, in order, in arrays that the node shares.
    case shared([ArraySlice<Element>])
    /// Copies of the elements, with their positions; children without a value are left out.
    case copied([ElementRow<Element>])
  }

  init(_ range: Range<Int>, _ contents: Contents) {
    self.range = range
    self.contents = contents
  }

  /// How many elements there are.
  var rowCount: Int {
    switch contents {
    case .copied(let rows): rows.count
    case .shared: range.count
    }
  }

  /// The elements with their positions in the source.
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

  /// Calls a closure with each element and its place in the range.
  ///
  /// - Throws: what the closure throws.
  @inlinable @inline(__always)
  func forEach(_ body: (_ place: Int, _ element: Element) throws -> Void) rethrows {
    switch contents {
    case .copied(let rows): for row in rows { try body(row.position &- range.lowerBound, row.element) }
    case .shared(let slices):
      var place = 0
      for slice in slices {
        try slice.span.lendEach { try body(place &+ $0, $1) }
        place &+= slice.count
      }
    }
  }
}

extension SourcePiece: Sendable where Element: Sendable {}
extension SourcePiece.Contents: Sendable where Element: Sendable {}

/// An element of a node, and where it stands in it.
@usableFromInline
typealias ElementRow<Element> = (element: Element, position: Int)

/// The elements of a range of a node's children; not of those without a value.
@inlinable @inline(__always)
func elementRows<Element>(_ reader: NodeReader<Element>, _ range: Range<Int>) -> [ElementRow<Element>] {
  var rows: [ElementRow<Element>] = []
  rows.reserveCapacity(range.count)
  reader.forEachSpan(in: range) { start, span in
    for index in span.indices { rows.append((span[index], start &+ index)) }
  }
  return rows
}

extension BackgroundWork {
  /// Takes all elements of a source, as they are at one time: shared, or else copied out in several turns of the domain.
  ///
  /// Where the source changes while elements are copied, that begins anew, but not for ever: at the fourth time it does not
  /// pause.
  ///
  /// - Parameters:
  ///   - source: the source.
  ///   - reader: reads it.
  ///   - progress: may cancel the work.
  ///   - pieceSize: how many elements a piece has; nil: so many that there are a few pieces for each core.
  ///   - copying: copies the elements of a range out.
  /// - Returns: the pieces, in order.
  /// - Throws: as `check(_:_:of:)` does.
  /// - Complexity: O(c) for c chunks that are shared; else O(n).
  func pieces<Element>(
    of source: any TreeNode<Element>, _ reader: NodeReader<Element>, _ progress: BackgroundProgress?,
    pieceSize: Int? = nil, copying: (NodeReader<Element>, Range<Int>) -> [ElementRow<Element>]
  ) async throws -> [SourcePiece<Element>] {
    let sharing = source as? any SharingNode<Element>
    var attempt = 0
    attempts: while true {
      attempt += 1
      begin()
      let version = version
      let count = source.count
      let size =
        BackgroundPacing.elements ?? pieceSize ?? Swift.max(4_096, count / (4 * BackgroundPacing.coreCount) + 1)
      var turns = Turns()
      var pieces: [SourcePiece<Element>] = []
      for start in stride(from: 0, to: count, by: size) {
        let range = start..<Swift.min(start + size, count)
        if let slices = sharing?.sharedSlices(of: range) {
          pieces.append(SourcePiece(range, .shared(slices)))
          continue
        }
        var rows: [ElementRow<Element>] = []
        rows.reserveCapacity(range.count)
        for part in stride(from: range.lowerBound, to: range.upperBound, by: 2_048) {
          rows += copying(reader, part..<Swift.min(part + 2_048, range.upperBound))
          guard attempt < 4, turns.isOver else { continue }
          await turns.pass()
          try check(progress)
          if version != self.version { continue attempts }
        }
        pieces.append(SourcePiece(range, .copied(rows)))
      }
      return pieces
    }
  }
}
