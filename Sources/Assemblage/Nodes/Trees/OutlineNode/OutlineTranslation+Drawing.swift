public import OffsetIndexing

// What is drawn of rows, as far as counts tell.
extension OutlineTranslation {
  /// Neighbours without records.
  @usableFromInline
  struct LeafRun {
    @usableFromInline let parent: Record
    @usableFromInline let positions: Range<Int>
    /// The row of the first.
    @usableFromInline let row: Int
  }

  /// What is drawn of a row beside its value, as far as records tell.
  ///
  /// - Parameters:
  ///   - row: `0..<count`.
  ///   - knowsNodes: whether each child that is a node has a record, where everything is expanded.
  /// - Returns: what is drawn; and the record of the parent, the position there, and whether that is all that is to be known. The
  ///   child may be a node otherwise that has children, or will have.
  /// - Complexity: O(log n).
  @usableFromInline
  func look(at row: Int, knowsNodes: Bool) -> (look: OutlineLook, parent: Record, position: Int, isKnown: Bool) {
    let place = shape.locate(row)
    let record = unlessParked(place.branch)
    let look = OutlineLook(
      depth: place.depth, hasChildren: record.map { shape.childCount(of: $0) > 0 } ?? false,
      isExpanded: record.map(isExpanded) ?? false,
      isLastSibling: place.position == shape.childCount(of: place.parent) - 1)
    let isLeaf = knowsNodes && place.branch == nil && marks(of: place.parent).contains(.full)
    return (look, place.parent, place.position, look.hasChildren || isLeaf)
  }

  /// What is drawn of each row of a range beside its value, as far as records tell.
  ///
  /// - Parameters:
  ///   - range: within `0..<count`.
  ///   - knowsNodes: as for `look(at:knowsNodes:)`.
  ///   - leaves: receives the runs of children without a record, or with one without rows, which may be nodes as well that have
  ///     children, or will have.
  /// - Returns: what is drawn, row by row.
  /// - Complexity: O(log n + k) for k rows; O(log n) more for each node whose rows end in the range, and began before.
  @usableFromInline
  func looks(in range: Range<Int>, knowsNodes: Bool, _ leaves: inout [LeafRun]) -> [OutlineLook] {
    var looks: [OutlineLook] = []
    looks.reserveCapacity(range.count)
    var runs = shape.runs(in: range)
    while let run = runs.next() {
      let end = shape.childCount(of: run.parent)
      if let record = unlessParked(run.branch) {
        looks.append(
          OutlineLook(
            depth: run.depth, hasChildren: shape.childCount(of: record) > 0, isExpanded: !shape.isCollapsed(record),
            isLastSibling: run.positions.upperBound == end))
        if looks.last?.hasChildren == false {
          leaves.append(LeafRun(parent: run.parent, positions: run.positions, row: run.numbers.lowerBound))
        }
        continue
      }
      for position in run.positions {
        looks.append(
          OutlineLook(depth: run.depth, hasChildren: false, isExpanded: false, isLastSibling: position == end - 1))
      }
      if knowsNodes, run.branch == nil, marks(of: run.parent).contains(.full) { continue }
      leaves.append(LeafRun(parent: run.parent, positions: run.positions, row: run.numbers.lowerBound))
    }
    return looks
  }
}
