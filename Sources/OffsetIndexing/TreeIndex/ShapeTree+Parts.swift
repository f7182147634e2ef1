/// Cutting and joining sequences of events, as in `CountedTree+Parts.swift`: O(log n) nodes (Blelloch, Ferizovic & Sun,
/// "Just join for parallel ordered sets", 2016), but from below, for a place is known by its leaf.
extension ShapeTree {
  /// The part of one leaf, which holds `count` events.
  func part(ofLeaf leaf: UInt32, count: Int) -> Part {
    leaves.lanes(leaf)[ShapeLeaf.countLane] = Int32(count)
    return Part(root: Entry(node: leaf, sum: sum(of: leaf)), height: 0)
  }

  /// Builds a part from events, in which no runs stand side by side, at memory speed.
  mutating func build(_ events: borrowing Span<UInt32>) -> Part {
    let count = events.count
    if count == 0 { return .empty }
    let leafCount = (count + limits.leafFill - 1) / limits.leafFill
    leaves.reserve(leafCount)
    var entries: [Entry] = []
    entries.reserveCapacity(leafCount)
    for number in 0..<leafCount {
      // Spread evenly, lest the last be too small.
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

  /// The part of `left`'s events followed by `right`'s.
  mutating func join(_ left: Part, _ right: Part) -> Part {
    if left.isEmpty { return right }
    if right.isEmpty { return left }
    let first: Entry
    let second: Entry?
    if left.height == right.height {
      (first, second) = settle(left.root, right.root, level: left.height)
    } else if left.height > right.height {
      (first, second) = attach(right, toEndOf: left.root.node, level: left.height)
    } else {
      (first, second) = attach(left, toStartOf: right.root.node, level: right.height)
    }
    let height = max(left.height, right.height)
    guard let second else { return Part(root: first, height: height) }
    let root = Self.withEntries { entries in
      entries[0] = first
      entries[1] = second
      return makeNode(entries, count: 2, level: height + 1)
    }
    return Part(root: root, height: height + 1)
  }

  private mutating func attach(_ part: Part, toEndOf node: UInt32, level: Int) -> (Entry, Entry?) {
    let slot = inner(node).count - 1
    let last = Entry(node: inner(node).child(slot), sum: inner(node).sum(slot))
    let (first, second) =
      level - 1 == part.height
      ? settle(last, part.root, level: part.height)
      : attach(part, toEndOf: last.node, level: level - 1)
    return Self.withEntries { entries in
      let count = entries.replace(1, at: slot, of: unpack(node, into: entries), with: first, second)
      return packOrSplit(entries, count: count, into: node, level: level, atEnd: false)
    }
  }

  private mutating func attach(_ part: Part, toStartOf node: UInt32, level: Int) -> (Entry, Entry?) {
    let head = Entry(node: inner(node).child(0), sum: inner(node).sum(0))
    let (first, second) =
      level - 1 == part.height
      ? settle(part.root, head, level: part.height)
      : attach(part, toStartOf: head.node, level: level - 1)
    return Self.withEntries { entries in
      let count = entries.replace(1, at: 0, of: unpack(node, into: entries), with: first, second)
      return packOrSplit(entries, count: count, into: node, level: level, atEnd: false)
    }
  }

  /// Cuts the forest that `place` is in; what was on either side of it hangs nowhere then.
  mutating func split(at place: Place) -> (left: Part, right: Part) {
    var link = link(ofLeaf: place.leaf)
    var (left, right) = splitLeaf(at: place)
    var level = 0
    while !link.isForest {
      let node = link.parent
      let slot = link.slot
      link = inner(node).link
      level += 1
      let (before, after) = Self.withEntries { entries in
        let count = unpack(node, into: entries)
        // The node itself serves whichever side has more than one child.
        var free: UInt32? = node
        let before = makePart(entries, count: slot, reusing: &free, level: level)
        let after = makePart(entries + slot + 1, count: count - slot - 1, reusing: &free, level: level)
        if let free { inners.release(free) }
        return (before, after)
      }
      left = join(before, left)
      right = join(right, after)
    }
    return (left, right)
  }

  private mutating func makePart(_ entries: Entries, count: Int, reusing node: inout UInt32?, level: Int) -> Part {
    if count == 0 { return .empty }
    if count == 1 { return Part(root: entries[0], height: level - 1) }
    let place = node ?? inners.allocate()
    node = nil
    return Part(root: pack(entries, count: count, into: place, level: level), height: level)
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

  /// Frees the nodes of a part and the records of all that is in it, forests of collapsed branches too.
  mutating func release(_ part: Part) {
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
            if event.bits >= 0x8000_0000 && !event.isKind(.close) { branches.release(event.record) }
          }
        }
        release(node, level: level)
      }
    }
  }
}
