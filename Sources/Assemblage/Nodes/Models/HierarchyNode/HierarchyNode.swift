import OffsetIndexing

/// A tree whose children are asked for, with a closure or a key path, when they are first read.
///
/// ```swift
/// struct Folder: Hashable { var name: String; var folders: [Folder] = [] }
/// let home = Folder(name: "home", folders: [Folder(name: "notes", folders: [Folder(name: "old")]), Folder(name: "music")])
/// let tree = HierarchyNode(home, id: { $0.name }, children: { $0.folders })
/// tree.elements.map(\.name)       // ["notes", "music"]: only these have been asked for
/// tree[[0, 0]]?.name              // "old": and now those of "notes"
/// ```
///
/// Each node is asked for its children once; `reload` asks again, and reports what differs, by id: what survived keeps its
/// place in the tree, with all that has been loaded below it. Opening a folder of a million files loads the names of these,
/// and no more.
///
/// Children are nodes of the same kind, made when they are asked for, and the same objects for as long as anything holds them.
/// Where `hasChildren` says that a value has none, the child is a leaf; say so where you can. It may be asked about siblings of
/// what is looked at. The closures must not change any node.
///
/// All that has been loaded stands in one forest, as in a `ForestNode`: a branch takes some 40 bytes once it has been looked
/// into, a leaf no more than its value, and neither an object; an outline needs none either. A branch whose node is held when a
/// reload takes it out becomes the root of a tree of its own, which can be read and reloaded.
///
/// Children that come from a network or a slow disk are fetched by an asynchronous closure, with `loading:` in place of
/// `children:`: then the first look begins a load, `loadState` says how far a node has come, and the children arrive as a change.
public final class HierarchyNode<Element>: TreeNode, ReadableNode {
  let supply: HierarchySupply<Element>
  /// The branch of the forest that this node stands for, in whose hub it stands in its place.
  let forest: ForestNode<Element>

  @_spi(NodeAuthors)
  public var port: NodePort { forest.hub }

  /// Creates the root of a new hierarchy.
  @usableFromInline
  convenience init(_ root: Element?, _ supply: HierarchySupply<Element>) { self.init(supply.makeForest(root), supply) }

  /// Creates the node of a branch that has none.
  init(_ forest: ForestNode<Element>, _ supply: HierarchySupply<Element>) {
    self.forest = forest
    self.supply = supply
    forest.hub.changeOwner(to: self)
  }

  deinit {
    forest.hub.changeOwner(to: forest)
    // What was taken out of the hierarchy is loaded for those that hold it.
    if forest.state.value.tree.index != 0 { tree.dropLoad(branch) }
  }

  var tree: HierarchyTree<Element> { HierarchyTree(supply, forest) }

  var branch: TreeIndex.Branch { forest.branch }

  // MARK: Reading

  public var value: Element? { forest.value }

  /// The number of children, which are loaded now if they have not been yet.
  ///
  /// Where they come from afar, their load begins, and there are none until it has ended.
  public var count: Int { tree.count(of: branch) }

  /// Whether there are children: what has been loaded, or else what the closure `hasChildren` says; without one, the children
  /// are loaded, or, where they come from afar, there may be some.
  public var hasChildren: Bool { tree.hasChildren(branch) }

  /// Whether the children have been asked for, and have come: they stay while they are loaded again, and where that fails.
  public var isLoaded: Bool { supply.loads.value.isLoaded(branch) }

  public func element(at position: Int) -> Element? {
    tree.look(branch)
    return forest.element(at: position, of: branch)
  }

  public func element(at path: IndexPath) -> Element? { path.isEmpty ? value : element(along: path, from: branch) }

  public func count(at path: IndexPath) -> Int? { count(along: path, from: branch) }

  /// The node of a child, made when it is first asked for; nil where the child is a leaf, or there is none.
  ///
  /// It is the same object for as long as anything holds it.
  public func child(at position: Int) -> (any TreeNode<Element>)? {
    let tree = tree
    guard let child = tree.branch(at: position, of: branch) else { return nil }
    return tree.node(of: child)
  }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "HierarchyNode")
    forest.forEachSpan(in: range, of: branch, body)
  }

  var reader: NodeReader<Element> {
    // What reads the state does not load.
    tree.look(branch)
    return forest.reader
  }
}

@available(*, unavailable)
extension HierarchyNode: Sendable {}
