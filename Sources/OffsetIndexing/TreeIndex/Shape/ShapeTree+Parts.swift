/// Cuts and joins sequences of events, as `CountedTree+Parts.swift` does: O(log n) nodes (Blelloch, Ferizovic & Sun,
/// "Just join for parallel ordered sets", 2016). Here the work begins at a leaf and not at the root, because a place is
/// known by its leaf.
extension ShapeTree {
  /// The part of one leaf, which holds `count` events.
  func part(ofLeaf leaf: UInt32, count: Int) -> Part {
    leaves.lanes(leaf)[ShapeLeaf.countLane] = Int32(count)
    return Part(root: Entry(node: leaf, sum: sum(of: leaf)), height: 0)
  }

  /// Builds a part from events at memory speed. No two runs in the events are side by side.
  mutating func build(_ events: borrowing Span<UInt32>) -> Part {
    let count = events.count
    if count == 0 { return .empty }
    let leafCount = (count + limits.leafFill - 1) / limits.leafFill
    leaves.reserve(leafCount)
    var entries: [Entry] = []
    entries.reserveCapacity(leafCount)
    for number in 0..<leafCount {
      // The events are spread evenly, so that the last leaf is not too small.
      let start = number * count / leafCount
      let end = (number + 1) * count / leafCount
      let leaf = leaves.allocate()
      let lanes = leaves.lanes(leaf)
      for index in start..<end { set(index - start, of: leaf, lanes, to: ShapeEvent(bits: events[index])) }
      entries.append(part(ofLeaf: leaf, count: end - start).root)
    }
    var height = 0
    while entries.count > 1 {
      height += 1
      let nodeCount = (entries.count + limits.fanOut - 1) / limits.fanOut
      inners.reserve(nodeCount)
      var nodes: [Entry] = []
      nodes.reserveCapacity(nodeCount)
      for number in 0..<nodeCount {
        let start = number * entries.count / nodeCount
        let end = (number + 1) * entries.count / nodeCount
        let node = Self.withEntries { room in
          for slot in start..<end { room[slot - start] = entries[slot] }
          return makeNode(room, count: end - start, level: height)
        }
        nodes.append(node)
      }
      entries = nodes
    }
    return Part(root: entries[0], height: height)
  }

  /// The events of `left`, followed by the events of `right`.
  mutating func join(_ left: Part, _ right: Part) -> Part {
    if left.isEmpty { return right }
    if right.isEmpty { return left }
    let first: Entry
    let second: Entry?
    if left.height == right.height {
      (first, second) = settle(left.root, right.root, level: left.height)
    } else if left.height > right.height {
      (first, second) = attach(right, toEndOf: left.root, level: left.height)
    } else {
      (first, second) = attach(left, toStartOf: right.root, level: right.height)
    }
    let height = max(left.height, right.height)
    guard let second else { return Part(root: first, height: height) }
    return Part(root: makeNode(first, second, level: height + 1), height: height + 1)
  }

  private mutating func attach(_ part: Part, toEndOf whole: Entry, level: Int) -> (Entry, Entry?) {
    let slot = inner(whole.node).count - 1
    let last = entry(slot, of: whole.node)
    let (first, second) =
      level - 1 == part.height
      ? settle(last, part.root, level: part.height)
      : attach(part, toEndOf: last, level: level - 1)
    var sum = whole.sum
    sum.append(part.root.sum)
    return replaceEntries(1, at: slot, of: whole.node, level: level, with: first, second, sum: sum)
  }

  private mutating func attach(_ part: Part, toStartOf whole: Entry, level: Int) -> (Entry, Entry?) {
    let head = entry(0, of: whole.node)
    let (first, second) =
      level - 1 == part.height
      ? settle(part.root, head, level: part.height)
      : attach(part, toStartOf: head, level: level - 1)
    var sum = part.root.sum
    sum.append(whole.sum)
    return replaceEntries(1, at: 0, of: whole.node, level: level, with: first, second, sum: sum)
  }

