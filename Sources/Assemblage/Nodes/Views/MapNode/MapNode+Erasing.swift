extension TreeNode {
  /// Creates a live view of the same values with a more general type, which can be written.
  ///
  /// Nodes of several types of elements are combined in this way, without an enumeration:
  ///
  /// ```swift
  /// let people = ArrayNode(["Ada", "Bob"])
  /// let ages = ArrayNode([36])
  /// let rows = JoinNode([people.erasing { $0 as Any }, ages.erasing { $0 as Any }])
  /// rows.count                                          // 3
  /// rows.replace(at: [2], with: 37)                     // ages holds 37
  /// rows.origin(of: [2])?.node === ages                 // true
  /// BranchNode<Any>([people.erasing { $0 }]).child(at: [0], of: String.self) === people    // true
  /// ```
  ///
  /// A value of another type that is written here is refused: `allows(_:at:)` does not know the value, and the edit
  /// traps. A user who drags a row with a coordinator is refused. In contrast to other maps, a row that moves from one
  /// such view to another is reported as a move.
  ///
  /// - Parameter upcast: returns its argument with the more general type, and nothing else.
  /// - Returns: the view, which keeps this node alive.
  /// - Complexity: O(1).
  @inlinable
  public func erasing<Value>(_ upcast: @escaping (Element) -> Value) -> MapNode<Element, Value> {
    MapNode(erasing: self, upcast)
  }

  /// The node at an index path, with the type that its elements had before `erasing(_:)`.
  ///
  /// - Parameters:
  ///   - path: any path from this node; `[]` is the node itself.
  ///   - type: the type of the elements.
  /// - Returns: the node; nil if there is no node at the path, or if its elements have another type.
  /// - Complexity: O(d · log n) for a path of length d.
  public func child<Value>(at path: IndexPath, of type: Value.Type) -> (any TreeNode<Value>)? {
    var node: (any TreeNode)? = child(at: path)
    while let next = node {
      if let typed = next as? any TreeNode<Value> { return typed }
      node = (next as? any ErasedNode)?.typedNode
    }
    return nil
  }
}

/// A node that may show the values of another node with a more general type.
private protocol ErasedNode {
  /// The other node; nil if the values are not those of the other node.
  var typedNode: (any TreeNode)? { get }
}

extension MapNode: ErasedNode {
  fileprivate var typedNode: (any TreeNode)? { family.keepsValues ? source : nil }
}
