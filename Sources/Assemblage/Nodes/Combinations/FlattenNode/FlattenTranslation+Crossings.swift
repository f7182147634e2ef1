import OffsetIndexing

// Moves between parents: a section has no row itself, and moves the rows of its children.
extension FlattenTranslation {
  /// An end of a crossing as the rows see it.
  enum End {
    case outside
    /// A row, or something below one.
    case row(Crossing.Place)
    /// A child of the source that is a node: it has no row itself, and these are its children's.
    case section(Range<Int>)

    /// The place of a child of the one that crosses.
    fileprivate func child(_ position: Int) -> Crossing.Place? {
      switch self {
      case .outside: nil
      case .row(let place): Crossing.Place(place.components + [position])
      case .section(let rows): Crossing.Place(rows.lowerBound + position)
      }
    }

    fileprivate var rowCount: Int? { if case .section(let rows) = self { rows.count } else { nil } }

    fileprivate var place: Crossing.Place? { if case .row(let place) = self { place } else { nil } }
  }

  /// Where a place in the source is among the rows, all of which are asked for at the same side of the change.
  func end(_ place: Crossing.Place?) -> End {
    guard let place else { return .outside }
    let rows = range(of: place.first)
    if isLeaf(place.first) { return .row(Crossing.Place(rows.lowerBound)) }
    if place.depth == 1 { return .section(rows) }
    let components = place.components
    return .row(Crossing.Place([rows.lowerBound + components[1]] + components.dropFirst(2)))
  }

  /// The crossings of the rows.
  ///
  /// - Parameters:
  ///   - crossings: those of the source; members, sizes and leaves are those after the change.
  ///   - origins: where each of them begins, as `end(_:)` said before the change.
  /// - Returns: the crossings, in any order.
  /// - Complexity: O(x · log m + r) for x crossings and m members, and the r rows of the sections that cross.
  func crossings(of crossings: [Crossing], from origins: [End]) -> [Crossing] {
    var result: [Crossing] = []
    var rows: [Crossing] = []
    for (var crossing, origin) in zip(crossings, origins) {
      let destination = end(crossing.to)
      if origin.rowCount != nil || destination.rowCount != nil {
        rows += Self.rows(of: crossing, from: origin, to: destination)
      }
      let isTransfer = crossing.places != nil
      (crossing.from, crossing.to) = (origin.place, destination.place)
      if crossing.from == nil && crossing.to == nil { continue }
      // The parent that the child enters reports the child's own change.
      if isTransfer, crossing.to == nil { crossing.change = ChangeSet() }
      result.append(crossing)
    }
    // The departure of a section may not say which children have left the section by themselves.
    let alone = Set(result.lazy.compactMap(\.from))
    return result + rows.filter { $0.from.map { !alone.contains($0) } ?? true }
  }

  /// The crossings of the children of one that crosses, where one of its ends is a section.
  private static func rows(of crossing: Crossing, from origin: End, to destination: End) -> [Crossing] {
    let delta = crossing.change.level
    guard let oldCount = origin.rowCount ?? destination.rowCount.map({ $0 - delta.countChange }) else { return [] }
    let newCount = oldCount + delta.countChange
    // A leaf may have become a node, or a node a leaf.
    if oldCount < delta.oldExtent || destination.rowCount ?? newCount != newCount { return [] }
    let changes = ChangeSetMap(crossing.change)
    var result: [Crossing] = []
    for piece in delta.pieces(oldCount: oldCount) {
      for (old, new) in zip(piece.old..<piece.old + piece.count, piece.new..<piece.new + piece.count) {
        let change = changes.find(before: [new]).map { changes.change(of: $0) } ?? ChangeSet()
        let name = crossing.name(ofChild: crossing.isDeparture ? new : old)
        result.append(Crossing(name, from: origin.child(old), to: destination.child(new), change: change))
      }
    }
    return result
  }
}

extension Crossing {
  /// The number of the move that a child of this one's child makes along with it: the same at both ends.
  ///
  /// Multiples of the golden ratio lie far from each other, so that the numbers of different children differ.
  ///
  /// - Parameter position: where the child was when its parent moved.
  /// - Returns: the number.
  fileprivate func name(ofChild position: Int) -> Int {
    name &* Int(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64) &+ position
  }
}
