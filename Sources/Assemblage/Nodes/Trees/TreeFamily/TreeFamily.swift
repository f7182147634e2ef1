import OffsetIndexing

/// The translation and the parts of one view of a tree, which all nodes of the view share.
///
/// The view's root translates for all nodes. The nodes of children are parts of the root, and are made when a caller
/// asks for them. This file has the code that tree filters and tree sorts share; `TreeFilterFamily` and
/// `TreeSortFamily` contain the rest.
///
/// A change of the source goes through the tree once, in these steps:
///
///     beginTransfers    finds the records of moved children by their paths before the change, and takes them out
///     apply             goes through the deltas from the root downwards; each node that they concern gets a touch
///     settleTransfers   puts the records of moved children, outermost first, in their new places, and updates them
///     settle            decides which children are shown, from the last touch to the first
///     report            makes the change from the touches, for the root and for the parts
protocol TreeFamily<Element>: AnyObject {
  associatedtype Element
  associatedtype Translation: TreeTranslation, TreeViewTranslation
  associatedtype Part: TreePart<Element> where Part.Family == Self
  associatedtype Work: TreeWork
  typealias Record = TreeIndex.Branch

  var translation: Cell<Translation> { get }
  var parts: Cell<TreeParts> { get }
  var progress: Cell<TreeProgress> { get }
  var followers: Cell<ShapeFollowers> { get }
  var sources: Cell<TreeSources<Element>> { get }

  /// Whether a part that has lost its child shows the child again when the child returns.
  var findsAgain: Bool { get }

  /// The node of the source that belongs to a record.
  func node(_ record: Record) -> SourceBranch

  /// The node of the source that belongs to a record, if everything before the record, in document order, has been
  /// translated; by default `node(_:)`.
  func numberedNode(_ record: Record) -> SourceBranch

  /// Lends the reader of a record, given the reader of the record's node in the source.
  func lendReader(of record: Record, over source: NodeReader<Element>, to body: (NodeReader<Element>) -> Void)

  /// Looks at the children of a record's node, if nobody has looked at them yet.
  func load(_ record: Record)

  /// The record of a child, which is made if there is none; nil if the child is a leaf.
  ///
  /// - Parameters:
  ///   - position: the child's position in the source.
  ///   - parent: the record of the child's parent.
  /// - Returns: the record, or nil.
  func record(ofChild position: Int, of parent: Record) -> Record?

  /// The record of a child whose children have been looked at, which is made if there is none; nil for a leaf.
  func openRecord(ofChild position: Int, of parent: Record, _ work: inout Work) -> Record?

  /// Puts the record of a moved child where the child is now, in place of any record that the child already has there.
  func attach(_ transfer: Int, at position: Int, of parent: Record, _ work: inout Work)

  /// Applies a change of a record's node to the record and to all records below.
  ///
  /// - Parameters:
  ///   - change: the change of the node, without crossings.
  ///   - record: the node's record.
  ///   - arriving: the transfers that end below the node.
  ///   - depth: the length of the node's path after the change.
  ///   - work: receives the touches.
  /// - Returns: the touch of the node.
  func apply(_ change: ChangeSet, to record: Record, arriving: Range<Int>, depth: Int, _ work: inout Work) -> Int

  /// Translates an edit of one branch of the source, if that is less work than `translate(_:in:_:)`.
  ///
  /// - Parameters:
  ///   - edit: the edit, by a handle of the tree.
  ///   - root: the view's root.
  ///   - released: receives nodes to be released when nothing is being changed.
  /// - Returns: the change by path, for nodes that do not follow the view; nil if the edit needs more work. In that
  ///   case nothing has been changed.
  func translate(_ edit: ShapeEdit, of root: Part, _ released: inout [any TreeNode]) -> ChangeSet?

  /// Looks at the children of a leaf that became a branch while it moved.
  ///
  /// The leaf had no children before, so all of its children have arrived.
  ///
  /// - Returns: the touch that reports them; nil if no child has arrived, or nothing is to be reported.
  func lookAtNew(_ change: ChangeSet, at position: Int, of parent: Record, _ work: inout Work) -> Int?

