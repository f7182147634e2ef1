import OffsetIndexing

// Children that are fetched asynchronously.
extension HierarchyNode {
  /// Says whether an outline that collapses a branch cancels the loads of the branch and of the branches below it.
  ///
  /// The policy applies to outlines of the tree itself. An outline of a view, for example of a `TreeSortNode`, does not
  /// affect the loads. Where two outlines show one tree, a branch that one of them collapses counts as collapsed.
  public enum CollapsePolicy: Sendable {
    /// The loads go on, so that the children are there when the branch is expanded again.
    case keepLoading

    /// The loads are cancelled, and begin again when the branch is expanded again.
    ///
    /// To collapse a branch then takes O(l · log n) more, for l loads that wait or run in a tree of n branches. To
    /// expand a branch takes O(e) more, for e branches whose last load failed, was cancelled or is suspended.
    case cancelLoads
  }

  /// Creates the tree below a value, whose children are fetched by an asynchronous closure that may fail.
  ///
  /// ```swift
  /// @MainActor func browse(_ server: Server) -> OutlineNode<Entry, String> {
  ///   let tree = HierarchyNode(
  ///     server.home, id: \.path, hasChildren: { $0.isFolder }, loading: { try await server.entries(in: $0) })
  ///   return OutlineNode(tree, id: \.path)    // empty at first; the rows arrive as one insertion
  /// }
  /// ```
  ///
  /// The first look at a node's children begins their load, for example when an outline expands the node. Until the
  /// load ends there are no children, and the answer is an insertion. Loaded children stay while they are loaded again,
  /// and where a new load fails. An answer is compared with the present children by id. `loadState` is the state of a
  /// node's load. A change of this state is reported as an update of the node's value: in the parent, and in an outline
  /// as an update of the row.
  ///
  /// Branches wait for their turn. A branch that is not loaded yet goes before a branch that is loaded again. Among
  /// equal branches, the branch that has waited longest is first. `load(at:)` gives a waiting branch the next turn.
  ///
  /// A tree that is released cancels its loads. The loads do not keep the tree alive. Where `loading` runs on an actor,
  /// a load keeps the actor alive while the load runs.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: returns the id of a child, which is unique among its siblings and stays the same when the child changes.
  ///   - areEqual: returns whether a loaded value is equal to the former one.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     a load can find out. Then every value counts as one with children.
  ///   - limit: the number of loads of the tree that may run at once, at least 1. A cancelled load counts until
  ///     `children` has returned.
  ///   - policy: whether an outline that collapses a branch cancels its loads.
  ///   - isolation: the actor of the tree, on which the tree is made.
  ///   - children: fetches the children of a value, in order. The closure is called on the actor, and may leave the
  ///     actor. When its task is cancelled, the closure should return soon.
  /// - Complexity: O(1).
  @inlinable
  public convenience init<ID: Hashable>(
    _ root: Element, id: @escaping (Element) -> ID, areEqual: @escaping (Element, Element) -> Bool,
    hasChildren: ((Element) -> Bool)? = nil, atMost limit: Int = 4, whenCollapsed policy: CollapsePolicy = .keepLoading,
    isolation: isolated any Actor = #isolation, loading children: @escaping (Element) async throws -> [Element]
  ) {
    self.init(
      root,
      HierarchySupply(
        limit: limit, policy: policy, actor: isolation,
        loading: { value in
          guard let value else { return [] }
          return try await children(value)
        }, hasChildren: hasChildren, difference: { Delta(from: $0, to: $1, id: id, areEqual: areEqual) },
        functions: .specialized))
  }

  /// Creates the tree below a value that can be compared, whose children are fetched by an asynchronous closure that
  /// may fail.
  ///
  /// See the initializer with `areEqual`.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: returns the id of a child, which is unique among its siblings and stays the same when the child changes.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     a load can find out. Then every value counts as one with children.
  ///   - limit: the number of loads of the tree that may run at once, at least 1. A cancelled load counts until
  ///     `children` has returned.
  ///   - policy: whether an outline that collapses a branch cancels its loads.
  ///   - isolation: the actor of the tree, on which the tree is made.
  ///   - children: fetches the children of a value, in order. The closure is called on the actor, and may leave the
  ///     actor. When its task is cancelled, the closure should return soon.
  /// - Complexity: O(1).
  @inlinable
  public convenience init<ID: Hashable>(
    _ root: Element, id: @escaping (Element) -> ID, hasChildren: ((Element) -> Bool)? = nil, atMost limit: Int = 4,
    whenCollapsed policy: CollapsePolicy = .keepLoading, isolation: isolated any Actor = #isolation,
    loading children: @escaping (Element) async throws -> [Element]
  ) where Element: Equatable {
    self.init(
      root, id: id, areEqual: ==, hasChildren: hasChildren, atMost: limit, whenCollapsed: policy,
      isolation: isolation, loading: children)
  }

