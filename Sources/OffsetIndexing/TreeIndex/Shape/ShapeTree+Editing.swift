/// Edits of the events in the forests. The callers update the numbers of children.
extension ShapeTree {
  /// The forest that contains the children of a branch.
  func forest(ofChildrenOf branch: UInt32) -> UInt32 {
    branches.forest(branch) ?? forest(ofLeaf: branches.openLeaf(branch))
  }

  /// Inserts leaves before child `position`. If the leaf of the tree has a run beside the place, they become part of
  /// that run.
  ///
  /// - Returns: the number of the first new leaf, and its forest.
  @discardableResult
  mutating func insertLeaves(_ length: Int, into parent: UInt32, at position: Int) -> NumberedPlace {
    guard let place = boundary(position, of: parent) else {
      fill(parent, with: Events(run(length)))
      return NumberedPlace(number: 0, forest: forest(ofChildrenOf: parent))
    }
    let lanes = leaves.lanes(place.leaf)
    if place.slot < Int(lanes[ShapeLeaf.countLane]) && event(place.slot, lanes).isLeaves {
      return resizeRun(at: place.slot, of: place.leaf, by: length).advanced(by: place.inside)
    }
    if place.slot > 0 && event(place.slot - 1, lanes).isLeaves {
      let before = elements(event(place.slot - 1, lanes))
      return resizeRun(at: place.slot - 1, of: place.leaf, by: length).advanced(by: before)
    }
    let start = numbered(place)
    replace(0, at: place.slot, of: place.leaf, with: Events(run(length)))
    return start
  }

  /// Removes children that are leaves of one run, in place.
  ///
  /// - Parameters:
  ///   - range: the positions of the children; not empty.
  ///   - parent: the parent of the children.
  /// - Returns: the number that the first child had, and its forest; nil where the children are not leaves of one run.
  ///   Then nothing is removed.
  mutating func removeRun(_ range: Range<Int>, of parent: UInt32) -> NumberedPlace? {
    let place = child(range.lowerBound, of: parent)
    let lanes = leaves.lanes(place.leaf)
    guard event(place.slot, lanes).isLeaves else { return nil }
    let length = elements(event(place.slot, lanes))
    if place.inside + range.count > length { return nil }
    if range.count < length {
      return resizeRun(at: place.slot, of: place.leaf, by: -range.count).advanced(by: place.inside)
    }
    let start = numbered(place)
    _ = take(event(place.slot, lanes))
    replace(1, at: place.slot, of: place.leaf, with: Events())
    return start
  }

  /// Inserts a branch without children before child `position`.
  mutating func insertBranch(into parent: UInt32, at position: Int) -> UInt32 {
    let branch = branches.allocate()
    let (open, close) = (ShapeEvent(.open, branch), ShapeEvent(.close, branch))
    guard let place = boundary(position, of: parent) else {
      fill(parent, with: Events(open, close))
      return branch
    }
    if place.inside == 0 {
      replace(0, at: place.slot, of: place.leaf, with: Events(open, close))
    } else {
      let length = take(event(place.slot, leaves.lanes(place.leaf)))
      replace(
        1, at: place.slot, of: place.leaf,
        with: Events(run(place.inside), open, close, run(length - place.inside)))
    }
    return branch
  }

  /// Makes events the whole content of a branch's own forest, which is empty.
  private mutating func fill(_ branch: UInt32, with events: Events) {
    let leaf = leaves.allocate()
    let lanes = leaves.lanes(leaf)
    for slot in 0..<events.count { set(slot, of: leaf, lanes, to: events[slot]) }
    replaceOwnForest(of: branch, by: part(ofLeaf: leaf, count: events.count))
  }

  /// Makes `part` the whole content of a branch's own forest, which is empty.
  private mutating func replaceOwnForest(of branch: UInt32, by part: Part) {
    guard let forest = branches.forest(branch) else {
      fatalError("a branch whose children are in the forest of the branch has a place for them")
    }
    setPart(part, of: forest)
  }

