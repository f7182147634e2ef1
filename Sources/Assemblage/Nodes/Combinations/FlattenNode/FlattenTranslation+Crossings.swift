import OffsetIndexing

// Moves between parents. A section has no row itself: when it moves, the rows of its children move.
extension FlattenTranslation {
  /// An end of a crossing, in the index space of the rows.
  enum End {
    case outside
    /// A row, or a place below a row.
    case row(Crossing.Place)
    /// A child of the source that is a node; it has no row itself, and these are the rows of its children.
    case section(Range<Int>)

    /// The place of a child of the node that crosses.
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

  /// Converts a place in the source to a place among the rows; the place and the translation are both before or both
  /// after the change.
  func end(_ place: Crossing.Place?) -> End {
    guard let place else { return .outside }
    let rows = range(of: place.first)
    if isLeaf(place.first) { return .row(Crossing.Place(rows.lowerBound)) }
    if place.depth == 1 { return .section(rows) }
    let components = place.components
    return .row(Crossing.Place([rows.lowerBound + components[1]] + components.dropFirst(2)))
  }

  /// The crossings of the rows, after the change of the source.
  ///
  /// - Parameters:
  ///   - crossings: the crossings of the source; the members, their counts and the leaves are already those after the
  ///     change.
  ///   - origins: the starts of the crossings, as `end(_:)` returned them before the change.
  /// - Returns: the crossings of the rows, in any order.
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
      // The parent at which the child arrives reports the change of the child itself.
      if isTransfer, crossing.to == nil { crossing.change = ChangeSet() }
      result.append(crossing)
    }
    // The departure of a section may not know which children have left the section by themselves.
    let alone = Set(result.lazy.compactMap(\.from))
    return result + rows.filter { $0.from.map { !alone.contains($0) } ?? true }
  }

  /// The crossings of the children of a node that crosses, where one of the two ends is a section.
  private static func rows(of crossing: Crossing, from origin: End, to destination: End) -> [Crossing] {
    let delta = crossing.change.level
    guard let oldCount = origin.rowCount ?? destination.rowCount.map({ $0 - delta.countChange }) else { return [] }
    let newCount = oldCount + delta.countChange
    // A leaf may have become a node, or a node may have become a leaf.
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
  /// The number of the move that a child makes together with its parent, which is the same at both ends.
  ///
  /// Multiples of the golden ratio are far apart, so that the numbers of different children differ.
  ///
  /// - Parameter position: the child's position when its parent moved.
  /// - Returns: the number.
  fileprivate func name(ofChild position: Int) -> Int {
    name &* Int(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64) &+ position
  }
}