  /// Creates a tree whose root has no value, and whose children are fetched by asynchronous closures that may fail.
  ///
  /// - Parameters:
  ///   - roots: fetches the root's children, in order.
  ///   - id: returns the id of a child, which is unique among its siblings and stays the same when the child changes.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     a load can find out. Then every value counts as one with children.
  ///   - limit: the number of loads of the tree that may run at once, at least 1. A cancelled load counts until its
  ///     closure has returned.
  ///   - policy: whether an outline that collapses a branch cancels its loads.
  ///   - isolation: the actor of the tree, on which the tree is made.
  ///   - children: fetches the children of a value, in order, as for a root with a value.
  /// - Complexity: O(1).
  @inlinable
  public convenience init<ID: Hashable>(
    loadingRoots roots: @escaping () async throws -> [Element], id: @escaping (Element) -> ID,
    hasChildren: ((Element) -> Bool)? = nil, atMost limit: Int = 4, whenCollapsed policy: CollapsePolicy = .keepLoading,
    isolation: isolated any Actor = #isolation, loading children: @escaping (Element) async throws -> [Element]
  ) where Element: Equatable {
    self.init(
      nil,
      HierarchySupply(
        limit: limit, policy: policy, actor: isolation,
        loading: { value in
          guard let value else { return try await roots() }
          return try await children(value)
        }, hasChildren: hasChildren, difference: { Delta(from: $0, to: $1, id: id, areEqual: ==) },
        functions: .specialized))
  }

  // MARK: States

  /// The state of the load of the node's children; reading it loads nothing.
  ///
  /// A change of the state is reported as an update of the node's value. Where a mere look at the children has begun
  /// the load, the state is `.loading` at once. This change is only reported when the actor begins its next task,
  /// because a look must not change anything.
  ///
  /// - Complexity: O(1).
  public var loadState: LoadState { tree.loadState(of: branch) }

  /// The state of the load of the children at a path; reading it loads nothing.
  ///
  /// ```swift
  /// let state = tree.loadState(at: outline.path(ofRow: row))
  /// ```
  ///
  /// - Parameter path: any path from this node.
  /// - Returns: the state of the node there; nil where there is a leaf, or no child.
  /// - Complexity: O(d) for a path of length d.
  public func loadState(at path: IndexPath) -> LoadState? {
    loadedBranch(at: path).map(tree.loadState)
  }

  /// The branch at a path from this node; nil where it is not known without a load.
  private func loadedBranch(at path: IndexPath) -> TreeIndex.Branch? {
    let tree = tree
    var branch = branch
    for position in path {
      guard supply.loads.value.isLoaded(branch), let next = tree.branch(at: position, of: branch) else { return nil }
      branch = next
    }
    return branch
  }

  // MARK: Beginning and ending

  /// Loads the children of this node, or of the node at a path, where they are not loaded yet.
  ///
  /// The method begins a load also where the last one failed or was cancelled. A load that waits gets the next turn. In
  /// a tree whose children are not fetched, they are read now. Loaded children stay: `reload(at:_:)` loads them again.
  ///
  /// - Parameter path: any path from this node; where no node is known there yet, nothing happens.
  /// - Complexity: O(d) for a path of length d, and the propagation of the state.
  public func load(at path: IndexPath = []) {
    if let branch = loadedBranch(at: path) { tree.load(branch) }
  }

  /// Loads the children of this node, or of the node at a path, again if their last load failed; otherwise does
  /// nothing.
  ///
  /// ```swift
  /// tree.retry(at: outline.path(ofRow: row))
  /// ```
  ///
  /// - Parameter path: any path from this node; where no node is known there yet, nothing happens.
  /// - Complexity: O(d) for a path of length d, and the propagation of the state.
  public func retry(at path: IndexPath = []) {
    if let branch = loadedBranch(at: path) { tree.retry(branch) }
  }

  /// Cancels the load of this node, or of the node at a path; loads below the node go on.
  ///
  /// The node has its former state and its former children again. Where it was never loaded, a look at the children
  /// does not begin another load. `load(at:)` does, and so does an outline of the tree that expands the node. Where
  /// there is no load, nothing happens.
  ///
  /// - Parameter path: any path from this node; where no node is known there yet, nothing happens.
  /// - Complexity: O(d) for a path of length d, and the propagation of the state.
  public func cancelLoad(at path: IndexPath = []) {
    if let branch = loadedBranch(at: path) { tree.cancelLoad(branch) }
  }
}

extension HierarchyNode: LoadingNode {
  var loadsFromAfar: Bool { supply.loader != nil }

  func suspendLoads() { tree.suspendLoads(in: branch) }

  func resumeLoads() { tree.resumeLoads(in: branch) }
}
