extension ShapeTree {
  // MARK: From above

  /// The place and the depth of element `number`. `number` is less than the forest's number of elements.
  @inline(__always)
  func find(_ number: Int, in part: Part) -> (place: Place, depth: Int32) {
    var rest = number
    var depth: Int32 = 0
    var node = part.root.node
    var level = part.height
    while level > 0 {
      let inner = inner(node)
      var slot = 0
      while true {
        let elements = inner.elements(slot)
        if rest < elements { break }
        rest &-= elements
        depth &+= inner.excess(slot)
        slot &+= 1
      }
      node = inner.child(slot)
      level &-= 1
    }
    let lanes = leaves.lanes(node)
    var slot = 0
    while true {
      let event = event(slot, lanes)
      let elements = elements(event)
      if rest < elements { break }
      rest &-= elements
      depth &+= event.excess
      slot &+= 1
    }
    return (Place(leaf: node, slot: slot, inside: rest), depth)
  }

  /// The first place of a forest that is not empty.
  func start(of part: Part) -> Place {
    var node = part.root.node
    for _ in 0..<part.height { node = inner(node).child(0) }
    return Place(leaf: node, slot: 0)
  }

  /// The place behind the last event of a forest that is not empty.
  func end(of part: Part) -> Place {
    let leaf = lastLeaf(under: part.root.node, level: part.height)
    return Place(leaf: leaf, slot: count(of: leaf))
  }

  @inline(__always)
  private func lastLeaf(under node: UInt32, level: Int) -> UInt32 {
    var node = node
    for _ in 0..<level {
      let inner = inner(node)
      node = inner.child(inner.count &- 1)
    }
    return node
  }

  @inline(__always)
  private func firstLeaf(under node: UInt32, level: Int) -> UInt32 {
    var node = node
    for _ in 0..<level { node = inner(node).child(0) }
    return node
  }

  // MARK: From below

  /// The slot of an event in its leaf `leaf`.
  @inline(__always)
  func slot(of event: ShapeEvent, in leaf: UInt32) -> Int { ShapeLeaf.slot(of: event, leaves.lanes(leaf)) }

  /// The place of the event of a branch that is not the root of a forest.
  @inline(__always)
  func place(of branch: UInt32) -> Place {
    let leaf = branches.openLeaf(branch)
    let kind = branches.forest(branch) == nil ? ShapeEvent.Kind.open : .collapsed
    return Place(leaf: leaf, slot: slot(of: ShapeEvent(kind, branch), in: leaf))
  }

  @inline(__always)
  func closing(of branch: UInt32) -> Place {
    let leaf = branches.closeLeaf(branch)
    return Place(leaf: leaf, slot: slot(of: ShapeEvent(.close, branch), in: leaf))
  }

  /// The number of elements of the forest before a place.
  @inline(__always)
  func elements(before place: Place) -> Int { numbered(place).number }

  /// The number of elements of a leaf before a slot.
  @inline(__always)
  func elements(before slot: Int, _ lanes: Lanes) -> Int {
    if let elements = ShapeLeaf.elements(before: slot, lanes) { return elements }
    var elements = 0
    for slot in 0..<slot { elements &+= self.elements(event(slot, lanes)) }
    return elements
  }

  /// The number of the element at a place, and the forest.
  @inline(__always)
  func numbered(_ place: Place) -> NumberedPlace {
    let lanes = leaves.lanes(place.leaf)
    var number = place.inside &+ elements(before: place.slot, lanes)
    var link = ShapeLink(bits: UInt32(bitPattern: lanes[ShapeLeaf.linkLane]))
    while !link.isForest {
      let inner = inner(link.parent)
      number &+= inner.elements(before: link.slot)
      link = inner.link
    }
    return NumberedPlace(number: number, forest: link.forest)
  }

  /// The depth of the element at a place.
  func depth(of place: Place) -> Int32 {
    let lanes = leaves.lanes(place.leaf)
    var depth = ShapeLeaf.excess(before: place.slot, lanes)
    var link = ShapeLink(bits: UInt32(bitPattern: lanes[ShapeLeaf.linkLane]))
    while !link.isForest {
      let inner = inner(link.parent)
      depth &+= inner.excess(before: link.slot)
      link = inner.link
    }
    return depth
  }

