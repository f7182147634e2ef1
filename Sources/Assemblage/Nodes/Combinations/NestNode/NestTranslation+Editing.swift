import OffsetIndexing

// Changes of the source.
extension NestTranslation {
  /// Translates a change of the source, and updates the rows, the ids and the tree.
  ///
  /// - Parameters:
  ///   - delta: the change of the source's children. The levels below them are not shown. So a row that moves from
  ///     below to this level is new, and a row that moves down has left.
  ///   - inserted: the ids and parents of the inserted rows, one after the other.
  ///   - updated: the ids and parents of the updated rows, one after the other.
  ///   - plan: receives the changes.
  /// - Precondition: there is room for all slots.
  /// - Complexity: O(log² n) for n rows and for each row that the change names, or that moves to another parent because
  ///   of the change. Where the change is received, O(d · log n) more for each such row at depth d. While links form a
  ///   cycle, O(d) more for the walk to the top level. A link that closes a cycle of c rows takes O(c · log n) more.
  mutating func translate(
    _ delta: Delta, inserted: [NestLink], updated: [NestLink], _ plan: inout NestPlan
  ) {
    plan.noteRemovals(delta.removals, self)
    var arrivals = delta.moves.flatMap { move in
      zip(move.source, move.destination).map { (position: $1, row: row(atSource: $0) as Int?, link: nil as NestLink?) }
    }
    arrivals.sort { $0.position < $1.position }
    // From the end, because children mostly lie behind their parent. A child that is removed first need not move up.
    for position in delta.removals.joined().reversed() { remove(at: position, &plan) }
    if arrivals.count + inserted.count > 1 {
      // Moved rows first go behind all other rows, in their final order. When such a row then goes to its final
      // position, all rows that belong before it are already there.
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

  /// Gives all rows their ids and parents again; their values have not changed.
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

// Edits of one row. After each of them, the tree agrees with the order of the source and with the ids and parents of
// all rows.
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
    // No row has this row's id as its parent's id any more, so the row has no children.
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
    // The row's number is free for another row only after the whole change.
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
      // First, `setLink` changes the id that the row may wait for.
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
  /// Links a row to another one, or to none, and moves it below that row, or to the top level.
  private mutating func settle(_ row: Int, _ above: Int?, _ plan: inout NestPlan) {
    if let cut = cutRow(ofCycleThrough: row), cut != row {
      // The row leaves its cycle, so the cut row gets its parent again.
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

  /// The first row in the source among all rows from one up to another one above it.
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

  /// Moves a row, with everything below it, to another parent or to the top level.
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
    // Both halves are appended as one change of the root. So a row that moved into this one before stays in it.
    let departure = plan.hasListeners ? half(.removal(place..<place + 1), branch, &plan, self) : ChangeSet()
    setParent(of: row, parent)
    let destination = paste(piece, row, into: goal)
    guard plan.hasListeners else { return }
    let arrival = half(.insertion(destination..<destination + 1), goal, &plan, self)
    plan.append(departure.composed(with: arrival))
  }

  /// The branch of a row that is going to have children; for nil, the branch of the top level.
  private mutating func branch(below row: Int?, _ plan: inout NestPlan) -> Branch {
    guard let row else { return TreeIndex.root }
    if rows[row].branch == nil, plan.hadChildren[row] == nil { plan.hadChildren[row] = false }
    return makeBranch(of: row)
  }

  /// Notes that a branch lost a child, which may have been its last one.
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

  /// Takes its id from a row.
  private mutating func release(_ slot: Int, of row: Int, _ plan: inout NestPlan) {
    if slot > 0 { follow(removeHolder(row, of: slot), as: slot, &plan) }
  }

  /// Finds the holder of an id again, after a row with this id has moved.
  private mutating func reclaim(_ slot: Int, for row: Int, _ plan: inout NestPlan) {
    if duplicates[slot] != nil { follow(sortHolders(of: slot, moved: row), as: slot, &plan) }
  }

  /// Hangs all rows with a parent of this id below the row that holds the id.
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

  /// Removes a row from the tree, with everything below it.
  ///
  /// - Returns: the removed subtree; nil where the row has no children.
  private mutating func cut(_ row: Int, at place: Int, of branch: Branch) -> ForestTree? {
    if rows[row].branch != nil { return tree.cut(place..<place + 1, of: branch, in: 0) }
    _ = tree.removeLeaf(at: place, of: branch, in: 0)
    return nil
  }

  /// Inserts a removed subtree, or a row without children, among the children of a branch.
  ///
  /// - Returns: its position there.
  private mutating func paste(_ piece: ForestTree?, _ row: Int, into branch: Branch) -> Int {
    guard let piece else { return insertLeaf(row, into: branch) }
    let place = rank(of: sourcePosition(ofRow: row), in: branch)
    tree.paste(piece, at: place, of: branch, in: 0)
    return place
  }

  /// The branch of a row; made where the row has none.
  private mutating func makeBranch(of row: Int) -> Branch {
    if let branch = rows[row].branch { return branch }
    let (parent, position) = place(of: row)
    let branch = tree.makeBranch(at: position, of: parent)
    rows[row].branch = branch
    return branch
  }

  /// Turns a row with an empty branch into a leaf.
  ///
  /// - Returns: whether the row has children.
  private mutating func makeLeafIfEmpty(_ row: Int) -> Bool {
    guard let branch = rows[row].branch else { return false }
    if count(of: branch) > 0 { return true }
    tree.shape.makeLeaf(branch)
    rows[row].branch = nil
    return false
  }
}
