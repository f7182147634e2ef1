import OffsetIndexing

/// One child that moves from one parent to another, with the rows below it.
///
///     before        a  [b c d]  e            the block of b: its own row and those below
///     after         a  e  f  [b c x]         its rows move; what came or left inside is told by `inner`
private struct Passage {
  let crossing: Crossing
  /// The child's own row before the change; nil where it was hidden or came from outside.
  var sourceRow: Int?
  /// The number of rows below it then.
  var innerCount = 0
  /// The record that it takes along.
  var record: OutlineTranslation.Record?
  /// Whether it is known to have had none when it left.
  var wasLeaf = false
  /// What happened to the rows below it on the way.
  var inner = Delta()
}

// Children that move between parents; the parents' deltas tell them as removed and inserted.
extension OutlineNode {
  /// Translates a change in which children cross from one parent to another, or leave for, or come from, outside.
  ///
  /// Their records are taken out first and attached again last, so that the rest can be done as usual.
  func translateWithTransfers(
    _ change: ChangeSet, restoring memory: OutlineMemory?, _ released: inout [any TreeNode]
  ) -> ChangeSet {
    var edit = OutlineEdit()
    var passages = locate(change.crossings + returningParts(change.crossings))
    let map = ChangeSetMap(change)
    let departures = departures(passages, map)
    let formerRecords = recordsThatReturn(passages)
    var vanishing: [[VanishingRow]] = []
    if state.value.hiding.isFollowing {
      let starts = Set(passages.compactMap(\.sourceRow))
      vanishing = change.crossings.map { vanishingRows(of: $0, map, starts: starts) }
    }
    // The outermost first: then the rows of a child that leaves another are noted as that one's.
    let outermostFirst = passages.indices.sorted {
      depth(passages[$0].crossing.from) < depth(passages[$1].crossing.from)
    }
    for index in outermostFirst {
      guard let record = passages[index].record, !state.value.translation.isDetached(record) else { continue }
      edit.detach(record, of: &state.value.translation)
    }
    // What left earlier and does not come back now is gone.
    let returned = Set(passages.lazy.compactMap { $0.record })
    let lost = state.value.departed.compactMap { $0.record }.filter { !returned.contains($0) }
    state.value.departed = []
    state.value.discard(lost, to: &released)
    for passage in passages {
      guard let record = passage.record, hasNode(record, of: passage.crossing) else { continue }
      apply(passage.crossing.change, to: record, &edit, &released)
    }
    apply(change, to: TreeIndex.root, &edit, &released)

    // The innermost first: then what comes into a child is noted as its own.
    let innermostFirst = passages.indices.sorted {
      depth(passages[$0].crossing.to) > depth(passages[$1].crossing.to)
    }
    for index in innermostFirst {
      guard let record = passages[index].record else { continue }
      switch passages[index].crossing.to {
      case .inside(let place): attach(record, at: place.components, passages, &edit, &released)
      case .outside: break
      }
      var inner = edit.detached.removeValue(forKey: record) ?? DeltaComposer()
      passages[index].inner = inner.net()
    }
    for passage in passages {
      if case .outside = passage.crossing.from, let record = passage.record,
        !state.value.translation.isDetached(record)
      {
        state.value.sources.findAgain(record, in: state.value.translation)
      }
    }
    var moved = joined(edit.rows.net(), passages, updatesValue: change.updatesValue, &released)
    moved.crossings = departures + arrivals(passages, map, formerRecords)
    if state.value.hiding.isFollowing {
      moved.crossings += followHidden(map, moved.level, change.crossings, vanishing: vanishing)
    }
    guard let memory else { return moved }
    // The change is being rolled back, so no observer hears of it: that the rows are the former ones is all.
    var recalled = OutlineEdit()
    recall(memory, &recalled, &released)
    let rows = recalled.rows.net()
    return rows.isEmpty ? moved : moved.composed(with: ChangeSet(rows))
  }

  /// The records of children that come from outside, and have changed there, with all below them; before anything has changed.
  ///
  /// A child of one of these that has a record afterwards, and had none, was a leaf when it left. It is of interest only where
  /// everything is expanded, for elsewhere leaves and branches are called the same.
  ///
  /// - Complexity: O(k) for k such records.
  private func recordsThatReturn(_ passages: [Passage]) -> Set<Record> {
    if !state.value.expansion.isAll { return [] }
    var records: Set<Record> = []
    for passage in passages {
      guard case .outside = passage.crossing.from, let record = passage.record, !passage.crossing.change.isEmpty else {
        continue
      }
      var open = [record]
      while let record = open.popLast() {
        records.insert(record)
        open += state.value.translation.children(of: record).map(\.branch)
      }
    }
    return records
  }