  /// Replaces the leaf at a place in a run by a branch without children.
  mutating func makeBranch(at place: Place) -> UInt32 {
    let branch = branches.allocate()
    let length = take(event(place.slot, leaves.lanes(place.leaf)))
    replace(
      1, at: place.slot, of: place.leaf,
      with: Events(
        runIfAny(place.inside), ShapeEvent(.open, branch), ShapeEvent(.close, branch),
        runIfAny(length - place.inside - 1)))
    return branch
  }

  /// Replaces a branch without children by a leaf.
  mutating func makeLeaf(_ branch: UInt32) {
    if let forest = branches.forest(branch) {
      _ = forests.remove(forest)
    } else {
      removeClosing(of: branch)
    }
    let leaf = branches.openLeaf(branch)
    let kind = branches.forest(branch) == nil ? ShapeEvent.Kind.open : .collapsed
    let slot = slot(of: ShapeEvent(kind, branch), in: leaf)
    branches.release(branch)
    replaceByLeaves(1, removing: 1, at: slot, of: leaf)
  }

  private mutating func removeClosing(of branch: UInt32) {
    let closing = closing(of: branch)
    replace(1, at: closing.slot, of: closing.leaf, with: Events())
  }

  /// Cuts out children of a branch, and returns them as a part that belongs to no forest.
  mutating func cut(_ range: Range<Int>, of parent: UInt32) -> Part {
    guard let start = boundary(range.lowerBound, of: parent), let end = boundary(range.upperBound, of: parent),
      !range.isEmpty
    else { return .empty }
    if start.leaf == end.leaf { return cut(from: start, to: end) }
    let forest = forest(ofLeaf: start.leaf)
    let (rest, after) = split(at: end)
    // The start may be in another leaf now. The code has to look it up again, and therefore the rest has to be in its
    // forest.
    setPart(rest, of: forest)
    let (before, piece) = split(at: boundary(range.lowerBound, of: parent) ?? start)
    setPart(join(before, after), of: forest)
    return piece
  }

  /// Cuts out the events between two places of one leaf.
  private mutating func cut(from start: Place, to end: Place) -> Part {
    let leaf = start.leaf
    if start.slot == end.slot {
      let length = end.inside - start.inside
      let event = run(length)
      resizeRun(at: start.slot, of: leaf, by: -length)
      let new = leaves.allocate()
      set(0, of: new, leaves.lanes(new), to: event)
      return part(ofLeaf: new, count: 1)
    }
    var first: ShapeEvent?
    var last: ShapeEvent?
    var rest = start.inside
    if start.inside > 0 { first = run(take(event(start.slot, leaves.lanes(leaf))) - start.inside) }
    if end.inside > 0 {
      rest += take(event(end.slot, leaves.lanes(leaf))) - end.inside
      last = run(end.inside)
    }
    let whole = start.slot + (first == nil ? 0 : 1)..<end.slot
    let new = leaves.allocate()
    let (lanes, newLanes) = (leaves.lanes(leaf), leaves.lanes(new))
    var count = 0
    func append(_ event: ShapeEvent) {
      set(count, of: new, newLanes, to: event)
      count += 1
    }
    if let first { append(first) }
    for slot in whole { append(event(slot, lanes)) }
    if let last { append(last) }
    let piece = part(ofLeaf: new, count: count)
    replaceByLeaves(
      rest, removing: end.slot + (last == nil ? 0 : 1) - start.slot, at: start.slot, of: leaf)
    return piece
  }

  /// Inserts a part before child `position`.
  mutating func paste(_ part: Part, into parent: UInt32, at position: Int) {
    if part.isEmpty { return }
    if let place = boundary(position, of: parent) {
      paste(part, at: place)
    } else {
      replaceOwnForest(of: parent, by: part)
    }
  }

  private mutating func paste(_ part: Part, at place: Place) {
    if part.height == 0 && count(of: part.root.node) + count(of: place.leaf) < limits.leafCapacity {
      return pasteLeaf(part.root.node, at: place)
    }
    let forest = self.forest(ofLeaf: place.leaf)
    let (before, after) = split(at: place)
    setPart(join(join(before, part), after), of: forest)
  }

