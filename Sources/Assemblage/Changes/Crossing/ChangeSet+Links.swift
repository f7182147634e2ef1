// Pairing what left a tree by one move with what came back by another.
extension ChangeSet {
  /// Makes transfers of departures and arrivals of one child that left by one move and came back by another.
  ///
  /// Ends of one tree that have a token in common are paired already. A child that went through parents outside of it comes back
  /// with another token than it left with; what these parents heard joins the two.
  ///
  /// - Parameter links: crossings from token to token, in any order; one may go on where another ends.
  /// - Complexity: O(c + l) for c crossings and l links, as many times as links follow on each other, and that of
  ///   `foldCrossings()`; O(c) where nothing left, or nothing came.
  mutating func pairCrossings(linkedBy links: [Crossing]) {
    if !crossings.contains(where: \.isArrival) { return }
    var arrivals = crossings.filter(\.isArrival)
    var open = crossings.filter(\.isLink) + self.links(goingOnIn: links)
    if open.isEmpty { return }
    let arriving = Set(arrivals.map(\.from.withoutRow))
    var departures = crossings.filter { !$0.isArrival && !$0.isLink }
    // Where a child went from a place in this tree, the tree itself tells; where its parts went before, it does not.
    open.removeAll { arriving.contains($0.from.withoutRow) }
    Self.keepLinks(in: &open, leadingTo: arrivals)
    // In steps in which no link goes on where another ends: so parts go along in each, or come back alone.
    while !open.isEmpty {
      Self.pairParts(of: &departures, with: &arrivals, except: arriving)
      let ends = Set(open.compactMap { $0.to.stem })
      let isLater = open.map { $0.from.stem.map(ends.contains) ?? false }
      let isCycle = !isLater.contains(false)
      let step = zip(open, isLater).filter { isCycle || !$1 }.map(\.0)
      var next = Self.composedCrossings(ChangeSet(departures), ChangeSet(step)).filter { !$0.isLink }
      for (number, index) in zip(departures.indices, next.indices.suffix(departures.count))
      where arriving.contains(departures[number].to.withoutRow) { next[index] = departures[number] }
      departures = next
      open = isCycle ? [] : zip(open, isLater).filter { $1 }.map(\.0)
    }
    crossings = Self.composedCrossings(ChangeSet(departures), ChangeSet(arrivals))
    foldCrossings()
  }

  /// The links that go on from what leaves this tree, as its views show them.
  private func links(goingOnIn links: [Crossing]) -> [Crossing] {
    struct Use: Hashable {
      let link: Int
      let lens: Crossing.Lens
    }
    var open = crossings.compactMap(\.to.token)
    if open.isEmpty { return [] }
    // Nothing is seen through more views than those in which something came and those in which something was linked.
    let viewLimit = [crossings, links].reduce(0) { $0 + ($1.lazy.compactMap(\.from.token?.viewCount).max() ?? 0) }
    let byMove = Dictionary(grouping: links.indices) { links[$0].from.token!.move }
    var uses: Set<Use> = []
    var result: [Crossing] = []
    while let token = open.popLast() {
      for index in byMove[token.move] ?? [] {
        guard let lens = Crossing.Lens(links[index].from.token!, seenAs: token),
          uses.insert(Use(link: index, lens: lens)).inserted
        else { continue }
        let link = links[index].seen(through: lens)
        guard let next = link.to.token, next.viewCount <= viewLimit else { continue }
        result.append(link)
        open.append(next)
      }
    }
    return result
  }

  /// Forgets links that lead to no arrival: two views of one source may know of different ways of a child.
  private static func keepLinks(in links: inout [Crossing], leadingTo arrivals: [Crossing]) {
    let stems = links.map { $0.to.stem!.withoutRow }
    let byStem = Dictionary(grouping: links.indices) { stems[$0] }
    var open = arrivals.compactMap { $0.from.stem?.withoutRow }
    var known = Set(open)
    while let stem = open.popLast() {
      for index in byStem[stem] ?? [] {
        let former = links[index].from.stem!.withoutRow
        if known.insert(former).inserted { open.append(former) }
      }
    }
    links = zip(links, stems).filter { known.contains($1) }.map(\.0)
  }

  /// Makes transfers of parts that arrive without what they left in, before that goes on; nothing of parts of what arrives.
  private static func pairParts(
    of departures: inout [Crossing], with arrivals: inout [Crossing], except arriving: Set<Crossing.End>
  ) {
    let leaving = Set(departures.lazy.map(\.to.withoutRow).filter { $0.stem != nil }).subtracting(arriving)
    func isPart(_ arrival: Crossing) -> Bool {
      guard case .outside(let token) = arrival.from.withoutRow, token.hasAncestors else { return false }
      return token.ancestors.contains { leaving.contains(.outside($0.token)) }
    }
    let parts = arrivals.filter(isPart)
    if parts.isEmpty { return }
    let result = composedCrossings(ChangeSet(departures), ChangeSet(parts))
    departures = result.filter { !$0.isArrival }
    arrivals = arrivals.filter { !isPart($0) } + result.filter(\.isArrival)
  }
}

extension ChangeSet {
  /// A change that is nothing but crossings.
  fileprivate init(_ crossings: [Crossing]) {
    self.init()
    self.crossings = crossings
  }
}

extension Crossing {
  /// Whether the child came from outside, and stayed.
  fileprivate var isArrival: Bool {
    if case (.outside, .inside) = (from, to) { true } else { false }
  }

  /// This link as those views show it that a lens stands for.
  fileprivate func seen(through lens: Lens) -> Crossing {
    Crossing(from: from.seen(through: lens), to: to.seen(through: lens), change: change)
  }
}
