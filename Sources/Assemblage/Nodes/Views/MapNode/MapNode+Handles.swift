import OffsetIndexing

/// The tree of a map, if the branches of that tree are known by handles, and the views that follow the map by these
/// handles.
///
/// The handles of the map are the handles of the tree, because a map has no shape of its own. The map follows the tree
/// as long as views follow the map.
final class MapHandles<Source> {
  let tree: any BranchTree<Source>
  var followers = ShapeFollowers()
  /// The edit of the tree that has not been passed on yet.
  var pending: ShapeEdit?

  init(_ tree: any BranchTree<Source>) { self.tree = tree }

  /// Passes the pending edit on to the views that follow the map.
  ///
  /// - Parameter hub: the hub of the map.
  /// - Returns: the change of the map, for nodes that do not follow it by handles; nil if no edit is pending.
  func translate(in hub: NodeHub) -> ChangeSet? {
    guard let edit = pending else { return nil }
    pending = nil
    return followers.notify(edit, of: hub) ? tree.change(edit) : ChangeSet()
  }
}

// Only the root of a mapped tree has handles.
extension MapNode: BranchTree {
  private var handles: MapHandles<Source> { state.cell.value.handles! }

  private var tree: any BranchTree<Source> { handles.tree }

  var lendsHandles: Bool { state.cell.value.handles?.tree.lendsHandles ?? false }

  var rootBranch: Branch { tree.rootBranch }

  var handleDepth: Int { tree.handleDepth + 1 }

  func contains(_ branch: Branch) -> Bool { tree.contains(branch) }

  func childCount(of branch: Branch) -> Int { tree.childCount(of: branch) }

  func hasChildren(_ branch: Branch) -> Bool { tree.hasChildren(branch) }

  func branch(at position: Int, of branch: Branch) -> Branch? { tree.branch(at: position, of: branch) }

  func branches(in range: Range<Int>, of branch: Branch) -> [(position: Int, branch: Branch)] {
    tree.branches(in: range, of: branch)
  }

  func object(of branch: Branch) -> any TreeNode<Element> {
    branch == tree.rootBranch ? self : family.node(of: tree.object(of: branch))
  }

  func livingNode(of branch: Branch) -> (any TreeNode<Element>)? {
    branch == tree.rootBranch ? self : tree.livingNode(of: branch).flatMap { family.livingNode(of: $0) }
  }

  func lendReader(of branch: Branch, to body: (NodeReader<Element>) -> Void) {
    tree.lendReader(of: branch) { family.lend($0, family.transform, body) }
  }

  func place(of branch: Branch) -> (parent: Branch, position: Int)? { tree.place(of: branch) }

  func add(_ follower: any ShapeFollower) {
    if handles.followers.isEmpty { tree.add(self) }
    handles.followers.add(follower)
  }

  func removeFollower(_ identity: ObjectIdentifier) {
    handles.followers.remove(identity)
    if handles.followers.isEmpty { tree.removeFollower(ObjectIdentifier(self)) }
  }
}

extension MapNode: ShapeFollower {
  var followingHub: NodeHub { hub }

  func follow(_ edit: ShapeEdit) { handles.pending = edit }

  func renewHandles() { handles.followers.renewHandles() }

  func stopFollowing() { handles.followers.removeAll().stopFollowing() }
}
