/// Children of a view's source that left the view in the transaction under way, and may come back in it.
///
/// A child that leaves and comes back has survived the transaction: a row that one update hides and another one shows, one
/// that the window of a slice passes over and returns to. The view tells of the first as of a departure and of the second
/// as of an arrival with the same token, so that composing makes one of both (see `Crossing`). In between, this structure
/// follows the child's place in the source, and what happens to it and inside it: that is told when it comes back. What
/// moves meanwhile into the child, or out of it, has survived as well, and is told as what it is.
///
/// ```text
///     leave       visible → hidden     a departure; from now on the child is followed
///     follow      hidden → hidden      its place, and what happens to it
///     return      hidden → visible     an arrival, with what happened
/// ```
///
/// Where the source's change may be taken back by a rollback, what it ends of this is remembered: a hidden child that it
/// removes, or shows, is followed with its token again when the inverse brings it back.
///
/// It serves views that show some of one source's children. Outside of a transaction, and where no observer listens, it
/// does nothing: there every change is told at once.
@usableFromInline
struct Disappearances {
  /// The transaction in which children are followed; nil: none are.
  private var transaction: Int?
  private var rows = HiddenRows()
  /// What happened to children since they left. What moved into one of them is a crossing from outside.
  private var changes: [Crossing.Token: ChangeSet] = [:]
  /// What the change that is being translated ends; nil where a rollback is not going to ask for it.
  private var lost: Memory?
  /// What the change ended that is being taken back.
  private var recalled: Memory?
  /// The tokens of children whose return the rollback under way takes back.
  private var renewed = RenewedTokens()
  /// What left for outside with children below it that have left the view before.
  private var carriers: Set<Crossing.Token> = []

  /// What a change of the source ends.
  private struct Memory {
    /// The number of the source's children before the change.
    let sourceCount: Int
    /// The children that it removes or shows, by their positions before it.
    var rows: [Int: (token: Crossing.Token, change: ChangeSet)] = [:]
    /// What had happened before to those in which it makes something happen.
    var changes: [Crossing.Token: ChangeSet] = [:]
  }

  /// Where a crossing in the source begins, as the view sees it.
  struct Origin {
    /// The place in the view, or what the child left it with.
    var end: Crossing.End
    /// What happened before the crossing, and has not been told.
    var change = ChangeSet()
  }

  /// Whether children that leave are followed.
  var isFollowing: Bool { transaction != nil }

  /// Whether children are followed at the moment.
  var isEmpty: Bool { rows.isEmpty }

  /// Begins to follow children in a transaction, and forgets those of another one.
  ///
  /// - Parameter transaction: the transaction, as long as an observer or a dependent listens to the view; nil
  ///   otherwise.
  mutating func begin(_ transaction: Int?) {
    if self.transaction == transaction { return }
    if !isEmpty || !changes.isEmpty || !carriers.isEmpty { self = Disappearances() }
    self.transaction = transaction
  }

  /// Begins a change, of the source or of what the view shows of it.
  ///
  /// - Parameters:
  ///   - hub: the view's.
  ///   - sourceCount: the number of the source's children before the change.
  mutating func begin(in hub: NodeHub, sourceCount: Int) {
    begin(hub.listenedTransaction)
    guard isFollowing, hub.isRecording else { return }
    lost = Memory(sourceCount: sourceCount)
    recalled = hub.isRolledBackPartly ? nil : hub.recall(Memory.self)
    renewed.begin(in: hub)
  }

  /// Ends it: what it ended is remembered. A change of the view's own must have been published.
  mutating func end(in hub: NodeHub) {
    guard let ended = lost else { return }
    renewed.end(in: hub)
    if !ended.rows.isEmpty || !ended.changes.isEmpty { hub.remember(ended) }
    (lost, recalled) = (nil, nil)
  }

  /// Whether the child at a position of the source has left the view and is followed.
  func follows(_ position: Int) -> Bool { rows.token(at: position) != nil }

