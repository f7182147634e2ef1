import OffsetIndexing

// Changes of the source.
extension NestTranslation {
  /// Translates a change of the source, and brings everything up to date.
  ///
  /// - Parameters:
  ///   - delta: the change of the source's children. What is below these is not shown, so a row that comes from there is new, and
  ///     one that goes there has left.
  ///   - inserted: the ids and parents of the inserted rows, one after the other.
  ///   - updated: the ids and parents of the updated rows, one after the other.
  ///   - plan: receives the changes.
  /// - Precondition: there is room for all slots.
  /// - Complexity: O(log² n) for each of the rows, of n, that the change names, or that go to another parent because of it; and
  ///   O(d · log n) for each of them d deep, where the change is received. Where a row is in a cycle of links, O(c · log n) more
  ///   for the c rows from there to the top level.
  mutating func translate(
    _ delta: Delta, inserted: [NestLink], updated: [NestLink], _ plan: inout NestPlan
  ) {
    plan.noteRemovals(delta.removals, self)
    var arrivals = delta.moves.flatMap { move in
      zip(move.source, move.destination).map { (position: $1, row: row(atSource: $0) as Int?, link: nil as NestLink?) }
    }
    arrivals.sort { $0.position < $1.position }
    // From the end: mostly the children before their parent.
    for position in delta.removals.joined().reversed() { remove(at: position, &plan) }
    if arrivals.count + inserted.count > 1 {
      // Behind all others, in their final order: then all rows that belong before one of them are before it.
      for arrival in arrivals { move(arrival.row!, to: count - 1, &plan) }
    }
    for (position, link) in zip(delta.insertions.joined(), inserted) { arrivals.append((position, nil, link)) }
    if !delta.moves.isEmpty { arrivals.sort { $0.position < $1.position } }
    for (position, row, link) in arrivals {
      if let row { move(row, to: position, &plan) } else { insert(link!, at: position, &plan) }
    }
    for (position, link) in zip(delta.updates.joined(), updated) {
      let row = row(atSource: position)
      update(row, link, &plan)
      let place = place(of: row)
      plan.appendUpdate(of: row, at: place.position, in: place.branch, self)
    }
    finish(&plan)
  }

  /// Gives all rows their ids and parents again, whose values are the same as before.
  mutating func relink(_ links: [NestLink], _ plan: inout NestPlan) {
    for (row, link) in zip(order.map(\.number), links) { update(row, link, &plan) }
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
    freeRows += plan.leftRows.map(\.row)
    #if InternalChecks
      checkUnlessCounting { checkInvariants() }
    #endif
  }
}

// Edits of one row. After each, everything follows from the order of the source and from the ids and parents of the rows.
extension NestTranslation {
  /// Inserts a row.
  ///
  /// - Parameters:
  ///   - link: its id and its parent.
  ///   - position: its position in the source.
  ///   - plan: receives the change.
  mutating func insert(_ link: NestLink, at position: Int, _ plan: inout NestPlan) {
    let row = makeRow(link, at: position)
    plan.newRows.append((row, link.id))
    let above = holder(of: link.parent)
    setLink(of: row, above)
    setParent(of: row, above)
    let branch = branch(below: above, &plan)
    let place = insertLeaf(row, into: branch)
    plan.append(ChangeSet(.insertion(place..<place + 1)), in: branch, self)
    claim(link.id, for: row, &plan)
  }

  /// Removes a row.
  ///
  /// - Parameters:
  ///   - position: its position in the source.
  ///   - plan: receives the change.
  mutating func remove(at position: Int, _ plan: inout NestPlan) {
    let row = row(atSource: position)
    let link = rows[row].link
    release(link.id, of: row, &plan)
    // Its children have gone.
    _ = makeLeafIfEmpty(row)
    let (branch, place) = place(of: row)
    plan.hadChildren[row] = nil
    _ = tree.removeLeaf(at: place, of: branch, in: 0)
    noteLoss(of: branch, &plan)
    plan.append(ChangeSet(.removal(place..<place + 1)), in: branch, self)
    setLink(of: row, nil, parent: 0)
    setParent(of: row, nil)
    order.takeOut(OrderIndex.Handle(number: row))
    plan.leftSlots += [link.id, link.parent]
    // Its number is given to another row when all is done.
    plan.leftRows.append((row, link.id))
  }

