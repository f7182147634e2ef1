import OffsetIndexing

// Children that move between parents of the source; the parents' deltas tell them as removed and inserted.

/// What is under way while a change goes through a view of a tree.
protocol TreeWork {
  /// What crosses between parents, or leaves, or comes.
  var passages: [TreePassage] { get set }
  /// Detached children that are given up when the change is through.
  var removed: [TreeIndex.Branch] { get set }
  /// Whether an observer hears what happens below the children.
  var isHeard: Bool { get }

  /// What happened in a node and below it, without crossings, by the number of its touch.
  func change(_ touch: Int) -> ChangeSet
}

/// A child that crosses from one parent to another, or leaves for, or comes from, outside.
struct TreePassage {
  let crossing: Crossing
  /// Where it was among those that are shown; nil: nowhere.
  var origin: Crossing.End?
  /// The record that it takes along.
  var record: TreeIndex.Branch?
  /// The path in the source where it ends; nil where that is outside.
  let destination: [Int]?
  /// What happened inside it, by number; nil: nothing is known of that.
  var touch: Int?
  /// Whether it is known which record it took along.
  var isKnown = true
  /// Whether it was a leaf and is a node now.
  var isNew = false
  /// Whether it has come to a parent that has a record.
  var isAttached = false

  /// Whether it was elsewhere, where its handle may have become another one.
  var isFromOutside: Bool { if case .outside = crossing.from { true } else { false } }

  init(_ crossing: Crossing) {
    self.crossing = crossing
    if case .inside(let place) = crossing.to { destination = place.components } else { destination = nil }
  }
}

/// A child that left for an unknown place.
struct TreeDeparture {
  let token: Crossing.Token
  /// The record that it took along, detached; nil where it had none.
  let record: TreeIndex.Branch?
  /// Whether those above have heard of it.
  let wasShown: Bool

  /// After how many other tokens a child is known again.
  ///
  /// Each is looked up for each child that comes: without a limit, a row whose parts come back one by one would take the square
  /// of their number.
  static var tokenLimit: Int { 64 }

  /// The crossings of children that left alone and come back with others, below them.
  ///
  /// - Complexity: O(x · (k + s)) for x crossings with s changes inside, and k children that have left.
  static func returning(_ departed: [TreeDeparture], with crossings: [Crossing]) -> [Crossing] {
    if departed.isEmpty { return [] }
    let coming = Set(crossings.lazy.map(\.from))
    return crossings.flatMap { crossing -> [Crossing] in
      guard case (.outside(let whole), .inside(let place)) = (crossing.from, crossing.to) else { return [] }
      let map = ChangeSetMap(crossing.change)
      return departed.compactMap { departure in
        guard !coming.contains(.outside(departure.token)),
          let path = departure.token.ancestors.first(where: { $0.token == whole })?.path,
          let finding = map.find(after: path)
        else { return nil }
        return Crossing(
          from: .outside(departure.token), to: .inside(Crossing.Place(place.components + finding.path)),
          change: map.change(of: finding))
      }
    }
  }
}

extension TreeFamily {
  /// Says of what comes what it left this tree with, where it has been told with other tokens since.
  ///
  /// What leaves a section of a group goes to another one, where something may happen to it: it comes back with another token,
  /// which the group knows.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - graph: that of the source.
  /// - Complexity: O(k · x) for x crossings and k children that have left, and the changes of those that come.
  func recognize(_ change: inout ChangeSet, in graph: Graph) {
    if progress.value.departed.isEmpty || change.crossings.isEmpty { return }
    func hasLeft(_ token: Crossing.Token) -> Bool {
      progress.value.departed.contains { $0.token == token }
    }
    for index in change.crossings.indices {
      guard case .outside(var token) = change.crossings[index].from else { continue }
      var since = change.crossings[index].change
      for _ in 0...TreeDeparture.tokenLimit {
        if hasLeft(token) || token.ancestors.contains(where: { hasLeft($0.token) }) {
          (change.crossings[index].from, change.crossings[index].change) = (.outside(token), since)
          break
        }
        guard let (former, before) = graph.formerToken(of: token) else { break }
        (token, since) = (former, before.composed(with: since))
      }
    }
  }

  /// Finds what crossings take along, before anything has changed, and takes it out. What left earlier and does not come back
  /// now stays in `departed`.
  func beginPassages(_ change: ChangeSet, _ work: inout Work) {
    let former = progress.value.departed
    for crossing in change.crossings + TreeDeparture.returning(former, with: change.crossings) {
      var passage = TreePassage(crossing)
      switch crossing.from {
      case .inside(let place):
        let path = place.components
        locate(path[path.count - 1], path.dropLast(), below: TreeIndex.root, in: &passage) {
          translation.value.shownPath(path).map { .inside(Crossing.Place($0)) }
        }
      case .outside(let token):
        if let index = progress.value.departed.firstIndex(where: { $0.token == token }) {
          let departure = progress.value.departed.remove(at: index)
          passage.record = departure.record
          if departure.wasShown { passage.origin = seen(crossing.from, departure.record) }
        } else if !locatePart(token, former, in: &passage) {
          passage.origin = crossing.from
          passage.isKnown = false
        }
      }
      if passage.destination == nil, let record = passage.record, let node = progress.value.leaving {
        hold(node, for: record)
      }
      work.passages.append(passage)
    }
    for case let record? in work.passages.map(\.record) where !translation.value.isDetached(record) {
      translation.value.detach(record)
    }
    // The outermost first: what comes into a child on its way is settled before the child is.
    work.passages.sort { $0.crossing.to.depth < $1.crossing.to.depth }
  }

