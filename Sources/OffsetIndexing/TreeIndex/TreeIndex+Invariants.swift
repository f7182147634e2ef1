extension TreeIndex {
  /// Traps where the structure differs from the description at `ShapeTree`.
  package func checkInvariants() { tree.checkInvariants() }
}

extension ShapeTree {
  /// The results of a walk through all forests.
  private struct Seen {
    var leaves = 0
    var inners = 0
    var records = 0
    var children: [UInt32: Int] = [:]
  }

  /// Checks all invariants.
  ///
  /// 1. All leaves of a forest are at one depth.
  /// 2. Every node except a root has at least its minimum, and no node has more than its capacity. An inner root has
  ///    two children or more.
  /// 3. The sums of a node are the sums of its subtree.
  /// 4. Links name the parent and the slot.
  /// 5. Runs are never side by side in a leaf, and no run is empty.
  /// 6. Openings and closings match. The table has their leaves, and each branch's parent and number of children.
  /// 7. Every block and every record is in one forest, or free.
  func checkInvariants() {
    var seen = Seen()
    var forests: [UInt32] = []
    for record in 0..<UInt32(branches.used) where branches.isBranch(record) {
      guard let forest = branches.forest(record) else { continue }
      precondition(self.forests[forest].owner == record, "forest \(forest) is not that of branch \(record)")
      forests.append(forest)
      if branches.openLeaf(record) == noBlock { seen.records += 1 }
    }
    precondition(forests.count == self.forests.liveCount, "a forest has no branch")
    for forest in forests { check(forest, &seen) }
    precondition(seen.leaves == leaves.liveCount, "\(leaves.liveCount) leaves, of which \(seen.leaves) in forests")
    precondition(seen.inners == inners.liveCount, "\(inners.liveCount) nodes, of which \(seen.inners) in forests")
    precondition(
      seen.records == branches.liveCount, "\(branches.liveCount) records, of which \(seen.records) in forests")
    for record in 0..<UInt32(branches.used) where branches.isBranch(record) {
      let count = seen.children[record, default: 0]
      precondition(branches.count(record) == count, "branch \(record) has \(count) children")
    }
  }

  private func check(_ forest: UInt32, _ seen: inout Seen) {
    let (part, owner) = (forests[forest].part, forests[forest].owner)
    if part.isEmpty {
      precondition(part.root.sum == ShapeSum(), "an empty forest counts something")
      return
    }
    let link = link(of: part.root.node, level: part.height)
    precondition(link == ShapeLink(forest: forest), "the root of forest \(forest) links elsewhere")
    var open = [owner]
    let sum = check(part.root.node, level: part.height, isRoot: true, &open, &seen)
    precondition(sum == part.root.sum, "the root's sum is \(part.root.sum), not \(sum)")
    precondition(open == [owner], "a forest ends with open branches")
  }

  private func check(
    _ node: UInt32, level: Int, isRoot: Bool, _ open: inout [UInt32], _ seen: inout Seen
  ) -> ShapeSum {
    if level == 0 {
      checkLeaf(node, isRoot: isRoot, &open, &seen)
      return sum(of: node)
    }
    seen.inners += 1
    let inner = inner(node)
    let range = (isRoot ? 2 : limits.fanMinimum)...limits.fanOut
    precondition(range.contains(inner.count), "a node of \(inner.count) children")
    var sum = ShapeSum()
    for slot in 0..<inner.count {
      let child = inner.child(slot)
      let link = link(of: child, level: level - 1)
      precondition(link == ShapeLink(parent: node, slot: slot), "a node of level \(level - 1) links elsewhere")
      let childSum = check(child, level: level - 1, isRoot: false, &open, &seen)
      precondition(inner.sum(slot) == childSum, "the sum in slot \(slot) is \(inner.sum(slot)), not \(childSum)")
      sum.append(childSum)
    }
    return sum
  }

  private func checkLeaf(_ leaf: UInt32, isRoot: Bool, _ open: inout [UInt32], _ seen: inout Seen) {
    seen.leaves += 1
    let lanes = leaves.lanes(leaf)
    let count = count(of: leaf)
    precondition(((isRoot ? 1 : limits.leafMinimum)...limits.leafCapacity).contains(count), "a leaf of \(count)")
    for slot in 0..<count {
      let event = event(slot, lanes)
      let record = event.record
      let parent = open[open.count - 1]
      seen.children[parent, default: 0] += elements(event)
      if event.isLeaves {
        precondition(elements(event) > 0, "a run of no leaves")
        precondition(slot == 0 || !self.event(slot - 1, lanes).isLeaves, "two runs are side by side")
        if event.isKind(.longRun) { seen.records += 1 }
        precondition(
          event.isKind(.longRun) == (elements(event) > ShapeEvent.longestRun), "a run has the wrong form")
      } else if event.isKind(.close) {
        precondition(open.count > 1 && parent == record, "branch \(record) closes where \(parent) is open")
        precondition(branches.closeLeaf(record) == leaf, "branch \(record) does not close where the table says")
        open.removeLast()
      } else {
        seen.records += 1
        precondition(branches.isBranch(record), "branch \(record) is none")
        precondition(branches.openLeaf(record) == leaf, "branch \(record) is not where the table says")
        precondition(branches.parent(record) == parent, "branch \(record) has another parent than the table says")
        precondition(
          (branches.forest(record) != nil) == event.isKind(.collapsed), "branch \(record) is collapsed or not")
        if event.isKind(.open) { open.append(record) }
      }
    }
  }
}