  /// The forest of a leaf.
  func forest(ofLeaf leaf: UInt32) -> UInt32 {
    var link = link(ofLeaf: leaf)
    while !link.isForest { link = inner(link.parent).link }
    return link.forest
  }

  /// The leaf before another leaf, or else the forest of the leaf.
  private func leafBefore(_ leaf: UInt32) -> (leaf: UInt32?, forest: UInt32) {
    var link = link(ofLeaf: leaf)
    var level = 0
    while !link.isForest {
      let inner = inner(link.parent)
      if link.slot > 0 { return (lastLeaf(under: inner.child(link.slot &- 1), level: level), 0) }
      link = inner.link
      level &+= 1
    }
    return (nil, link.forest)
  }

  /// The leaf after another leaf, or nil.
  func leafAfter(_ leaf: UInt32) -> UInt32? {
    var link = link(ofLeaf: leaf)
    var level = 0
    while !link.isForest {
      let inner = inner(link.parent)
      if link.slot &+ 1 < inner.count { return firstLeaf(under: inner.child(link.slot &+ 1), level: level) }
      link = inner.link
      level &+= 1
    }
    return nil
  }

  /// The parent of the element at a place.
  @inline(__always)
  func parent(at place: Place) -> UInt32 {
    var lanes = leaves.lanes(place.leaf)
    let event = event(place.slot, lanes)
    if event.isBranch { return branches.parent(event.record) }
    var leaf = place.leaf
    var slot = place.slot
    while true {
      while slot > 0 {
        slot &-= 1
        let event = self.event(slot, lanes)
        if event.isKind(.open) { return event.record }
        if !event.isLeaves { return branches.parent(event.record) }
      }
      let before = leafBefore(leaf)
      guard let next = before.leaf else { return forests[before.forest].owner }
      leaf = next
      lanes = leaves.lanes(leaf)
      slot = Int(lanes[ShapeLeaf.countLane])
    }
  }

  /// The number of children of `parent` before a place between two of them.
  ///
  /// The code climbs from the place and from the parent's opening at the same time, one level each, until the two paths
  /// meet. So an element near the first child is counted in a leaf or two. In each piece between the two, the lowest
  /// level is never below the children's level. If it is the children's level, the elements on it are children.
  func childrenBefore(_ place: Place, of parent: UInt32) -> Int {
    var count = place.inside
    // The level at the left end of the counted events. The level of the children is 0.
    var level: Int32 = 0
    let lanes = leaves.lanes(place.leaf)
    var slot = place.slot
    while slot > 0 {
      slot &-= 1
      let event = event(slot, lanes)
      level &-= event.excess
      if level < 0 { return count }
      if level == 0 { count &+= elements(event) }
    }
    var right = ShapeLink(bits: UInt32(bitPattern: lanes[ShapeLeaf.linkLane]))
    guard branches.forest(parent) == nil else {
      while !right.isForest {
        let inner = inner(right.parent)
        count &+= Self.countBackwards(inner, from: right.slot, to: 0, &level)
        right = inner.link
      }
      return count
    }
    let opening = self.place(of: parent)
    let openingLanes = leaves.lanes(opening.leaf)
    // The same from the left: the level at the right end of the counted events.
    var leftLevel: Int32 = 0
    for slot in opening.slot &+ 1..<Int(openingLanes[ShapeLeaf.countLane]) {
      let event = event(slot, openingLanes)
      if leftLevel == 0 { count &+= elements(event) }
      leftLevel &+= event.excess
    }
    var left = ShapeLink(bits: UInt32(bitPattern: openingLanes[ShapeLeaf.linkLane]))
    while left.parent != right.parent {
      let leftInner = inner(left.parent)
      count &+= Self.countForwards(leftInner, from: left.slot &+ 1, to: leftInner.count, &leftLevel)
      left = leftInner.link
      let rightInner = inner(right.parent)
      count &+= Self.countBackwards(rightInner, from: right.slot, to: 0, &level)
      right = rightInner.link
    }
    return count &+ Self.countForwards(inner(left.parent), from: left.slot &+ 1, to: right.slot, &leftLevel)
  }