  /// Moves the events of one leaf into another leaf, which has room for them and one more event.
  private mutating func pasteLeaf(_ piece: UInt32, at place: Place) {
    let (lanes, pieceLanes) = (leaves.lanes(place.leaf), leaves.lanes(piece))
    var events: [ShapeEvent] = []
    events.reserveCapacity(ShapeLeaf.capacity)
    for slot in 0..<place.slot { events.append(event(slot, lanes)) }
    var tail = place.slot
    var rest: ShapeEvent?
    if place.inside > 0 {
      let length = take(event(tail, lanes))
      tail += 1
      events.append(run(place.inside))
      rest = run(length - place.inside)
    }
    for slot in 0..<count(of: piece) { appendMerging(event(slot, pieceLanes), to: &events) }
    if let rest { appendMerging(rest, to: &events) }
    for slot in tail..<count(of: place.leaf) { appendMerging(event(slot, lanes), to: &events) }
    for (slot, event) in events.enumerated() { set(slot, of: place.leaf, lanes, to: event) }
    lanes[ShapeLeaf.countLane] = Int32(events.count)
    leaves.release(piece)
    leafChanged(place.leaf)
  }

  private mutating func appendMerging(_ event: ShapeEvent, to events: inout [ShapeEvent]) {
    if event.isLeaves, let last = events.last, last.isLeaves {
      let length = TreeTrap.sum(take(last), take(event))
      events[events.count - 1] = run(length)
    } else {
      events.append(event)
    }
  }

  /// Gives the children of a branch a forest of their own. In its own forest, the branch is an element without
  /// children.
  mutating func collapse(_ branch: UInt32) {
    let part = cut(0..<branches.count(branch), of: branch)
    removeClosing(of: branch)
    let leaf = branches.openLeaf(branch)
    let lanes = leaves.lanes(leaf)
    set(slot(of: ShapeEvent(.open, branch), in: leaf), of: leaf, lanes, to: ShapeEvent(.collapsed, branch))
    branches.setForest(branch, makeForest(part, owner: branch))
    leafChanged(leaf)
  }

  /// Inserts the children of a collapsed branch after the branch again.
  mutating func expand(_ branch: UInt32) {
    guard let own = branches.forest(branch) else { return }
    let part = forests.remove(own)
    let place = place(of: branch)
    branches.setForest(branch, nil)
    replace(
      1, at: place.slot, of: place.leaf, with: Events(ShapeEvent(.open, branch), ShapeEvent(.close, branch)))
    var opening = self.place(of: branch)
    opening.slot += 1
    if !part.isEmpty { paste(part, at: opening) }
  }

  /// Expands collapsed siblings, which are given in order.
  ///
  /// The last sibling is first. So each cut divides only the rest of the forest before the earlier cuts. That rest is
  /// small where most rows are children of the siblings.
  mutating func expand(_ siblings: [UInt32]) {
    let forest = forest(ofLeaf: branches.openLeaf(siblings[0]))
    var tail = Part.empty
    for branch in siblings.reversed() {
      guard let own = branches.forest(branch) else { continue }
      let place = place(of: branch)
      let part = forests.remove(own)
      branches.setForest(branch, nil)
      replace(
        1, at: place.slot, of: place.leaf, with: Events(ShapeEvent(.open, branch), ShapeEvent(.close, branch)))
      if part.isEmpty { continue }
      let (before, after) = split(at: closing(of: branch))
      tail = join(part, join(after, tail))
      setPart(before, of: forest)
    }
    setPart(join(forests[forest].part, tail), of: forest)
  }

  /// Makes `parent` the parent of the branches on the top level of a forest.
  func adopt(_ forest: UInt32, by parent: UInt32) {
    let part = forests[forest].part
    if part.isEmpty { return }
    var place = start(of: part)
    while true {
      if place.slot == count(of: place.leaf) {
        guard let next = leafAfter(place.leaf) else { return }
        place = Place(leaf: next, slot: 0)
      }
      let event = event(place.slot, leaves.lanes(place.leaf))
      if event.isBranch { branches.setParent(event.record, parent) }
      if event.isKind(.open) { place = closing(of: event.record) }
      place.slot += 1
    }
  }
}
