extension GroupTranslation {
  /// What left its place in a transaction, and survives it where it comes back.
  ///
  /// The group tells of the first as of a departure and of the second as of an arrival with the same token, so that composing
  /// makes one of both (see `Crossing`).
  struct Transaction {
    let number: Int
    /// The sections that vanished, by slot: a section is its key.
    var vanished: [Int: Crossing.Token] = [:]
    /// What the rows are told with that went to other sections, or came from outside, by their position in the source.
    private var rows = HiddenRows()
    /// Such rows that left the source, by what they left it with; and the sections from which they did.
    private var away: [Crossing.Token: (token: Crossing.Token, slot: Int)] = [:]
    /// Which of them were updated since.
    private var updated: Set<Crossing.Token> = []

    init(number: Int) { self.number = number }
  }
}

extension GroupTranslation.Transaction {
  /// Follows rows through a change of the source, before it is carried out.
  mutating func follow(_ change: ChangeSet, _ index: SectionIndex) {
    for crossing in change.crossings {
      guard case .outside(let next) = crossing.to else { continue }
      switch crossing.from {
      case .inside(let place):
        guard place.depth == 1 else { continue }
        note(crossing.change, at: place.first)
        if let token = rows.token(at: place.first) { away[next] = (token, index.place(of: place.first).slot) }
      case .outside(let token): away[next] = away.removeValue(forKey: token)
      }
    }
    rows.translate(change.level)
  }

  /// The rows that a change of the source removes, by their positions before it, and what they are told with.
  func rows(lostBy delta: Delta) -> [(position: Int, token: Crossing.Token)] {
    rows.isEmpty ? [] : delta.removals.flatMap { rows.rows(in: $0) }
  }

  /// Tells rows with what they were told with before the change that is taken back.
  mutating func restore(_ lost: [(position: Int, token: Crossing.Token)]) {
    for (position, token) in lost where rows.token(at: position) == nil { rows.insert(token, at: position) }
  }

  /// Notes what happened to rows that stay where they are.
  mutating func noteInside(_ change: ChangeSet) {
    if rows.isEmpty { return }
    for position in change.level.updates.joined() { note(ChangeSet(updatesValue: true), at: position) }
    for child in change.children { note(child.change, at: child.position) }
  }

  /// What a row is told with that goes from one section to another.
  mutating func pass(_ position: Int) -> Crossing.Token {
    if let token = rows.token(at: position) { return token }
    let token = Crossing.Token()
    rows.insert(token, at: position)
    return token
  }

  /// What a row is told with that comes from outside; and, where that is not what it left with, the section that it left.
  mutating func comeBack(_ position: Int, _ token: Crossing.Token, to slot: Int) -> (
    token: Crossing.Token, former: Int?
  ) {
    let former = away.removeValue(forKey: token)
    rows.insert(former?.token ?? token, at: position)
    guard let former, former.slot != slot else { return (token, nil) }
    return (former.token, former.slot)
  }

  /// Notes what happened to a row where the sections that it has left do not hear of it.
  ///
  /// - Returns: whether the row was updated since it was first told with its token.
  @discardableResult
  mutating func note(_ change: ChangeSet, at position: Int) -> Bool {
    guard let token = rows.token(at: position) else { return false }
    if change.updatesValue { updated.insert(token) }
    // What happened inside cannot be told twice where both sections are shown: from now on the row is another one to those
    // that it has left.
    if change.hasChildren || !change.level.isEmpty { rows.insert(Crossing.Token(), at: position) }
    return updated.contains(token)
  }
}