  /// Gives a row another id and another parent.
  mutating func update(_ row: Int, _ link: NestLink, _ plan: inout NestPlan) {
    let former = rows[row].link
    if former == link { return }
    if former.id != link.id {
      release(former.id, of: row, &plan)
      rows[row].link = NestLink(id: link.id, parent: former.parent)
      claim(link.id, for: row, &plan)
    }
    if former.parent != link.parent {
      // What it waits for is another id.
      setLink(of: row, rows[row].above, parent: link.parent)
      let holder = holder(of: link.parent)
      settle(row, holder == row ? nil : holder, &plan)
    }
    plan.leftSlots += [former.id, former.parent]
  }

  /// Moves a row to another position of the source.
  mutating func move(_ row: Int, to position: Int, _ plan: inout NestPlan) {
    let former = sourcePosition(ofRow: row)
    if former == position { return }
    let (branch, place) = place(of: row)
    order.move(from: former, to: position)
    let goal = rank(of: position, in: branch, skipping: place)
    if goal != place {
      tree.move(from: place, to: goal, of: branch, in: 0)
      plan.append(ChangeSet(.move(place..<place + 1, to: goal)), in: branch, self)
    }
    reclaim(rows[row].link.id, for: row, &plan)
    if let cut = cutRow(ofCycleThrough: row) { settle(cut, rows[cut].above, &plan) }
  }
}

// MARK: - Links

extension NestTranslation {
  /// Links a row to another one, or to none, and moves it there.
  private mutating func settle(_ row: Int, _ above: Int?, _ plan: inout NestPlan) {
    if let cut = cutRow(ofCycleThrough: row), cut != row {
      // The cycle opens here.
      hang(row, below: nil, &plan)
      setLink(of: row, nil)
      hang(cut, below: rows[cut].above, &plan)
    }
    setLink(of: row, above)
    guard let above, isBelow(above, row) else { return hang(row, below: above, &plan) }
    let first = firstRow(from: above, to: row)
    hang(first, below: nil, &plan)
    if first != row { hang(row, below: above, &plan) }
  }

  /// The row at which the cycle of a row is cut; nil where the row is in no cycle.
  private func cutRow(ofCycleThrough row: Int) -> Int? {
    guard cutCount > 0 else { return nil }
    var top = row
    while let next = rows[top].parent { top = next }
    guard let above = rows[top].above else { return nil }
    return top == row || above == row || isBelow(above, row) ? top : nil
  }

  /// The first row in the source of all rows from one up to another one above it.
  private func firstRow(from row: Int, to top: Int) -> Int {
    var (first, position) = (top, sourcePosition(ofRow: top))
    var next = row
    while next != top {
      let own = sourcePosition(ofRow: next)
      if own < position { (first, position) = (next, own) }
      next = rows[next].parent!
    }
    return first
  }

  /// Takes a row, with all that is below it, to another parent, or to the top level.
  private mutating func hang(_ row: Int, below parent: Int?, _ plan: inout NestPlan) {
    guard rows[row].parent != parent else { return }
    let goal = self.branch(below: parent, &plan)
    let (branch, place) = place(of: row)
    let name = SerialNumber.next()
    func half(
      _ delta: Delta, _ branch: Branch, _ plan: inout NestPlan, _ translation: borrowing NestTranslation
    ) -> ChangeSet {
      var change = ChangeSet(delta)
      change.mark(name)
      return plan.lifted(change, from: branch, translation)
    }
    let piece = cut(row, at: place, of: branch)
    noteLoss(of: branch, &plan)
    // Both halves are one change of the root: rows that have moved into this one stay in it.
    let departure = plan.isHeard ? half(.removal(place..<place + 1), branch, &plan, self) : ChangeSet()
    setParent(of: row, parent)
    let destination = paste(piece, row, into: goal)
    guard plan.isHeard else { return }
    let arrival = half(.insertion(destination..<destination + 1), goal, &plan, self)
    plan.append(departure.composed(with: arrival))
  }

