import OffsetIndexing

// What crosses between parents: a section has no row itself, and takes those of its children along.
extension FlattenTranslation {
  /// An end of a crossing as the rows see it.
  enum End {
    /// A row, something below one, or outside.
    case one(Crossing.End)
    /// A child of the source that is a node: no row itself, but all of these.
    case section(Range<Int>)

    /// The end of what is child number `row` of the one that crosses.
    fileprivate func row(_ row: Int) -> Crossing.End {
      switch self {
      case .one(let end): end.descendant(CollectionOfOne(row))
      case .section(let rows): .inside(Crossing.Place(CollectionOfOne(rows.lowerBound + row)))
      }
    }

    fileprivate var rowCount: Int? { if case .section(let rows) = self { rows.count } else { nil } }

    fileprivate var one: Crossing.End? { if case .one(let end) = self { end } else { nil } }
  }

  /// Leaves that an update makes sections, by their ordinals now and their former rows, and sections that it makes leaves.
  struct Turned {
    var leaving: [(position: Int, former: Int)] = []
    var toLeaves: [Int] = []
  }

  /// Where a crossing in the source begins: as the rows see it, and, for the child itself, as it left them.
  struct Origin {
    let end: End
    let own: Disappearances.Origin?
  }

  private static func flattened(
    _ end: Crossing.End, among members: JoinTranslation, isLeaf: (_ ordinal: Int) -> Bool
  ) -> End {
    guard case .inside(let place) = end else { return .one(end) }
    let rows = members.offsets.range(of: place.first)
    if isLeaf(place.first) { return .one(.inside(Crossing.Place([rows.lowerBound]))) }
    if place.depth == 1 { return .section(rows) }
    let components = place.components
    return .one(.inside(Crossing.Place([rows.lowerBound + components[1]] + components.dropFirst(2))))
  }

  /// Where crossings in the source begin; asked before the change is translated.
  func origins(of crossings: [Crossing]) -> [Origin] {
    if crossings.isEmpty { return [] }
    let ends = crossings.map { Self.flattened($0.from, among: members, isLeaf: isLeaf) }
    var remaining = ends.makeIterator()
    let own = disappearances.origins(of: crossings) { _ in remaining.next()!.one }
    return zip(ends, own).map { Origin(end: $0, own: $1) }
  }

  /// What the crossings in the source, and leaves that became sections or the other way round, are among the rows.
  ///
  /// - Parameters:
  ///   - change: the source's change; members, sizes and leaves are those after it.
  ///   - origins: where its crossings begin.
  ///   - turned: the leaves and sections that an update made the other.
  ///   - isLeaf: whether a child of the source is a leaf now.
  /// - Returns: the crossings of the rows.
  /// - Complexity: O((x + u) · log k + r) for x crossings, u updates, k sections that are followed, and the r rows of the
  ///   sections that cross.
  mutating func crossings(
    of change: ChangeSet, from origins: [Origin], _ turned: Turned, isLeaf: (_ ordinal: Int) -> Bool
  ) -> [Crossing] {
    if origins.isEmpty, !disappearances.isFollowing { return [] }
    let members = members
    func flattened(_ end: Crossing.End) -> End { Self.flattened(end, among: members, isLeaf: isLeaf) }
    let passages = zip(change.crossings, origins).map { crossing, origin in
      Passage(crossing, from: origin.end, to: flattened(crossing.to))
    }
    // The children themselves: a section is a row that is hidden.
    var own = ChangeSet(change.level)
    own.crossings = passages.map(\.own)
    let coming = turned.toLeaves.map { (position: $0, present: members.offsets.offset(of: $0)) }
    let result = disappearances.follow(
      own, from: origins.map(\.own), leaving: turned.leaving, coming: coming
    ) { flattened($0).one }
    if passages.count == 1 { return result + passages[0].rows() }
    // A section may be told to leave before its children are told to have left it, which crossed by themselves.
    let alone = Set(passages.lazy.compactMap(\.from.one))
    return result + passages.flatMap { $0.rows().filter { !alone.contains($0.from) } }
  }

  /// A crossing in the source and its ends as the rows see them.
  private struct Passage {
    let crossing: Crossing
    let from: End
    let to: End
    /// How many children there were before and are after, where an end is a section; nil where they cannot be told.
    let counts: (old: Int, new: Int)?

    init(_ crossing: Crossing, from: End, to: End) {
      (self.crossing, self.from, self.to) = (crossing, from, to)
      let delta = crossing.change.level
      let old = from.rowCount ?? to.rowCount.map { $0 - delta.countChange }
      counts = old.flatMap { old in
        let new = old + delta.countChange
        // A leaf became a node, or a node a leaf.
        return old >= delta.oldExtent && to.rowCount ?? new == new ? (old, new) : nil
      }
    }

    /// The crossing of the child itself: its children leave it where it becomes a section, and come where it becomes a row.
    var own: Crossing {
      var crossing = crossing
      if case (.one, .one) = (from, to) { return crossing }
      var delta = Delta()
      if let counts {
        if case .one = from, counts.old > 0 { delta = .removal(0..<counts.old) }
        if case .one = to, counts.new > 0 { delta = .insertion(0..<counts.new) }
      }
      crossing.change = ChangeSet(delta: delta, updatesValue: crossing.change.updatesValue, children: [])
      return crossing
    }

    /// Those of its children, where an end is a section.
    ///
    /// - Complexity: O(r) for a section of r rows.
    func rows() -> [Crossing] {
      guard let counts else { return [] }
      let changes = crossing.change.hasChildren ? ChangeSetMap(crossing.change) : nil
      let updates = crossing.change.level.updates
      var result: [Crossing] = []
      for piece in crossing.change.level.pieces(oldCount: counts.old) {
        for offset in 0..<piece.count {
          let row = piece.new + offset
          var change = ChangeSet(updatesValue: updates.contains(position: row))
          if let changes, let finding = changes.find(before: [row]) { change = changes.change(of: finding) }
          result.append(Crossing(from: from.row(piece.old + offset), to: to.row(row), change: change))
        }
      }
      return result
    }
  }
}
