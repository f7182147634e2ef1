import OffsetIndexing

/// Where the branches of one hierarchy get their children from, and how far each has come.
@usableFromInline
final class HierarchySupply<Element>: ForestKeeper {
  let source: Source
  /// What becomes of loads in collapsed branches.
  let policy: HierarchyNode<Element>.CollapsePolicy
  /// Whether a value has children, where that is known beforehand.
  let hasChildren: ((Element) -> Bool)?
  /// What became of former children.
  let difference: (_ old: [Element], _ new: [Element]) -> Delta
  let functions: ForestFunctions<Element>
  let loads = Cell(BranchLoads())
  /// The root of the hierarchy and what it stands in, as long as they live.
  private unowned var root: ForestNode<Element>?
  private unowned var arena: ForestArena<Element>?

  /// Who gives the children of a value; of nil: those of the root, where it has no value.
  enum Source {
    case atHand((Element?) -> [Element])
    case afar(Loader, (Element?) async throws -> [Element])
  }

  typealias Loader = BoundedLoader<HierarchySupply>

  /// The loads of the children, where they come from afar.
  var loader: Loader? {
    if case .afar(let loader, _) = source { return loader }
    return nil
  }

  /// Creates the supply of a tree whose children come from afar.
  ///
  /// - Parameters:
  ///   - limit: how many loads may run at once, at least 1.
  ///   - policy: what becomes of loads in collapsed branches.
  ///   - actor: the actor that the tree belongs to; it is not kept alive.
  ///   - children: fetches the children of a value, or the roots; called on the actor.
  ///   - hasChildren: whether a value has children, where that is known beforehand.
  ///   - difference: what became of former children.
  ///   - functions: what the forest needs.
  @usableFromInline
  init(
    limit: Int, policy: HierarchyNode<Element>.CollapsePolicy, actor: any Actor,
    loading children: @escaping (Element?) async throws -> [Element],
    hasChildren: ((Element) -> Bool)?, difference: @escaping (_ old: [Element], _ new: [Element]) -> Delta,
    functions: ForestFunctions<Element>
  ) {
    let loader = Loader(limit: limit, actor: actor)
    source = .afar(loader, children)
    self.policy = policy
    self.hasChildren = hasChildren
    self.difference = difference
    self.functions = functions
    loader.client = self
  }

  @usableFromInline
  init(
    children: @escaping (Element?) -> [Element], hasChildren: ((Element) -> Bool)?,
    difference: @escaping (_ old: [Element], _ new: [Element]) -> Delta, functions: ForestFunctions<Element>
  ) {
    source = .atHand(children)
    policy = .keepLoading
    self.hasChildren = hasChildren
    self.difference = difference
    self.functions = functions
  }

  deinit { loads.destroy() }

  func mayHaveChildren(_ element: Element) -> Bool { hasChildren?(element) ?? true }

  // MARK: The forest

  /// Makes the forest of the hierarchy, without children.
  func makeForest(_ value: Element?) -> ForestNode<Element> {
    let elements = ChunkedArray<Element>(EmptyCollection())
    let forest = ForestNode(value: value, ForestStorage(shape: TreeIndex(), elements: elements), functions)
    forest.arena.belong(to: self)
    (root, arena) = (forest, forest.arena)
    return forest
  }

  /// A tree that has a branch which is loading: of the hierarchy, or of what was taken out of it and is held.
  func tree(with branch: TreeIndex.Branch) -> HierarchyTree<Element>? {
    (arena?.member(branch) ?? root).map { HierarchyTree(self, $0) }
  }

  func forget(_ branch: TreeIndex.Branch) {
    if branch == TreeIndex.root { root = nil }
    loads.value.forget(branch)
    loader?.drop(branch)
  }

  func forgetAll() {
    arena = nil
    loader?.dropAll()
  }
}

// MARK: - Loads

extension HierarchySupply: LoadClient {
  func isLoading(_ branch: TreeIndex.Branch) -> Bool { loader?.isLoading(branch) ?? false }

  /// Reports the branches that are loading because of a look.
  func prepareForLoads() {
    var reported: [(tree: HierarchyTree<Element>, branch: TreeIndex.Branch)] = []
    while let branch = loads.value.unreported.popOldest() {
      if let tree = tree(with: branch) { reported.append((tree, branch)) }
    }
    performUpdates(on: reported.map(\.tree.forest)) {
      for (tree, branch) in reported { tree.publishLoadState(of: branch) }
    }
  }

