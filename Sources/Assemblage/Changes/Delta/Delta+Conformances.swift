extension Delta: Hashable, CustomStringConvertible {
  /// Whether two deltas describe the same change.
  public static func == (left: Delta, right: Delta) -> Bool {
    switch (left.storage, right.storage) {
    case (.identity, .identity): true
    case (.insertion(let left), .insertion(let right)): left == right
    case (.removal(let left), .removal(let right)): left == right
    case (.update(let left), .update(let right)): left == right
    case (.several(let left), .several(let right)):
      left === right
        || (left.removals == right.removals && left.insertions == right.insertions
          && left.updates == right.updates && left.moves == right.moves)
    default: false
    }
  }

  /// Hashes the change: equal deltas have equal hashes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(removals)
    hasher.combine(insertions)
    hasher.combine(updates)
    hasher.combine(moves)
  }

  /// A text like `[-1, +2..<5, ~0, 7→3]`: the removed, inserted, updated and moved positions.
  public var description: String {
    let parts =
      removals.map { "-\(Self.text($0))" } + insertions.map { "+\(Self.text($0))" }
      + updates.map { "~\(Self.text($0))" } + moves.map(\.description)
    return "[\(parts.joined(separator: ", "))]"
  }

  /// `3` for one element, `3..<5` for several.
  static func text(_ range: Range<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)..<\(range.upperBound)"
  }
}
