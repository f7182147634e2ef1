/// An index of the elements of a tree by their ids: id → path, and path → id.
///
/// ```swift
/// let work = BranchNode(value: "work", leaves: ["a", "b"])
/// let home = BranchNode(value: "home", leaves: ["c"])
/// let tree = BranchNode([work, home])
/// let index = IdentityIndex(of: tree, id: { $0 })
/// index.path(of: "b")         // [0, 1]
/// tree.move(from: [0, 1], to: [1, 0])
/// index.path(of: "b")         // [1, 0]
/// index.id(at: [1, 1])        // "c"
/// index.path(of: "x")         // nil
/// ```
///
/// The index follows the node, at every depth, and keeps an element that moves to another parent. The index is always
/// current: inside a transaction, and in observers that are called before others, it shows the contents of the node at
/// that moment.
///
/// Children without a value have no id, and are not found; the elements inside them are. If several elements have the
/// same id, the first of them in the order of paths is found, and `paths(of:)` lists them all.
///
/// An index reads the whole tree: a `HierarchyNode` below it loads all its children.
///
/// - Complexity: finding an element is expected O(1), and its path O(d · log n), for a depth d and n children of a
///   node. A change costs O(log n) for each of its ranges, and O(log n) for each element that arrives, is updated,
///   leaves or is moved; an element that arrives or is updated also costs a call of `id`. No position is stored, so an
///   insertion at the front of a million rows changes no entry. The memory is that of the ids and their hash table, and
///   about 30 bytes an element.
public final class IdentityIndex<Element, ID: Hashable> {
  /// The node at the root.
  let node: any TreeNode<Element>

  let id: (Element) -> ID
  private let functions: IdentityFunctions<Element, ID>
  private let state = Cell(State())

  private struct State {
    var tree = PlaceTree()
    var table = PlaceTable<ID>()
    var observation: NodeObservation?
  }

  /// Creates the index of a tree.
  ///
  /// - Parameters:
  ///   - node: the root, which is kept alive.
  ///   - id: returns the id of an element. The closure must not change nodes. `update(_:)` may also call it for an
  ///     element of a source that the node does not show.
  /// - Complexity: O(n) for n elements in all, and as many calls of `id`.
  @inlinable
  public convenience init(of node: any TreeNode<Element>, id: @escaping (Element) -> ID) {
    self.init(node, id, IdentityFunctions())
  }

  @usableFromInline
  init(_ node: any TreeNode<Element>, _ id: @escaping (Element) -> ID, _ functions: IdentityFunctions<Element, ID>) {
    self.node = node
    self.id = id
    self.functions = functions
    state.value.observation = node.observe { [unowned self] change in follow(change) }
    load([(PlaceTree.root, node, 0..<node.count)])
  }

  deinit {
    state.value.observation?.cancel()
    state.destroy()
  }

  // MARK: Looking up

  /// The number of elements that have an id; each of several elements with the same id counts.
  ///
  /// - Complexity: O(1).
  public var count: Int {
    catchUp()
    return state.value.table.count
  }

  /// Whether an element has an id.
  ///
  /// - Complexity: expected O(1).
  public func contains(_ id: ID) -> Bool {
    catchUp()
    return state.value.table.first(id) != nil
  }

  /// Finds the path of the element with an id; of several elements, the first path.
  ///
  /// - Parameter id: any id.
  /// - Returns: the path from the index's node, or nil where no element has the id.
  /// - Complexity: expected O(d · log n) for a path of length d, for each element with this id.
  public func path(of id: ID) -> IndexPath? {
    catchUp()
    guard let place = state.value.table.first(id) else { return nil }
    if state.value.table.next(place) == nil { return IndexPath(indexes: state.value.tree.path(of: place)) }
    return paths(of: id).first
  }

  /// Finds the paths of all elements with an id, in ascending order.
  ///
  /// - Parameter id: any id.
  /// - Returns: the paths from the index's node; none where no element has the id.
  /// - Complexity: expected O(k · (d · log n + log k)) for k such elements.
  public func paths(of id: ID) -> [IndexPath] {
    catchUp()
    var paths: [IndexPath] = []
    var next = state.value.table.first(id)
    while let place = next {
      paths.append(IndexPath(indexes: state.value.tree.path(of: place)))
      next = state.value.table.next(place)
    }
    return paths.sorted()
  }

