extension TreeNode {
  /// Creates a view of this node whose values have a more general type, and which can be written.
  ///
  /// ```swift
  /// let rows = JoinNode([people.erasing { $0 as any Row }, shops.erasing { $0 as any Row }])
  /// ```
  ///
  /// - Parameter upcast: returns its argument with the more general type, and nothing else.
  /// - Returns: a live view: see `MapNode.init(_:erasing:)`.
  @inlinable
  public func erasing<Value>(_ upcast: @escaping (Element) -> Value) -> MapNode<Element, Value> {
    MapNode(self, erasing: upcast)
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
