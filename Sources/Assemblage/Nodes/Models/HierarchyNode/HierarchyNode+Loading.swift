import OffsetIndexing

// Children that are fetched from afar.
extension HierarchyNode {
  /// What becomes of the loads of a branch, and of those below it, when an outline collapses it.
  ///
  /// It is for the outline that shows the tree itself: one of a view, such as a `TreeSortNode`, does not reach the loads. Where two
  /// outlines show one tree, the branch that one of them collapses counts as collapsed.
  public enum CollapsePolicy: Sendable {
    /// They go on: the children will be there when it is expanded again.
    case keepLoading

    /// They are cancelled, and begin anew when it is expanded again.
    ///
    /// To collapse and to expand a branch then take O(m) more, for m branches below it that have been looked at.
    case cancelLoads
  }

  /// Creates the tree below a value, whose children are fetched by a closure that takes its time, and may fail.
  ///
  /// ```swift
  /// @MainActor func browse(_ server: Server) -> OutlineNode<Entry, String> {
  ///   let tree = HierarchyNode(
  ///     server.home, id: \.path, hasChildren: { $0.isFolder }, loading: { try await server.entries(in: $0) })
  ///   return OutlineNode(tree, id: \.path)    // empty at first; the rows come as one insertion
  /// }
  /// ```
  ///
  /// The first look at a node's children, as when an outline expands it, begins its load: there are none until then, and the
  /// answer is an insertion. What was loaded stays while it is loaded again, and where that fails; an answer is compared by id
  /// with what is there. `loadState` says how far a node has come, and each change of it is told as an update of the node's value:
  /// in the parent, and in an outline, of its row.
  ///
  /// Of the branches that wait for their turn, those that have nothing to show yet come before those that are loaded again, and
  /// among equals the one that has waited longest; `load(at:)` gives one the next turn.
  ///
  /// A tree that is released cancels its loads. They do not keep it alive, but where `loading` runs on an actor, that is kept
  /// alive meanwhile.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: what tells one child of a node from its siblings, whatever happens to it.
  ///   - areEqual: whether a value is as it was when it is loaded again.
  ///   - hasChildren: whether a value has children, said without loading them, and by nothing but the value; nil where only
  ///     a load can tell: then each value counts as one that has.
  ///   - limit: how many loads of the tree run at once, at least 1. A cancelled one counts until `children` has returned.
  ///   - policy: what becomes of loads when an outline collapses their branch.
  ///   - isolation: the actor that the tree belongs to, and on which it is made.
  ///   - children: fetches the children of a value, in order. It is called on the actor, is free to leave it, and should return
  ///     soon where its task is cancelled.
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

  /// Creates the tree below a value, whose children are fetched by a closure that takes its time, and may fail.
  ///
  /// It is the form with `areEqual` for values that can be compared.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: what tells one child of a node from its siblings, whatever happens to it.
  ///   - hasChildren: whether a value has children, said without loading them, and by nothing but the value; nil where only
  ///     a load can tell: then each value counts as one that has.
  ///   - limit: how many loads of the tree run at once, at least 1. A cancelled one counts until `children` has returned.
  ///   - policy: what becomes of loads when an outline collapses their branch.
  ///   - isolation: the actor that the tree belongs to, and on which it is made.
  ///   - children: fetches the children of a value, in order. It is called on the actor, is free to leave it, and should return
  ///     soon where its task is cancelled.
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

  /// Creates a tree whose root has no value, and whose children are fetched by closures that take their time, and may fail.
  ///
  /// - Parameters:
  ///   - roots: fetches the root's children, in order.
  ///   - id: what tells one child of a node from its siblings, whatever happens to it.
  ///   - hasChildren: whether a value has children, said without loading them, and by nothing but the value; nil where only
  ///     a load can tell: then each value counts as one that has.
  ///   - limit: how many loads of the tree run at once, at least 1. A cancelled one counts until its closure has returned.
  ///   - policy: what becomes of loads when an outline collapses their branch.
  ///   - isolation: the actor that the tree belongs to, and on which it is made.
  ///   - children: fetches the children of a value, in order; as in the form with a root's value.
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

  /// How far the node's children have been loaded; nothing is loaded for it.
  ///
  /// A change of it is told as an update of the node's value. Where a mere look at the children has begun the load, the state is
  /// `.loading` at once, and that is told when the actor takes up the next task: a look changes nothing.
  ///
  /// - Complexity: O(1).
  public var loadState: LoadState { tree.loadState(of: branch) }

  /// How far the children at a path have been loaded; nothing is loaded for it.
  ///
  /// ```swift
  /// let state = tree.loadState(at: outline.path(ofRow: row))
  /// ```
  ///
  /// - Parameter path: any path from this node.
  /// - Returns: the state of the node there; nil where there is a leaf, or nothing.
  /// - Complexity: O(d) for a path of length d.
  public func loadState(at path: IndexPath) -> LoadState? {
    loadedBranch(at: path).map(tree.loadState)
  }

  /// The branch at a path from this node, where nothing has to be loaded for it.
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

  /// Asks for the children of this node, or of the node at a path, where there is no answer yet.
  ///
  /// It begins a load also where one has failed, or was cancelled; one that waits for its turn has the next one. Of a tree whose
  /// children are at hand, these are read. What is loaded stays: `reload(at:_:)` asks again.
  ///
  /// - Parameter path: any path from this node; where there is no node that is known already, nothing happens.
  /// - Complexity: O(d) for a path of length d, and the propagation of the state.
  public func load(at path: IndexPath = []) {
    if let branch = loadedBranch(at: path) { tree.load(branch) }
  }

  /// Asks again where the last load of this node, or of the node at a path, failed; otherwise does nothing.
  ///
  /// ```swift
  /// tree.retry(at: outline.path(ofRow: row))
  /// ```
  ///
  /// - Parameter path: any path from this node; where there is no node that is known already, nothing happens.
  /// - Complexity: O(d) for a path of length d, and the propagation of the state.
  public func retry(at path: IndexPath = []) {
    if let branch = loadedBranch(at: path) { tree.retry(branch) }
  }

  /// Ends the load of this node, or of the node at a path; loads below it go on.
  ///
  /// The state is as it was before, and so are the children. Where nothing has been loaded yet, a look at them does not begin
  /// another load: `load(at:)` does, and an outline of the tree that expands the node. Without a load nothing happens.
  ///
  /// - Parameter path: any path from this node; where there is no node that is known already, nothing happens.
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
