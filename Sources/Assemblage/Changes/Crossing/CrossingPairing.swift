/// Finds, for the children that one change lets go outside, what a later change lets come from there.
///
/// ```text
///     whole        left as T       comes as T
///     alone        left inside T   comes as T/0      the part of a child, without it
///     with whole   left as T/0     comes inside T    the same the other way round
/// ```
///
/// A row has no parts: what was below it has rows of its own. But a link of a row tells of all rows below that too.
///
/// A child may be shown in several places, alone and inside another one, and then several crossings could be its own. Those go
/// together whose places share the longest beginning of their paths, for that is mostly the same view.
struct CrossingPairing {
  /// The crossings of the first change, as they go on in the second.
  private(set) var departures: [Crossing]
  /// The crossings of parts that come without their whole.
  private(set) var partsAlone: [Crossing] = []
  /// Which crossings of the second change are accounted for.
  var isUsed: [Bool]

  private let first: [Crossing]
  private let second: [Crossing]
  /// Where crossings of the first change begin, and those of the second end: there a part has one of its own.
  private lazy var beginnings = Set(first.lazy.map(\.from))
  private lazy var endings = Set(second.lazy.map(\.to))
  private let arrivals: [Crossing.Token: [Int]]
  /// The parts that come alone or with another child, by the departure of one and the arrival of the other.
  private var parts: [Pair] = []
  /// The ends of parts that have a crossing.
  private var taken: Set<End> = []
  /// What had happened, before an arrival, to the whole child that goes with it and was inside.
  private var origins: [Int: ChangeSet] = [:]
  private var maps: [MapKey: ChangeSetMap] = [:]

  private enum Kind: Int { case whole, withWhole, alone }

  private enum End: Hashable {
    case part(ofDeparture: Int, path: [Int])
    case departure(Int)
    case part(ofArrival: Int, path: [Int])
  }

  private enum MapKey: Hashable { case former(Int), latter(Int), origin(Int), net(Int) }

  private struct Pair {
    let kind: Kind
    let departure: Int
    let arrival: Int
    /// The part below the whole, while that is on its way.
    let path: [Int]
    /// How long the beginning is that both paths share.
    let shared: Int
  }

  /// Pairs the crossings of two changes.
  ///
  /// - Complexity: O(p · log p + s) for p possible pairs, of which there are as many as crossings where each child is shown
  ///   once, and s changes inside.
  init(_ first: [Crossing], _ second: [Crossing]) {
    (self.first, self.second) = (first, second)
    departures = first
    isUsed = [Bool](repeating: false, count: second.count)
    var arrivals: [Crossing.Token: [Int]] = [:]
    for (number, crossing) in second.enumerated() {
      if case .outside(let token) = crossing.from { arrivals[token, default: []].append(number) }
    }
    self.arrivals = arrivals
    if arrivals.isEmpty { return }
    for pair in possiblePairs() { take(pair) }
    // Other pairs have been made since.
    for pair in parts {
      switch (pair.kind, isPart(pair) ? crossing(of: pair) : nil) {
      case (.alone, let crossing?): partsAlone.append(crossing)
      case (.alone, nil): isUsed[pair.arrival] = false
      case (_, let crossing?): departures[pair.departure] = crossing
      case (_, nil): break
      }
    }
  }

  private func possiblePairs() -> [Pair] {
    let (departing, arriving) = (Wholes(first, leaving: true), Wholes(second, leaving: false))
    var parts: [Crossing.Token: [(path: [Int], arrival: Int)]] = [:]
    for (number, crossing) in second.enumerated() {
      guard case .outside(let token) = crossing.from else { continue }
      for (whole, path) in departing.ancestors(of: token) { parts[whole, default: []].append((path, number)) }
    }
    var pairs: [Pair] = []
    for (number, crossing) in first.enumerated() {
      guard case .outside(let token) = crossing.to else { continue }
      func append(_ kind: Kind, _ arrival: Int, _ path: [Int] = []) {
        pairs.append(
          Pair(
            kind: kind, departure: number, arrival: arrival, path: path,
            shared: second[arrival].to.sharedDepth(with: crossing.from)))
      }
      for arrival in arrivals[token] ?? [] { append(.whole, arrival) }
      for (whole, path) in arriving.ancestors(of: token).reversed() {
        for arrival in arrivals[whole] ?? [] where second[arrival].hasParts(as: whole) {
          append(.withWhole, arrival, path)
        }
      }
      if crossing.hasParts(as: token) {
        for (path, arrival) in parts[token] ?? [] { append(.alone, arrival, path) }
      }
    }
    if pairs.count > 1 {
      pairs.sort {
        ($1.shared, $0.kind.rawValue, $0.departure, $0.arrival) < (
          $0.shared, $1.kind.rawValue, $1.departure, $1.arrival
        )
      }
    }
    return pairs
  }

  private mutating func take(_ pair: Pair) {
    let isGone = departures[pair.departure].to == first[pair.departure].to
    switch pair.kind {
    case .whole:
      guard isGone, !isUsed[pair.arrival], !taken.contains(.departure(pair.departure)) else { return }
      go(pair.departure, with: pair.arrival)
    case .withWhole:
      let (part, place) = (End.departure(pair.departure), End.part(ofArrival: pair.arrival, path: pair.path))
      guard isGone, !taken.contains(part), !taken.contains(place), isPart(pair) else { return }
      taken.formUnion([part, place])
      parts.append(pair)
    case .alone:
      let part = End.part(ofDeparture: pair.departure, path: pair.path)
      guard !isUsed[pair.arrival], !taken.contains(part), isPart(pair) else { return }
      isUsed[pair.arrival] = true
      taken.insert(part)
      parts.append(pair)
    }
  }

