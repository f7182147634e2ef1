/// A change of a tree: a delta of its own level, and the change sets of surviving children.
///
/// ```swift
/// // A row was inserted at 0 of section 1, and then a section was inserted before this section.
/// var change = ChangeSet(.insertion(0..<1)).wrapped(at: 1)
/// change = change.composed(with: ChangeSet(.insertion(0..<1)))
/// change.delta                        // inserted 0
/// change.paths.insertions             // [0], [2, 0]
/// ```
///
/// ## Meaning
/// `delta` is the change of the node's children. `children` are the changes *inside* the children that exist before and
/// after the change, by their positions after it. The inside of an inserted or removed child is not described. A new
/// value of a child is an update in its parent's delta. The node itself has no parent in the change set, so
/// `updatesValue` reports its new value.
///
/// ## How it is stored
/// All levels below the first lie in one array, children before their parents, each with the size of its subtree:
///
/// ```text
///             root            (delta, updatesValue: not in the array)
///           /      \
///        0: A      3: B       nodes:  A0  A  B2  B
///         |          |        sizes:   1  2   1  2
///       0: A0      2: B2
/// ```
///
/// So adding a level for the parent of the node (`wrapped(at:)`) appends one entry. Nothing here recurses on the call
/// stack, however deep the tree is. A change set of one level has an empty array, and costs as much as its delta.
public struct ChangeSet: Sendable {
  /// The change below one surviving child: its own level.
  struct Node: Hashable, Sendable {
    /// The child's position in its parent, after the change.
    var position: Int
    /// The number of entries in its subtree, this one included.
    var size: Int
    var delta: Delta
  }

  /// The change of the node's children.
  ///
  /// Setting it removes the transfers, because the new value determines anew which children are inserted and removed.
  ///
  /// - Precondition: a new value does not insert the position of any child in `children`.
  public var delta: Delta {
    get { level }
    set {
      level = newValue
      crossings = []
    }
  }

  /// The stored form of `delta`.
  var level: Delta

  /// Whether the value of the node itself changed.
  public var updatesValue: Bool

  /// Subtrees of the direct children, ascending by position; each ends with the child itself. No subtree is empty.
  var nodes: [Node]

  /// Children that leave one parent and arrive at another, in any order, with paths from the root.
  var crossings: [Crossing]

  init(delta: Delta, updatesValue: Bool, nodes: [Node], crossings: [Crossing] = []) {
    level = delta
    self.updatesValue = updatesValue
    self.nodes = nodes
    self.crossings = crossings
  }

  /// Creates the change set of one level.
  ///
  /// - Parameters:
  ///   - delta: the change of the node's children.
  ///   - updatesValue: whether the node's own value changed.
  public init(_ delta: Delta = Delta(), updatesValue: Bool = false) {
    level = delta
    self.updatesValue = updatesValue
    nodes = []
    crossings = []
  }

  /// Creates a change set of several levels; see the public initializer.
  init(_ delta: Delta, updatesValue: Bool, children: some Sequence<(position: Int, change: ChangeSet)>) {
    self.init(delta, updatesValue: updatesValue)
    let inserted = delta.insertions
    lazy var lookup = PositionLookup(delta)
    var previous = -1
    var updates: [Range<Int>] = []
    for (position, change) in children.sorted(byNumber: \.position) {
      require(position >= 0, "ChangeSet: the position of a child is negative: \(position).")
      require(position != previous, "ChangeSet: two changes of the child at \(position).")
      previous = position
      if inserted.contains(position: position) { continue }
      for var crossing in change.crossings {
        crossing.wrap(before: lookup.position(before: position)!, after: position)
        crossings.append(crossing)
      }
      if change.updatesValue { RangeLists.append(position..<(position + 1), to: &updates) }
      if change.delta.isEmpty && change.nodes.isEmpty { continue }
      nodes.append(contentsOf: change.nodes)
      nodes.append(Node(position: position, size: change.nodes.count + 1, delta: change.delta))
    }
    if !updates.isEmpty { level = delta.updating(updates) }
    checkInvariants()
  }

  /// Whether the change set has no changes.
  public var isEmpty: Bool { nodes.isEmpty && delta.isEmpty && !updatesValue }

  /// Whether the change set is empty, and also has no moves that begin or end outside of the tree.
  var isSilent: Bool { isEmpty && crossings.isEmpty }

  /// Whether there are changes inside surviving children.
  package var hasChildren: Bool { !nodes.isEmpty }

  /// The inserted range, if the change is one insertion and nothing else.
  var onlyInsertion: Range<Int>? { if isOnlyDelta, case .insertion(let range) = level.storage { range } else { nil } }

  /// The removed range, if the change is one removal and nothing else.
  var onlyRemoval: Range<Int>? { if isOnlyDelta, case .removal(let range) = level.storage { range } else { nil } }

  /// The updated range, if the change is one update and nothing else.
  var onlyUpdate: Range<Int>? { if isOnlyDelta, case .update(let range) = level.storage { range } else { nil } }

  private var isOnlyDelta: Bool { nodes.isEmpty && crossings.isEmpty && !updatesValue }
}
