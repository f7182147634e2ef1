import OffsetIndexing

/// A tree that asks a closure or a key path for the children of a node when they are first read.
///
/// ```swift
/// struct Folder: Hashable { var name: String; var folders: [Folder] = [] }
/// let notes = Folder(name: "notes", folders: [Folder(name: "old")])
/// let home = Folder(name: "home", folders: [notes, Folder(name: "music")])
/// let tree = HierarchyNode(home, id: { $0.name }, children: { $0.folders })
/// tree.elements.map(\.name)       // ["notes", "music"]: only the children of "home" have been loaded
/// tree[[0, 0]]?.name              // "old": now the children of "notes" have been loaded too
/// ```
///
/// Each node asks for its children once. `reload` asks again, and reports the difference, by id. A child that is still
/// there keeps its node, and all that has been loaded below it. Opening a folder of a million files loads only the
/// names of these files.
///
/// Children are nodes of the same kind. A child node is made when a caller asks for it, and stays the same object as
/// long as it is held. Where `hasChildren` returns false for a value, the child is a leaf. Pass this closure where you
/// can; it may also be called for the siblings of a child that is read. The closures must not change any node.
///
/// All loaded values lie in one forest, as in a `ForestNode`. A branch takes about 40 bytes after its children have
/// been read, and a leaf only its value. Neither needs an object, not even in an outline. When a reload removes a
/// branch whose node is held, the node becomes the root of a tree of its own. This tree can be read and reloaded.
///
/// Children on a network or a slow disk are fetched by an asynchronous closure, with `loading:` in place of
/// `children:`. Then the first look at the children begins a load, and they arrive as a change. `loadState` is the
/// state of the load.
public final class HierarchyNode<Element>: TreeNode, ReadableNode {
  let supply: HierarchySupply<Element>
  /// The forest's node of the same branch; the owner of its hub is this node.
  let forest: ForestNode<Element>

  @_spi(NodeAuthors)
  public var port: NodePort { forest.hub }

  /// Creates the root of a new hierarchy.
  @usableFromInline
  convenience init(_ root: Element?, _ supply: HierarchySupply<Element>) { self.init(supply.makeForest(root), supply) }

  /// Creates the node of a branch that has no node yet.
  init(_ forest: ForestNode<Element>, _ supply: HierarchySupply<Element>) {
    self.forest = forest
    self.supply = supply
    forest.hub.changeOwner(to: self)
  }

  deinit {
    forest.hub.changeOwner(to: forest)
    // The top of a removed tree is only loaded while its node is held.
    if forest.state.value.tree.index != 0, forest.isRoot { tree.dropLoad(branch) }
  }

  var tree: HierarchyTree<Element> { HierarchyTree(supply, forest) }

  var branch: TreeIndex.Branch { forest.branch }

  // MARK: Reading

  public var value: Element? { forest.value }

  /// The number of children, which are loaded now if they have not been loaded yet.
  ///
  /// Where the children are fetched, their load begins, and the number is 0 until the load has ended.
  public var count: Int { tree.count(of: branch) }

  /// Whether there are children.
  ///
  /// Loaded children decide. Before the children are loaded, the closure `hasChildren` decides. Without this closure,
  /// the children are loaded now. Where they are fetched, the result is true then, because there may be some.
  public var hasChildren: Bool { tree.hasChildren(branch) }

  /// Whether the children have been loaded; they stay while they are loaded again, and where a new load fails.
  public var isLoaded: Bool { supply.loads.value.isLoaded(branch) }

  public func element(at position: Int) -> Element? {
    tree.look(branch)
    return forest.element(at: position, of: branch)
  }

  public func element(at path: IndexPath) -> Element? { path.isEmpty ? value : element(along: path, from: branch) }

  public func count(at path: IndexPath) -> Int? { count(along: path, from: branch) }

  /// The node of a child, made when a caller first asks for it; nil where the child is a leaf, or where there is no
  /// such child.
  ///
  /// The node stays the same object as long as it is held.
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
    // A reader of the state loads no children, so they are loaded now.
    tree.look(branch)
    return forest.reader
  }
}

@available(*, unavailable)
extension HierarchyNode: Sendable {}

extension HierarchyNode: ElementUpdating {
  func announceUpdate(ofElementAt position: Int) {
    // The element may have children now.
    supply.loads.value.setHasOnlyLeaves(nil, of: branch)
    forest.announceUpdate(ofElementAt: position)
  }
}
