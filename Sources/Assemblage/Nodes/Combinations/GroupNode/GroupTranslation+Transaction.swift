extension GroupTranslation {
  /// What left its place in a transaction, and survives it where it comes back.
  ///
  /// The group tells of the first as of a departure and of the second as of an arrival with the same token, so that composing
  /// makes one of both (see `Crossing`). That is enough for those who see the whole group. Who observes one section does not
  /// hear what happens to a row meanwhile, or below it; so the row has another token after each such change, and links lead
  /// from one to the next:
  ///
  /// ```text
  ///     R → R'         something happened to the row, and inside it
  ///     R/0.2 → X      a part of it went elsewhere
  ///     X → R'/1       something came below it
  /// ```
  ///
  /// What happens is written down; the links are made when somebody is told with a token, so that those of many changes are one.
  struct Transaction {
    let number: Int
    /// The sections that vanished, by slot: a section is its key.
    var vanished: [Int: Crossing.Token] = [:]
    /// The links that observers may need.
    private(set) var links: [Crossing] = []
    /// What the rows are told with that went to other sections, or came from outside, or below which something came, by their
    /// position in the source.
    private var rows = HiddenRows()
    /// What happened before a row got a token.
    private var steps: [Crossing.Token: Step] = [:]
    /// What rows, and parts of them, were told with before the source told that they left with a token.
    private var origins: [Crossing.Token: Crossing.Token] = [:]

    init(number: Int) { self.number = number }
  }

  /// What happened to a row.
  private struct Step {
    /// What it was told with before; nil where it was told with nothing.
    let former: Crossing.Token?
    /// What happened to it and inside it; what crosses has the row as its root.
    let change: ChangeSet
    /// Whether something crossed in this step or in one before it that was not told.
    let hasCrossings: Bool
    /// Whether the links up to here have been made.
    var isTold = false
  }
}

extension GroupTranslation.Transaction {
  /// Follows rows through a change of the source, before it is carried out.
  ///
  /// - Returns: for each crossing of the change, what the row was told with in which it begins; nil where that is none.
  mutating func follow(_ change: ChangeSet) -> [Crossing.Token?] {
    if rows.isEmpty { return change.crossings.map { _ in nil } }
    let origins = change.crossings.map { crossing -> Crossing.Token? in
      guard case .inside(let place) = crossing.from, let token = rows.token(at: place.first) else { return nil }
      if place.depth == 1 { tell(token) }
      return token
    }
    for (_, token) in lostRows(change.level) { tellCrossings(token) }
    rows.translate(change.level)
    return origins
  }

  private func lostRows(_ delta: Delta) -> [(position: Int, token: Crossing.Token)] {
    delta.removals.flatMap { rows.rows(in: $0) }
  }

  /// The rows that a change of the source removes, or to which it tells that something happened, by their positions before it,
  /// and what they are told with.
  func rows(touchedBy change: ChangeSet) -> [(position: Int, token: Crossing.Token)] {
    if rows.isEmpty { return [] }
    let map = Delta.PositionMap(change.level)
    let changed = change.level.updates.joined() + change.children.map(\.position)
    return lostRows(change.level)
      + changed.compactMap { position in
        guard let former = map.position(before: position), let token = rows.token(at: former) else { return nil }
        return (former, token)
      }
  }

  /// Tells rows with what they were told with before the change that is taken back.
  ///
  /// - Parameters:
  ///   - former: what `rows(touchedBy:)` returned for that change.
  ///   - inverse: what takes it back, where it is going to be carried out: those have the same tokens then with which rows go
  ///     to other sections; nil after it.
  mutating func restore(_ former: [(position: Int, token: Crossing.Token)], before inverse: Delta? = nil) {
    if former.isEmpty { return }
    let map = inverse.map { Delta.PositionMap($0) }
    for (position, token) in former {
      let position = map.map { $0.position(before: position) } ?? position
      if let position { rows.insert(token, at: position) }
    }
  }

  /// What a row is told with that goes from one section to another.
  mutating func pass(_ position: Int) -> Crossing.Token {
    if let token = rows.token(at: position) {
      tell(token)
      return token
    }
    let token = Crossing.Token()
    rows.insert(token, at: position)
    return token
  }

  /// What a row is told with that was told with a token before and goes elsewhere in the source, or what is below it.
  ///
  /// A section that the row left with that token knows what comes back.
  mutating func pass(_ end: Crossing.End, in origin: Crossing.Token) -> Crossing.Token? {
    guard case .inside(let place) = end else { return nil }
    tell(origin)
    return origin.descendant(place.droppingFirst.components)
  }