  /// Lets a departure go on with an arrival, and, where that is a link, with the next one.
  private mutating func go(_ departure: Int, with arrival: Int) {
    var next: Int? = arrival
    maps[.net(departure)] = nil
    while let arrival = next {
      isUsed[arrival] = true
      // What came from outside itself tells of no part where that was inside.
      if case .inside = first[departure].from { origins[arrival] = departures[departure].change }
      departures[departure] = composed(
        departures[departure], departures[departure].change, second[arrival], second[arrival].change,
        isRow: first[departure].isOfRow)
      guard case .outside(let token) = second[arrival].to else { return }
      next = arrivals[token]?.first { !isUsed[$0] }
    }
  }

  /// Whether a part comes alone or with its whole, and not with another departure of that, of which it is a part too.
  private mutating func isPart(_ pair: Pair) -> Bool {
    let isRow = first[pair.departure].isOfRow
    if pair.kind == .alone {
      guard let former = map(.former(pair.departure)).find(before: pair.path),
        !beginnings.contains(first[pair.departure].from.descendant(former.path))
      else { return false }
      if isRow { return true }
      // What has happened to a child that is still outside is told when it comes back.
      return departures[pair.departure].to.depth == 0 || map(.net(pair.departure)).find(after: former.path) == nil
    }
    guard departures[pair.departure].to == first[pair.departure].to,
      let latter = map(.latter(pair.arrival)).find(after: pair.path),
      !endings.contains(second[pair.arrival].to.descendant(latter.path))
    else { return false }
    return isRow || origins[pair.arrival] == nil || map(.origin(pair.arrival)).find(before: pair.path) == nil
  }

  /// The crossing of a part.
  private mutating func crossing(of pair: Pair) -> Crossing {
    var (former, latter) = (first[pair.departure], second[pair.arrival])
    let isRow = former.isOfRow
    var (change, next) = (former.change, latter.change)
    if pair.kind == .alone {
      let map = map(.former(pair.departure))
      let finding = map.find(before: pair.path)!
      former.from = former.from.descendant(finding.path)
      change = map.change(of: finding)
    } else {
      let map = map(.latter(pair.arrival))
      let finding = map.find(after: pair.path)!
      latter.to = latter.to.descendant(finding.path)
      next = map.change(of: finding)
    }
    return composed(former, change, latter, next, isRow: isRow)
  }

  /// One crossing of two, with what happened in each.
  ///
  /// Only a link tells of what happened below a row; to one that is no link that is nothing.
  private func composed(
    _ former: Crossing, _ change: ChangeSet, _ latter: Crossing, _ next: ChangeSet, isRow: Bool
  ) -> Crossing {
    var result = Crossing(from: former.from, to: latter.to, change: ChangeSet())
    func own(_ change: ChangeSet, of crossing: Crossing) -> ChangeSet {
      isRow && crossing.isLink && !result.isLink ? ChangeSet(updatesValue: change.updatesValue) : change
    }
    result.change = own(change, of: former).composed(with: own(next, of: latter))
    return result
  }

  private mutating func map(_ key: MapKey) -> ChangeSetMap {
    if let map = maps[key] { return map }
    let change =
      switch key {
      case .former(let number): first[number].change
      case .latter(let number): second[number].change
      case .origin(let number): origins[number]!
      case .net(let number): departures[number].change
      }
    let map = ChangeSetMap(change)
    maps[key] = map
    return map
  }
}

/// How deep those children stand, each below the one that its move is about, that take parts along.
///
/// A path may be as long as the tree is deep, and there may be as many crossings: so only those tokens are made of the
/// ancestors of one that a crossing may have.
private struct Wholes {
  private var lengths: [Crossing.Token: [Int]] = [:]

  init(_ crossings: [Crossing], leaving: Bool) {
    for crossing in crossings {
      guard case .outside(let token) = leaving ? crossing.to : crossing.from, crossing.hasParts(as: token) else {
        continue
      }
      let known = lengths[token.stem] ?? []
      let index = known.partitioningIndex { $0 >= token.path.count }
      if index == known.count || known[index] != token.path.count {
        lengths[token.stem, default: []].insert(token.path.count, at: index)
      }
    }
  }

  /// The tokens that such children may have of which one's child is a part, the outermost first.
  func ancestors(of token: Crossing.Token) -> [(token: Crossing.Token, path: [Int])] {
    if !token.hasAncestors { return [] }
    return (lengths[token.stem] ?? []).prefix { $0 < token.path.count }.map(token.ancestor(ofLength:))
  }
}

extension Crossing {
  /// Whether what is below the child goes with it, where it crosses as a token says.
  ///
  /// A view that hides one row follows it with a token of its own: a link between that and a row's tells of the one row alone.
  fileprivate func hasParts(as token: Token) -> Bool {
    if !token.isRow { return true }
    if case (.outside(let former), .outside(let next)) = (from, to) { return former.isRow && next.isRow }
    return false
  }

  /// Whether it came from outside and left again.
  var isLink: Bool {
    if case (.outside, .outside) = (from, to) { true } else { false }
  }

  /// Whether it tells of a row that has no children.
  fileprivate var isOfRow: Bool {
    switch (from, to) {
    case (_, .outside(let token)), (.outside(let token), _): token.isRow
    case (.inside, .inside): false
    }
  }
}

extension Crossing.End {
  /// How long the beginning is that the paths of two ends share; 0 where one is outside.
  fileprivate func sharedDepth(with other: Self) -> Int {
    guard case (.inside(let place), .inside(let other)) = (self, other) else { return 0 }
    return zip(place.reversed.reversed(), other.reversed.reversed()).prefix { $0 == $1 }.count
  }
}