  /// The number of elements on level 0 in the children from `start` up to `end`.
  ///
  /// `level` is the level at `start` before the call, and the level at `end` after it.
  @inline(__always)
  private static func countForwards(_ inner: ShapeNodeView, from start: Int, to end: Int, _ level: inout Int32) -> Int {
    var count = 0
    var slot = start
    while slot < end {
      if level &+ inner.low(slot) == 0 { count &+= inner.lowCount(slot) }
      level &+= inner.excess(slot)
      slot &+= 1
    }
    return count
  }

  /// The number of elements on level 0 in the children before `end`, down to `start`.
  ///
  /// `level` is the level at `end` before the call, and the level at `start` after it.
  @inline(__always)
  private static func countBackwards(
    _ inner: ShapeNodeView, from end: Int, to start: Int, _ level: inout Int32
  ) -> Int {
    var count = 0
    var slot = end
    while slot > start {
      slot &-= 1
      level &-= inner.excess(slot)
      if level &+ inner.low(slot) == 0 { count &+= inner.lowCount(slot) }
    }
    return count
  }

  /// The place of child `position`. `position` is less than the branch's number of children. `opening` is the place of
  /// the branch's opening, if it is known.
  func child(_ position: Int, of parent: UInt32, at opening: Place? = nil) -> Place {
    var rest = position
    var level: Int32 = 0
    if let forest = branches.forest(parent) {
      let part = forests[forest].part
      return descend(from: part.root.node, height: part.height, &rest, &level)
    }
    let opening = opening ?? place(of: parent)
    let lanes = leaves.lanes(opening.leaf)
    for slot in opening.slot &+ 1..<Int(lanes[ShapeLeaf.countLane]) {
      let event = event(slot, lanes)
      if level == 0 {
        let elements = elements(event)
        if rest < elements { return Place(leaf: opening.leaf, slot: slot, inside: rest) }
        rest &-= elements
      }
      level &+= event.excess
    }
    var link = ShapeLink(bits: UInt32(bitPattern: lanes[ShapeLeaf.linkLane]))
    var height = 0
    while true {
      let inner = inner(link.parent)
      for slot in link.slot &+ 1..<inner.count {
        if Self.holds(&rest, level, inner, slot) {
          return descend(from: inner.child(slot), height: height, &rest, &level)
        }
        level &+= inner.excess(slot)
      }
      link = inner.link
      height &+= 1
    }
  }

  /// Whether a piece that starts at `level` contains the element number `rest` on level 0 of one branch.
  ///
  /// If the piece does not contain the element, the piece's elements on level 0 are subtracted from `rest`. A piece
  /// with lower levels contains the branch's closing, and the element is before this closing.
  @inline(__always)
  private static func holds(_ rest: inout Int, _ level: Int32, _ inner: ShapeNodeView, _ slot: Int) -> Bool {
    let low = level &+ inner.low(slot)
    if low > 0 { return false }
    if low < 0 || rest < inner.lowCount(slot) { return true }
    rest &-= inner.lowCount(slot)
    return false
  }

  /// The place of element number `rest` on level 0 under a node that starts at `level`.
  private func descend(
    from node: UInt32, height: Int, _ rest: inout Int, _ level: inout Int32
  ) -> Place {
    var node = node
    for _ in 0..<height {
      let inner = inner(node)
      var slot = 0
      while !Self.holds(&rest, level, inner, slot) {
        level &+= inner.excess(slot)
        slot &+= 1
      }
      node = inner.child(slot)
    }
    let lanes = leaves.lanes(node)
    var slot = 0
    while true {
      let event = event(slot, lanes)
      if level == 0 {
        let elements = elements(event)
        if rest < elements { return Place(leaf: node, slot: slot, inside: rest) }
        rest &-= elements
      }
      level &+= event.excess
      slot &+= 1
    }
  }

  /// The place before child `position`, or behind the last child; nil in an empty forest.
  func boundary(_ position: Int, of parent: UInt32) -> Place? {
    let count = branches.count(parent)
    if position > 0 && position < count { return child(position, of: parent) }
    if let forest = branches.forest(parent) {
      let part = forests[forest].part
      if part.isEmpty { return nil }
      return position == 0 ? start(of: part) : end(of: part)
    }
    if position == count { return closing(of: parent) }
    var place = place(of: parent)
    place.slot += 1
    return place
  }
}
