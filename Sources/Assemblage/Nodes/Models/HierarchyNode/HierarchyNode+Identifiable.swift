// Values that are `Identifiable` need no `id:`.
extension HierarchyNode where Element: Identifiable & Equatable {
  /// Creates the tree below a value.
  ///
  /// ```swift
  /// let tree = HierarchyNode(home) { $0.folders }
  /// ```
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     `children` can find out.
  ///   - children: returns the children of a value, in order. The closure is called once for each node whose children
  ///     are read, and again to reload it.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(
    _ root: Element, hasChildren: ((Element) -> Bool)? = nil, children: @escaping (Element) -> [Element]
  ) {
    self.init(root, id: { $0.id }, hasChildren: hasChildren, children: children)
  }

  /// Creates a tree whose root has no value.
  ///
  /// - Parameters:
  ///   - roots: returns the root's children, in order.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     `children` can find out.
  ///   - children: returns the children of a value, in order. The closure is called once for each node whose children
  ///     are read, and again to reload it.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(
    roots: @escaping () -> [Element], hasChildren: ((Element) -> Bool)? = nil,
    children: @escaping (Element) -> [Element]
  ) {
    self.init(roots: roots, id: { $0.id }, hasChildren: hasChildren, children: children)
  }

  /// Creates a tree in which the same property holds the children at every level; nil in a leaf.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - children: the property that holds a value's children; nil in a leaf.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(_ root: Element, children: KeyPath<Element, [Element]?>) {
    self.init(root, id: \.id, children: children)
  }

  /// Creates a tree in which the same property holds the children at every level; empty in a leaf.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - children: the property that holds a value's children.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(_ root: Element, children: KeyPath<Element, [Element]>) {
    self.init(root, id: \.id, children: children)
  }

  /// Creates the tree below a value, whose children are fetched by an asynchronous closure that may fail.
  ///
  /// See the initializer with `id` and `areEqual`.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     a load can find out.
  ///   - limit: the number of loads of the tree that may run at once, at least 1.
  ///   - policy: whether an outline that collapses a branch cancels its loads.
  ///   - isolation: the actor of the tree, on which the tree is made.
  ///   - children: fetches the children of a value, in order.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(
    _ root: Element, hasChildren: ((Element) -> Bool)? = nil, atMost limit: Int = 4,
    whenCollapsed policy: CollapsePolicy = .keepLoading, isolation: isolated any Actor = #isolation,
    loading children: @escaping (Element) async throws -> [Element]
  ) {
    self.init(
      root, id: { $0.id }, hasChildren: hasChildren, atMost: limit, whenCollapsed: policy, isolation: isolation,
      loading: children)
  }

  /// Creates a tree whose root has no value, and whose children are fetched by asynchronous closures that may fail.
  ///
  /// - Parameters:
  ///   - roots: fetches the root's children, in order.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     a load can find out.
  ///   - limit: the number of loads of the tree that may run at once, at least 1.
  ///   - policy: whether an outline that collapses a branch cancels its loads.
  ///   - isolation: the actor of the tree, on which the tree is made.
  ///   - children: fetches the children of a value, in order.
  /// - Complexity: O(1).
  @inlinable
  public convenience init(
    loadingRoots roots: @escaping () async throws -> [Element], hasChildren: ((Element) -> Bool)? = nil,
    atMost limit: Int = 4, whenCollapsed policy: CollapsePolicy = .keepLoading,
    isolation: isolated any Actor = #isolation, loading children: @escaping (Element) async throws -> [Element]
  ) {
    self.init(
      loadingRoots: roots, id: { $0.id }, hasChildren: hasChildren, atMost: limit, whenCollapsed: policy,
      isolation: isolation, loading: children)
  }
}
