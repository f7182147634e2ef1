extension PlaceTotals {
  /// The place of a parent, the parent's node, and the range of children that arrived there.
  typealias Arrival<Element> = (parent: Int, node: any TreeNode<Element>, range: Range<Int>)

  /// Loads the values of children that have arrived, and of everything below them.
  ///
  /// The totals are in a cell. They are modified only between the calls of `values`, because this closure may read
  /// them.
  ///
  /// - Parameters:
  ///   - arrivals: the ranges of children that arrived, by the places of the parents.
  ///   - cell: the totals.
  ///   - settled: places that moved from another parent, with everything below them.
  ///   - values: returns the values of a node's children in a range.
  /// - Complexity: O(s + (b + a · d) · log n) for s elements and b nodes in a ranges at depth d.
  static func load<Element>(
    _ arrivals: [Arrival<Element>], into cell: Cell<Self>, except settled: Set<Int> = [],
    _ values: (any TreeNode<Element>, Range<Int>) -> [Value]
  ) {
    var visits = arrivals.map { (place: $0.parent, isTop: true) }
    var open = arrivals.map { (place: $0.parent, node: $0.node, range: $0.range) }
    while let (place, node, range) = open.popLast() {
      let hasOnlyLeaves = node.hub.hasOnlyLeavesNow(sparing: range.count)
      for piece in cell.value.tree.pieces(of: range, in: place, except: settled) {
        let values = values(node, piece)
        cell.value.put(values, from: piece.lowerBound, in: place)
        if hasOnlyLeaves { continue }
        for position in piece {
          guard let child = node.child(at: position), child.count > 0 else { continue }
          let childPlace = cell.value.makePlace(at: position, in: place)
          visits.append((childPlace, false))
          open.append((childPlace, child, 0..<child.count))
        }
      }
    }
    cell.value.sumUp(visits)
  }
}

extension PlaceTree {
  /// Divides a range of positions below a place into pieces that are not too long to be copied.
  ///
  /// The positions of settled places are left out.
  fileprivate func pieces(of range: Range<Int>, in parent: Int, except settled: Set<Int>) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var start = range.lowerBound
    func append(before end: Int) {
      while start < end {
        let next = min(start + 4_096, end)
        pieces.append(start..<next)
        start = next
      }
    }
    if !settled.isEmpty, places[parent].level >= 0 {
      for (position, place) in levels[Int(places[parent].level)].places(in: range) where settled.contains(place) {
        append(before: position)
        start = position + 1
      }
    }
    append(before: range.upperBound)
    return pieces
  }
}