  /// Finds a child by its path in the source below a record, and where it was shown.
  @discardableResult
  private func locate(
    _ position: Int, _ path: some Collection<Int>, below start: Record, in passage: inout TreePassage,
    _ origin: () -> Crossing.End?
  ) -> Bool {
    guard let parent = translation.value.record(at: path, below: start),
      position < translation.value.childCount(of: parent)
    else { return false }
    passage.record = translation.value.record(ofChild: position, of: parent)
    passage.origin = origin() ?? hiddenOrigin(at: position, of: parent, passage.record)
    return true
  }

  /// Finds a child that left with another one, below it, and comes back, or goes on, alone.
  private func locatePart(
    _ token: Crossing.Token, _ departed: [TreeDeparture], in passage: inout TreePassage
  ) -> Bool {
    for (whole, path) in token.ancestors.reversed() {
      guard let departure = departed.first(where: { $0.token == whole }), let record = departure.record else {
        continue
      }
      let isFound = locate(path[path.count - 1], path.dropLast(), below: record, in: &passage) {
        guard departure.wasShown, let shown = translation.value.shownPath(path, below: record) else { return nil }
        return .outside(whole.seen(inView: number).descendant(shown))
      }
      if isFound { return true }
    }
    return false
  }

  /// Brings what is on its way up to date, and into its new place.
  func settlePassages(_ work: inout Work) {
    for passage in work.passages.indices {
      settleIn(passage, &work)
      applyPassage(passage, &work)
    }
  }

  /// Makes the place where a passage ends known, where it has not been read yet, and takes in there what is on its way.
  private func settleIn(_ number: Int, _ work: inout Work) {
    let passage = work.passages[number]
    guard let path = passage.destination, work.isHeard, passage.origin != nil, !passage.isAttached else { return }
    var parent = TreeIndex.root
    for position in path.dropLast() {
      guard position < translation.value.childCount(of: parent),
        let next = openRecord(ofChild: position, of: parent, &work)
      else { return }
      parent = next
    }
    guard passage.record != nil, translation.value.isLoaded(parent) else { return }
    attach(number, at: path[path.count - 1], of: parent, &work)
  }

  /// Brings what is on its way up to date with what happened inside.
  private func applyPassage(_ number: Int, _ work: inout Work) {
    let passage = work.passages[number]
    let change = passage.crossing.change
    guard let record = passage.record else {
      guard work.isHeard, passage.isKnown, let path = passage.destination,
        let parent = translation.value.record(at: path.dropLast()), translation.value.isLoaded(parent),
        let touch = lookAtNew(change, at: path[path.count - 1], of: parent, &work)
      else { return }
      (work.passages[number].touch, work.passages[number].isNew) = (touch, true)
      return
    }
    var depth = 0
    var arriving: [Int] = []
    if let path = passage.destination {
      // Where the parent is not known, what is found in it is made anew.
      guard passage.isAttached else { return }
      depth = path.count
      arriving = work.passages.indices.filter {
        $0 != number && (work.passages[$0].destination?.starts(with: path) ?? false)
      }
    }
    work.passages[number].touch = apply(change, to: record, arriving: arriving, depth: depth, &work)
  }

  /// Says which of those that are shown have crossed.
  func endPassages(_ result: inout ChangeSet, _ work: inout Work) {
    for passage in work.passages {
      if let crossing = shownCrossing(passage, work, &result.crossings) { result.crossings.append(crossing) }
      if case .outside(let token) = passage.crossing.to {
        progress.value.departed.append(
          TreeDeparture(token: token, record: passage.record, wasShown: passage.origin != nil))
      } else if let record = passage.record, !passage.isAttached {
        work.removed.append(translation.value.shape.parent(of: record)!)
      }
    }
  }

  /// The token of a child that has a record as this view tells it: its node is not the one that another view shows of the same
  /// child.
  private func seen(_ end: Crossing.End, _ record: Record?) -> Crossing.End {
    var end = end
    if record != nil { end.see(inView: number) }
    return end
  }

  /// The crossing of a child that was shown, or has been hidden in this transaction.
  private func shownCrossing(_ passage: TreePassage, _ work: Work, _ crossings: inout [Crossing]) -> Crossing? {
    guard let origin = passage.origin else { return nil }
    var crossing = passage.crossing
    crossing.from = origin
    crossing.to = seen(crossing.to, passage.record)
    crossing.change = passage.touch.map(work.change) ?? ChangeSet(updatesValue: crossing.change.updatesValue)
    guard let path = passage.destination else { return complete(crossing, of: passage, at: nil, work, &crossings) }
    let position = path[path.count - 1]
    guard let parent = translation.value.record(at: path.dropLast()),
      position < translation.value.childCount(of: parent),
      translation.value.record(ofChild: position, of: parent) == passage.record || passage.isNew
    else { return nil }
    // A node that was made anew, or is going to be, may show other things than the one that left.
    if !passage.isKnown, hasNode(at: position, of: parent) { return nil }
    let shown = translation.value.shownPath(path)
    if let shown { crossing.to = .inside(Crossing.Place(shown)) }
    return complete(crossing, of: passage, at: shown, work, &crossings)
  }
}
