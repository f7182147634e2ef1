// Who leaves the window, and comes back to it in the same transaction.
extension SliceTranslation {
  /// Follows those who left through a change of the source, or of the window.
  ///
  /// - Parameters:
  ///   - change: the source's change; this translation's window and count are those after it.
  ///   - former: the translation before it.
  /// - Returns: what crosses the window's edges, and parents in the source.
  mutating func follow(_ change: ChangeSet, from former: SliceTranslation) -> [Crossing] {
    let map = Delta.PositionMap(change.delta)
    let origins = change.crossings.map { former.end($0.from) }
    left?.translate(change.delta)
    var crossings = departures(from: former, map)
    noteChanges(change, from: former, map)
    crossings += arrivals(from: former, map)
    for (crossing, origin) in zip(change.crossings, origins) {
      if let origin, let visible = translate(crossing, from: origin) { crossings.append(visible) }
    }
    return crossings
  }

  /// Where a child that leaves its parent was in the slice; nil: nowhere.
  private func end(_ end: Crossing.End) -> Crossing.End? {
    guard case .inside(var place) = end else { return end }
    if let position = position(of: place.first) {
      place.first = position
      return .inside(place)
    }
    return place.depth == 1 ? left?.token(at: place.first).map { .outside($0) } : nil
  }

  /// Those who were in the window and are outside now.
  private mutating func departures(from former: SliceTranslation, _ map: Delta.PositionMap) -> [Crossing] {
    var leaving: [(position: Int, former: Int)] = []
    map.forEachRun(inOld: former.visible) { old, new in
      for position in new.outside(visible) {
        leaving.append((position, old.lowerBound + position - new.lowerBound - former.visible.lowerBound))
      }
    }
    return leaving.map { place in
      let token = Crossing.Token()
      left?.insert(token, at: place.position)
      return Crossing(departureOf: token, from: place.former)
    }
  }

  /// Those who left, were outside and are in the window now.
  private func arrivals(from former: SliceTranslation, _ map: Delta.PositionMap) -> [Crossing] {
    guard let left, !left.isEmpty else { return [] }
    var crossings: [Crossing] = []
    map.forEachRun(inNew: visible) { old, new in
      for source in old.outside(former.visible) {
        let position = new.lowerBound + source - old.lowerBound
        if let token = left.token(at: position) {
          crossings.append(
            Crossing(arrivalOf: token, at: position - visible.lowerBound, left.change(of: token)))
        }
      }
    }
    return crossings
  }

  /// Notes what happened to those who were outside before or are so now: the slice's own change says nothing of it.
  private mutating func noteChanges(_ change: ChangeSet, from former: SliceTranslation, _ map: Delta.PositionMap) {
    guard let left, !left.isEmpty else { return }
    func note(_ change: ChangeSet, at position: Int) {
      guard let token = left.token(at: position), let source = map.position(before: position) else { return }
      if visible.contains(position), former.visible.contains(source) { return }
      self.left?.note(change, of: token)
    }
    for position in change.delta.updates.joined() { note(ChangeSet(updatesValue: true), at: position) }
    for child in change.children {
      var inner = child.change
      inner.updatesValue = false
      note(inner, at: child.position)
    }
  }

  /// Translates what crosses between parents in the source.
  private mutating func translate(_ crossing: Crossing, from origin: Crossing.End) -> Crossing? {
    var result = crossing
    result.from = origin
    // What it became while it was outside has not been told.
    if case .inside = crossing.from, case .outside(let token) = origin, let left {
      result.change = left.change(of: token).composed(with: crossing.change)
    }
    guard case .inside(var place) = crossing.to else { return result }
    if let position = position(of: place.first) {
      place.first = position
      result.to = .inside(place)
      return result
    }
    guard place.depth == 1 else { return nil }
    switch origin {
    case .outside(let token):
      left?.insert(token, at: place.first, result.change)
      return nil
    case .inside:
      let token = Crossing.Token()
      left?.insert(token, at: place.first, crossing.change)
      return Crossing(from: origin, to: .outside(token), change: ChangeSet())
    }
  }
}

extension Range<Int> {
  /// The numbers that are not in another range.
  fileprivate func outside(_ other: Range<Int>) -> [Int] {
    Array(lowerBound..<Swift.max(lowerBound, Swift.min(upperBound, other.lowerBound)))
      + Array(Swift.min(upperBound, Swift.max(lowerBound, other.upperBound))..<upperBound)
  }
}
