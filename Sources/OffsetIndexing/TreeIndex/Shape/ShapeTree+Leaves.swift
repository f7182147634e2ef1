extension ShapeTree {
  /// Up to four events that replace other events. Empty runs are left out.
  struct Events {
    private(set) var bits = SIMD4<UInt32>()
    private(set) var count = 0

    init(_ events: ShapeEvent?...) { for case let event? in events { append(event) } }

    mutating func append(_ event: ShapeEvent) {
      bits[count] = event.bits
      count += 1
    }

    subscript(index: Int) -> ShapeEvent { ShapeEvent(bits: bits[index]) }
  }

  /// The event of a run of `length` leaves, or nil where `length` is 0.
  mutating func runIfAny(_ length: Int) -> ShapeEvent? { length == 0 ? nil : run(length) }

  // MARK: Runs

  /// Makes a run longer or shorter, but not empty.
  ///
  /// - Returns: the number of the run's first leaf, and its forest.
  @discardableResult
  mutating func resizeRun(at slot: Int, of leaf: UInt32, by change: Int) -> NumberedPlace {
    let lanes = leaves.lanes(leaf)
    let length = TreeTrap.sum(elements(event(slot, lanes)), change)
    _ = take(event(slot, lanes))
    let run = run(length)
    lanes[slot] = Int32(bitPattern: run.bits)
    let link = link(ofLeaf: leaf)
    var sum = sum(at: link)
    // The run does not become empty, so there is still an element on its level.
    sum.elements &+= change
    sum.addElements(change, onLevel: ShapeLeaf.excess(before: slot, lanes))
    return settleSums(above: link, sum, elementsBefore: elements(before: slot, lanes))
  }

  /// Replaces events by `length` leaves, and merges them with the runs beside them in the leaf into one run.
  mutating func replaceByLeaves(_ length: Int, removing removed: Int, at slot: Int, of leaf: UInt32) {
    let lanes = leaves.lanes(leaf)
    var (start, end, length) = (slot, slot + removed, length)
    if start > 0 && event(start - 1, lanes).isLeaves {
      start -= 1
      length += take(event(start, lanes))
    }
    if end < count(of: leaf) && event(end, lanes).isLeaves {
      length += take(event(end, lanes))
      end += 1
    }
    replace(end - start, at: start, of: leaf, with: Events(runIfAny(length)))
  }

  // MARK: Events

  /// Replaces `removed` events of a leaf by others, and settles the nodes above.
  mutating func replace(_ removed: Int, at slot: Int, of leaf: UInt32, with new: Events) {
    let lanes = leaves.lanes(leaf)
    let count = Int(lanes[ShapeLeaf.countLane])
    let newCount = count - removed + new.count
    if newCount <= limits.leafCapacity {
      let sum = sum(of: leaf, replacing: removed, at: slot, with: new)
      shift(from: slot + removed, to: slot + new.count, count: count - slot - removed, lanes)
      for index in 0..<new.count { set(slot + index, of: leaf, lanes, to: new[index]) }
      lanes[ShapeLeaf.countLane] = Int32(newCount)
      leafChanged(leaf, sum)
    } else {
      split(leaf, replacing: removed, at: slot, with: new, count: newCount)
    }
  }

  /// The sum of a leaf after some of its events are replaced. Most often it is found without adding up all events; nil
  /// where they have to be added up.
  @inline(__always)
  private func sum(of leaf: UInt32, replacing removed: Int, at slot: Int, with new: Events) -> ShapeSum? {
    let lanes = leaves.lanes(leaf)
    let start = ShapeLeaf.excess(before: slot, lanes)
    var sum = sum(at: link(ofLeaf: leaf))
    var level = start
    for slot in slot..<slot + removed {
      let event = event(slot, lanes)
      // The record of a run that has been taken may belong to another run or branch now.
      if event.isKind(.longRun) { return nil }
      let elements = elements(event)
      if elements > 0 { sum.removeElements(elements, onLevel: level) }
      sum.elements &-= elements
      level &+= event.excess
    }
    let end = level
    level = start
    for index in 0..<new.count {
      let event = new[index]
      let elements = elements(event)
      if elements > 0 { sum.addElements(elements, onLevel: level) }
      sum.elements &+= elements
      level &+= event.excess
    }
    return level == end && sum.lowCount > 0 ? sum : nil
  }

  @inline(__always)
  private func shift(from source: Int, to target: Int, count: Int, _ lanes: Lanes) {
    unsafe (lanes.base + target).update(from: lanes.base + source, count: count)
  }

  /// Does the same where the leaf overflows. Half of the events go to a new leaf, but only few where they are at the
  /// end of a sequence.
  @inline(never)
  private mutating func split(
    _ leaf: UInt32, replacing removed: Int, at slot: Int, with new: Events, count: Int
  ) {
    let right = leaves.allocate()
    let (lanes, rightLanes) = (leaves.lanes(leaf), leaves.lanes(right))
    let old = (0..<count - new.count + removed).map { event($0, lanes) }
    let events = old[..<slot] + (0..<new.count).map { new[$0] } + old[(slot + removed)...]
    let kept = slot + removed == old.count ? max(count - limits.leafMinimum, count / 2) : count / 2
    let fits = min(max(kept, count - limits.leafCapacity), limits.leafCapacity)
    for (slot, event) in events.enumerated() {
      if slot < fits {
        set(slot, of: leaf, lanes, to: event)
      } else {
        set(slot - fits, of: right, rightLanes, to: event)
      }
    }
    lanes[ShapeLeaf.countLane] = Int32(fits)
    rightLanes[ShapeLeaf.countLane] = Int32(count - fits)
    replaceChildren(
      1, at: link(ofLeaf: leaf), level: 0, with: Entry(node: leaf, sum: sum(of: leaf)),
      Entry(node: right, sum: sum(of: right)))
  }

  /// Settles the nodes above a leaf whose events have changed.
  mutating func leafChanged(_ leaf: UInt32, _ sum: ShapeSum? = nil) {
    let count = count(of: leaf)
    let link = link(ofLeaf: leaf)
    if count >= limits.leafMinimum || (link.isForest && count > 0) {
      settleSums(above: leaf, level: 0, sum ?? self.sum(of: leaf))
    } else if link.isForest {
      leaves.release(leaf)
      setPart(.empty, of: link.forest)
    } else {
      settleWithNeighbour(Entry(node: leaf, sum: sum ?? self.sum(of: leaf)), link, level: 0)
    }
  }

  // MARK: Overflow and underflow

  /// Merges a node that has become too small with a neighbour, or moves children or events from the neighbour.
  private mutating func settleWithNeighbour(_ entry: Entry, _ link: ShapeLink, level: Int) {
    let parent = inner(link.parent)
    let slot = max(1, link.slot)
    let left = slot == link.slot ? Entry(node: parent.child(slot - 1), sum: parent.sum(slot - 1)) : entry
    let right = slot == link.slot ? entry : Entry(node: parent.child(1), sum: parent.sum(1))
    let (first, second) = settle(left, right, level: level)
    replaceChildren(2, at: ShapeLink(parent: link.parent, slot: slot - 1), level: level, with: first, second)
  }

  /// Replaces one or two nodes of `level`, which hang at `link`, by one or two other nodes, and settles the nodes
  /// above.
  private mutating func replaceChildren(
    _ removed: Int, at link: ShapeLink, level: Int, with first: Entry, _ second: Entry?
  ) {
    var (removed, link, level, first, second) = (removed, link, level, first, second)
    while !link.isForest {
      let node = link.parent
      let above = inner(node).link
      level += 1
      let (left, right) = replaceEntries(removed, at: link.slot, of: node, level: level, with: first, second)
      if right == nil {
        if above.isForest || !isTooSmall(left.node, level: level) {
          settleRoot(left, above, level: level)
        } else {
          settleWithNeighbour(left, above, level: level)
        }
        return
      }
      (removed, link, first, second) = (1, above, left, right)
    }
    guard let second else { return settleRoot(first, link, level: level) }
    setPart(Part(root: makeNode(first, second, level: level + 1), height: level + 1), of: link.forest)
  }

  /// Makes `entry` the node that hangs at `link`. The entry may be a root with one child.
  private mutating func settleRoot(_ entry: Entry, _ link: ShapeLink, level: Int) {
    guard link.isForest else {
      return settleSums(above: entry.node, level: level, entry.sum)
    }
    var part = Part(root: entry, height: level)
    while part.height > 0 && inner(part.root.node).count == 1 {
      let child = inner(part.root.node).child(0)
      inners.release(part.root.node)
      part.root.node = child
      part.height -= 1
    }
    setPart(part, of: link.forest)
  }

  /// Makes two neighbours of one level large enough. If one is too small, they are merged into the left one where both
  /// fit, and otherwise they share their children or events evenly.
  mutating func settle(_ left: Entry, _ right: Entry, level: Int) -> (Entry, Entry?) {
    guard isTooSmall(left.node, level: level) || isTooSmall(right.node, level: level) else { return (left, right) }
    return level == 0 ? settleLeaves(left.node, right.node) : settleInners(left, right, level: level, atEnd: false)
  }

  private mutating func settleLeaves(_ left: UInt32, _ right: UInt32) -> (Entry, Entry?) {
    let (leftLanes, rightLanes) = (leaves.lanes(left), leaves.lanes(right))
    var leftCount = count(of: left)
    var rightCount = count(of: right)
    if leftCount > 0 && rightCount > 0 && event(leftCount - 1, leftLanes).isLeaves && event(0, rightLanes).isLeaves {
      let length = TreeTrap.sum(take(event(leftCount - 1, leftLanes)), take(event(0, rightLanes)))
      set(leftCount - 1, of: left, leftLanes, to: run(length))
      shift(from: 1, to: 0, count: rightCount - 1, rightLanes)
      rightCount -= 1
    }
    let all = leftCount + rightCount
    let kept = all <= limits.leafCapacity ? all : all / 2
    while leftCount < kept {
      let moved = kept - leftCount
      for slot in 0..<moved { set(leftCount + slot, of: left, leftLanes, to: event(slot, rightLanes)) }
      shift(from: moved, to: 0, count: rightCount - moved, rightLanes)
      leftCount += moved
      rightCount -= moved
    }
    if leftCount > kept {
      let moved = leftCount - kept
      shift(from: 0, to: moved, count: rightCount, rightLanes)
      for slot in 0..<moved { set(slot, of: right, rightLanes, to: event(kept + slot, leftLanes)) }
      leftCount -= moved
      rightCount += moved
    }
    leftLanes[ShapeLeaf.countLane] = Int32(leftCount)
    rightLanes[ShapeLeaf.countLane] = Int32(rightCount)
    if rightCount == 0 {
      leaves.release(right)
      return (Entry(node: left, sum: sum(of: left)), nil)
    }
    return (Entry(node: left, sum: sum(of: left)), Entry(node: right, sum: sum(of: right)))
  }

  // MARK: Entries

  /// Replaces children of `node` by one or two entries, and returns the new entry of `node`. If the node is split, two
  /// entries are returned.
  ///
  /// Where no other child moves, only the new entries are linked. `sum` is the node's sum, if it is known.
  mutating func replaceEntries(
    _ removed: Int, at slot: Int, of node: UInt32, level: Int, with first: Entry, _ second: Entry?,
    sum: ShapeSum? = nil
  ) -> (Entry, Entry?) {
    let inner = inner(node)
    let count = inner.count
    guard removed == 1 && (second == nil || slot == count - 1 && count < limits.fanOut) else {
      return Self.withEntries { entries in
        let count = entries.replace(removed, at: slot, of: unpack(node, into: entries), with: first, second)
        return packOrSplit(entries, count: count, into: node, level: level, atEnd: slot + 2 >= count)
      }
    }
    put(first, in: slot, of: node, inner, level: level)
    if let second {
      put(second, in: slot + 1, of: node, inner, level: level)
      inner.count = count + 1
    }
    return (Entry(node: node, sum: sum ?? inner.sum), nil)
  }

  @inline(__always)
  private func put(_ entry: Entry, in slot: Int, of node: UInt32, _ inner: ShapeNodeView, level: Int) {
    inner.set(slot, entry.sum)
    inner.set(slot, child: entry.node)
    link(entry.node, level: level - 1, to: ShapeLink(parent: node, slot: slot))
  }

  /// Writes the children of `node` with their sums to `entries`, and returns their number.
  func unpack(_ node: UInt32, into entries: Entries) -> Int {
    let inner = inner(node)
    let count = inner.count
    for slot in 0..<count { entries[slot] = Entry(node: inner.child(slot), sum: inner.sum(slot)) }
    return count
  }

  /// Makes `entries` the children of `node`, and returns the node's own entry. `level` is the node's level, and the
  /// level above the leaves is 1.
  func pack(_ entries: Entries, count: Int, into node: UInt32, level: Int) -> Entry {
    let inner = inner(node)
    var sum = ShapeSum()
    for slot in 0..<count {
      let entry = entries[slot]
      put(entry, in: slot, of: node, inner, level: level)
      sum.append(entry.sum)
    }
    inner.count = count
    return Entry(node: node, sum: sum)
  }

  /// Runs `body` with room for the entries of two nodes: 1024 bytes.
  @inline(__always)
  static func withEntries<Result>(_ body: (Entries) -> Result) -> Result {
    Entries.with(capacity: 2 * ShapeNode.capacity, body)
  }
}