  private func depth(_ end: Crossing.End) -> Int {
    if case .inside(let place) = end { place.depth } else { 0 }
  }

  /// Whether what crosses with a record has a node still; where it comes from outside, that may be another one than it left with.
  private func hasNode(_ record: Record, of crossing: Crossing) -> Bool {
    guard case (.outside, .inside(let place)) = (crossing.from, crossing.to) else { return true }
    return state.value.sources.findAgain(record, at: place.components)
  }

  /// The crossings of children that left alone and come back with others, below them.
  ///
  /// - Complexity: O(x · (k + s)) for x crossings with s changes inside, and k children that left with the last change.
  private func returningParts(_ crossings: [Crossing]) -> [Crossing] {
    if state.value.departed.isEmpty { return [] }
    let coming = Set(crossings.lazy.map(\.from))
    var copies: [Crossing.Token: Int] = [:]
    return crossings.flatMap { crossing -> [Crossing] in
      guard case (.outside(let whole), .inside(let place)) = (crossing.from, crossing.to) else { return [] }
      // Copies that left as a whole come first.
      let copy = copies[whole, default: 0] - state.value.departed.count { $0.token == whole }
      copies[whole, default: 0] += 1
      if copy < 0 { return [] }
      var others: [Crossing.Token: Int] = [:]
      return state.value.departed.compactMap { departed in
        defer { others[departed.token, default: 0] += 1 }
        guard others[departed.token, default: 0] == copy, !coming.contains(.outside(departed.token)),
          let path = departed.token.ancestors.first(where: { $0.token == whole })?.path
        else { return nil }
        let map = ChangeSetMap(crossing.change)
        guard let finding = map.find(after: path) else { return nil }
        return Crossing(
          from: .outside(departed.token), to: .inside(Crossing.Place(place.components + finding.path)),
          change: map.change(of: finding))
      }
    }
  }

  /// Finds what crossings take along, before anything has changed.
  ///
  /// A child that is shown several times leaves and comes as often, with one token: the copies keep their order.
  private func locate(_ crossings: [Crossing]) -> [Passage] {
    let coming = Dictionary(crossings.lazy.map { ($0.from, 1) }, uniquingKeysWith: +)
    var copies: [Crossing.End: Int] = [:]
    return crossings.map { crossing in
      defer { copies[crossing.from, default: 0] += 1 }
      return locate(crossing, copy: copies[crossing.from, default: 0], coming)
    }
  }

  private func locate(_ crossing: Crossing, copy: Int, _ coming: [Crossing.End: Int]) -> Passage {
    var passage = Passage(crossing: crossing)
    switch crossing.from {
    case .inside(let place):
      let path = place.components
      passage.sourceRow = state.value.translation.shape.number(at: path)
      if let record = state.value.translation.record(at: path) {
        passage.record = record
        passage.innerCount = state.value.translation.rows(below: record).count
      }
      passage.wasLeaf = passage.record == nil
    case .outside(let token):
      if let departed = departed(token, copy: copy) {
        passage.record = departed.record
        passage.wasLeaf = departed.record == nil
      } else if let (parent, position) = part(token, copy: copy, coming) {
        passage.record = state.value.translation.record(ofChild: position, of: parent)
        passage.wasLeaf = passage.record == nil
      }
    }
    return passage
  }

  private func departed(_ token: Crossing.Token, copy: Int) -> DepartedChild? {
    state.value.departed.lazy.filter { $0.token == token }.dropFirst(copy).first
  }

  /// The place of a child that left with another one, below it, and comes back alone: its parent's record, and its position.
  private func part(
    _ token: Crossing.Token, copy: Int, _ coming: [Crossing.End: Int]
  ) -> (parent: Record, position: Int)? {
    for (whole, path) in token.ancestors.reversed() {
      guard let departed = departed(whole, copy: copy + coming[.outside(whole), default: 0]) else { continue }
      let parent = departed.record.flatMap { state.value.translation.record(at: path.dropLast(), below: $0) }
      return parent.map { ($0, path[path.count - 1]) }
    }
    return nil
  }