  /// Cuts the forest of `place` at the place. The two parts belong to no forest afterwards.
  mutating func split(at place: Place) -> (left: Part, right: Part) {
    var link = link(ofLeaf: place.leaf)
    var (left, right) = splitLeaf(at: place)
    var level = 0
    while !link.isForest {
      let node = link.parent
      let slot = link.slot
      link = inner(node).link
      level += 1
      right = join(right, toWhatFollows: slot, in: node, level: level)
      left = join(whatPrecedes: slot, in: node, level: level, left)
    }
    return (left, right)
  }

  /// A part, followed by the children of a node behind `slot`. These children get a new node.
  private mutating func join(_ part: Part, toWhatFollows slot: Int, in node: UInt32, level: Int) -> Part {
    let count = inner(node).count - slot - 1
    if count == 0 { return part }
    if count == 1 { return join(part, Part(root: entry(slot + 1, of: node), height: level - 1)) }
    let new = inners.allocate()
    let isBeside = part.height == level - 1
    let root = Self.withEntries { entries in
      for offset in 1...count { entries[offset] = entry(slot + offset, of: node) }
      guard isBeside else { return pack(entries + 1, count: count, into: new, level: level) }
      let (first, second) = settle(part.root, entries[1], level: level - 1)
      entries[second == nil ? 1 : 0] = first
      guard let second else { return pack(entries + 1, count: count, into: new, level: level) }
      entries[1] = second
      return pack(entries, count: count + 1, into: new, level: level)
    }
    let whole = Part(root: root, height: level)
    return isBeside ? whole : join(part, whole)
  }

  /// The children of a node before `slot`, which keep the node, followed by a part.
  private mutating func join(whatPrecedes slot: Int, in node: UInt32, level: Int, _ part: Part) -> Part {
    if slot > 1 {
      inner(node).count = slot
      return join(Part(root: Entry(node: node, sum: inner(node).sum), height: level), part)
    }
    let before = slot == 0 ? .empty : Part(root: entry(0, of: node), height: level - 1)
    inners.release(node)
    return join(before, part)
  }

  private func entry(_ slot: Int, of node: UInt32) -> Entry {
    Entry(node: inner(node).child(slot), sum: inner(node).sum(slot))
  }

  private mutating func splitLeaf(at place: Place) -> (Part, Part) {
    let leaf = place.leaf
    let lanes = leaves.lanes(leaf)
    let count = count(of: leaf)
    var slot = place.slot
    var rest: ShapeEvent?
    if place.inside > 0 {
      let length = take(event(slot, lanes))
      rest = run(length - place.inside)
      lanes[slot] = Int32(bitPattern: run(place.inside).bits)
      slot += 1
    }
    var right = Part.empty
    let moved = count - slot
    if moved > 0 || rest != nil {
      let new = leaves.allocate()
      let (lanes, newLanes) = (leaves.lanes(leaf), leaves.lanes(new))
      if let rest { set(0, of: new, newLanes, to: rest) }
      let target = rest == nil ? 0 : 1
      for offset in 0..<moved { set(target + offset, of: new, newLanes, to: event(slot + offset, lanes)) }
      right = part(ofLeaf: new, count: target + moved)
    }
    if slot == 0 {
      leaves.release(leaf)
      return (.empty, right)
    }
    return (part(ofLeaf: leaf, count: slot), right)
  }

  /// Releases the nodes of a part and the records of all its elements. The forests of collapsed branches are released,
  /// too.
  mutating func release(_ part: Part, _ body: (_ branch: UInt32) -> Void) {
    var parts = [part]
    while let part = parts.popLast() {
      if part.isEmpty { continue }
      var nodes = [(part.root.node, part.height)]
      while let (node, level) = nodes.popLast() {
        if level > 0 {
          let inner = inner(node)
          for slot in 0..<inner.count { nodes.append((inner.child(slot), level - 1)) }
        } else {
          let lanes = leaves.lanes(node)
          for slot in 0..<count(of: node) {
            let event = event(slot, lanes)
            if event.isKind(.collapsed), let forest = branches.forest(event.record) {
              parts.append(forests.remove(forest))
            }
            if event.isLeaves {
              if event.bits >= 0x8000_0000 { branches.release(event.record) }
            } else if !event.isKind(.close) {
              body(event.record)
              branches.release(event.record)
            }
          }
        }
        release(node, level: level)
      }
    }
  }
}
