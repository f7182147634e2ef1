public import OffsetIndexing

/// A live view of a tree in which the children of each node are in a comparator's order, at every depth.
///
/// ```swift
/// let notes = BranchNode(value: "notes", leaves: ["pear.md", "apple.md"])
/// let home = BranchNode(value: "home", [.leaf("todo.txt"), .node(notes)])
/// let sorted = TreeSortNode(home)
/// sorted.elements                   // ["notes", "todo.txt"]
/// sorted.child(at: 0)?.elements     // ["apple.md", "pear.md"]
/// notes.append("fig.md")            // sorted reports an insertion at [0, 1]
/// sorted.setComparator(>)           // sorted reports [0] and [1] changing places, and so inside notes
/// ```
///
/// The view is like a file browser's tree by name, size or date: every element is shown, under the same parent as in
/// the source. The order is stable: children that tie are in the order of the source. Children without a value are
/// last. The node's own value is the value of its source. Without a comparator the node shows the source's order.
///
/// Each child that is a node is a sorted tree too, which is made at the first request. As long as this tree is held,
/// each further request for the same child returns the same tree. Each sorted tree is an ordinary node, and follows its
/// child through moves. If the child leaves the source, its sorted tree is empty and has no value from then on. A child
/// that returns gets a new sorted tree.
///
/// The view looks only at the children of the root and of nodes that are read, and sorts only these. So a
/// `HierarchyNode` loads no more than is shown. If the node of a child has not been read, its observers receive changes
/// of its children from the first reading on. Such a child may get its first children, or lose its last one. An
/// observer of the root receives this change only if somebody has asked for the node of one of the siblings. So a
/// change of the whole tree, for example another predicate of a filter, costs nothing for a folder that nobody has
/// looked at.
///
/// ## Costs
/// The n children of a node are sorted when they are first read: O(n · log n). From then on an insertion or an update
/// takes O(log n) calls of the comparator, and reports one insertion or one move. The way of this change through the
/// levels above takes O(d · log n) at depth d. The view keeps a record for each node that somebody has asked for. A
/// child of a node with up to 32 children takes one byte; a child of a node with more children takes about 18 bytes. No
/// object is made for a branch of a `ForestNode`, of a `HierarchyNode`, or of a tree sort or tree filter of these.
///
/// The comparator must depend only on the two values that it receives. If the comparator reads other data or objects,
/// call `refresh()` after these have changed. The comparator should be a strict weak order, as for `sort(by:)`.
/// Otherwise the order is unspecified, but no child is lost. A comparator that changes any node of the graph traps.
public final class TreeSortNode<Element>: TreeNode, ReadableNode, TreePart {
  /// Says whether the first of two values precedes the second.
  @usableFromInline package typealias Comparator = (Element, Element) -> Bool

  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  /// The family in its present state, for code that must not settle the graph.
  let storedFamily: TreeSortFamily<Element>

  /// Creates a sorted view of a tree.
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - areInIncreasingOrder: says whether its first argument precedes its second; nil for the source's order.
  /// - Complexity: O(n · log n) for the n children of the root.
  @inlinable
  public convenience init(_ source: any TreeNode<Element>, by areInIncreasingOrder: ((Element, Element) -> Bool)?) {
    self.init(
      source, areInIncreasingOrder,
      TreeSortFamily.Functions(
        reading: .reading(State.self),
        place: { placed($1, $0, $2, $3) },
        sort: { sortedIndexes(of: $1, $0, $2) },
        lend: { State.lend($0, $1, $2, to: $3) }))
  }

  @usableFromInline
  init(_ source: any TreeNode<Element>, _ comparator: Comparator?, _ functions: TreeSortFamily<Element>.Functions) {
    let family = TreeSortFamily(source, comparator, functions)
    storedFamily = family
    state = NodeCell(State(family.translation, record: TreeIndex.root, source: source), of: port)
    hub.attach(to: self)
    // Changes below the root's children concern the nodes of children.
    hub.listenToNestedChanges()
    load()
    hub.link(source, slot: 0)
    family.sources.value.follow(self)
  }

  init(
    _ family: TreeSortFamily<Element>, record: TreeIndex.Branch, source: any TreeNode<Element>,
    root: TreeSortNode<Element>
  ) {
    storedFamily = family
    state = NodeCell(State(family.translation, record: record, source: source, root: root), of: port)
    hub.attach(to: self)
    hub.becomePart(of: root.hub)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  @usableFromInline typealias State = TreePartState<Element, TreeSortTranslation>

  // MARK: Reading

  /// The node of the source whose children are sorted.
  public var source: any TreeNode<Element> { state.value.source! }

  /// The value of the source; nil if the child has left the source.
  public var value: Element? { state.value.record == nil ? nil : source.value }

  public var count: Int {
    load()
    return state.value.count
  }

  /// Whether there are children; the source knows this without a look at its children.
  public var hasChildren: Bool { state.value.record != nil && source.hasChildren }

  public func element(at position: Int) -> Element? {
    load()
    return state.value.element(at: position)
  }

  public func element(at path: IndexPath) -> Element? {
    path.isEmpty ? value : state.value.record.flatMap { element(along: path, from: $0) }
  }

  public func count(at path: IndexPath) -> Int? {
    path.isEmpty ? count : state.value.record.flatMap { count(along: path, from: $0) }
  }

  /// The sorted tree of a child, which is made at the first request; nil for a leaf, and if there is no such child.
  public func child(at position: Int) -> (any TreeNode<Element>)? { node(at: position) }

  /// See `child(at:)`.
  func node(at position: Int) -> TreeSortNode? {
    load()
    guard let record = state.value.record, position >= 0, position < family.translation.value.count(of: record) else {
      return nil
    }
    return family.record(at: position, of: record).map { family.node($0, root: root) }
  }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "TreeSortNode")
    // The state's own functions are not specialized here.
    unsafe family.functions.reading.spans(state.place, range, body)
  }

  var reader: NodeReader<Element> {
    // The reader of the state does not load.
    load()
    return state.reader(family.functions.reading)
  }
}

@available(*, unavailable)
extension TreeSortNode: Sendable {}

// MARK: - Children by handles

extension TreeSortNode {
  func hasChildren(_ record: Branch) -> Bool {
    let family = family
    return family.sources.value.hasChildren(family.node(record))
  }

  func branch(at position: Int, of record: Branch) -> Branch? {
    let family = family(loading: record)
    guard position >= 0, position < family.translation.value.count(of: record) else { return nil }
    return family.record(at: position, of: record)
  }

  func branches(in range: Range<Int>, of record: Branch) -> [(position: Int, branch: Branch)] {
    family(loading: record).records(in: range, of: record)
  }
}

// MARK: - Other initializers

extension TreeSortNode {
  /// Creates a view sorted by the values at a key path.
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - keyPath: leads from a child's value to the value that is compared.
  ///   - direction: whether the smallest value is first, or the largest.
  /// - Complexity: O(n · log n) for the n children of the root.
  @inlinable
  public convenience init(
    _ source: any TreeNode<Element>, by keyPath: KeyPath<Element, some Comparable>,
    order direction: SortOrder = .forward
  ) {
    self.init(source, by: SortNode<Element>.comparator(keyPath, direction))
  }
}

extension TreeSortNode where Element: Comparable {
  /// Creates a view in the values' own order.
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - direction: whether the smallest value is first, or the largest.
  /// - Complexity: O(n · log n) for the n children of the root.
  @inlinable
  public convenience init(_ source: any TreeNode<Element>, order direction: SortOrder = .forward) {
    self.init(source, by: SortNode<Element>.comparator(direction))
  }
}
