/// Computes the difference of two snapshots whose places have been matched.
///
/// A survivor *stays* if its parents before and after the change match too. Then its change is a part of its parent's
/// change. Otherwise the survivor is transferred, and its change is separate. The delta of a place's children depends
/// only on which children had the same parent before. So each delta is computed alone, whatever happened above and
/// below. A parent that moved into its own child is no special case.
@usableFromInline
struct SnapshotDifference {
  private let oldStarts: [Int]
  private let newStarts: [Int]
  private let origins: [Int]
  private let isUpdated: [Bool]
  private let oldParents: [Int]
  private let newParents: [Int]
  /// The deltas of the places after the change whose children changed, and their indexes by place; -1: none.
  private var deltas: [Delta] = []
  private var deltaIndexes: [Int]
  /// Whether the children of a place changed, or a place below a child that stays.
  private var isChanged: [Bool]

  @usableFromInline
  init(_ matcher: consuming SnapshotMatcher) {
    oldStarts = matcher.oldStarts
    newStarts = matcher.newStarts
    origins = matcher.origins
    isUpdated = matcher.isUpdated
    oldParents = Self.parents(oldStarts)
    newParents = Self.parents(newStarts)
    deltaIndexes = [Int](repeating: -1, count: origins.count)
    isChanged = [Bool](repeating: false, count: origins.count)
    // From the last to the first: children before their parents.
    for place in origins.indices.reversed() where origins[place] >= 0 {
      if let delta = delta(of: place) {
        deltaIndexes[place] = deltas.count
        deltas.append(delta)
        isChanged[place] = true
      }
      if isChanged[place] && place > 0 && stays(place) { isChanged[newParents[place]] = true }
    }
  }

  private static func parents(_ starts: [Int]) -> [Int] {
    var parents = [Int](repeating: -1, count: starts.count - 1)
    for parent in parents.indices {
      for child in starts[parent]..<starts[parent + 1] { parents[child] = parent }
    }
    return parents
  }

  /// Whether a survivor other than the root still has its former parent.
  private func stays(_ place: Int) -> Bool { origins[newParents[place]] == oldParents[origins[place]] }

  /// The delta of a survivor's children; nil where nothing changed.
  private func delta(of place: Int) -> Delta? {
    let old = oldStarts[origins[place]]..<oldStarts[origins[place] + 1]
    let new = newStarts[place]..<newStarts[place + 1]
    if old.count == new.count
      && new.allSatisfy({ origins[$0] == $0 - new.lowerBound + old.lowerBound && !isUpdated[$0] })
    {
      return nil
    }
    var matching = Delta.Matching()
    for child in new where old.contains(origins[child]) {
      matching.append(
        origins[child] - old.lowerBound, child - new.lowerBound, isUpdated: isUpdated[child])
    }
    return matching.finish(oldCount: old.count, newCount: new.count)
  }

  /// The difference.
  @usableFromInline
  func changeSet() -> ChangeSet {
    var result = change(of: 0)
    // `TreeSnapshot.difference(to:id:areEqual:)` gives the reason for this limit.
    var budget = max(1 << 22, 64 * (oldParents.count + newParents.count))
    for place in origins.indices.dropFirst() where origins[place] >= 0 && !stays(place) {
      guard let source = Self.place(origins[place], oldStarts, oldParents, &budget),
        let destination = Self.place(place, newStarts, newParents, &budget)
      else { break }
      result.crossings.append(Crossing(from: source, to: destination, change: change(of: place)))
    }
    result.checkInvariants()
    return result
  }

  /// The path of a place; nil where the path is longer than `budget`. Its length is subtracted from `budget`.
  private static func place(
    _ place: Int, _ starts: [Int], _ parents: [Int], _ budget: inout Int
  ) -> Crossing.Place? {
    var components: [Int] = []
    var place = place
    while place > 0 {
      if budget == 0 { return nil }
      budget -= 1
      components.append(place - starts[parents[place]])
      place = parents[place]
    }
    return Crossing.Place(components.reversed())
  }

  /// The change of a survivor and of the places inside it, without transferred places.
  private func change(of place: Int) -> ChangeSet {
    ChangeSet(
      gathering: place, updatesValue: isUpdated[place],
      delta: { deltaIndexes[$0] < 0 ? Delta() : deltas[deltaIndexes[$0]] }
    ) { parent in
      let children = newStarts[parent]..<newStarts[parent + 1]
      return children.lazy.filter { isChanged[$0] && origins[$0] >= 0 && stays($0) }.map {
        (position: $0 - children.lowerBound, key: $0)
      }
    }
  }
}
