import OffsetIndexing

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
    use(link)
    if let part = parts.find(row, slot: link.id) {
      leave(link.id)
      plan.noteTurnover(of: part)
    }
    let above = holder(of: link.parent)
    setLink(of: row, above)
    setStand(of: row, above)
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
    _ = cut(row, at: place, of: branch)
    noteLoss(of: branch, &plan)
    plan.append(ChangeSet(.removal(place..<place + 1)), in: branch, self)
    if let part = parts.lose(row, slot: link.id) {
      if link.id > 0 { use(NestLink(id: link.id, parent: 0)) }
      plan.noteTurnover(of: part)
    }
    removeRow(row)
    for slot in [link.id, link.parent] { leave(slot) }
    plan.leftSlots += [link.id, link.parent]
    plan.leftRows.append(row)
  }

  /// Gives a row another id and another parent.
  mutating func update(_ row: Int, _ link: NestLink, _ plan: inout NestPlan) {
    let former = rows[row].link
    if former == link { return }
    use(link)
    if former.id != link.id {
      release(former.id, of: row, &plan)
      setID(of: row, link.id)
      claim(link.id, for: row, &plan)
    }
    if former.parent != link.parent {
      // What it waits for is another id.
      setLink(of: row, rows[row].above, parent: link.parent)
      let holder = holder(of: link.parent)
      settle(row, holder == row ? nil : holder, &plan)
    }
    for slot in [former.id, former.parent] { leave(slot) }
    plan.leftSlots += [former.id, former.parent]
  }

  /// Moves a row to another position of the source.
  mutating func move(_ row: Int, to position: Int, _ plan: inout NestPlan) {
    let former = sourcePosition(ofRow: row)
    if former == position { return }
    let (branch, place) = place(of: row)
    moveRow(from: former, to: position)
    let goal = rank(of: position, in: branch, skipping: place)
    if goal != place {
      moveChild(from: place, to: goal, of: branch)
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
    while let next = rows[top].stand { top = next }
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
      next = rows[next].stand!
    }
    return first
  }

  /// Takes a row, with all that is below it, to another parent, or to the top level.
  private mutating func hang(_ row: Int, below parent: Int?, _ plan: inout NestPlan) {
    guard rows[row].stand != parent else { return }
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
    setStand(of: row, parent)
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
    if slot > 0, isDuplicated(slot) { follow(sortHolders(of: slot, moved: row), as: slot, &plan) }
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
    setHolder(of: slot, holder)
    for row in followers { settle(row, holder == row ? nil : holder, &plan) }
  }
}