  /// Where the children are that are followed, and those that are going to be because their return is taken back; ascending.
  ///
  /// - Complexity: O(k · log k) for k such children.
  var followed: [Int] {
    if isEmpty, recalled == nil { return [] }
    var positions = Set(rows.all.map(\.position))
    if let recalled { positions.formUnion(recalled.rows.keys) }
    return positions.sorted()
  }

  // MARK: The three operations

  /// Notes that the child at a position of the source has left the view.
  ///
  /// - Parameters:
  ///   - position: in the source's index space, after the change by which it leaves.
  ///   - change: what happens inside it by that change, and is going to be noted.
  /// - Returns: the token to tell its departure with.
  /// - Complexity: O(log k) for k children that are followed.
  mutating func leave(_ position: Int, inside change: ChangeSet = ChangeSet()) -> Crossing.Token {
    let token = recalledToken(at: position, change) ?? Crossing.Token()
    keep(token, at: position, ChangeSet())
    return token
  }

  /// The token with which a child is followed that is hidden again because its return is taken back: see `RenewedTokens`.
  ///
  /// - Parameters:
  ///   - position: in the source's index space, after the change that takes it back.
  ///   - change: what that makes happen to the child: the inverse of what was told with its return as well.
  /// - Returns: the token; nil where no return is taken back.
  private mutating func recalledToken(at position: Int, _ change: ChangeSet) -> Crossing.Token? {
    guard let row = recalled?.rows[position], row.change.crossings.isEmpty else { return nil }
    return renewed.token(row.token, after: row.change, change)
  }

  private mutating func keep(_ token: Crossing.Token, at position: Int, _ change: ChangeSet) {
    rows.insert(token, at: position)
    changes[token] = change.isSilent ? nil : change
  }

  /// Follows children through an insertion, a removal or a move in the source.
  ///
  /// - Complexity: O((c + m) · log k) for c ranges, k children and m of them that moved.
  mutating func follow(_ delta: Delta) { rows.translate(delta) }

  /// Notes what happened to a child that has left; nothing where the child at the position has not.
  private mutating func note(_ change: ChangeSet, at position: Int) {
    guard let token = rows.token(at: position) else { return }
    let former = changes[token] ?? ChangeSet()
    if lost != nil, lost!.changes[token] == nil { lost!.changes[token] = former }
    changes[token] = former.composed(with: change)
  }

  /// Notes that the child at a position of the source is in the view again.
  ///
  /// - Parameters:
  ///   - position: in the source's index space.
  ///   - place: its position in the view.
  /// - Returns: its arrival, and those of what moved into it meanwhile; nothing where it had not left.
  /// - Complexity: O(log k) for k children that are followed.
  mutating func comeBack(_ position: Int, to place: Int) -> [Crossing] {
    guard let token = rows.remove(at: position) else { return [] }
    renewed.remove(token)
    let origin = Origin(end: .outside(token), change: changes.removeValue(forKey: token) ?? ChangeSet())
    return origin.crossings(to: .inside(Crossing.Place([place])))
  }

  // What a view needs that shows children of its source without what is below them.

  /// Notes that what comes is below a child that is shown.
  ///
  /// - Parameters:
  ///   - crossing: that of what comes, from outside.
  ///   - place: where it is in the source now, below a child.
  /// - Complexity: O(log k) for k children that are followed.
  mutating func enter(_ crossing: Crossing, at place: Crossing.Place) {
    let known = rows.token(at: place.first)
    let parent = known ?? Crossing.Token()
    if known == nil { rows.insert(parent, at: place.first) }
    var crossing = crossing
    crossing.to = .inside(Crossing.Place(place.components.dropFirst()))
    changes[parent, default: ChangeSet()].crossings.append(crossing)
  }

  /// Notes that what has left the view is below a child that is outside now; that may come, and what is below it come out.
  mutating func leave(with token: Crossing.Token) { if token.hasAncestors { carriers.insert(token.stem) } }

  /// Notes that a child has come from outside and is shown.
  ///
  /// - Complexity: O(log k) for k children that are followed.
  mutating func come(with token: Crossing.Token, at position: Int) {
    if carriers.contains(token), !follows(position) { rows.insert(token, at: position) }
  }

  // MARK: A change of the source

