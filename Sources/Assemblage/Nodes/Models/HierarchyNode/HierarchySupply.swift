import OffsetIndexing

/// The source of the children of one hierarchy's branches, and the states of their loads.
@usableFromInline
final class HierarchySupply<Element>: ForestKeeper {
  let source: Source
  /// Whether the collapse of a branch cancels loads.
  let policy: HierarchyNode<Element>.CollapsePolicy
  /// Returns whether a value has children, where that is known without a load.
  let hasChildren: ((Element) -> Bool)?
  /// The change from former children to new ones.
  let difference: (_ old: [Element], _ new: [Element]) -> Delta
  let functions: ForestFunctions<Element>
  let loads = Cell(BranchLoads())
  /// The root of the hierarchy and its arena, as long as they live.
  private unowned var root: ForestNode<Element>?
  private unowned var arena: ForestArena<Element>?

  /// The closure that returns the children of a value; for nil, the children of a root without a value.
  enum Source {
    case atHand((Element?) -> [Element])
    case afar(Loader, (Element?) async throws -> [Element])
  }

  typealias Loader = BoundedLoader<HierarchySupply>

  /// The loads of the children, where these are fetched.
  var loader: Loader? {
    if case .afar(let loader, _) = source { return loader }
    return nil
  }

  /// Creates the supply of a tree whose children are fetched.
  ///
  /// - Parameters:
  ///   - limit: the number of loads that may run at once, at least 1.
  ///   - policy: whether the collapse of a branch cancels loads.
  ///   - actor: the actor of the tree; it is not kept alive.
  ///   - children: fetches the children of a value, or the roots; called on the actor.
  ///   - hasChildren: returns whether a value has children, where that is known without a load.
  ///   - difference: returns the change from former children to new ones.
  ///   - functions: the functions of the forest, specialized for the element.
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

  /// The tree that contains a loading branch: the hierarchy, or a removed tree that is held.
  func tree(with branch: TreeIndex.Branch) -> HierarchyTree<Element>? {
    guard let arena else { return nil }
    let top = arena.storage.value.top(of: branch)
    return (top == TreeIndex.root ? root : arena.root(ofTreeAt: top)).map { HierarchyTree(self, $0) }
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
  ///   - id: returns the id of a child, which is unique among its siblings and stays the same when the child changes;
  ///     used by `reload`.
  ///   - areEqual: returns whether a loaded value is equal to the former one.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     `children` can find out.
  ///   - children: returns the children of a value, in order. The closure is called once for each node whose children
  ///     are read, and again to reload it.
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
  ///   - id: returns the id of a child, which is unique among its siblings and stays the same when the child changes;
  ///     used by `reload`.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     `children` can find out.
  ///   - children: returns the children of a value, in order. The closure is called once for each node whose children
  ///     are read, and again to reload it.
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
  ///   - roots: returns the root's children, in order. The closure is called when they are first looked at, and to
  ///     reload them.
  ///   - id: returns the id of a child, which is unique among its siblings and stays the same when the child changes;
  ///     used by `reload`.
  ///   - hasChildren: returns whether a value has children, by the value alone and without loading them; nil where only
  ///     `children` can find out.
  ///   - children: returns the children of a value, in order. The closure is called once for each node whose children
  ///     are read, and again to reload it.
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

  /// Creates a tree in which the same property holds the children at every level.
  ///
  /// ```swift
  /// struct Folder: Hashable { var name: String; var folders: [Folder]? }
  /// let tree = HierarchyNode(home, id: \.name, children: \.folders)     // a folder with nil is a leaf
  /// ```
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: the property that identifies a child among its siblings.
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

  /// Creates a tree in which the same property holds the children at every level; a value with an empty property is a
  /// leaf.
  ///
  /// - Parameters:
  ///   - root: the root's value.
  ///   - id: the property that identifies a child among its siblings.
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
