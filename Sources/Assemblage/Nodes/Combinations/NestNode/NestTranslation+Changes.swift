import OffsetIndexing

// Changes of the source.
extension NestTranslation {
  /// Translates a change of the source, and brings everything up to date.
  ///
  /// - Parameters:
  ///   - change: the source's change. Children of its rows are not shown, so a row that comes from below another one, or goes
  ///     there, is new, or gone.
  ///   - inserted: the ids and parents of the inserted rows, one after the other.
  ///   - updated: the ids and parents of the updated rows, one after the other.
  ///   - plan: receives the changes.
  /// - Precondition: there is room for all slots.
  /// - Complexity: O(log² n) for each of the rows, of n, that the change names, or that go to another parent because of it; and
  ///   O(d · log n) for each of them d deep, where the change is received. Where a row is in a cycle of links, O(c · log n) more
  ///   for the c rows from there to the top level.
  mutating func translate(
    _ change: ChangeSet, inserted: [NestLink], updated: [NestLink], _ plan: inout NestPlan
  ) {
    let delta = change.level
    plan.noteRemovals(delta.removals, self)
    let moved = delta.moves.flatMap { move in
      zip(move.source, move.destination).map { (row: row(atSource: $0), position: $1) }
    }
    // From the end: mostly the children before their parent.
    for position in delta.removals.joined().reversed() { remove(at: position, &plan) }
    move(moved, insertions: delta.insertions, &plan)
    for (position, link) in zip(delta.insertions.joined(), inserted) {
      insert(link, at: position, &plan)
    }
    for (position, link) in zip(delta.updates.joined(), updated) {
      let row = row(atSource: position)
      update(row, link, &plan)
      let place = place(of: row)
      plan.appendUpdate(of: row, at: place.position, in: place.branch, self)
    }
    finish(&plan)
  }

  /// Moves rows to their positions after the change, without the rows that it inserts.
  private mutating func move(_ moved: [(row: Int, position: Int)], insertions: Delta.Ranges, _ plan: inout NestPlan) {
    if moved.isEmpty { return }
    var goals: [(row: Int, position: Int)] = []
    var inserted = insertions.joined().makeIterator()
    var next = inserted.next()
    var before = 0
    for (row, position) in moved.sorted(byNumber: \.position) {
      while let insertion = next, insertion < position {
        before += 1
        next = inserted.next()
      }
      goals.append((row, position - before))
    }
    // Behind all others, in their final order: then all rows that belong before one of them are before it.
    if goals.count > 1 {
      for (row, _) in goals { move(row, to: count - 1, &plan) }
    }
    for (row, position) in goals { move(row, to: position, &plan) }
  }

  /// Links rows anew whose values are the same as before, and whose ids or parents are not.
  mutating func relink(_ links: [(position: Int, link: NestLink)], _ plan: inout NestPlan) {
    for (position, link) in links { update(row(atSource: position), link, &plan) }
    finish(&plan)
  }

  /// Makes leaves of the rows that lost all children, and reports rows that became a leaf or a branch.
  private mutating func finish(_ plan: inout NestPlan) {
    for (row, hadChildren) in plan.hadChildren {
      let hasChildren = makeLeafIfEmpty(row)
      if hadChildren == hasChildren { continue }
      let (branch, position) = place(of: row)
      plan.appendTurn(of: row, at: position, in: branch, self)
    }
    freeRows(plan.leftRows)
    #if InternalChecks
      checkUnlessCounting { checkInvariants() }
    #endif
  }
}
