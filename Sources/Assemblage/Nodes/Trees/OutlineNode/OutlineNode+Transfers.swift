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
  /// What happened to the rows below it on the way.
  var inner = Delta()
  /// What its own row is called outside, where it left as a part of another child.
  var ownToken: Crossing.Token?
  /// What the rows below it are called outside, where it came from there.
  var tokens: [Crossing.Token] = []
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
      if let record = passage.record { apply(passage.crossing.change, to: record, &edit, &released) }
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
    guard let memory else {
      return joined(edit.rows.net(), passages, updatesValue: change.updatesValue, &released)
    }
    // The change is being rolled back, so no observer hears of it: that the rows are the former ones is all.
    var change = joined(edit.rows.net(), passages, updatesValue: change.updatesValue, &released)
    var recalled = OutlineEdit()
    recall(memory, &recalled, &released)
    let rows = recalled.rows.net()
    if !rows.isEmpty { change = change.composed(with: ChangeSet(rows)) }
    return change
  }

  private func depth(_ end: Crossing.End) -> Int {
    if case .inside(let place) = end { place.depth } else { 0 }
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
    case .outside(let token):
      if let departed = departed(token, copy: copy) {
        passage.record = departed.record
        passage.innerCount = departed.tokens.count
        passage.tokens = departed.tokens
      } else {
        locatePart(token, copy: copy, coming, in: &passage)
      }
    }
    return passage
  }

  private func departed(_ token: Crossing.Token, copy: Int) -> Departed? {
    state.value.departed.lazy.filter { $0.token == token }.dropFirst(copy).first
  }

  /// The same for a child that left with another one, below it, and comes back alone.
  private func locatePart(
    _ token: Crossing.Token, copy: Int, _ coming: [Crossing.End: Int], in passage: inout Passage
  ) {
    for (whole, path) in token.ancestors.reversed() {
      guard let departed = departed(whole, copy: copy + coming[.outside(whole), default: 0]),
        let record = departed.record
      else { continue }
      let shape = state.value.translation.shape
      guard let number = shape.number(at: [shape.position(of: record)] + path, in: shape.parent(of: record)!)
      else { return }
      // The record's own row is the first of the piece that it is in, and has no token.
      passage.ownToken = departed.tokens[number - 1]
      passage.record = state.value.translation.record(at: path, below: record)
      passage.innerCount = passage.record.map { state.value.translation.rows(below: $0).count } ?? 0
      passage.tokens = Array(departed.tokens[number..<number + passage.innerCount])
      return
    }
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
    // A record that was made a moment ago, because the state says that the child is expanded: its own goes before it.
    if let other = state.value.translation.record(ofChild: position, of: parent) {
      edit.detach(other, of: &state.value.translation)
      state.value.discard([other], to: &released)
      state.value.keepSources(ofAllIn: record)
    }
    edit.attach(record, to: parent, at: position, of: &state.value.translation)
  }

  /// Makes moves of the rows that the passages took along, and crossings of those that left for, or came from, outside.
  private func joined(
    _ rows: Delta, _ passages: [Passage], updatesValue: Bool, _ released: inout [any TreeNode]
  ) -> ChangeSet {
    var moves: [Delta.Move] = []
    var updates: [Range<Int>] = []
    var crossings: [Crossing] = []
    var lost: [Record] = []
    for passage in passages {
      let isAttached = passage.record.map { !state.value.translation.isDetached($0) } ?? false
      switch passage.crossing.to {
      case .inside(let place):
        if let record = passage.record, !isAttached { lost.append(record) }
        guard let row = state.value.translation.shape.number(at: place.components) else { continue }
        let inner = isAttached ? passage.inner : .removal(0..<passage.innerCount)
        if let source = passage.sourceRow {
          moves.append(Delta.Move(from: source..<source + 1, to: row..<row + 1))
          if passage.crossing.change.updatesValue { updates.append(row..<row + 1) }
          for piece in inner.pieces(oldCount: passage.innerCount) {
            let from = source + 1 + piece.old
            let to = row + 1 + piece.new
            moves.append(Delta.Move(from: from..<from + piece.count, to: to..<to + piece.count))
          }
          if isAttached { updates += inner.updates.map { $0.shifted(by: row + 1) } }
        } else if case .outside = passage.crossing.from {
          let isLeaf = passage.record == nil && state.value.translation.record(at: place.components) == nil
          let origin = passage.ownToken.map { .outside($0) } ?? seen(passage.crossing.from, isLeaf: isLeaf)
          crossings.append(arrival(origin, at: row, passage.crossing.change.updatesValue))
          for piece in inner.pieces(oldCount: passage.tokens.count) {
            for offset in 0..<piece.count {
              let position = piece.new + offset
              crossings.append(
                arrival(
                  .outside(passage.tokens[piece.old + offset]), at: row + 1 + position,
                  inner.updates.contains(position: position)))
            }
          }
        }
      case .outside(let token):
        if let record = passage.record {
          depart(passage, record, token, &crossings)
        } else if let source = passage.sourceRow {
          state.value.departed.append(Departed(token: token, record: nil, tokens: []))
          let end = seen(passage.crossing.to, isLeaf: true)
          crossings.append(departure(source, end, passage.crossing.change.updatesValue))
        }
      }
    }
    state.value.discard(lost, to: &released)
    state.value.discardOrphans(to: &released)
    let delta = moves.isEmpty ? rows : rows.moving(moves, updates)
    return ChangeSet(delta: delta, updatesValue: updatesValue, nodes: [], crossings: crossings)
  }

  /// Keeps the record of a child that left for an unknown place, for the case that it comes back, and names its rows.
  private func depart(
    _ passage: Passage, _ record: Record, _ token: Crossing.Token, _ crossings: inout [Crossing]
  ) {
    let count = state.value.translation.rows(below: record).count
    let tokens = (0..<count).map { _ in Crossing.Token() }
    state.value.departed.append(Departed(token: token, record: record, tokens: tokens))
    guard let source = passage.sourceRow else { return }
    let end = seen(passage.crossing.to, isLeaf: false)
    crossings.append(departure(source, end, passage.crossing.change.updatesValue))
    for piece in passage.inner.pieces(oldCount: passage.innerCount) {
      for offset in 0..<piece.count {
        crossings.append(
          departure(
            source + 1 + piece.old + offset, .outside(tokens[piece.new + offset]),
            passage.inner.updates.contains(position: piece.new + offset)))
      }
    }
  }

  /// The other end of a crossing as this outline tells it. A row has no children: it is not the node that another view shows of
  /// the same child. A child without a record is a leaf where everything is expanded, and may be a node elsewhere.
  private func seen(_ end: Crossing.End, isLeaf: Bool) -> Crossing.End {
    if isLeaf && state.value.expansion.isAll { return end }
    var end = end
    end.see(asRowInView: number)
    return end
  }

  private func departure(_ row: Int, _ end: Crossing.End, _ updatesValue: Bool) -> Crossing {
    Crossing(from: .inside(Crossing.Place([row])), to: end, change: ChangeSet(updatesValue: updatesValue))
  }

  private func arrival(_ end: Crossing.End, at row: Int, _ updatesValue: Bool) -> Crossing {
    Crossing(from: end, to: .inside(Crossing.Place([row])), change: ChangeSet(updatesValue: updatesValue))
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
