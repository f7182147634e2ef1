/// What happened to a tree: a delta of its own level, and the change sets of surviving children.
///
/// ```swift
/// // Section 1 got a row at 0, and a section was inserted before it.
/// var change = ChangeSet(.insertion(0..<1)).wrapped(at: 1)
/// change = change.composed(with: ChangeSet(.insertion(0..<1)))
/// change.delta                        // inserted 0
/// change.paths.insertions             // [0], [2, 0]
/// ```
///
/// ## What it means
/// `delta` is the change of the children of the node that the set is about; `children` are the changes *inside* those of
/// them that were there before and after, by their position after. Nothing is said about the inside of a child that came
/// or left. That a child's own value changed is an update in its parent's delta; only the node itself has no parent to
/// say so, and has `updatesValue`.
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
/// So telling the parent of a change (`wrapped(at:)`) appends one entry, and nothing here recurses on the call stack,
/// however deep the tree. A change set of one level has an empty array and costs what its delta costs.
public struct ChangeSet: Sendable {
  /// The change below one surviving child: its own level.
  struct Node: Hashable, Sendable {
    /// The child's position in its parent, after the change.
    var position: Int
    /// The number of entries in its subtree, this one included.
    var size: Int
    var delta: Delta
  }

  /// What happened to the node's children.
  ///
  /// A new value takes the transfers away, because it says anew what came and left.
  ///
  /// - Precondition: a new value inserts none of the positions at which `children` stand.
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

  /// Children that leave one parent and come to another, in any order, with paths from the root.
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
  ///   - delta: what happened to the node's children.
  ///   - updatesValue: whether the node's own value changed.
  public init(_ delta: Delta = Delta(), updatesValue: Bool = false) {
    level = delta
    self.updatesValue = updatesValue
    nodes = []
    crossings = []
  }

  /// Creates a change set of several levels.
  ///
  /// A child's `updatesValue` becomes an update of `delta`. Empty changes and those of inserted children are dropped.
  /// Transfers inside the children's changes stay.
  ///
  /// - Parameters:
  ///   - delta: what happened to the node's children.
  ///   - updatesValue: whether the node's own value changed.
  ///   - children: the changes inside surviving children, by their position after the change, in any order.
  /// - Precondition: No position is negative or comes twice.
  public init(
    delta: Delta, updatesValue: Bool = false, children: some Sequence<(position: Int, change: ChangeSet)>
  ) {
    self.init(delta, updatesValue: updatesValue)
    let inserted = delta.insertions
    var previous = -1
    var updates: [Range<Int>] = []
    for (position, change) in children.sorted(byNumber: \.position) {
      require(position >= 0, "ChangeSet: the position of a child is negative: \(position).")
      require(position != previous, "ChangeSet: two changes of the child at \(position).")
      previous = position
      if inserted.contains(position: position) { continue }
      for var crossing in change.crossings {
        crossing.wrap(before: delta.position(before: position)!, after: position)
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

  /// Whether nothing happened.
  public var isEmpty: Bool { nodes.isEmpty && delta.isEmpty && !updatesValue }

  /// Whether it also has nothing to say of moves that begin or end elsewhere.
  var isSilent: Bool { isEmpty && crossings.isEmpty }

  /// Whether something happened inside surviving children.
  public var hasChildren: Bool { !nodes.isEmpty }

  /// The inserted range, where nothing else happened.
  var onlyInsertion: Range<Int>? {
    guard !hasChildren, crossings.isEmpty, !updatesValue, case .insertion(let range) = level.storage else { return nil }
    return range
  }

  /// The removed range, where nothing else happened.
  var onlyRemoval: Range<Int>? {
    guard !hasChildren, crossings.isEmpty, !updatesValue, case .removal(let range) = level.storage else { return nil }
    return range
  }

  /// The updated range, where nothing else happened.
  var onlyUpdate: Range<Int>? {
    guard !hasChildren, crossings.isEmpty, !updatesValue, case .update(let range) = level.storage else { return nil }
    return range
  }
}
