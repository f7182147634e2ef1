extension TreeNode {
  /// Finds the source that a child belongs to, through all views between the two.
  ///
  /// ```swift
  /// let friends = ArrayNode(["Best mate", "Bo"])
  /// let short = FilterNode(JoinNode([ArrayNode(["Dad"]), friends])) { $0.count < 4 }
  /// let place = short.origin(of: [1])       // "Bo"
  /// place?.node === friends                 // true
  /// place?.position                         // 1
  /// ```
  ///
  /// The way leads through joins, filters, sorts, maps, sections of groups, outlines and all other views, to the node
  /// that holds the child itself. There, the child can be edited, also where a map on the way has no inverse. The other
  /// way is `path(of:in:)`.
  ///
  /// - Parameter path: any path from this node.
  /// - Returns: the node that holds the child, and the child's position in that node; nil for `[]`, and where there is
  ///   no such place.
  /// - Complexity: O(d · log n) for a path of length d, and O(log n) for each view on the way.
  public func origin(of path: IndexPath) -> (node: any TreeNode, position: Int)? {
    guard let position = path.last, let parent = child(at: path.dropLast()),
      position >= 0, position < parent.count
    else { return nil }
    var place: (node: any TreeNode, position: Int) = (parent, position)
    while let next = place.node.placeBehind(place.position) { place = next }
    return place
  }
}

extension TreeNode {
  /// The place in a source that a view shows at a position; nil for a node that holds its children itself.
  fileprivate func placeBehind(_ position: Int) -> (node: any TreeNode, position: Int)? {
    if let view = routing {
      let place = view.owner(of: position)
      return (place.node, place.position)
    }
    return (self as? any SourcePlacing)?.copiedNode.map { ($0, position) }
  }
}
