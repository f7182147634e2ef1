public import OffsetIndexing

/// A live view of a tree in which a predicate is asked at every depth.
///
/// ```swift
/// let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
/// let home = BranchNode(value: "home", [.leaf("apple.txt"), .node(notes), .leaf("todo.txt")])
/// let found = TreeFilterNode(home) { $0.contains("apple") }
/// found.elements              // ["apple.txt", "notes"]: notes for the match inside
/// found.child(at: 1)?.elements // ["apple.md"]
/// found.matchCount            // 2
/// notes.replace(at: 0, with: "cherry.md")   // found reports a removal of 1
/// ```
///
/// The policy names the elements that are shown beside the elements that pass. These are the ancestors of the elements
/// that pass, for a search field; or their ancestors and descendants; or none. Under the last policy an element that
/// fails is hidden with everything below it. A child without a value matches nothing, and is shown for matches below
/// it; under the last policy such a child passes. The node's own value is the value of its source. The predicate is not
/// asked about this value.
///
/// Each child that is a node is a tree filter too, at every depth. A child's filter is made at the first request. As
/// long as the filter is held, each further request for the same child returns the same filter. Each filter is an
/// ordinary node. The filter follows its child through moves, also while the child is hidden. If the child leaves the
/// source, the filter is empty and has no value until the same node returns. With `.hidingSubtrees` the filter stays
/// empty, and a child that returns gets a new filter. Under that policy, an observer of a node that has not been read
/// receives changes of the node's children from the first reading on.
///
/// ## Costs
/// The filter asks the predicate once about each of the n elements of a tree: O(n). From then on a change of one
/// element takes one call, and O(d · log n) at depth d. The filter counts the matches below each node (`matchCount`).
/// So ancestors are shown and hidden without a look at any other element, in one change. If descendants are kept, an
/// element that begins or ceases to match costs O(s) more for the s nodes below it.
///
/// The policies that keep ancestors look at the whole tree to find the matches, and so load all of a `HierarchyNode`.
/// `TreeFilterPolicy.hidingSubtrees` looks only at the children of nodes that are read. The filter keeps some 80 bytes
/// for each branch. For a branch with more than 64 children it also keeps one bit for each child, or two if descendants
/// are kept. Over a `ForestNode` the policies that keep ancestors ask in one scan of the elements. No object is made for
/// a branch of a forest, of a `HierarchyNode`, or of a tree sort, tree filter or map of these.
///
/// The predicate must depend only on the value that it receives. If other data that the predicate captures changes,
/// call `refresh()` to ask again. A predicate that changes any node of the graph traps.
public final class TreeFilterNode<Element>: TreeNode, ReadableNode, TreePart {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  /// The family in its present state, for code that must not settle the graph.
  let storedFamily: TreeFilterFamily<Element>

  /// Creates a filtered view of a tree.
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - policy: names the elements that are shown beside the elements that pass.
  ///   - predicate: says which values pass; is called once for each element now, and later for each new or updated
  ///     element.
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

  /// The node of the source whose children this node filters.
  public var source: any TreeNode<Element> { state.value.source! }

  /// Names the elements that are shown beside the elements that pass.
  package var policy: TreeFilterPolicy { family.policy }

  /// The value of the source; nil if the child has left the source.
  public var value: Element? { state.value.record == nil ? nil : source.value }

  public var count: Int {
    load()
    return state.value.count
  }

  /// Whether there are children; until somebody has looked at them, whether the source has children.
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

  /// The filtered node of a child, which is made at the first request; nil for a leaf, and if there is no such child.
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

// The functions that ask the predicate are inlinable, so that they are specialized for the element where a filter is
// made.

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

/// Asks a predicate about the elements of a forest in one scan, and returns a bit for each element, by document number.
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

/// The elements that a tree filter shows beside the elements that pass its predicate.
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
  /// Shows no others: an element that fails is hidden with everything below it, including matches.
  ///
  /// A child without a value passes, as in a `FilterNode`. Only nodes that are read are loaded.
  case hidingSubtrees

  /// Shows the ancestors of the elements that pass, as a search field needs.
  ///
  /// A child without a value matches nothing, and is shown for matches below it.
  case keepingAncestors

  /// Shows the ancestors of the elements that pass, and everything below these elements: the contents of a folder that
  /// was found by its name.
  ///
  /// A child without a value matches nothing, and is shown for matches below it or above it.
  case keepingDescendants

  /// Whether a child without a value passes.
  var valueless: Bool { self == .hidingSubtrees }
}
