import OffsetIndexing

/// One change on its way through a tree filter: what happened in each node that it concerns.
///
/// First the source's change is gone through from the root downwards, and each record on the way gets a *touch*; then the
/// touches are settled from the last to the first, because what is shown in a node depends on what is below it.
struct TreeFilterEdit {
  /// What happened in one node.
  struct Touch {
    /// The node's record; nil where the node has gone, or has come, and `delta` is all there is to say.
    var record: TreeIndex.Branch?
    /// What happened to the children in the source.
    var source = Delta()
    /// Which of its insertions pass.
    var inserted: [BitRun] = []
    /// Children that stay, and may be shown or hidden; ascending by position.
    var decisions: [TreeFilterTranslation.Decision] = []
    /// Which children pass, where all were asked.
    var verdicts: BitRun?
    /// The matches below that have come, less those that have gone.
    var growth = 0
    /// The matches below before.
    var formerCount = 0
    /// Whether the node's own value changed.
    var updatesValue = false
    /// What happened to the children that are shown.
    var delta = Delta()
    /// What comes and goes inside, and may do so again in this transaction.
    var crossings: [Crossing] = []
  }

  /// Parents before their children.
  var touches: [Touch] = []

  /// What happened in a node and below it, of what is shown, without crossings.
  ///
  /// - Complexity: O(s) for the s touches below.
  func change(_ touch: Int) -> ChangeSet {
    let root = touches[touch]
    var nodes: [ChangeSet.Node] = []
    nodes.reserveCapacity(min(touches.count - touch, 16))
    // The decision to look at next of each node on the way down, and where its entries begin.
    var open: [(touch: Int, next: Int, rank: Int, start: Int)] = [(touch, 0, 0, 0)]
    while let top = open.last {
      let decisions = touches[top.touch].decisions
      var next = top.next
      while next < decisions.count, !decisions[next].staysWithTouch { next += 1 }
      if next < decisions.count {
        open[open.count - 1].next = next + 1
        open.append((decisions[next].touch, 0, decisions[next].rank, nodes.count))
        continue
      }
      open.removeLast()
      let delta = touches[top.touch].delta
      if !open.isEmpty, nodes.count > top.start || !delta.isEmpty {
        nodes.append(ChangeSet.Node(position: top.rank, size: nodes.count - top.start + 1, delta: delta))
      }
    }
    return ChangeSet(delta: root.delta, updatesValue: root.updatesValue, nodes: nodes)
  }
}

extension TreeFilterEdit {
  /// The same with crossings.
  func changeWithCrossings(_ touch: Int) -> ChangeSet {
    var result = change(touch)
    result.crossings = touches[touch].crossings
    return result
  }
}

extension TreeFilterTranslation.Decision {
  /// Whether it is shown before and after, and something happened inside.
  var staysWithTouch: Bool { touch >= 0 && formerRank >= 0 && rank >= 0 }
}