  /// Attaches a record to the child that has arrived at a path.
  private func attach(
    _ record: Record, at path: [Int], _ passages: [Passage], _ edit: inout OutlineEdit,
    _ released: inout [any TreeNode]
  ) {
    // The child may have come into one that is itself on its way: the innermost of those is where to begin.
    var start = TreeIndex.root
    var depth = 0
    for passage in passages where passage.record != record {
      guard let other = passage.record, case .inside(let place) = passage.crossing.to, place.depth > depth,
        place.depth < path.count, state.value.translation.isDetached(other), path.starts(with: place.components)
      else { continue }
      start = other
      depth = place.depth
    }
    guard let parent = state.value.translation.record(at: path[depth..<path.count - 1], below: start) else {
      // It came to where nothing has been expanded.
      return
    }
    let position = path[path.count - 1]
    // A node may have become a leaf on the way.
    guard state.value.sources.child(at: position, of: state.value.node(parent)) != nil else { return }
    // A record that was made a moment ago, because the state says that the child is expanded: its own goes before it.
    if let other = state.value.translation.record(ofChild: position, of: parent) {
      edit.detach(other, of: &state.value.translation)
      state.value.discard([other], to: &released)
      state.value.keepSources(ofAllIn: record)
    }
    edit.attach(record, to: parent, at: position, of: &state.value.translation)
  }

  /// Makes moves of the rows that the passages took along, and keeps the records of children that left for an unknown place,
  /// for the case that they come back.
  private func joined(
    _ rows: Delta, _ passages: [Passage], updatesValue: Bool, _ released: inout [any TreeNode]
  ) -> ChangeSet {
    var moves: [Delta.Move] = []
    var updates: [Range<Int>] = []
    var lost: [Record] = []
    for passage in passages {
      switch passage.crossing.to {
      case .inside(let place):
        let isAttached = passage.record.map { !state.value.translation.isDetached($0) } ?? false
        if let record = passage.record, !isAttached { lost.append(record) }
        guard let source = passage.sourceRow,
          let row = state.value.translation.shape.number(at: place.components)
        else { continue }
        moves.append(Delta.Move(from: source..<source + 1, to: row..<row + 1))
        if passage.crossing.change.updatesValue { updates.append(row..<row + 1) }
        guard isAttached else { continue }
        for piece in passage.inner.pieces(oldCount: passage.innerCount) {
          let from = source + 1 + piece.old
          let to = row + 1 + piece.new
          moves.append(Delta.Move(from: from..<from + piece.count, to: to..<to + piece.count))
        }
        updates += passage.inner.updates.map { $0.shifted(by: row + 1) }
      case .outside(let token):
        guard passage.record != nil || passage.wasLeaf else { continue }
        state.value.departed.append(DepartedChild(token: token, record: passage.record))
      }
    }
    state.value.discard(lost, to: &released)
    state.value.discardOrphans(to: &released)
    return ChangeSet(moves.isEmpty ? rows : rows.moving(moves, updates), updatesValue: updatesValue)
  }
}

// What leaves for, or comes from, outside. The token of a row follows from that of the child with which it goes, so that any two
// views of a child call its rows the same.
extension OutlineNode {
  /// The crossings of rows that leave for outside, and of what came from there and leaves again; before anything has changed.
  ///
  /// - Complexity: O(r · log n) for r rows.
  private func departures(_ passages: [Passage], _ map: ChangeSetMap) -> [Crossing] {
    var result: [Crossing] = []
    for passage in passages {
      guard case (.outside(let former), .outside(let token)) = (passage.crossing.from, passage.crossing.to) else {
        continue
      }
      if let name = state.value.hiding.name(of: former) {
        state.value.hiding.setName(name == former ? token : token.rowUnlessLeaf, of: token)
      }
      // Which rows there are below it is not known here.
      var link = passage.crossing
      let ends: (Crossing.End, Crossing.End) = (.outside(former.rowUnlessLeaf), .outside(token.rowUnlessLeaf))
      if state.value.expansion.isAll, ends != (link.from, link.to) { result.append(link) }
      (link.from, link.to) = ends
      result.append(link)
    }
    forEachRow(passages.map(\.crossing.from), map, isLeaving: true) { row, finding, _, record in
      let change = ChangeSet(updatesValue: finding.updatesValue)
      let token = finding.token!
      let name = name(of: token, isLeaf: record == nil)
      state.value.hiding.setName(name, of: token)
      result.append(Crossing(from: end(row), to: .outside(name), change: change))
    }
    return result
  }

