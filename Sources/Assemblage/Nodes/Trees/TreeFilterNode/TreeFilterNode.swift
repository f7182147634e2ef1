public import OffsetIndexing

/// A live view of a tree in which a predicate is asked at every depth.
///
/// ```swift
/// let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
/// let home = BranchNode(value: "home", [.leaf("apple.txt"), .node(notes), .leaf("todo.txt")])
/// let found = TreeFilterNode(home) { $0.contains("apple") }
/// found.elements              // ["apple.txt", "notes"]: notes for what is in it
/// found.child(at: 1)?.elements // ["apple.md"]
/// found.matchCount            // 2
/// notes.replace(at: 0, with: "cherry.md")   // found reports a removal of 1
/// ```
///
/// The policy names the elements that are shown beside those that pass: their ancestors, as a search field needs; their
/// ancestors and descendants; or nothing, so that an element that fails is hidden with everything below it. A child that
/// has no value matches nothing, and is shown for matches below it; under the last policy it passes. The node's own value is
/// that of its source, and is not asked about.
///
/// Children that are nodes are tree filters too, at every depth, made when they are first asked for; as long as one
/// is held, the same one is given for the same child. Each is an ordinary node. It follows its child through moves,
/// also while the child is hidden; where the child leaves the source, it is empty and has no value, until the same node
/// comes back. With `.hidingSubtrees` it stays empty, and a new node is given for a child that comes back. Under that
/// policy, an observer of a node that has not been read receives changes of its children from the first reading on.
///
/// ## Costs
/// A tree of n elements is asked about once: O(n), and one call of the predicate each. From then on a change of one element
/// takes one call, and O(d · log n) at depth d: the matches below each node are counted (`matchCount`), so ancestors come and
/// go without a look at anything else, in one change. Where descendants are kept, an element that begins or ceases to match
/// costs O(s) more for the s nodes below it.
///
/// The policies that keep ancestors look at the whole tree, in order to find the matches; that loads all of a
/// `HierarchyNode`. `TreeFilterPolicy.hidingSubtrees` looks only at the children of nodes that are read. The filter
/// keeps some 80 bytes for each node, and beyond 64 children a bit for each (two where descendants are kept). Over a
/// `ForestNode` the other policies ask in one scan of the elements. Over a forest, a `HierarchyNode` and their tree sorts,
/// tree filters and maps no object is made for a branch.
///
/// The predicate must depend on nothing but the value it is given, and, where something else that it captures changes, be
/// asked again with `refresh`. It must not change any node of the graph: that traps.
public final class TreeFilterNode<Element>: TreeNode, ReadableNode, TreePart {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  /// The family as it is, for code that must not settle the graph.
  let storedFamily: TreeFilterFamily<Element>

  /// Creates a filtered view of a tree.
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - policy: names the elements that are shown beside those that pass.
  ///   - predicate: says which values pass; it is called once for each element now, and for new and updated ones later.
  /// - Complexity: O(n) for all n elements of the tree; with `.hidingSubtrees`, for the root's children.
  @inlinable
  public convenience init(
    _ source: any TreeNode<Element>, policy: TreeFilterPolicy = .keepingAncestors,
    where predicate: @escaping (Element) -> Bool
  ) {
    self.init(
      source, policy, predicate,
      TreeFilterFamily.Functions(
        reading: .reading(State.self), ask: { findMatches($0, $1, $2, valueless: $3, $4) },
        askAll: { findMatches($0, $1, $2) },
        filter: { FilterNode($0, $0.reader, $1, valueless: $2, where: $3) },
        lend: { State.lend($0, $1, $2, to: $3) }))
  }

  @usableFromInline
  init(
    _ source: any TreeNode<Element>, _ policy: TreeFilterPolicy, _ predicate: @escaping (Element) -> Bool,
    _ functions: TreeFilterFamily<Element>.Functions
  ) {
    let family = TreeFilterFamily(source, policy, predicate, functions)
    storedFamily = family
    source.hub.refusingChanges { family.loadAll() }
    state = NodeCell(State(family.translation, record: TreeIndex.root, source: source), of: port)
    state.cell.value.reader = source.reader
    hub.attach(to: self)
    // Changes below the root's children concern the children that are shown.
    hub.listenToNestedChanges()
    hub.link(source, slot: 0)
    family.sources.value.follow(self)
  }

