import OffsetIndexing

/// The translation and the parts of one view of a tree, which all nodes of the view share.
///
/// The view's root translates for all: the nodes of children are parts of it, made when they are asked for. Here is the code that
/// tree filters and tree sorts share; `TreeFilterFamily` and `TreeSortFamily` contain the rest.
///
/// A change of the source goes through the tree once:
///
///     beginTransfers    the records of moved children are found by their paths before, and taken out
///     apply             the deltas are gone through from the root downwards; each node that they concern gets a touch
///     settleTransfers   the records of moved children, outermost first, are put where they are now, and brought up to date
///     settle            the shown children are decided, from the last touch to the first
///     report            the change is put together of the touches, for the root and for the parts
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

  /// Whether parts that have lost their child show it again where it comes back.
  var findsAgain: Bool { get }

  /// The node of the source that belongs to a record.
  func node(_ record: Record) -> SourceBranch

  /// The same where everything before the record, in document order, has been translated; by default the same.
  func numberedNode(_ record: Record) -> SourceBranch

  /// Lends the reader of a record, given the reader of the record's node in the source.
  func lendReader(of record: Record, over source: NodeReader<Element>, to body: (NodeReader<Element>) -> Void)

  /// Looks at the children of a record's node, where that has not been done yet.
  func load(_ record: Record)

  /// The record of a child, made where there is none; nil where the child is a leaf.
  ///
  /// - Parameters:
  ///   - position: the child's position in the source.
  ///   - parent: its parent's record.
  /// - Returns: the record, or nil.
  func record(ofChild position: Int, of parent: Record) -> Record?

  /// The record of a child whose children have been looked at, which is made where there is none; nil for a leaf.
  func openRecord(ofChild position: Int, of parent: Record, _ work: inout Work) -> Record?

  /// Puts the record of a child that has moved where the child is now, in place of another record that it may have there.
  func attach(_ transfer: Int, at position: Int, of parent: Record, _ work: inout Work)

  /// Goes through a change of a record's node.
  ///
  /// - Parameters:
  ///   - change: the change of the node, without crossings.
  ///   - record: the node's record.
  ///   - arriving: the transfers that end below the node.
  ///   - depth: the length of the node's path after the change.
  ///   - work: receives the touches.
  /// - Returns: the touch of the node.
  func apply(_ change: ChangeSet, to record: Record, arriving: Range<Int>, depth: Int, _ work: inout Work) -> Int

  /// Translates an edit of one branch of the source, where that takes less than `translate(_:in:_:)`.
  ///
  /// - Parameters:
  ///   - edit: the edit, by a handle of the tree.
  ///   - root: the view's root.
  ///   - released: receives nodes to be released when nothing is being changed.
  /// - Returns: the change by path, for nodes that do not follow the view; nil where there is more to be done, and nothing has
  ///   been changed.
  func translate(_ edit: ShapeEdit, of root: Part, _ released: inout [any TreeNode]) -> ChangeSet?

  /// Looks at the children of a leaf that became a branch on its way: it had none before, so all have come.
  ///
  /// - Returns: the touch that says so; nil where nothing has come, or nothing is to be reported.
  func lookAtNew(_ change: ChangeSet, at position: Int, of parent: Record, _ work: inout Work) -> Int?

  /// Decides which children are shown, when the whole change has been gone through; by default all are.
  func settle(_ work: inout Work)

  /// Lets parts that have lost their child show it again, where it has come back; by default none does.
  func findParts(_ work: Work)
}

extension TreeFamily {
  func numberedNode(_ record: Record) -> SourceBranch { node(record) }

  func settle(_ work: inout Work) {}

  func findParts(_ work: Work) {}
}

/// The work that is under way while a change goes through a view of a tree.
protocol TreeWork {
  init()
  /// The children that move from one parent to another, in the order of their destinations.
  var transfers: [TreeTransfer] { get set }
  /// The pieces of children that have left.
  var removed: [TreeIndex.Branch] { get set }
  /// The records that belong to other nodes of the source than before.
  var renewed: [TreeIndex.Branch] { get set }
  /// Objects to be released when nothing is being changed.
  var released: [any TreeNode] { get set }
  /// Whether an observer receives changes below the children.
  var isHeard: Bool { get set }
  /// How many nodes the change concerns.
  var touchCount: Int { get }
  /// The record of a node that the change concerns; nil where the node has come or gone.
  func record(_ touch: Int) -> TreeIndex.Branch?
  /// The change of a node and of the tree below it, without crossings, by the number of its touch.
  func change(_ touch: Int) -> ChangeSet
  /// Adds the touch of a node that has come or gone, with the delta of its children.
  mutating func touch(_ delta: Delta, updatesValue: Bool) -> Int
}

/// The state that a family needs at each change.
///
/// It knows no elements: a type that does is looked up at run time where it is used.
struct TreeProgress {
  /// Whether there are living nodes of children.
  var hasMembers = false
  /// An edit of a tree that is followed, which has not been translated yet.
  var pending: ShapeEdit?
  /// Whether branches of a tree that is followed may have other handles.
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
    work.isHeard = hub.hasOtherListeners
    // Each node on the way down is asked for again.
    if progress.value.hasOtherHandles { work.renewed = [TreeIndex.root] }
    // A child that comes from outside is new here, and one that leaves is gone.
    change.dropOpenCrossings()
    let crossings = change.crossings
    if !crossings.isEmpty { beginTransfers(crossings, &work) }
    let root = apply(change, to: TreeIndex.root, arriving: work.transfers.indices, depth: 0, &work)
    if !work.transfers.isEmpty { settleTransfers(&work) }
    return report(root, &work, in: hub, &released)
  }

  /// Settles a change that has been gone through, and reports it to the parts.
  ///
  /// - Returns: the change of the node of a touch.
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

  /// Frees the records of children that have left, and hands over the nodes of the source that were held for them.
  ///
  /// The nodes that showed them show nothing from now on. Views that follow this one by handles may refer to the records until
  /// the graph is settled; until then no other branch gets one of these handles.
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

  /// Takes another node of the source for a record, where it is another one.
  func exchange(_ node: SourceBranch, for record: Record, _ work: inout Work) {
    if let former = sources.value.insert(node, for: record) {
      work.renewed.append(record)
      if case .object(let object) = former { work.released.append(object) }
    }
    if progress.value.hasMembers, let part = part(record) { part.show(sources.value.object(node)) }
  }

  /// Asks for the nodes below renewed records again: a branch that was elsewhere may have another handle, as all below it.
  ///
  /// - Complexity: O(r · log n) for the r children of renewed records; of all, where any branch may have another handle.
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
  /// Asks for nodes again, where branches may have other handles and nothing is left to be translated.
  func renewHandles(in hub: NodeHub) {
    // In a rollback the tree is ahead of this view.
    if hub.isFrozen { return }
    var work = Work()
    renewChildren(&work)
    withExtendedLifetime(work) {}
  }
}

// MARK: - Edits

extension TreeFamily {
  /// Reports an edit of one record: to those that follow this view by handles, and as a change to others, if there are any.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - root: the view's root.
  /// - Returns: the change of the root.
  func tell(_ edit: ShapeEdit, of root: Part) -> ChangeSet {
    followers.value.tell(edit, of: root.hub) ? root.change(edit) : ChangeSet()
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
  /// - Returns: the path from the same node; nil where there is no such child, or it or a parent of it is hidden.
  /// - Complexity: O(d · log n) for a path of length d, and that of looking at nodes that have not been looked at.
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
