extension CountedTree {
  /// Traps where the tree differs from the description at `CountedTree`.
  ///
  /// 1. All leaves are at one depth.
  /// 2. Every node except the root has at least its minimum, and no node has more than its capacity. An inner root has
  ///    two children or more.
  /// 3. The sums of a node are the sums of its subtree, and unused lanes repeat the last sum.
  /// 4. The weights in the nodes are the weights of the leaves.
  /// 5. Every block is either in the tree, once, or free.
  /// 6. Where the leaves have links, the links name the parent and the slot.
  func checkInvariants(leaf check: (_ leaf: UInt32, _ count: Int) -> Void) {
    if whole.isEmpty {
      precondition(whole.root.count == 0 && whole.root.weight == 0, "the empty tree counts something")
      precondition(leaves.liveCount == 0 && inners.liveCount == 0, "the empty tree has nodes")
      return
    }
    precondition(count > 0, "a tree of no units has a root")
    var seen = (leaves: 0, inners: 0)
    let root = checkNode(whole.root.node, level: whole.height, count: count, &seen, check)
    precondition(root.count == count && root.weight == weight, "the root's sums are not the tree's")
    precondition(
      seen.leaves == leaves.liveCount, "\(leaves.liveCount) leaves, of which \(seen.leaves) in the tree")
    precondition(
      seen.inners == inners.liveCount, "\(inners.liveCount) nodes, of which \(seen.inners) in the tree")
  }

  private func checkNode(
    _ node: UInt32, level: Int, count: Int, _ seen: inout (leaves: Int, inners: Int),
    _ check: (_ leaf: UInt32, _ count: Int) -> Void
  ) -> (count: Int, weight: Int) {
    if level == 0 {
      seen.leaves += 1
      precondition(count <= limits.leafCapacity, "a leaf of \(count)")
      precondition(count >= limits.leafMinimum || whole.height == 0, "a leaf of \(count)")
      check(node, count)
      return (count, leaves.weight(of: node, count: count))
    }
    seen.inners += 1
    let lanes = inners.lanes(node)
    let childCount = self.childCount(of: node)
    precondition(childCount <= limits.fanOut, "a node of \(childCount) children")
    precondition(
      childCount >= (level == whole.height ? 2 : limits.fanMinimum), "a node of \(childCount) children")
    var sums = (count: 0, weight: 0)
    for group in 0..<8 {
      let groupLanes = lanes + InnerNode.group(group)
      precondition(Int(lanes[group]) == sums.count, "the units before group \(group) are wrong")
      precondition(Int(lanes[group + 8]) == sums.weight, "the weight before group \(group) is wrong")
      var groupSums = (count: 0, weight: 0)
      for lane in 0..<8 {
        let slot = group * 8 + lane
        precondition(Int(groupLanes[lane]) == groupSums.count, "the units before slot \(slot) are wrong")
        precondition(Int(groupLanes[lane + 8]) == groupSums.weight, "the weight before slot \(slot) is wrong")
        if slot < childCount {
          let childSums = checkNode(
            child(slot, of: node), level: level - 1, count: Int(InnerNode.size(of: slot, lanes)), &seen, check
          )
          groupSums.count += childSums.count
          groupSums.weight += childSums.weight
          checkLink(of: child(slot, of: node), level: level - 1, is: node << 6 | UInt32(slot))
        }
      }
      sums.count += groupSums.count
      sums.weight += groupSums.weight
    }
    return sums
  }

  private func checkLink(of node: UInt32, level: Int, is link: UInt32) {
    if !Leaves.linksParents { return }
    let found =
      level == 0 ? leaves.link(of: node) : UInt32(bitPattern: inners.lanes(node)[InnerNode.link])
    precondition(found == link, "a node of level \(level) links to \(found), not \(link)")
  }

  /// A line for each inner node with the sums of its children. The lines are indented by depth.
  var shape: String {
    var lines = ["\(count) units, weight \(weight), height \(max(0, height)), \(leaves.liveCount) leaves"]
    if height > 0 { describe(whole.root.node, level: height, into: &lines) }
    return lines.joined(separator: "\n")
  }

  private func describe(_ node: UInt32, level: Int, into lines: inout [String]) {
    let children: [Entry] = Self.withEntries { entries in
      let count = unpack(node, into: entries)
      return (0..<count).map { entries[$0] }
    }
    let sizes = children.map { "\($0.count)/\($0.weight)" }.joined(separator: " ")
    lines.append(String(repeating: "  ", count: height - level + 1) + "[\(sizes)]")
    if level > 1 { for child in children { describe(child.node, level: level - 1, into: &lines) } }
  }
}
