// Lists of nodes with different elements. Without these initializers, the compiler describes the difference of the
// types, and not the remedy.

extension BranchNode where Element == Never {
  /// Does not compile, because the nodes have elements of different types.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the elements have several types; make an enum of them, and convert each list: MapNode(people, Row.person)"
  )
  public convenience init(_ nodes: [any TreeNode]) { self.init() }
}

extension JoinNode where Element == Never {
  /// Does not compile, because the members have elements of different types.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the elements have several types; make an enum of them, and convert each list: MapNode(people, Row.person)"
  )
  public convenience init(_ members: [any TreeNode]) { self.init() }
}