  /// The branch of a row that is going to have children; that of the top level for nil.
  private mutating func branch(below row: Int?, _ plan: inout NestPlan) -> Branch {
    guard let row else { return TreeIndex.root }
    if rows[row].branch == nil, plan.hadChildren[row] == nil { plan.hadChildren[row] = false }
    return makeBranch(of: row)
  }

  /// Notes that a branch lost a child: it may have been the last one.
  private func noteLoss(of branch: Branch, _ plan: inout NestPlan) {
    guard branch != TreeIndex.root, count(of: branch) == 0 else { return }
    let row = row(of: branch)
    if plan.hadChildren[row] == nil { plan.hadChildren[row] = true }
  }
}

// MARK: - Ids

extension NestTranslation {
  /// Gives a row its id.
  private mutating func claim(_ slot: Int, for row: Int, _ plan: inout NestPlan) {
    if slot > 0 { follow(addHolder(row, of: slot), as: slot, &plan) }
  }

  /// Takes the id away from a row.
  private mutating func release(_ slot: Int, of row: Int, _ plan: inout NestPlan) {
    if slot > 0 { follow(removeHolder(row, of: slot), as: slot, &plan) }
  }

  /// Finds which row holds the id of one that has moved.
  private mutating func reclaim(_ slot: Int, for row: Int, _ plan: inout NestPlan) {
    if duplicates[slot] != nil { follow(sortHolders(of: slot, moved: row), as: slot, &plan) }
  }

  /// Hangs all rows whose parent has an id below the row that holds it.
  private mutating func follow(_ holder: Int?, as slot: Int, _ plan: inout NestPlan) {
    let former = self.holder(of: slot)
    if former == holder { return }
    var followers = rowsWaiting(for: slot)
    if let former {
      if let branch = rows[former].branch {
        followers += (0..<count(of: branch)).map { row(at: $0, of: branch) }
      }
      if let cut = cutRow(ofCycleThrough: former), rows[cut].above == former { followers.append(cut) }
    }
    holders[slot].wrappedValue = holder
    for row in followers { settle(row, holder == row ? nil : holder, &plan) }
  }
}

// MARK: - The tree

extension NestTranslation {
  /// Puts a row that has no children among the children of a branch.
  ///
  /// - Returns: its position there.
  private mutating func insertLeaf(_ row: Int, into branch: Branch) -> Int {
    let place = rank(of: sourcePosition(ofRow: row), in: branch)
    tree.insertLeaf(Int32(truncatingIfNeeded: row), at: place, of: branch, in: 0)
    return place
  }

  /// Takes a row out of the tree, with all that is below it.
  ///
  /// - Returns: what was taken out; nil where that is the row alone.
  private mutating func cut(_ row: Int, at place: Int, of branch: Branch) -> ForestTree? {
    if rows[row].branch != nil { return tree.cut(place..<place + 1, of: branch, in: 0) }
    _ = tree.removeLeaf(at: place, of: branch, in: 0)
    return nil
  }

  /// Puts what was taken out among the children of a branch.
  ///
  /// - Returns: its position there.
  private mutating func paste(_ piece: ForestTree?, _ row: Int, into branch: Branch) -> Int {
    guard let piece else { return insertLeaf(row, into: branch) }
    let place = rank(of: sourcePosition(ofRow: row), in: branch)
    tree.paste(piece, at: place, of: branch, in: 0)
    return place
  }

  /// The branch of a row, which is made where it has none.
  private mutating func makeBranch(of row: Int) -> Branch {
    if let branch = rows[row].branch { return branch }
    let (parent, position) = place(of: row)
    let branch = tree.makeBranch(at: position, of: parent)
    rows[row].branch = branch
    return branch
  }

  /// Makes a leaf of a row whose branch has no children.
  ///
  /// - Returns: whether it has children.
  private mutating func makeLeafIfEmpty(_ row: Int) -> Bool {
    guard let branch = rows[row].branch else { return false }
    if count(of: branch) > 0 { return true }
    tree.shape.makeLeaf(branch)
    rows[row].branch = nil
    return false
  }
}