  init(
    _ family: TreeFilterFamily<Element>, record: TreeIndex.Branch, source: any TreeNode<Element>,
    root: TreeFilterNode<Element>
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

  @usableFromInline typealias State = TreePartState<Element, TreeFilterTranslation>

  // MARK: Reading

  /// The node of the source that is shown a part of.
  public var source: any TreeNode<Element> { state.value.source! }

  /// Names the elements that are shown beside those that pass.
  public var policy: TreeFilterPolicy { family.policy }

  /// The value of the source; nil where the child has left it.
  public var value: Element? { state.value.record == nil ? nil : source.value }

  public var count: Int {
    load()
    return state.value.count
  }

  /// Whether there are children; where they have not been looked at yet, whether the source has any.
  public var hasChildren: Bool {
    if let record = state.value.record, !family.translation.value.isLoaded(record) { return source.hasChildren }
    return state.value.count > 0
  }

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

  /// The filtered node of a child, made when it is first asked for; nil where the child is a leaf, or there is none.
  public func child(at position: Int) -> (any TreeNode<Element>)? { node(at: position) }

  /// See `child(at:)`.
  func node(at position: Int) -> TreeFilterNode? {
    load()
    let place = state.value.sourcePosition(of: position)
    return place < 0 ? nil : family.record(ofChild: place, of: state.value.record!).map { family.node($0, root: root) }
  }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "TreeFilterNode")
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
extension TreeFilterNode: Sendable {}

// Asking the predicate: inlinable, so that it is specialized for the element where a filter is made.

/// Asks a predicate about a range of a node's children; see `evaluate`.
@inlinable
func findMatches<Element>(
  _ reader: NodeReader<Element>, _ range: Range<Int>, _ mask: BitRun?, valueless: Bool,
  _ predicate: (Element) -> Bool
) -> BitRun {
  // Most edits are of one element.
  if mask == nil && range.count == 1 {
    countCalls()
    return BitRun(repeating: reader.element(at: range.lowerBound).map(predicate) ?? valueless, count: 1)
  }
  return evaluate(reader, range, mask, valueless: valueless, predicate)
}

/// Asks a predicate about the elements of a forest, in one scan; a bit for each by document number.
@inlinable
func findMatches<Element>(
  _ forest: ForestNode<Element>, _ mask: BitRun?, _ predicate: (Element) -> Bool
) -> BitRun {
  var run = BitRun(repeating: false, count: forest.descendantCount)
  var next = 0
  forest.forEachDescendantSpan { span in
    run.ask(about: span, from: next, among: mask, predicate)
    next &+= span.count
  }
  return run
}

/// The elements that a tree filter shows beside those that pass its predicate.
///
/// ```swift
/// let home = BranchNode([.node(BranchNode(value: "apples", leaves: ["red", "green"])), .leaf("red")])
/// let found = TreeFilterNode(home, policy: .keepingAncestors) { $0 == "red" }
/// found.elements                 // ["apples", "red"]
/// found.child(at: 0)?.elements   // ["red"]
/// TreeFilterNode(home, policy: .hidingSubtrees) { $0 == "red" }.elements    // ["red"]: "apples" fails
/// let named = TreeFilterNode(home, policy: .keepingDescendants) { $0 == "apples" }
/// named.child(at: 0)?.elements   // ["red", "green"]
/// ```
public enum TreeFilterPolicy: Hashable, Sendable, Codable, CaseIterable {
  /// Nothing: an element that fails is hidden with everything below it, whatever that is.
  ///
  /// A child without a value passes, as in a `FilterNode`. Only nodes that are read are loaded.
  case hidingSubtrees

  /// The ancestors of those that pass, as a search field needs.
  ///
  /// A child without a value matches nothing, and is shown for matches below it.
  case keepingAncestors

  /// The ancestors of those that pass, and everything below them: the contents of a folder that was found by its name.
  ///
  /// A child without a value matches nothing, and is shown for matches below it or above it.
  case keepingDescendants

  /// Whether a child without a value passes.
  var valueless: Bool { self == .hidingSubtrees }
}
