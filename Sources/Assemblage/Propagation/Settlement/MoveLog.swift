import OffsetIndexing

/// A parent of children: a node, or a branch of a forest.
enum ParentKey: Hashable {
  case node(ObjectIdentifier)
  case branch(ObjectIdentifier, TreeIndex.Branch)
  /// A branch that has become a leaf.
  case former(Int)

  /// The key of a node; the root of a forest has the key of the root's branch.
  init(_ hub: NodeHub) {
    if let key = (hub.owner as? any PendingTreeNode)?.parentKey {
      self = key
    } else {
      self = .node(ObjectIdentifier(hub))
    }
  }

  init(_ tree: some PendingTree, _ branch: TreeIndex.Branch) {
    self = .branch(ObjectIdentifier(tree.pendingBranches), branch)
  }
}

/// The node of a branch of a forest.
protocol PendingTreeNode {
  var parentKey: ParentKey { get }
}

/// The moves between parents since a graph was last settled.
struct MoveLog {
  /// The number of the move that the next change of a source is one end of.
  var mark: Int?

  /// Whether a child has moved.
  private(set) var hasMoves = false

  /// A parent that a child with children of its own had when the graph was last settled.
  struct FormerParent {
    /// The number of the parent, which may get another key.
    let parent: Int
    let place: Place

    /// The child's position in that parent, or the number of a departure, whose position is in a change of the parent.
    enum Place { case departure(Int), position(Int) }
  }

  /// The former parents of children that have left them, or have become leaves.
  ///
  /// A node may have several parents.
  private var formerParents: [ParentKey: [FormerParent]] = [:]

  /// The numbers of former parents, and their present keys.
  private var numbers: [ParentKey: Int] = [:]
  private var keys: [Int: ParentKey] = [:]

  /// The ends of moves that branches reported before they became leaves.
  private(set) var endedBranches: [ParentKey: [Crossing]] = [:]

  /// Sets the number of the move that the next change of a source is one end of.
  mutating func begin(_ name: Int) {
    mark = name
    hasMoves = true
  }

  /// Notes that a child leaves a parent.
  ///
  /// - Returns: the number of the departure; nil where the departure needs none, because nothing has moved so far.
  mutating func noteDeparture(of child: ParentKey, from parent: ParentKey) -> Int? {
    guard hasMoves else { return nil }
    let name = mark ?? SerialNumber.next()
    note(FormerParent(parent: number(of: parent), place: .departure(name)), of: child)
    return name
  }

  private mutating func note(_ former: FormerParent, of child: ParentKey) {
    let known = formerParents[child, default: []]
    if !known.contains(where: { $0.parent == former.parent }) { formerParents[child] = known + [former] }
  }

  /// Notes that a parent has another key from now on, because its forest has adopted the branch from another forest.
  mutating func rename(_ former: ParentKey, to key: ParentKey) {
    guard hasMoves else { return }
    formerParents[key] = formerParents.removeValue(forKey: former)
    guard let number = numbers.removeValue(forKey: former) else { return }
    numbers[key] = number
    keys[number] = key
  }

  private mutating func number(of parent: ParentKey) -> Int {
    if let number = numbers[parent] { return number }
    let number = SerialNumber.next()
    numbers[parent] = number
    keys[number] = parent
    return number
  }

  /// Whether a child is known to have left a parent, or to have become a leaf.
  var hasFormerParents: Bool { !formerParents.isEmpty }

  /// The parents that a child has left, or in which it has become a leaf.
  func formerParents(of child: ParentKey) -> [(key: ParentKey, place: FormerParent.Place)] {
    formerParents[child, default: []].map { (keys[$0.parent]!, $0.place) }
  }

  /// Notes that a branch becomes a leaf.
  ///
  /// - Parameters:
  ///   - branch: the branch.
  ///   - crossings: the ends of moves that the branch has reported.
  ///   - parent: the branch's parent.
  ///   - position: yields the branch's position in `parent` when the graph was last settled; nil: the branch was
  ///     elsewhere.
  mutating func noteEnd(of branch: ParentKey, _ crossings: [Crossing], in parent: ParentKey, at position: () -> Int?) {
    guard hasMoves else { return }
    // Another branch may get its handle.
    let key = ParentKey.former(SerialNumber.next())
    rename(branch, to: key)
    if !crossings.isEmpty { endedBranches[key] = crossings }
    // No child has left the branch.
    if crossings.isEmpty, numbers[key] == nil { return }
    if let position = position() { note(FormerParent(parent: number(of: parent), place: .position(position)), of: key) }
  }

  /// Adds the moves of a graph that is merged into this one.
  mutating func merge(_ other: inout MoveLog) {
    mark = mark ?? other.mark
    hasMoves = hasMoves || other.hasMoves
    formerParents.merge(other.formerParents) { $0 + $1 }
    endedBranches.merge(other.endedBranches) { own, _ in own }
    numbers.merge(other.numbers) { own, _ in own }
    keys.merge(other.keys) { own, _ in own }
    other = MoveLog()
  }
}
