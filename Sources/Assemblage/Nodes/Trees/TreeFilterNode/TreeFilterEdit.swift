import OffsetIndexing

// The types here are not generic over the element. Types inside the family would be generic, and every list of them
// would be looked up at run time.

/// The work for one change of a tree filter: the changes of all nodes that it concerns.
///
/// First the source's change is applied from the root downwards, and each record on the way gets a *touch*. Then the
/// touches are settled from the last to the first, because the matches below a node decide whether the node is shown.
struct TreeFilterEdit: TreeWork {
  typealias Record = TreeIndex.Branch

  /// The change of one node.
  struct Touch {
    /// The node's record; nil if the node has left or arrived, so that `delta` contains all changes of its children.
    var record: Record?
    /// The change of the children in the source.
    var source = Delta()
    /// Which of the inserted children pass.
    var inserted: [BitRun] = []
    /// The decisions on children that stay and may be shown or hidden, ascending by position.
    var decisions: [TreeFilterTranslation.Decision] = []
    /// Whether all children begin or cease to be shown because of a match above.
    var isTurned = false
    /// Whether everything below is to be known from now on, so that the matches below are counted.
    var becomesWhole = false
    /// The number of matches below that have arrived, less the number that have left.
    var growth = 0
    /// The number of matches below before the change.
    var formerCount = 0
    /// Whether the node's own value changed.
    var updatesValue = false
    /// The change of the children that are shown.
    var delta = Delta()
  }

  /// The touches, parents before their children.
  var touches: [Touch] = []
  /// The records of nodes that have arrived.
  var fresh: [Record] = []
  var transfers: [TreeTransfer] = []
  var removed: [Record] = []
  var renewed: [Record] = []
  var released: [any TreeNode] = []
  var hasListeners = true

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
  /// Whether the child is shown before and after, and something has changed inside.
  fileprivate var staysWithTouch: Bool { touch >= 0 && formerRank >= 0 && rank >= 0 }
}

/// A node whose changes the walk has still to apply.
struct TreeFilterVisit {
  var index: Int
  var touch: Int
  /// The transfers that end here or below. The walk has followed `depth` components of their paths.
  var arriving: Range<Int>
  var depth: Int
}
