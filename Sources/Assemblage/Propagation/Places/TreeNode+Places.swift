// The way from a node, or from a place in a node, to the place where another node shows it.
extension TreeNode {
  /// Whether `node` would become its own source by adopting this node as a child, after this node has left a parent.
  ///
  /// - Parameters:
  ///   - node: the node that is to adopt this one.
  ///   - parent: the node that this one leaves.
  /// - Returns: whether `node` is this node, or would still derive from it, directly or through others.
  /// - Complexity: O(k) for k nodes that derive from this one.
  package func isSource(of node: any TreeNode, withoutLinkTo parent: any TreeNode) -> Bool {
    hub.isSource(of: node.hub, withoutLinkTo: parent.hub)
  }

  /// Finds the path at which a node lies below this one.
  ///
  /// ```swift
  /// let family = ArrayNode(["Dad", "Mum"])
  /// let friends = ArrayNode(["Best mate"])
  /// let sections = BranchNode([family, friends])
  /// let contacts = BranchNode([sections])
  /// contacts.path(of: friends)      // [0, 1]
  /// contacts.path(of: contacts)     // []
  /// family.path(of: friends)        // nil
  /// ```
  ///
  /// The search follows the links from sources to dependents, through joins, filters, sorts, groups and all other nodes
  /// between the two. So the children of other nodes are not examined, and nothing is loaded. Children that a node
  /// shows without having linked them are not found.
  ///
  /// - Parameter node: the node to look for.
  /// - Returns: the path; the first in order where the node lies at several paths, and nil where it does not lie below
  ///   this one, or is hidden.
  /// - Complexity: O(s · log n + d) for s nodes that derive from `node` and are below this one, and a path of length d.
  ///   More for some of the s: O(d · log n) for an outline, and for a view of a tree or of sections at any depth, and
  ///   O(c) for a node of a user's own type that has c children.
  public func path(of node: any TreeNode<Element>) -> IndexPath? { paths(of: node).first }

  /// Finds all paths at which a node lies below this one, in ascending order.
  ///
  /// ```swift
  /// let shared = ArrayNode([1])
  /// BranchNode([shared, ArrayNode([2]), shared]).paths(of: shared)      // [[0], [2]]
  /// ```
  ///
  /// - Parameter node: the node to look for.
  /// - Returns: the paths; none where the node does not lie below this one.
  /// - Complexity: that of `path(of:)`, for each of the paths.
  public func paths(of node: any TreeNode<Element>) -> [IndexPath] {
    PlaceSearch.paths(of: [], in: node, shownBy: self).map { IndexPath(indexes: $0) }
  }

  /// Finds the path at which this node shows a place of another one.
  ///
  /// The other node is a source of this one, directly or through others, or lies below this one.
  ///
  /// ```swift
  /// let friends = ArrayNode(["Best mate", "Bo"])
  /// let short = FilterNode(JoinNode([ArrayNode(["Dad"]), friends])) { $0.count < 4 }
  /// let tree = BranchNode([short])
  /// tree.path(of: [1], in: friends)     // [0, 1]: "Bo"
  /// tree.path(of: [0], in: friends)     // nil: "Best mate" is hidden
  /// ```
  ///
  /// - Parameters:
  ///   - path: any path from `node`; `[]` is `node` itself.
  ///   - node: a node of any element type: a `MapNode` shows the places of its source.
  /// - Returns: a path from this node, the first in order where there are several; nil where the place is hidden, does
  ///   not exist, or belongs to a node that this one does not show.
  /// - Complexity: that of `path(of:)`.
  public func path(of path: IndexPath, in node: any TreeNode) -> IndexPath? {
    guard path.isEmpty || node.hasPlace(at: path) else { return nil }
    return PlaceSearch.paths(of: Array(path), in: node, shownBy: self).first.map { IndexPath(indexes: $0) }
  }

  /// Finds the position in this node's index space of a child of a node that it shows.
  ///
  /// The other node may be, for example, a member of a member of a join.
  ///
  /// ```swift
  /// let friends = ArrayNode(["Best mate", "Bo"])
  /// let people = JoinNode([ArrayNode(["Dad", "Mum"]), friends])
  /// let everyone = JoinNode([ArrayNode(["me"]), people])
  /// everyone.position(of: 1, in: friends)               // 4
  /// SortNode(everyone, by: <).position(of: 1, in: friends)      // 1: "Best mate", "Bo", "Dad", …
  /// ```
  ///
  /// - Parameters:
  ///   - position: any integer, in the index space of `node`.
  ///   - node: a node of any element type.
  /// - Returns: a position 0..<`count`, the lowest where there are several; nil where the child is hidden, lies deeper
  ///   than this node's own children, or does not exist.
  /// - Complexity: that of `path(of:)`.
  public func position(of position: Int, in node: any TreeNode) -> Int? {
    guard position >= 0, position < node.count else { return nil }
    return PlaceSearch.paths(of: [position], in: node, shownBy: self).lazy.filter { $0.count == 1 }.first?[0]
  }

  /// Whether there is a child at a non-empty path.
  fileprivate func hasPlace(at path: IndexPath) -> Bool {
    guard let parent = child(at: path.dropLast()), let last = path.last else { return false }
    return last >= 0 && last < parent.count
  }
}
