import OffsetIndexing

/// What the nodes of one view of a tree have in common, which is kept for the whole tree: its translation, and its parts.
///
/// The view's root translates for all: the nodes of children are parts of it, made when they are asked for. Here is what such
/// views do alike: `TreeFilterFamily` and `TreeSortFamily` say what differs.
protocol TreeFamily<Element>: AnyObject {
  associatedtype Element
  associatedtype Translation: TreeTranslation
  associatedtype Part: TreePart<Element>
  associatedtype Work: TreeWork
  typealias Record = TreeIndex.Branch

  /// Tells the family from others.
  var number: Int { get }
  var translation: Cell<Translation> { get }
  var parts: Cell<TreeParts> { get }
  var progress: Cell<TreeProgress> { get }
  var followers: Cell<ShapeFollowers> { get }

  /// Whether nodes that have lost their child show it again where it comes again, and not only in a rollback.
  var findsAgain: Bool { get }

  /// Keeps a node for a record that leaves the tree with it, and whose handle is one of the tree no longer.
  func hold(_ node: any TreeNode, for record: Record)

  /// Forgets the node of the source that is kept for a record, and returns it.
  func takeSource(of record: Record) -> (any TreeNode<Element>)?

  /// The child of a record's node that is a node itself.
  func hasNode(at position: Int, of parent: Record) -> Bool

  /// The record of a child whose children have been looked at, which is made where there is none; nil for a leaf.
  func openRecord(ofChild position: Int, of parent: Record, _ work: inout Work) -> Record?

  /// Makes what a passage takes along the record of a child, which may have another one.
  func attach(_ passage: Int, at position: Int, of parent: Record, _ work: inout Work)

  /// Goes through a change of a record's node.
  ///
  /// - Parameters:
  ///   - change: what happened to the node, without crossings.
  ///   - record: the node's record.
  ///   - arriving: the passages that end below the node.
  ///   - depth: the length of the node's path after the change.
  ///   - work: receives the touches.
  /// - Returns: the touch of the node.
  func apply(_ change: ChangeSet, to record: Record, arriving: [Int], depth: Int, _ work: inout Work) -> Int

  /// Looks at the children of a leaf that became a branch on its way: it had none before, so all have come.
  ///
  /// - Returns: the touch that says so; nil where nothing has come, or is to be told.
  func lookAtNew(_ change: ChangeSet, at position: Int, of parent: Record, _ work: inout Work) -> Int?

  /// Where a child that is hidden was among those that are shown, if views above know of it; nil by default.
  func hiddenOrigin(at position: Int, of parent: Record, _ record: Record?) -> Crossing.End?

  /// Completes the crossing of a child that was shown.
  ///
  /// - Parameters:
  ///   - crossing: says where it was, and what happened inside.
  ///   - passage: its passage.
  ///   - path: where it is shown now; nil where it is hidden, or has left.
  ///   - work: the change.
  ///   - crossings: receives others that are told now.
  /// - Returns: the crossing, or nil where that is not told; by default it is, where the child is shown or has left.
  func complete(
    _ crossing: Crossing, of passage: TreePassage, at path: [Int]?, _ work: Work, _ crossings: inout [Crossing]
  ) -> Crossing?
}

extension TreeFamily {
  func hiddenOrigin(at position: Int, of parent: Record, _ record: Record?) -> Crossing.End? { nil }

  func complete(
    _ crossing: Crossing, of passage: TreePassage, at path: [Int]?, _ work: Work, _ crossings: inout [Crossing]
  ) -> Crossing? { passage.destination != nil && path == nil ? nil : crossing }
}

/// A node that shows a child in a view of a tree.
protocol TreePart<Element>: TreeNode, DerivedNode {
  var source: any TreeNode<Element> { get }

  /// Shows nothing, because the child has left.
  func lose()

  /// Shows the child that has come back.
  func find(_ record: TreeIndex.Branch)
}