  func load(of branch: TreeIndex.Branch) -> (() async throws -> [Element])? {
    guard case .afar(_, let children) = source, let value = tree(with: branch).map({ $0.value(of: branch) }) else {
      return nil
    }
    return { try await children(value) }
  }

  func take(_ answer: Result<[Element], any Error>, of branch: TreeIndex.Branch) {
    tree(with: branch)?.take(answer, for: branch)
  }
}

extension HierarchyNode {
  /// Creates the tree below a value.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: what tells one child of a node from its siblings, whatever happens to it; used by `reload`.
  ///   - areEqual: whether a value is as it was when it is loaded again.
  ///   - hasChildren: whether a value has children, said without loading them, and by nothing but the value; nil where only
  ///     `children` can tell.
  ///   - children: the children of a value, in order; called once for each node that is looked into, and to reload it.
  /// - Complexity: O(1).
  @inlinable
  public convenience init<ID: Hashable>(
    _ root: Element, id: @escaping (Element) -> ID, areEqual: @escaping (Element, Element) -> Bool,
    hasChildren: ((Element) -> Bool)? = nil, children: @escaping (Element) -> [Element]
  ) {
    self.init(
      root,
      HierarchySupply(
        children: { $0.map(children) ?? [] }, hasChildren: hasChildren,
        difference: { Delta(from: $0, to: $1, id: id, areEqual: areEqual) }, functions: .specialized))
  }

  /// Creates the tree below a value.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: what tells one child of a node from its siblings, whatever happens to it; used by `reload`.
  ///   - hasChildren: whether a value has children, said without loading them, and by nothing but the value; nil where only
  ///     `children` can tell.
  ///   - children: the children of a value, in order; called once for each node that is looked into, and to reload it.
  /// - Complexity: O(1).
  @inlinable
  public convenience init<ID: Hashable>(
    _ root: Element, id: @escaping (Element) -> ID, hasChildren: ((Element) -> Bool)? = nil,
    children: @escaping (Element) -> [Element]
  ) where Element: Equatable {
    self.init(root, id: id, areEqual: ==, hasChildren: hasChildren, children: children)
  }

  /// Creates a tree whose root has no value.
  ///
  /// - Parameters:
  ///   - roots: the root's children, in order; called when they are first looked at, and to reload them.
  ///   - id: what tells one child of a node from its siblings, whatever happens to it; used by `reload`.
  ///   - hasChildren: whether a value has children, said without loading them, and by nothing but the value; nil where only
  ///     `children` can tell.
  ///   - children: the children of a value, in order; called once for each node that is looked into, and to reload it.
  /// - Complexity: O(1).
  @inlinable
  public convenience init<ID: Hashable>(
    roots: @escaping () -> [Element], id: @escaping (Element) -> ID, hasChildren: ((Element) -> Bool)? = nil,
    children: @escaping (Element) -> [Element]
  ) where Element: Equatable {
    self.init(
      nil,
      HierarchySupply(
        children: { $0.map(children) ?? roots() }, hasChildren: hasChildren,
        difference: { Delta(from: $0, to: $1, id: id, areEqual: ==) }, functions: .specialized))
  }

  /// Creates the tree that a repeating property spans.
  ///
  /// ```swift
  /// struct Folder: Hashable { var name: String; var folders: [Folder]? }
  /// let tree = HierarchyNode(home, id: \.name, children: \.folders)     // a folder with nil is a leaf
  /// ```
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: the property that tells one child of a node from its siblings.
  ///   - children: the property that holds a value's children; nil in a leaf.
  /// - Complexity: O(1).
  @inlinable
  public convenience init<ID: Hashable>(
    _ root: Element, id: KeyPath<Element, ID>, children: KeyPath<Element, [Element]?>
  ) where Element: Equatable {
    self.init(
      root, id: { $0[keyPath: id] }, hasChildren: { $0[keyPath: children] != nil },
      children: { $0[keyPath: children] ?? [] })
  }

  /// Creates the tree that a repeating property spans; a value whose property is empty is a leaf.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: the property that tells one child of a node from its siblings.
  ///   - children: the property that holds a value's children.
  /// - Complexity: O(1).
  @inlinable
  public convenience init<ID: Hashable>(
    _ root: Element, id: KeyPath<Element, ID>, children: KeyPath<Element, [Element]>
  ) where Element: Equatable {
    self.init(
      root, id: { $0[keyPath: id] }, hasChildren: { !$0[keyPath: children].isEmpty },
      children: { $0[keyPath: children] })
  }
}
