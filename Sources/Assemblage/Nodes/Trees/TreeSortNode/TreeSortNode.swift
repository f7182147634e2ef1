public import Foundation
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
/// It is the tree of a file browser by name, size or date: every element is shown, under the same parent as in the source. The
/// order is stable: children that tie are in the order of the source. Children without a value come last. The node's own value
/// is that of its source. With no comparator at all it shows the source's order.
///
/// Children that are nodes are sorted trees too, made when they are first asked for; as long as one is held, the same one is
/// given for the same child. Each is an ordinary node, and follows its child through moves. Where the child leaves the source, it
/// is empty and has no value, and stays so: if the child comes back, a new node is given for it.
///
/// Only the children of the root, and of nodes that are read, are looked at and sorted, so that a `HierarchyNode` loads no more
/// than is shown. An observer of the node of a child that has not been read receives changes of its children from the first reading
/// on. An observer of the root also receives that the child gets its first children or loses the last one, if the node of any of
/// its siblings has been asked for. So a change of the whole tree, like another predicate of a filter, costs nothing for each
/// folder that nobody has looked at.
///
/// ## Costs
/// The n children of a node are sorted when they are first read: O(n · log n). From then on an insertion or an update takes
/// O(log n) calls of the comparator, and reports one insertion or one move; its way through the levels above takes
/// O(d · log n) at depth d. It takes a record for each node, in which up to 16 children have room; more of them take about
/// 18 bytes each. Over a `ForestNode`, a `HierarchyNode` and their tree sorts and filters no object is made for a branch.
///
/// The comparator must depend on nothing but the two values it is given; where it looks at something else that changes, or
/// into objects, call `refresh()` afterwards. It should be a strict weak order, as for `sort(by:)`; where it is not, the
/// order is unspecified, but no child is lost. It must not change any node of the graph: that traps.
public final class TreeSortNode<Element>: TreeNode, ReadableNode, TreePart {
  /// Says whether the first of two values comes before the second.
  public typealias Comparator = (Element, Element) -> Bool

  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  /// The family as it is, for code that must not settle the graph.
  let storedFamily: TreeSortFamily<Element>

  /// Creates a sorted view of a tree.
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - areInIncreasingOrder: says whether its first argument comes before its second; nil for the source's order.
  /// - Complexity: O(n · log n) for the n children of the root.
  @inlinable
  public convenience init(_ source: any TreeNode<Element>, by areInIncreasingOrder: Comparator?) {
    self.init(
      source, areInIncreasingOrder,
      TreeSortFamily.Functions(
        reading: .reading(State.self),
        place: { placed($1, $0, $2, $3) },
        sort: { sortedIndexes(of: $1, $0, $2) },
        lend: { translation, record, source, body in
          var state = State(translation, record: record, source: nil)
          state.reader = source
          NodeReader.lend(state, depth: state.depth, to: body)
        }))
  }

  @usableFromInline
  init(_ source: any TreeNode<Element>, _ comparator: Comparator?, _ functions: TreeSortFamily<Element>.Functions) {
    let family = TreeSortFamily(source, comparator, functions)
    storedFamily = family
    state = NodeCell(
      State(family.translation, record: TreeIndex.root, source: source),
      of: unsafe unsafeDowncast(port, to: NodeHub.self))
    hub.attach(to: self)
    // Changes below the root's children concern the nodes of children.
    hub.listenToNestedChanges()
    load()
    hub.link(source, slot: 0)
    family.sources.value.follow(self)
  }

  /// Creates the node of a child.
  init(
    _ family: TreeSortFamily<Element>, record: TreeIndex.Branch, source: any TreeNode<Element>,
    root: TreeSortNode<Element>
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
    @usableFromInline let translation: Cell<TreeSortTranslation>
    /// The record; nil where the child has left the source.
    @usableFromInline var record: TreeIndex.Branch?
    /// Reads the source, once its children have been looked at.
    @usableFromInline var reader: NodeReader<Element>?
    @usableFromInline var source: (any TreeNode<Element>)?
    /// The root of the sorted tree, where this is not it.
    var root: TreeSortNode?

    @usableFromInline
    init(
      _ translation: Cell<TreeSortTranslation>, record: TreeIndex.Branch, source: (any TreeNode<Element>)?
    ) {
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
      guard let record = unsafe state.pointee.record, let reader = unsafe state.pointee.reader, !range.isEmpty else {
        return
      }
      let sources = unsafe state.pointee.translation.value.sources(in: range, of: record)
      gatherSpans(in: range, body) { reader.element(at: sources[$0 &- range.lowerBound]) }
    }
  }

  // MARK: Reading

  /// The family, brought up to date.
  var family: TreeSortFamily<Element> {
    hub.settle()
    if storedFamily.progress.value.hasOtherHandles { storedFamily.renewHandles(in: hub) }
    return storedFamily
  }

  /// The node of the source whose children are sorted.
  public var source: any TreeNode<Element> { state.value.source! }

  /// The value of the source; nil where the child has left it.
  public var value: Element? { state.value.record == nil ? nil : source.value }

  public var count: Int {
    load()
    return state.value.count
  }

  /// Whether there are children; the source knows that without looking at them.
  public var hasChildren: Bool { state.value.record != nil && source.hasChildren }

  public func element(at position: Int) -> Element? {
    load()
    return state.value.element(at: position)
  }

  /// The sorted tree of a child, made when it is first asked for; nil where the child is a leaf, or there is none.
  public func child(at position: Int) -> (any TreeNode<Element>)? { node(at: position) }

  /// See `child(at:)`.
  func node(at position: Int) -> TreeSortNode? {
    load()
    guard let record = state.value.record, position >= 0, position < family.translation.value.count(of: record) else {
      return nil
    }
    return family.record(at: position, of: record).map { family.node($0, root: root) }
  }

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

  /// The root of the sorted tree.
  var root: TreeSortNode { state.value.root ?? self }

  /// Looks at the children, where that has not been done yet.
  func load() {
    guard state.value.reader == nil, let record = state.value.record else { return }
    let source = source
    source.hub.refusingChanges {
      // To ask for the reader may load the children, so the count comes after it.
      let reader = source.reader
      family.load(record, source.count, reader)
      state.value.reader = reader
    }
  }

  func show(_ source: any TreeNode<Element>) {
    state.value.source = source
    if state.value.reader != nil { state.value.reader = source.reader }
  }

  func show(_ record: TreeIndex.Branch?) { state.value.record = record }
}

@available(*, unavailable)
extension TreeSortNode: Sendable {}

// MARK: - Ways to say it

extension TreeSortNode {
  /// Creates a view sorted by the values at a key path.
  ///
  /// - Parameters:
  ///   - source: the root of the tree; it is kept alive.
  ///   - keyPath: leads from a child's value to the value that is compared.
  ///   - direction: whether the smallest comes first, or the largest.
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
  ///   - direction: whether the smallest comes first, or the largest.
  /// - Complexity: O(n · log n) for the n children of the root.
  @inlinable
  public convenience init(_ source: any TreeNode<Element>, order direction: SortOrder = .forward) {
    let areInIncreasingOrder: Comparator =
      switch direction {
      case .forward: { $0 < $1 }
      case .reverse: { $0 > $1 }
      }
    self.init(source, by: areInIncreasingOrder)
  }
}
