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
/// `ForestNode` the other policies ask in one scan of the elements. Over a forest, a `HierarchyNode` and their tree sorts and
/// filters no object is made for a branch.
///
/// The predicate must depend on nothing but the value it is given, and, where something else that it captures changes, be
/// asked again with `refresh`. It must not change any node of the graph: that traps.
public final class TreeFilterNode<Element>: TreeNode, ReadableNode, TreePart {
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
        lend: { translation, record, source, body in
          var state = State(translation, record: record, source: nil)
          state.reader = source
          NodeReader.lend(state, depth: state.depth, to: body)
        }))
  }

  @usableFromInline
  init(
    _ source: any TreeNode<Element>, _ policy: TreeFilterPolicy, _ predicate: @escaping (Element) -> Bool,
    _ functions: TreeFilterFamily<Element>.Functions
  ) {
    let family = TreeFilterFamily(source, policy, predicate, functions)
    storedFamily = family
    source.hub.refusingChanges { family.loadAll() }
    state = NodeCell(
      State(family.translation, record: TreeIndex.root, source: source),
      of: unsafe unsafeDowncast(port, to: NodeHub.self))
    state.cell.value.reader = source.reader
    hub.attach(to: self)
    // Changes below the root's children concern the children that are shown.
    hub.listenToNestedChanges()
    hub.link(source, slot: 0)
    family.sources.value.follow(self)
  }

  /// Creates the node of a child.
  init(
    _ family: TreeFilterFamily<Element>, record: TreeIndex.Branch, source: any TreeNode<Element>,
    root: TreeFilterNode<Element>
  ) {
    storedFamily = family
    state = NodeCell(
      State(family.translation, record: record, source: source), of: unsafe unsafeDowncast(port, to: NodeHub.self))
    state.cell.value.root = root
    hub.attach(to: self)
    hub.becomePart(of: root.hub)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let (cell, family) = (state.cell, storedFamily)
    guard let source = cell.value.source else { return }
    references.append(source)
    cell.value.source = nil
    if let root = cell.value.root {
      family.forget(self, record: cell.value.record, source: source)
      references.append(root)
      cell.value.root = nil
    } else {
      family.sources.value.stopFollowing(ObjectIdentifier(self))
      family.sources.value.removeAll(to: &references)
    }
  }

  /// Which record is shown, and the node of the source, which is given up when the node is released.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    // The family's; valid for as long as the node holds the family.
    @usableFromInline let translation: Cell<TreeFilterTranslation>
    /// The record; nil where the child has left the source.
    @usableFromInline var record: TreeIndex.Branch?
    /// Reads the source, once its children have been looked at.
    @usableFromInline var reader: NodeReader<Element>?
    @usableFromInline var source: (any TreeNode<Element>)?
    /// The root of the filtered tree, where this is not it.
    var root: TreeFilterNode?

    @usableFromInline
    init(_ translation: Cell<TreeFilterTranslation>, record: TreeIndex.Branch, source: (any TreeNode<Element>)?) {
      self.translation = translation
      self.record = record
      self.source = source
    }

    @inlinable
    var count: Int { record.map { translation.value.count(of: $0) } ?? 0 }

    /// The position in the source of a child; -1 where there is none.
    @inlinable
    func sourcePosition(of position: Int) -> Int {
      record.map { translation.value.sourcePosition(of: position, in: $0) } ?? -1
    }

    @inlinable
    func element(at position: Int) -> Element? {
      let place = sourcePosition(of: position)
      return place < 0 ? nil : reader?.element(at: place)
    }

    @inlinable
    func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? {
      let place = sourcePosition(of: position)
      return place < 0 ? nil : reader.map { ($0, place) }
    }

    @usableFromInline
    var depth: Int { reader.map { $0.depth + 1 } ?? 0 }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      guard let record = unsafe state.pointee.record, let reader = unsafe state.pointee.reader else { return }
      let translation = unsafe state.pointee.translation.value
      translation.forEachRun(in: range, of: record) { source, start in
        reader.forEachSpan(in: source) { body($0 &- source.lowerBound &+ start, $1) }
      }
    }
  }

  // MARK: Reading

  /// The family, brought up to date.
  var family: TreeFilterFamily<Element> {
    hub.settle()
    if storedFamily.progress.value.hasOtherHandles { storedFamily.renewHandles(in: hub) }
    return storedFamily
  }

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

  /// The filtered node of a child, made when it is first asked for; nil where the child is a leaf, or there is none.
  public func child(at position: Int) -> (any TreeNode<Element>)? { node(at: position) }

  /// See `child(at:)`.
  func node(at position: Int) -> TreeFilterNode? {
    load()
    let place = state.value.sourcePosition(of: position)
    return place < 0 ? nil : family.record(ofChild: place, of: state.value.record!).map { family.node($0, root: root) }
  }

  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "TreeFilterNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> {
    // The reader of the state does not load.
    load()
    return state.reader(family.functions.reading)
  }

  /// The root of the filtered tree.
  var root: TreeFilterNode { state.value.root ?? self }

  /// Looks at the children, where that has not been done yet.
  func load() {
    guard state.value.reader == nil, let record = state.value.record else { return }
    hub.refusingChanges {
      family.load(record)
      state.value.reader = source.reader
    }
  }

  func show(_ source: any TreeNode<Element>) {
    state.value.source = source
    if state.value.reader != nil { state.value.reader = source.reader }
  }

  func show(_ record: TreeIndex.Branch?) {
    state.value.record = record
    if record != nil, state.value.reader == nil { state.value.reader = source.reader }
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