  /// Where crossings in the source begin, as the view sees it: asked before the source's change is followed.
  ///
  /// - Parameters:
  ///   - crossings: the crossings of the source's change.
  ///   - before: an end in the source as the view sees it, both before the change; nil: hidden.
  /// - Returns: for each crossing its origin; nil where the child was hidden and had not left in this transaction.
  /// - Complexity: O(x · (log k + s)) for x crossings, k children that are followed, and s changes inside them.
  func origins(of crossings: [Crossing], before: (Crossing.End) -> Crossing.End?) -> [Origin?] {
    let departures = isEmpty ? [] : Set(crossings.lazy.map(\.from))
    return crossings.map { crossing -> Origin? in
      let end = before(crossing.from)
      guard case .inside(let place) = crossing.from, let token = rows.token(at: place.first) else {
        return end.map { Origin(end: $0) }
      }
      var change = changes[token] ?? ChangeSet()
      // What moved into the child goes along with it, unless it leaves alone.
      change.crossings.removeAll { moved in
        guard case .inside(let inner) = moved.to else { return false }
        let path = [place.first] + inner.components
        return path.indices.dropFirst(place.depth).contains {
          departures.contains(.inside(Crossing.Place(path[...$0])))
        }
      }
      let path = Array(place.components.dropFirst())
      let moved = path.isEmpty ? change.crossings : change.crossings.compactMap { $0.below(path) }
      // A child that is shown has been told of, but for what is below it in a view that does not show that.
      if let end {
        var change = ChangeSet()
        change.crossings = moved
        return Origin(end: end, change: change)
      }
      if path.isEmpty { return Origin(end: .outside(token), change: change) }
      let map = ChangeSetMap(change)
      var origin: Origin
      if let finding = map.trace(path) {
        origin = Origin(
          end: finding.token == nil ? .outside(token.descendant(finding.path)) : finding.end,
          change: map.change(of: finding))
      } else {
        // It came into the hidden child, and takes along what moved into it.
        if moved.isEmpty { return nil }
        origin = Origin(end: .outside(Crossing.Token()))
      }
      origin.change.crossings = moved
      return origin
    }
  }

  /// Follows a change of the source.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - origins: where its crossings begin: see `origins(of:before:)`.
  ///   - leaving: the children that were in the view before and are not after it, by their position in the source after it
  ///     and in the view before it; none of those that cross.
  ///   - coming: the children that were not in the view before and are after it, by their positions in the source and in the
  ///     view, both after it; none of those that cross.
  ///   - after: an end in the source as the view sees it, both after the change; nil: hidden.
  /// - Returns: the crossings of the view's change.
  /// - Complexity: O((c + u + x) · log k) for c ranges, u updated or nested changes, and x children that leave, come or
  ///   cross, of k that are followed.
  mutating func follow(
    _ change: ChangeSet, from origins: [Origin?], leaving: [(position: Int, former: Int)],
    coming: [(position: Int, present: Int)], after: (Crossing.End) -> Crossing.End?
  ) -> [Crossing] {
    if !isFollowing {
      return zip(change.crossings, origins).flatMap { crossing, origin -> [Crossing] in
        guard let origin, let end = after(crossing.to) else { return [] }
        return [Crossing(from: origin.end, to: end, change: crossing.change)]
      }
    }
    if lost != nil, !isEmpty {
      for range in change.level.removals {
        for row in rows.rows(in: range) { lost!.rows[row.position] = (row.token, changes[row.token] ?? ChangeSet()) }
      }
    }
    follow(change.level)
    var result: [Crossing] = []
    let children = recalled == nil || leaving.isEmpty ? [] : Array(change.children)
    let inside = Dictionary(uniqueKeysWithValues: children.map { ($0.position, $0.change) })
    for (position, former) in leaving {
      result.append(Crossing(departureOf: leave(position, inside: inside[position] ?? ChangeSet()), from: former))
    }
    // Hidden children into which something moves are followed from now on.
    for (crossing, origin) in zip(change.crossings, origins) where origin != nil && after(crossing.to) == nil {
      guard case .inside(let place) = crossing.to, place.depth > 1, !follows(place.first) else { continue }
      rows.insert(Crossing.Token(), at: place.first)
    }
    if !isEmpty {
      for position in change.level.updates.joined() { note(ChangeSet(updatesValue: true), at: position) }
      for child in change.children {
        var inner = child.change
        inner.updatesValue = false
        note(inner, at: child.position)
      }
      let map = lost == nil || coming.isEmpty ? nil : Delta.PositionMap(change.level)
      for (position, present) in coming {
        if let former = map?.position(before: position), let token = rows.token(at: position) {
          lost!.rows[former] = (token, lost!.changes[token] ?? changes[token] ?? ChangeSet())
        }
        result += comeBack(position, to: present)
      }
    }
    var crossings = Array(zip(change.crossings, origins))
    // Those into which something else crosses go before it.
    if crossings.count > 1 { crossings.sort { $0.0.to.depth < $1.0.to.depth } }
    for case (let crossing, let origin?) in crossings { result += translate(crossing, from: origin, after) }
    if let recalled, lost?.sourceCount == recalled.sourceCount - change.level.countChange { restore(recalled, after) }
    return result
  }

