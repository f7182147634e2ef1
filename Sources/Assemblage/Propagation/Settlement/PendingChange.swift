import OffsetIndexing

/// The changes of a node since its graph was last settled.
///
/// For a node whose children are its sources, this is only the change of its list of children. The changes inside the
/// children belong to the children. All changes lead from the same former state to the same present state.
final class PendingChange {
  var composer = ChangeSetComposer()
  /// The node, if it keeps the changes of many parents; kept alive until the graph is settled.
  var tree: (any PendingTree)?
}

/// A tree in one node, which keeps a pending change for each of its branches.
protocol PendingTree: AnyObject {
  /// The hub of the root.
  var pendingHub: NodeHub { get }

  /// The pending changes of this tree's branches, and of the branches of trees that have been cut out of it.
  var pendingBranches: PendingBranches { get }

  /// The branch of the root.
  var rootBranch: TreeIndex.Branch { get }

  /// Whether a branch is in this tree.
  func contains(pending branch: TreeIndex.Branch) -> Bool

  /// The parent of a branch of this tree, and the branch's position there; nil for the root.
  func pendingParent(of branch: TreeIndex.Branch) -> (branch: TreeIndex.Branch, position: Int)?

  /// The hub of the node of a branch, where another node or an observer receives its changes.
  func observedPart(of branch: TreeIndex.Branch) -> NodeHub?

  /// Reports the only edit since the graph was last settled.
  ///
  /// - Returns: the change of the root; a silent one where all dependents have received the edit in another way.
  func report(_ edit: ShapeEdit) -> ChangeSet
}

/// The pending changes of a forest's branches.
final class PendingBranches {
  /// The change of each branch's own value and children.
  var composers: [TreeIndex.Branch: ChangeSetComposer] = [:]

  /// The only edit, as long as there is one only.
  var onlyEdit: ShapeEdit?

  /// Adds an edit.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - change: the change of the children of a branch, with the ends of moves, or of its own value.
  ///   - branch: the branch.
  func append(_ edit: ShapeEdit, _ change: ChangeSet, to branch: TreeIndex.Branch) {
    onlyEdit = composers.isEmpty && change.crossings.isEmpty ? edit : nil
    composers[branch, default: ChangeSetComposer()].append(change)
  }

  var isEmpty: Bool { composers.isEmpty }

  /// Adds ends of moves to the change of a branch.
  func append(_ change: ChangeSet, to branch: TreeIndex.Branch) {
    onlyEdit = nil
    composers[branch, default: ChangeSetComposer()].append(change)
  }

  /// Moves the change of a branch to another branch.
  func move(_ former: TreeIndex.Branch, to branch: TreeIndex.Branch, of other: PendingBranches) {
    onlyEdit = nil
    guard let composer = composers.removeValue(forKey: former) else { return }
    other.onlyEdit = nil
    other.composers[branch] = composer
  }

  /// Removes and returns the change of a branch, which has not been settled.
  func takeComposer(of branch: TreeIndex.Branch) -> ChangeSetComposer? {
    guard let composer = composers.removeValue(forKey: branch) else { return nil }
    onlyEdit = nil
    return composer
  }

  /// Removes all changes.
  func removeAll() { (composers, onlyEdit) = ([:], nil) }

  /// The only edit; nil where there are several, or none in a tree.
  func onlyEdit(of tree: some PendingTree) -> ShapeEdit? {
    onlyEdit.flatMap { tree.contains(pending: $0.branch) ? $0 : nil }
  }

  /// Composes and returns the changes of the branches that are in a tree; the caller must remove them afterwards.
  func changes(of tree: some PendingTree) -> [TreeIndex.Branch: ChangeSet] {
    var changes: [TreeIndex.Branch: ChangeSet] = [:]
    for branch in composers.keys where tree.contains(pending: branch) {
      changes[branch] = composers[branch]!.composed()
    }
    return changes
  }
}
