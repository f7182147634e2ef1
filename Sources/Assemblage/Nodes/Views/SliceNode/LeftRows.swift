import OffsetIndexing

/// The children that left a window in the transaction under way, and may come back to it.
///
/// A child that leaves and comes back has survived the transaction. The slice tells of the first as of a departure and of
/// the second as of an arrival with the same token, so that composing makes one of both (see `Crossing`). In between, this
/// structure follows the child's place in the source, and what happens to it.
struct LeftRows {
  private var rows = HiddenRows()
  private var changes: [Crossing.Token: ChangeSet] = [:]

  var isEmpty: Bool { rows.isEmpty }

  /// The token of the child at a position of the source, or nil where nobody left who is there now.
  func token(at position: Int) -> Crossing.Token? { rows.token(at: position) }

  /// What happened to a child since it left.
  func change(of token: Crossing.Token) -> ChangeSet { changes[token] ?? ChangeSet() }

  /// Notes that the child at a position of the source has left.
  mutating func insert(_ token: Crossing.Token, at position: Int, _ change: ChangeSet = ChangeSet()) {
    rows.insert(token, at: position)
    changes[token] = change.isEmpty ? nil : change
  }

  /// Notes what happens to a child that has left.
  mutating func note(_ change: ChangeSet, of token: Crossing.Token) {
    changes[token] = self.change(of: token).composed(with: change)
  }

  /// Follows a change of the source.
  mutating func translate(_ delta: Delta) { rows.translate(delta) }
}