  /// Decides which children are shown, after the whole change has been applied; by default all are.
  func settle(_ work: inout Work)

  /// Gives up objects that may keep nodes of the source alive, because the view is about to be released; by default
  /// there are none.
  func surrender()

  /// Lets parts that have lost their child show the child again, if it has returned; by default no part does.
  func findParts(_ work: Work)
}

extension TreeFamily {
  func numberedNode(_ record: Record) -> SourceBranch { node(record) }

  func settle(_ work: inout Work) {}

  func findParts(_ work: Work) {}

  func surrender() {}
}

/// The state of the work while a change goes through a view of a tree.
protocol TreeWork {
  init()
  /// The children that move from one parent to another, in the order of their destinations.
  var transfers: [TreeTransfer] { get set }
  /// The pieces of children that have left.
  var removed: [TreeIndex.Branch] { get set }
  /// The records that now belong to other nodes of the source than before.
  var renewed: [TreeIndex.Branch] { get set }
  /// Objects to be released when nothing is being changed.
  var released: [any TreeNode] { get set }
  /// Whether an observer receives changes below the children.
  var hasListeners: Bool { get set }
  /// The number of nodes that the change concerns.
  var touchCount: Int { get }
  /// The record of a node that the change concerns; nil if the node has arrived or left.
  func record(_ touch: Int) -> TreeIndex.Branch?
  /// The change of a node and of the tree below it, without crossings, by the number of its touch.
  func change(_ touch: Int) -> ChangeSet
  /// Adds the touch of a node that has arrived or left, with the delta of its children.
  mutating func touch(_ delta: Delta, updatesValue: Bool) -> Int
}

/// The state that a family needs at each change.
///
/// The type is not generic over the element: a generic type is looked up at run time wherever the code uses it.
struct TreeProgress {
  /// Whether there are living nodes of children.
  var hasMembers = false
  /// An edit of the followed tree that has not been translated yet.
  var pending: ShapeEdit?
  /// Whether branches of the followed tree may have other handles.
  var hasOtherHandles = false
}

// MARK: - Changes

extension TreeFamily {
  /// Brings everything up to date with a change of the root.
  ///
  /// - Parameters:
  ///   - change: the source's change.
  ///   - hub: the hub of the view's root.
  ///   - released: receives nodes to be released when nothing is being changed.
  /// - Returns: the change of the children that are shown.
  func translate(_ change: consuming ChangeSet, in hub: NodeHub, _ released: inout [any TreeNode]) -> ChangeSet {
    var work = Work()
    work.hasListeners = hub.hasOtherListeners
    // The view asks again for each node on the way down.
    if progress.value.hasOtherHandles { work.renewed = [TreeIndex.root] }
    // A child that arrives from outside is new here, and a child that leaves is gone.
    change.dropOpenCrossings()
    let crossings = change.crossings
    if !crossings.isEmpty { beginTransfers(crossings, &work) }
    let root = apply(change, to: TreeIndex.root, arriving: work.transfers.indices, depth: 0, &work)
    if !work.transfers.isEmpty { settleTransfers(&work) }
    return report(root, &work, in: hub, &released)
  }

  /// Settles a change that has been applied to the records, and reports the change to the parts.
  ///
  /// - Returns: the change of the touch's node.
  func report(
    _ touch: Int, _ work: inout Work, in hub: NodeHub, _ released: inout [any TreeNode]
  ) -> ChangeSet {
    renewChildren(&work)
    settle(&work)
    let crossings = work.transfers.isEmpty ? [:] : endTransfers(&work)
    if progress.value.hasMembers { tellParts(work, crossings) }
    var result = work.change(touch)
    if let record = work.record(touch) { result.crossings = crossings[record] ?? [] }
    finish(&work, in: hub, &released)
    result.checkInvariants()
    return result
  }

