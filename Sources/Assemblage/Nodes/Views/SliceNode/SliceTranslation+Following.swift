// Children that leave the window, and come back to it in the same transaction.
extension SliceTranslation {
  /// Follows those that left through a change of the source, or of the window.
  ///
  /// - Parameters:
  ///   - change: the source's change; this translation's window and count are those after it.
  ///   - former: the translation before it.
  /// - Returns: what crosses the window's edges, and parents in the source.
  mutating func follow(_ change: ChangeSet, from former: SliceTranslation) -> [Crossing] {
    if change.crossings.isEmpty, !disappearances.isFollowing { return [] }
    let origins = disappearances.origins(of: change.crossings) { $0.mappingFirst(former.position) }
    var leaving: [(position: Int, former: Int)] = []
    var coming: [(position: Int, present: Int)] = []
    if disappearances.isFollowing {
      let map = Delta.PositionMap(change.delta)
      map.forEachRun(inOld: former.visible) { old, new in
        for position in new.outside(visible) {
          leaving.append((position, old.lowerBound + position - new.lowerBound - former.visible.lowerBound))
        }
      }
      if !disappearances.isEmpty {
        map.forEachRun(inNew: visible) { old, new in
          for source in old.outside(former.visible) {
            let position = new.lowerBound + source - old.lowerBound
            coming.append((position, position - visible.lowerBound))
          }
        }
      }
    }
    let present = visible
    return disappearances.follow(change, from: origins, leaving: leaving, coming: coming) {
      $0.mappingFirst { present.contains($0) ? $0 - present.lowerBound : nil }
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
