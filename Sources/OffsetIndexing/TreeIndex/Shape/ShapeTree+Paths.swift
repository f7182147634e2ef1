/// Walks from an element to the top of its forest.
extension ShapeTree {
  /// A walk towards the start of a forest. It counts the siblings before an element, then the siblings before the
  /// element's parent, and so on up to the top.
  private struct Ascent {
    /// The positions of the elements that have been counted already, the deepest first.
    var path: [Int]
    /// The number of passed siblings on the present level.
    var count: Int
    /// The level at the place that the walk has reached. The level of the siblings is 0.
    var level: Int32 = 0

    /// Passes an opening, which ends the walk through a subtree or through the siblings.
    @inline(__always)
    mutating func passOpening() {
      level &-= 1
      if level > 0 { return }
      if level == 0 {
        count &+= 1
      } else {
        path.append(count)
        count = 0
        level = 0
      }
    }
  }

  /// The positions that lead from the top of a forest to one of its elements.
  ///
  /// One walk backwards finds all of them. An element that is near its parent is counted in a leaf or two. Subtrees on
  /// the way are passed as a whole.
  func path(to place: Place, depth: Int) -> [Int] {
    var ascent = Ascent(path: [], count: place.inside)
    ascent.path.reserveCapacity(depth &+ 1)
    var link = pass(place.slot, of: place.leaf, &ascent)
    // The level of the children that `link` counts: 0 for leaves.
    var height = 0
    while !link.isForest {
      var node = link.parent
      var slot = link.slot
      height &+= 1
      while slot > 0 {
        slot &-= 1
        let inner = inner(node)
        let start = ascent.level &- inner.excess(slot)
        let low = start &+ inner.low(slot)
        if low >= 0 {
          // The opening of the parent is not in this child.
          if low == 0 { ascent.count &+= inner.lowCount(slot) }
          ascent.level = start
        } else if height > 1 {
          node = inner.child(slot)
          height &-= 1
          slot = self.inner(node).count
        } else {
          let leaf = inner.child(slot)
          _ = pass(count(of: leaf), of: leaf, &ascent)
        }
      }
      link = inner(node).link
    }
    ascent.path.append(ascent.count)
    ascent.path.reverse()
    return ascent.path
  }

  /// Passes the events of a leaf before a slot, the last event first.
  ///
  /// - Returns: the link of the leaf.
  @inline(__always)
  private func pass(_ end: Int, of leaf: UInt32, _ ascent: inout Ascent) -> ShapeLink {
    let lanes = leaves.lanes(leaf)
    var slot = end
    while slot > 0 {
      slot &-= 1
      let event = event(slot, lanes)
      if event.isKind(.open) {
        ascent.passOpening()
      } else if event.isKind(.close) {
        ascent.level &+= 1
      } else if ascent.level == 0 {
        ascent.count &+= elements(event)
      }
    }
    return ShapeLink(bits: UInt32(bitPattern: lanes[ShapeLeaf.linkLane]))
  }
}
