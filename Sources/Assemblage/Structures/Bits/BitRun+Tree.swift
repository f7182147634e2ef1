import OffsetIndexing

// Converts between the bits of a tree's elements, by document number, and the bits of a branch's children, by position.
extension BitRun {
  /// The bits of a branch's children.
  ///
  /// - Complexity: O(c / 64 + r · log n) for c children in r runs.
  func ofChildren(of branch: TreeIndex.Branch, in shape: TreeIndex) -> BitRun {
    let count = shape.childCount(of: branch)
    if branch == TreeIndex.root, count == shape.count { return self }
    var result = BitRun(repeating: false, count: count)
    shape.forEachRun(ofChildrenOf: branch) { positions, start in result.set(positions, from: self, at: start) }
    return result
  }

  /// Copies the bits of a branch's children, which are clear in this run before.
  mutating func set(childrenOf branch: TreeIndex.Branch, in shape: TreeIndex, from children: BitRun) {
    shape.forEachRun(ofChildrenOf: branch) { positions, start in
      set(start..<start + positions.count, from: children, at: positions.lowerBound)
    }
  }

  /// The bits at the places where a mask is set, without gaps between them.
  func closedUp(among mask: BitRun) -> BitRun {
    if mask.setCount == count { return self }
    var result = BitRun(repeating: false, count: mask.setCount)
    var next = 0
    for place in 0..<count where mask[place] {
      if self[place] { result.set(next, to: true) }
      next += 1
    }
    return result
  }

  /// The reverse of `closedUp(among:)`: these bits at the places where a mask is set, and a given bit elsewhere.
  func spread(among mask: BitRun, otherwise bit: Bool) -> BitRun {
    if mask.setCount == mask.count { return self }
    var result = BitRun(repeating: bit, count: mask.count)
    var next = 0
    for place in 0..<mask.count where mask[place] {
      result.set(place, to: self[next])
      next += 1
    }
    return result
  }
}

extension TreeIndex {
  /// Calls a closure with the runs of a branch's children: their positions, and the document number of the first.
  fileprivate func forEachRun(ofChildrenOf branch: Branch, _ body: (_ positions: Range<Int>, _ start: Int) -> Void) {
    let count = childCount(of: branch)
    var position = 0
    while position < count {
      let numbers = run(at: position, of: branch).numbers
      body(position..<position + numbers.count, numbers.lowerBound)
      position += numbers.count
    }
  }
}
