import OffsetIndexing

// The types here know no elements. Types inside the family would be generic, and every list of them would be looked up at run
// time.

/// One change on its way through a tree filter: the changes of all nodes that it concerns.
///
/// First the source's change is gone through from the root downwards, and each record on the way gets a *touch*; then the
/// touches are settled from the last to the first, because the matches below a node decide whether it is shown.
struct TreeFilterEdit: TreeWork {
  typealias Record = TreeIndex.Branch

  /// The change of one node.
  struct Touch {
    /// The node's record; nil where the node has gone, or has come, and `delta` is all there is to say.
    var record: Record?
    /// The change of the children in the source.
    var source = Delta()
    /// Which of its insertions pass.
    var inserted: [BitRun] = []
    /// Children that stay, and may be shown or hidden; ascending by position.
    var decisions: [TreeFilterTranslation.Decision] = []
    /// Whether all children begin to be shown because of a match above, or cease to be.
    var isTurned = false
    /// Whether everything below is to be known from now on, so that its matches are counted.
    var becomesWhole = false
    /// The matches below that have come, less those that have gone.
    var growth = 0
    /// The matches below before.
    var formerCount = 0
    /// Whether the node's own value changed.
    var updatesValue = false
    /// The change of the children that are shown.
    var delta = Delta()
  }

  /// Parents before their children.
  var touches: [Touch] = []
  /// Records of nodes that have come.
  var fresh: [Record] = []
  var transfers: [TreeTransfer] = []
  var removed: [Record] = []
  var renewed: [Record] = []
  var released: [any TreeNode] = []
  var isHeard = true

  var touchCount: Int { touches.count }

  func record(_ touch: Int) -> Record? { touches[touch].record }

  mutating func touch(_ delta: Delta, updatesValue: Bool) -> Int {
    touches.append(Touch(updatesValue: updatesValue, delta: delta))
    return touches.count - 1
  }

  /// The change of a node and of the tree below it, as they are shown, without crossings.
  ///
  /// - Complexity: O(s) for the s touches below.
  func change(_ touch: Int) -> ChangeSet {
    ChangeSet(
      gathering: touch, updatesValue: touches[touch].updatesValue, delta: { touches[$0].delta },
      children: { touches[$0].decisions.lazy.filter(\.staysWithTouch).map { (position: $0.rank, key: $0.touch) } })
  }
}

extension TreeFilterTranslation.Decision {
  /// Whether it is shown before and after, and something happened inside.
  fileprivate var staysWithTouch: Bool { touch >= 0 && formerRank >= 0 && rank >= 0 }
}

/// A node to go down into.
struct TreeFilterVisit {
  var index: Int
  var touch: Int
  /// The transfers that end here or below, and how much of their paths has been walked.
  var arriving: Range<Int>
  var depth: Int
}