  /// Follows children again as before the change that was taken back.
  private mutating func restore(_ memory: Memory, _ after: (Crossing.End) -> Crossing.End?) {
    // What moved into a child, or out of it, has been told with other tokens since.
    func restore(_ token: Crossing.Token, _ change: ChangeSet) {
      guard change.crossings.isEmpty, changes[token]?.crossings.isEmpty != false else { return }
      changes[token] = change.isSilent ? nil : change
    }
    for (token, change) in memory.changes { restore(token, change) }
    for (position, row) in memory.rows where after(.inside(Crossing.Place([position]))) == nil {
      if let token = rows.token(at: position) {
        if token == row.token { restore(token, row.change) }
      } else {
        keep(row.token, at: position, row.change)
      }
    }
  }

  /// Translates what crosses between parents in the source.
  private mutating func translate(
    _ crossing: Crossing, from origin: Origin, _ after: (Crossing.End) -> Crossing.End?
  ) -> [Crossing] {
    var origin = origin
    let departure = origin.end
    if !crossing.change.isSilent { origin.change = origin.change.composed(with: crossing.change) }
    if let end = after(crossing.to) {
      if case .outside(let token) = departure {
        changes[token] = nil
        renewed.remove(token)
      }
      return origin.crossings(to: end)
    }
    // It goes where it is not shown.
    guard case .inside(let place) = crossing.to else { return [] }
    var told: [Crossing] = []
    var known = place.depth == 1 ? recalledToken(at: place.first, crossing.change) : nil
    if known == nil, case .outside(let token) = departure { known = token }
    let token = known ?? Crossing.Token()
    if departure != .outside(token) {
      told.append(Crossing(from: departure, to: .outside(token), change: ChangeSet()))
      origin.end = .outside(token)
    }
    if place.depth == 1 {
      keep(token, at: place.first, origin.change)
    } else {
      let parent = rows.token(at: place.first)!
      let path = Crossing.Place(Array(place.components.dropFirst()))
      changes[parent, default: ChangeSet()].crossings += origin.crossings(to: .inside(path))
    }
    return told
  }
}

extension Crossing {
  /// The crossing as the child at a path sees it, where it ends below that.
  func below(_ path: [Int]) -> Crossing? {
    guard case .inside(let place) = to, place.depth > path.count, place.components.starts(with: path) else {
      return nil
    }
    return Crossing(from: from, to: .inside(Place(place.components.dropFirst(path.count))), change: change)
  }
}

extension Disappearances.Origin {
  /// The crossing from here to an end, with what has not been told, and those of what moved into the child meanwhile.
  fileprivate func crossings(to end: Crossing.End) -> [Crossing] {
    var change = change
    change.crossings = []
    return [Crossing(from: self.end, to: end, change: change)]
      + self.change.crossings.compactMap {
        guard case .inside(let place) = $0.to else { return nil }
        return Crossing(from: $0.from, to: end.descendant(place.components), change: $0.change)
      }
  }
}