  /// Frees the records of children that have left, and adds the nodes that were held for these records to `released`.
  ///
  /// The nodes that showed these children show nothing from now on. Views that follow this view by handles may refer to
  /// the records until the graph is settled. Until then no other branch gets one of these handles.
  func finish(_ work: inout Work, in hub: NodeHub, _ released: inout [any TreeNode]) {
    released += work.released
    for piece in work.removed {
      for record in translation.value.records(below: piece) {
        if progress.value.hasMembers, let part = part(record) { lose(part, record) }
        if let source = sources.value.remove(record) { released.append(source) }
      }
      if followers.value.isEmpty {
        translation.value.discard(piece)
      } else {
        hub.graph.whenSettled { [self] in translation.value.discard(piece) }
      }
    }
    findParts(work)
  }

  // MARK: Nodes that are others now

  /// Replaces the source's node of a record, if the new node is a different one.
  func exchange(_ node: SourceBranch, for record: Record, _ work: inout Work) {
    if let former = sources.value.insert(node, for: record) {
      work.renewed.append(record)
      if case .object(let object) = former { work.released.append(object) }
    }
    if progress.value.hasMembers, let part = part(record) { part.show(sources.value.object(node)) }
  }

  /// Asks again for the nodes below renewed records.
  ///
  /// A branch that was elsewhere may have another handle, and so may each branch below.
  ///
  /// - Complexity: O(r · log n) for the r children of renewed records; these are all children if any branch may have
  ///   another handle.
  func renewChildren(_ work: inout Work) {
    if progress.value.hasOtherHandles {
      progress.value.hasOtherHandles = false
      work.renewed = [TreeIndex.root] + translation.value.records(below: TreeIndex.root)
    }
    var next = 0
    while next < work.renewed.count {
      let record = work.renewed[next]
      next += 1
      guard translation.value.contains(record) else { continue }
      let node = node(record)
      for child in translation.value.children(of: record).map(\.branch) {
        if let inner = sources.value.child(at: translation.value.position(of: child), of: node) {
          exchange(inner, for: child, &work)
        }
      }
    }
  }
}

extension TreeFamily {
  /// Asks again for the nodes, if branches may have other handles and no change waits for its translation.
  func renewHandles(in hub: NodeHub) {
    // In a rollback the tree is ahead of this view.
    if hub.graph.isFrozen { return }
    var work = Work()
    renewChildren(&work)
    withExtendedLifetime(work) {}
  }
}

// MARK: - Edits

extension TreeFamily {
  /// Reports an edit of one record to the followers of this view, and as a change to other nodes and observers, if
  /// there are any.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - root: the view's root.
  /// - Returns: the change of the root; an empty change if only followers need the edit.
  func notify(_ edit: ShapeEdit, of root: Part) -> ChangeSet {
    followers.value.notify(edit, of: root.hub) ? root.change(edit) : ChangeSet()
  }
}

// MARK: - Paths

/// The direction in which a path is mapped.
enum PathMapping { case toSource, toView }

extension TreeFamily {
  /// Maps the path of a child from the source to the view, or the other way round.
  ///
  /// - Parameters:
  ///   - path: the path from the node of a record.
  ///   - start: the record.
  ///   - mapping: the direction.
  /// - Returns: the path from the same node; nil if there is no such child, or if the child or one of its parents is
  ///   hidden.
  /// - Complexity: O(d · log n) for a path of length d, and the cost of looking at nodes that nobody has looked at.
  func map(_ path: some Collection<Int>, from start: Record?, _ mapping: PathMapping) -> [Int]? {
    var result: [Int] = []
    var record = start
    for position in path {
      guard let parent = record else { return nil }
      load(parent)
      let other =
        switch mapping {
        case .toSource: translation.value.sourcePosition(of: position, in: parent)
        case .toView: translation.value.shownPosition(of: position, in: parent) ?? -1
        }
      if other < 0 { return nil }
      result.append(other)
      if result.count == path.count { break }
      record = self.record(ofChild: mapping == .toSource ? other : position, of: parent)
    }
    return result
  }
}