  /// The crossings of rows that come from outside; after everything has changed.
  ///
  /// - Complexity: O(r · log n) for r rows.
  private func arrivals(
    _ passages: [Passage], _ map: ChangeSetMap, _ formerRecords: Set<Record>
  ) -> [Crossing] {
    var result: [Crossing] = []
    var leaves: Set<Int> = []
    for passage in passages where passage.wasLeaf {
      guard case .inside(let place) = passage.crossing.to else { continue }
      if let row = state.value.translation.shape.number(at: place.components) { leaves.insert(row) }
    }
    forEachRow(passages.map(\.crossing.to), map, isLeaving: false) { row, finding, parent, record in
      var wasLeaf = false
      if let record {
        wasLeaf = leaves.contains(row) || parent.map(formerRecords.contains) ?? false && !formerRecords.contains(record)
      } else {
        // What left with a branch does not come back in the leaf that it has become.
        let inside = map.change(of: finding)
        wasLeaf = inside.level.isEmpty && !inside.hasChildren
      }
      let change = ChangeSet(updatesValue: finding.updatesValue)
      let token = finding.token!
      let name = state.value.hiding.name(of: token) ?? name(of: token, isLeaf: wasLeaf)
      result.append(Crossing(from: .outside(name), to: end(row), change: change))
    }
    return result
  }

  /// Calls a closure with each row that leaves for outside, or came from there.
  ///
  /// - Parameters:
  ///   - ends: where passages begin, or end.
  ///   - map: follows places through the change.
  ///   - isLeaving: whether the rows are those before the change, and are followed to the places after it.
  ///   - body: receives the row, what was found of it, its parent's record where it goes with that, and its own.
  private func forEachRow(
    _ ends: [Crossing.End], _ map: ChangeSetMap, isLeaving: Bool,
    _ body: (_ row: Int, _ finding: ChangeSetMap.Finding, _ parent: Record?, _ record: Record?) -> Void
  ) {
    let translation = state.value.translation
    // What is found of the rows at the ends: nil where that is inside on the other side as well.
    var starts: [Int: (path: [Int], finding: ChangeSetMap.Finding?)] = [:]
    for case .inside(let place) in ends {
      let path = place.components
      guard let row = translation.shape.number(at: path), starts[row] == nil else { continue }
      let finding = isLeaving ? map.follow(path) : map.trace(path)
      starts[row] = (path, finding.flatMap { $0.token == nil ? nil : $0.base })
    }
    var told: Set<Int> = []
    for (row, start) in starts.sorted(by: { $0.key < $1.key }) {
      guard let finding = start.finding, told.insert(row).inserted else { continue }
      let record = translation.record(at: start.path)
      body(row, finding, nil, record)
      guard let record else { continue }
      var findings = [record: finding]
      for row in translation.shape.rows(in: translation.rows(below: record)) {
        let known = starts[row.number].map(\.finding)
        guard
          let finding = known
            ?? findings[row.place.parent].flatMap({
              map.child(at: row.place.position, of: $0, isLeaving: isLeaving)
            }), told.insert(row.number).inserted
        else { continue }
        let record = translation.unlessParked(row.place.branch)
        if let record { findings[record] = finding }
        body(row.number, finding, known == nil ? row.place.parent : nil, record)
      }
    }
  }

  private func end(_ row: Int) -> Crossing.End { .inside(Crossing.Place([row])) }

  /// What a row is called outside. It has no children: it is not the node that another view shows of the same child. A child
  /// without a record is a leaf where everything is expanded, and may be a node elsewhere.
  private func name(of token: Crossing.Token, isLeaf: Bool) -> Crossing.Token {
    isLeaf && state.value.expansion.isAll ? token : token.rowUnlessLeaf
  }
}

extension Delta {
  /// This delta with some elements that it removes and inserts told as moved, and updated.
  fileprivate func moving(_ more: [Move], _ updated: [Range<Int>]) -> Delta {
    Delta(
      removals: RangeLists.subtracting(RangeLists.normalized(more.map(\.source)), from: Array(removals)),
      insertions: RangeLists.subtracting(RangeLists.normalized(more.map(\.destination)), from: Array(insertions)),
      updates: Array(updates) + updated, moves: moves + more)
  }
}
