import OffsetIndexing

// The types here are not generic over the element. Types inside the family would be generic, and every list of them
// would be looked up at run time.

/// The work for one change of a sorted tree: the changes of all nodes that it concerns.
struct TreeSortEdit: TreeWork {
  typealias Record = TreeIndex.Branch

  /// The change of one node.
  struct Touch {
    /// The node's record; nil if the node has left or arrived, so that `delta` contains all changes of its children.
    var record: Record?
    /// The change of the sorted children.
    var delta = Delta()
    /// Whether the node's own value changed.
    var updatesValue = false
    /// The touches of children, with the children's sorted positions after the change.
    var children: [(position: Int, touch: Int)] = []
  }

  /// The touches, parents before their children.
  var touches: [Touch] = []
  var transfers: [TreeTransfer] = []
  var removed: [Record] = []
  var renewed: [Record] = []
  var released: [any TreeNode] = []
  var hasListeners = true

  var touchCount: Int { touches.count }

  func record(_ touch: Int) -> Record? { touches[touch].record }

  mutating func touch(_ delta: Delta, updatesValue: Bool) -> Int {
    touches.append(Touch(delta: delta, updatesValue: updatesValue))
    return touches.count - 1
  }

  /// Adds the touch of a node.
  mutating func touch(_ record: Record, updatesValue: Bool = false) -> Int {
    touches.append(Touch(record: record, updatesValue: updatesValue))
    return touches.count - 1
  }

  /// The change of a node and of the tree below it, without crossings.
  ///
  /// - Complexity: O(s · log s) for the s touches below.
  func change(_ touch: Int) -> ChangeSet {
    ChangeSet(
      gathering: touch, updatesValue: touches[touch].updatesValue, delta: { touches[$0].delta },
      children: { touches[$0].children.map { (position: $0.position, key: $0.touch) }.sorted(byNumber: \.position) })
  }
}
