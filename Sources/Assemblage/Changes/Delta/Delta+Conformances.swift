extension Delta: CustomStringConvertible {
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