/// What a family looks at with each change. It knows no elements: a type that does is looked up at run time where it is used.
struct TreeProgress {
  /// Whether there are living nodes of children.
  var hasMembers = false
  /// What left for an unknown place in the transaction under way, and may come back in it.
  var departed: [TreeDeparture] = []
  /// The branch of a forest that is leaving with the change under way, if one is.
  var leaving: (any TreeNode)?
  /// What has happened in a tree that is followed, and has not been translated yet.
  var pending: ShapeEdit?
}

/// Which nodes show the children of a view of a tree, and which have lost theirs.
struct TreeParts {
  /// The nodes of children, by record.
  var members = LivingNodes<TreeIndex.Branch>()
  /// Members whose child has left, by the node of the source that they showed; they keep it alive.
  var lost: [ObjectIdentifier: [LivingNode]] = [:]
}

extension TreeFamily {
  /// The living node of a child; nil where none has been asked for.
  func part(_ record: Record) -> Part? { parts.value.members[record].map(typed) }

  private func typed(_ node: AnyObject) -> Part {
    // No others are added.
    unsafe unsafeDowncast(node, to: Part.self)
  }

  /// Notes that a node has been made for a child.
  func insert(_ part: Part, for record: Record) {
    parts.value.members[record] = part
    progress.value.hasMembers = true
  }

  /// Notes that the node of a child dies.
  ///
  /// - Parameters:
  ///   - part: the node.
  ///   - record: the record that it showed; nil where it has lost its child.
  ///   - source: the node of the source.
  func forget(_ part: Part, record: Record?, source: any TreeNode<Element>) {
    if let record {
      parts.value.members.forget(part, for: record)
      progress.value.hasMembers = !parts.value.members.isEmpty
    } else if var members = parts.value.lost[ObjectIdentifier(source)] {
      members.removeAll { $0.identity == ObjectIdentifier(part) }
      parts.value.lost[ObjectIdentifier(source)] = members.isEmpty ? nil : members
    }
  }

  /// Tells the node of a child what happened in it, if a dependent or an observer hears of it.
  func tell(_ part: Part, _ change: @autoclosure () -> ChangeSet) {
    if part.hub.isObserved { part.hub.receiveFromWhole(change()) }
  }

  /// Tells an edit of one record: to those that follow this view by handles, and as a change to those who do not, if there are any.
  func tell(_ edit: ShapeEdit, of root: any BranchTree<Element>) -> ChangeSet {
    followers.value.tell(edit, of: root.hub) ? root.change(edit) : ChangeSet()
  }

  /// Frees detached children with all below, and hands over their nodes, to be released when nothing is being changed.
  ///
  /// The nodes that showed them show nothing from now on.
  func discard(_ pieces: [Record], to released: inout [any TreeNode]) {
    for piece in pieces {
      if progress.value.hasMembers { loseMembers(inPiece: piece) }
      for record in translation.value.discard(piece) {
        if let source = takeSource(of: record) { released.append(source) }
      }
    }
  }

  private func loseMembers(inPiece piece: Record) {
    for record in translation.value.records(below: [piece]) {
      guard let part = part(record) else { continue }
      parts.value.members[record] = nil
      let count = translation.value.count(of: record)
      part.lose()
      tell(part, ChangeSet(count > 0 ? .removal(0..<count) : Delta(), updatesValue: true))
      if findsAgain || part.hub.isRecording {
        parts.value.lost[ObjectIdentifier(part.source), default: []].append(LivingNode(part))
      }
    }
    progress.value.hasMembers = !parts.value.members.isEmpty
  }

  /// Gives a node that lost its child the record of that, where it has come again.
  ///
  /// - Parameters:
  ///   - record: the record of a child.
  ///   - source: the node of the source.
  ///   - load: looks at the child, before it is shown.
  func findMember(_ record: Record, showing source: ObjectIdentifier, _ load: () -> Void = {}) {
    guard parts.value.members[record] == nil, var members = parts.value.lost[source] else { return }
    let part = typed(members.removeLast().node)
    parts.value.lost[source] = members.isEmpty ? nil : members
    load()
    insert(part, for: record)
    part.find(record)
    let count = translation.value.count(of: record)
    tell(part, ChangeSet(count > 0 ? .insertion(0..<count) : Delta(), updatesValue: true))
  }
}