  /// Notes what a change did to rows, after it was carried out and after rows have passed.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - tokens: what each of its crossings was told with.
  ///   - origins: what `follow(_:)` returned.
  mutating func note(_ change: ChangeSet, tokens: [Crossing.Token], origins: [Crossing.Token?]) {
    var departures: [Crossing.Token: [Crossing]] = [:]
    var arrivals: [Int: [Crossing]] = [:]
    var coming: [Int: ChangeSet] = [:]
    for (crossing, (token, origin)) in zip(change.crossings, zip(tokens, origins)) {
      var end = Crossing(from: .outside(token), to: .outside(token), change: crossing.change)
      switch crossing.to {
      case .outside:
        if case .outside = crossing.from { links.append(crossing) }
      case .inside(let place):
        if place.depth == 1 {
          rows.insert(token, at: place.first)
          coming[place.first] = crossing.change
        } else {
          end.to = .inside(place.droppingFirst)
          arrivals[place.first, default: []].append(end)
        }
        end.change = ChangeSet()
      }
      guard case .inside(let place) = crossing.from, let origin else { continue }
      self.origins[token] = origin.descendant(place.droppingFirst.components)
      (end.from, end.to) = (.inside(place.droppingFirst), .outside(token))
      if place.depth == 1 {
        if token != origin { links.append(Crossing(from: .outside(origin), to: .outside(token), change: end.change)) }
      } else {
        departures[origin, default: []].append(end)
      }
    }
    if rows.isEmpty, arrivals.isEmpty { return }

    func note(_ inside: ChangeSet, at position: Int, in transaction: inout Self) {
      var inside = inside
      let token = transaction.rows.token(at: position)
      if let token, let left = departures.removeValue(forKey: token) { inside.crossings += left }
      if let came = arrivals.removeValue(forKey: position) { inside.crossings += came }
      if token != nil || !inside.crossings.isEmpty { transaction.append(inside, after: token, at: position) }
    }
    for (position, change) in coming where !change.isSilent || arrivals[position] != nil {
      note(change, at: position, in: &self)
    }
    var children: Set<Int> = []
    for child in change.children {
      children.insert(child.position)
      note(child.change, at: child.position, in: &self)
    }
    for position in change.level.updates.joined() where !children.contains(position) {
      note(ChangeSet(updatesValue: true), at: position, in: &self)
    }
    // What is left came below rows that are new themselves, such as parents that came after their children,
    for position in arrivals.keys.sorted() { note(ChangeSet(), at: position, in: &self) }
    // or crossed below rows that went away in the same change.
    for (origin, left) in departures {
      tell(origin)
      for crossing in left { link(crossing, origin, nil) }
    }
  }

  private mutating func append(_ change: ChangeSet, after former: Crossing.Token?, at position: Int) {
    let known = former.flatMap { steps[$0] }
    let token = Crossing.Token()
    steps[token] = GroupTranslation.Step(
      former: former, change: change,
      hasCrossings: !change.crossings.isEmpty || known.map { $0.hasCrossings && !$0.isTold } ?? false)
    rows.insert(token, at: position)
  }

  /// Makes the links that say what went from below rows elsewhere, at the end of the transaction.
  mutating func finish() {
    for (_, token) in rows.all { tellCrossings(token) }
  }

  private mutating func tellCrossings(_ token: Crossing.Token) {
    if let step = steps[token], step.hasCrossings { tell(token) }
  }

  /// Makes the links from the last token that somebody was told with to one with which somebody is told now.
  private mutating func tell(_ token: Crossing.Token) {
    var changes: [ChangeSet] = []
    var former: Crossing.Token? = token
    while let next = former, let step = steps[next], !step.isTold {
      changes.append(step.change)
      former = step.former
    }
    if changes.isEmpty { return }
    steps[token]!.isTold = true
    var composer = ChangeSetComposer()
    for change in changes.reversed() { composer.append(change) }
    var change = composer.composed()
    let crossings = change.crossings
    change.crossings = []
    if let former { links.append(Crossing(from: .outside(former), to: .outside(token), change: change)) }
    for crossing in crossings { link(crossing, former, token) }
  }

  /// Makes the link of a crossing below a row, where both of its ends are known by tokens.
  private mutating func link(_ crossing: Crossing, _ former: Crossing.Token?, _ token: Crossing.Token?) {
    guard let from = crossing.from.below(former), let to = crossing.to.below(token), from != to else { return }
    links.append(Crossing(from: from, to: to, change: crossing.change))
  }

  /// What a row, or a part of one, was told with before it got a token, and what happened to it in between; nil where that is
  /// nothing.
  ///
  /// It needs no links: those of a row that loses its parts one by one would be as many as these, one after the other.
  ///
  /// - Complexity: O(s) for s nodes of the changes of the row in the step before.
  func former(of token: Crossing.Token) -> (token: Crossing.Token, change: ChangeSet)? {
    // Views see all tokens of one move alike.
    let own = token.unseen
    guard let lens = Crossing.Lens(own, seenAs: token), let (former, change) = step(to: own) else { return nil }
    return (lens(former), change)
  }

  private func step(to token: Crossing.Token) -> (token: Crossing.Token, change: ChangeSet)? {
    if let origin = origins[token] { return (origin, ChangeSet()) }
    for (row, path) in [(token, [])] + token.ancestors {
      guard let step = steps[row], let former = step.former else { continue }
      let map = ChangeSetMap(step.change)
      guard let finding = map.find(before: path) else { return nil }
      return (former.descendant(finding.path), map.change(of: finding))
    }
    return nil
  }

  /// Takes out the links that have been made since the last time.
  mutating func takeLinks() -> [Crossing] {
    defer { links = [] }
    return links
  }
}

extension Crossing.End {
  /// The end below a row that is told with a token; nil where there is none.
  fileprivate func below(_ row: Crossing.Token?) -> Self? {
    guard case .inside(let place) = self else { return self }
    return row.map { .outside($0.descendant(place.components)) }
  }
}