  /// Finds the id of the element at a path.
  ///
  /// - Parameter path: any path from the index's node; the node itself, at [], has no id here.
  /// - Returns: the id, or nil where the place does not exist or has no value.
  /// - Complexity: O(d · log n) for a path of length d.
  public func id(at path: IndexPath) -> ID? {
    catchUp()
    return state.value.tree.place(at: path).flatMap { state.value.table[$0] }
  }

  /// Finds the element with an id, the first of several; nil where there is none.
  ///
  /// - Complexity: that of `path(of:)`, and of reading at that path.
  public func element(of id: ID) -> Element? { path(of: id).flatMap { node.element(at: $0) } }

  /// Finds the node at the first path of an id; nil where the element is a leaf, or there is none.
  ///
  /// - Complexity: that of `path(of:)`, and of walking along that path.
  public func node(of id: ID) -> (any TreeNode<Element>)? { path(of: id).flatMap { node.child(at: $0) } }

  private func catchUp() { state.value.observation?.catchUp() }

  // MARK: Following

  private func follow(_ change: ChangeSet) {
    let outcome = state.value.tree.apply(change)
    for place in outcome.losses.lazy.flatMap(\.places) {
      for gone in state.value.tree.discard(place) { state.value.table.remove(gone) }
    }
    var finder = NodeFinder(root: node)
    for (parent, range) in outcome.updates {
      guard let node = finder.node(at: parent, in: state.value.tree) else { continue }
      for position in range {
        guard let place = state.value.tree.place(at: position, in: parent) else { continue }
        identify(position..<position + 1, of: node, at: [place])
      }
    }
    load(
      outcome.arrivals.compactMap { parent, range in
        finder.node(at: parent, in: state.value.tree).map { (parent, $0, range) }
      })
  }

  /// Reads the ids of a node's children, and stores them at places.
  private func identify(_ range: Range<Int>, of node: any TreeNode<Element>, at places: [Int]) {
    // All ids are read first: the closure may look something up in this index.
    let ids = node.hub.refusingChanges { functions.ids(node.reader, range, id) }
    functions.store(ids, places, &state.value.table)
  }

  /// Loads children that arrived below places, with all their contents; children that moved from another parent are
  /// known.
  private func load(_ arrivals: [(parent: Int, node: any TreeNode<Element>, range: Range<Int>)]) {
    var open = arrivals
    while let (parent, node, range) = open.popLast() {
      let areNew = state.value.tree.places(in: range, of: parent).isEmpty
      let places =
        areNew
        ? state.value.tree.makePlaces(range.count, at: range.lowerBound, in: parent)
        : range.map { state.value.tree.makePlace(at: $0, in: parent) }
      if areNew { identify(range, of: node, at: places) }
      let hasOnlyLeaves = node.hub.hasOnlyLeavesNow(sparing: range.count)
      for (position, place) in zip(range, places) where !state.value.tree.isKept(place) {
        if !areNew { identify(position..<position + 1, of: node, at: [place]) }
        state.value.tree.keep(place)
        if !hasOnlyLeaves, let child = node.child(at: position), child.count > 0 {
          open.append((place, child, 0..<child.count))
        }
      }
    }
  }

  /// Traps if the parts do not fit together; for tests.
  func checkInvariants() {
    catchUp()
    state.value.tree.checkInvariants()
  }
}

@available(*, unavailable)
extension IdentityIndex: Sendable {}

extension IdentityIndex where Element: Identifiable, Element.ID == ID {
  /// Creates the index of a tree of identifiable elements.
  ///
  /// - Parameter node: the root, which is kept alive.
  /// - Complexity: O(n) for n elements in all.
  @inlinable
  public convenience init(of node: any TreeNode<Element>) { self.init(of: node, id: { $0.id }) }
}

/// Finds the nodes at places of a tree, and remembers the nodes on the way, because one place may lie below another.
private struct NodeFinder<Element> {
  private var nodes: [Int: any TreeNode<Element>]

  init(root: any TreeNode<Element>) { nodes = [PlaceTree.root: root] }

  /// Finds the node at a place; nil where there is none.
  ///
  /// - Complexity: expected O(s · log n) for s steps from a place that is known already.
  mutating func node(at place: Int, in tree: PlaceTree) -> (any TreeNode<Element>)? {
    var way: [Int] = []
    var known = place
    while nodes[known] == nil {
      way.append(known)
      known = tree.parent(of: known)
    }
    var node = nodes[known]!
    while let next = way.popLast() {
      guard let child = node.child(at: tree.position(of: next)) else { return nil }
      nodes[next] = child
      node = child
    }
    return node
  }
}
