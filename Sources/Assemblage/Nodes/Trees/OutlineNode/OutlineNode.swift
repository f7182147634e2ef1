public import OffsetIndexing

/// The visible rows of a deep tree: the children of a root, and below each expanded node the children of that node.
///
/// ```swift
/// let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
/// let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes)])
/// let outline = OutlineNode(home, id: { $0 })
/// outline.elements            // ["x.txt", "notes"]
/// outline.expand(row: 1)      // reports an insertion at 2..<4
/// outline.elements            // ["x.txt", "notes", "a.md", "b.md"]
/// outline.path(ofRow: 3)      // [1, 1]
/// notes.append(.leaf("c.md")) // reports an insertion at 4
/// ```
///
/// Any node can be the root, and each of its children that is a node can be expanded. The rows are one flat index
/// space. They have values, and no children of their own.
///
/// ## Expansion
/// `expansion` is a value that keeps the choices by stable id (see `ExpansionState`). A node without a choice follows
/// the policy of this value. When a node arrives in the tree, or appears because its parent is expanded, the state
/// decides whether the node is expanded. While a node stays, its expansion stays too: moves, also to another parent,
/// sorts and updates do not change it. Expanded nodes below a collapsed node are expanded when that node is expanded
/// again. If several nodes have the same id, each is expanded by itself, and the last choice is remembered. A node
/// without a value has no id. Such a node can be expanded, but its expansion is forgotten when the node leaves.
///
/// An update of a node expands the node if the state says so at its present depth, and the node has not been expanded
/// since it arrived, or since `expansion` was set. Where a whole state is set, nodes with the same id follow the last
/// choice, and nodes without a value follow the policy. So does a rollback of `reveal(_:by:)` and of such a setting.
///
/// ## Changes
/// The outline reports one delta of rows. When a node leaves, its visible rows leave with the node. When a node moves,
/// also between parents, its visible rows move with the node. An update of a value is an update of its row. Expanding
/// inserts rows, and collapsing removes rows. The expanded row itself is not reported as updated. Neither are rows that
/// become, or cease to be, the last of their siblings: `observeDrawing(_:)` reports these as well. Rows that are
/// collapsed and expanded again in one transaction may be reported as removed and inserted: this is a setting of the
/// view that is changed twice.
///
/// ## Memory and costs
/// The rows are the elements of a `TreeIndex`. For each node that is or was expanded, the outline keeps a branch of
/// this index, and the node. For other children the outline keeps nothing: an expanded folder of a million files costs
/// one branch. Let `n` be the number of these branches. The child in a row, and its depth, are found in O(log n), in a
/// tree of any depth. A path takes O(log n) for each of its components. A change anywhere is translated in O(log n) for
/// each node on the way to the change, and for each range. `expand` and `collapse` take O(log n) for any number of
/// rows, if the node has been expanded before. When a node is expanded for the first time, the outline looks through
/// its children for nodes that are expanded as well. The outline asks nothing about the children of collapsed nodes.
///
/// A transaction that is rolled back restores `expansion`, and the rows follow. An `UndoLog` does not record
/// `expansion`.
public final class OutlineNode<Element, ID: Hashable & Sendable>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  let functions: Functions

  /// The functions that are specialized for the element where the node is made.
  @safe @usableFromInline
  struct Functions {
    let reading: NodeReader<Element>.Functions
    let id: (Element) -> ID
    /// Finds the children in a range with the choice to be expanded, or with the choice to be collapsed.
    let chosen: Choosing
    /// Notes a choice for a child, in the state at a place.
    let choose: ChoosingOne
    /// Returns one row of the state at a place, as a widget draws the row.
    let row: (UnsafeRawPointer, Int) -> OutlineRow<Element>
    /// Returns a range of rows, which is not empty, of the state at a place.
    let rows: (UnsafeRawPointer, Range<Int>) -> [OutlineRow<Element>]

    @usableFromInline
    init(
      reading: NodeReader<Element>.Functions, id: @escaping (Element) -> ID, chosen: @escaping Choosing,
      choose: @escaping ChoosingOne,
      row: @escaping (UnsafeRawPointer, Int) -> OutlineRow<Element>,
      rows: @escaping (UnsafeRawPointer, Range<Int>) -> [OutlineRow<Element>]
    ) {
      self.reading = reading
      self.id = id
      self.chosen = chosen
      unsafe self.choose = choose
      unsafe self.row = row
      unsafe self.rows = rows
    }
  }

  /// The observers of the rows as a widget draws them: see `observeDrawing(_:)`.
  var drawers: [Observer] = []

  @usableFromInline
  typealias Choosing = (NodeReader<Element>, Range<Int>, ExpansionState<ID>, _ isExpanded: Bool) -> [Int]

  @usableFromInline
  typealias ChoosingOne = (
    UnsafeMutableRawPointer, NodeReader<Element>, _ position: Int, _ isExpanded: Bool, ExpansionOrigin,
    _ refusingChanges: (() -> Void) -> Void
  ) -> Void

  /// Creates the outline of a tree.
  ///
  /// - Parameters:
  ///   - root: the node whose children are the top rows; it is kept alive.
  ///   - expansion: the expanded nodes.
  ///   - id: returns the identity of a value, which stays the same when the value changes. The closure is called for
  ///     children that may be expanded, and must not change any node.
  /// - Complexity: O(n) for the n children of all expanded nodes; O(1) if nothing is expanded.
  @inlinable
  public convenience init(
    _ root: any TreeNode<Element>, expansion: ExpansionState<ID> = ExpansionState(), id: @escaping (Element) -> ID
  ) {
    unsafe self.init(
      root, expansion,
      Functions(
        reading: .reading(State.self), id: id,
        chosen: { reader, range, expansion, isExpanded in
          var positions: [Int] = []
          reader.forEachSpan(in: range) { start, span in
            for index in span.indices where expansion.choice(for: id(span[index])) == isExpanded {
              positions.append(start + index)
            }
          }
          return positions
        },
        choose: { state, reader, position, isExpanded, origin, refusingChanges in
          var chosen: ID?
          refusingChanges { chosen = reader.element(at: position).map(id) }
          guard let chosen else { return }
          unsafe state.assumingMemoryBound(to: State.self).pointee.expansion.choose(isExpanded, for: chosen, by: origin)
        },
        row: { unsafe $0.assumingMemoryBound(to: State.self).pointee.row(at: $1) },
        rows: { unsafe State.rows(in: $1, of: $0.assumingMemoryBound(to: State.self)) }))
  }

  @usableFromInline
  init(_ root: any TreeNode<Element>, _ expansion: ExpansionState<ID>, _ functions: Functions) {
    state = NodeCell(
      State(
        translation: OutlineTranslation(TreeIndex(), recordCount: 1, isFull: expansion.isAll),
        sources: TreeSources(root, root.branchTree, .nodesAndReaders), expansion: expansion), of: port)
    self.functions = functions
    let cell = state.cell
    // Reading in place relies on this address.
    assert(unsafe withUnsafePointer(to: &cell.value.translation) { unsafe UnsafeRawPointer($0) == cell.place })
    hub.attach(to: self)
    hub.state.value.nesting = .none
    // The rows depend on changes below the root's children.
    hub.listenToNestedChanges()
    hub.link(root, slot: 0)
    state.value.sources.follow(self)
    if let forest = state.value.sources.forest, expansion.isAll, !forest.isElement,
      !state.value.sources.isHierarchy
    {
      showAll(of: forest)
      return
    }
    let plan = hub.refusingChanges {
      let node = state.value.sources.node(TreeIndex.root)
      let count = state.value.sources.count(node)
      return self.plan(expandedChildren(in: 0..<count, of: node, depth: 0), count: count)
    }
    state.value.sources.reserve(plan.nodes.count + 1)
    for index in plan.nodes.indices { state.value.sources.insert(plan.nodes[index], for: plan.records[index]) }
    state.value.translation = OutlineTranslation(
      plan.shape, recordCount: plan.nodes.count + 1, isFull: expansion.isAll)
  }

  /// Shows all of a forest, whose shape is the shape of the rows.
  private func showAll(of forest: ForestNode<Element>) {
    var shape = TreeIndex()
    var recordCount = 1
    shape.insert(forest.shape, childrenOf: forest.branch, into: TreeIndex.root, at: 0) { branch, record in
      state.value.sources.insert(.branch(branch), for: record)
      recordCount += 1
    }
    state.value.translation = OutlineTranslation(shape, recordCount: recordCount, isFull: true)
  }

  deinit {
    releaseSources()
    // An observer of the drawing does not keep the outline alive, and may still wait to be notified of a change.
    for drawer in drawers { drawer.cancel() }
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    cell.value.sources.stopFollowing(ObjectIdentifier(self))
    cell.value.sources.removeAll(to: &references)
  }

  @usableFromInline
  typealias Record = OutlineTranslation.Record

  /// The rows, and the nodes and their readers by record.
  @usableFromInline
  struct State: NodeState, ~Copyable {
    @usableFromInline var translation: OutlineTranslation
    @usableFromInline var sources: TreeSources<Element>
    @usableFromInline var expansion: ExpansionState<ID>
    /// The expansion that is current again when a temporary one ends.
    var savedExpansion: ExpansionState<ID>?
    /// The edit of the followed tree, until the edit is translated.
    var pending: ShapeEdit?
    /// Whether branches of the tree may have other handles than the kept ones.
    var hasOtherHandles = false

    @inlinable
    var count: Int { translation.count }

    @inlinable
    func element(at row: Int) -> Element? {
      guard row >= 0, row < translation.count else { return nil }
      if sources.isWholeForest(ofRows: translation.count) { return sources.elementOfWhole(row) }
      let (parent, position, _) = translation.locate(row)
      return sources.element(at: position, of: parent)
    }

    @inlinable
    func origin(of row: Int) -> (reader: NodeReader<Element>, position: Int)? {
      guard row >= 0, row < translation.count else { return nil }
      let (parent, position, _) = translation.locate(row)
      return sources.origin(of: position, in: parent)
    }

    @usableFromInline
    var depth: Int { sources.depth }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let count = unsafe state.pointee.translation.count
      if let elements = unsafe state.pointee.sources.elementsOfWholeForest(ofRows: count) {
        return elements.forEachSpan(in: range, body)
      }
      // These are copies: if `body` changes the tree, this visit does not see the change.
      let sources = unsafe state.pointee.sources.copy()
      let translation = unsafe state.pointee.translation
      translation.forEachRun(in: range) { parent, children, row in
        sources.forEachSpan(in: children, of: parent) { body($0 &- children.lowerBound &+ row, $1) }
      }
    }

    /// One row, as a widget draws it.
    @inlinable
    func row(at row: Int) -> OutlineRow<Element> {
      let (known, parent, position, isKnown) = translation.look(at: row, knowsNodes: sources.hasReaders)
      var look = known
      if sources.showsAll(ofRows: translation.count) { return OutlineRow(sources.elementOfWhole(row), look) }
      // The child may still be a node, also a node that waits for its children.
      if !isKnown { look.hasChildren = sources.isParent(at: position, of: parent) }
      return OutlineRow(sources.element(at: position, of: parent), look)
    }

    /// A range of rows that is not empty, as a widget draws them.
    @inlinable
    static func rows(in range: Range<Int>, of state: UnsafePointer<Self>) -> [OutlineRow<Element>] {
      var runs: [OutlineTranslation.LeafRun] = []
      var looks = unsafe state.pointee.translation.looks(
        in: range, knowsNodes: state.pointee.sources.hasReaders, &runs)
      if !runs.isEmpty, unsafe !state.pointee.sources.showsAll(ofRows: state.pointee.translation.count) {
        // The children may still be nodes, also nodes that wait for their children.
        for run in runs {
          for position in unsafe state.pointee.sources.parents(in: run.positions, of: run.parent) {
            looks[run.row &- range.lowerBound &+ position &- run.positions.lowerBound].hasChildren = true
          }
        }
      }
      var rows: [OutlineRow<Element>] = []
      rows.reserveCapacity(range.count)
      unsafe forEachSpan(in: range, of: state) { start, span in
        while rows.count < start &- range.lowerBound { rows.append(OutlineRow(nil, looks[rows.count])) }
        for index in span.indices { rows.append(OutlineRow(span[index], looks[rows.count])) }
      }
      while rows.count < range.count { rows.append(OutlineRow(nil, looks[rows.count])) }
      return rows
    }

    /// The node of a record.
    func node(_ record: Record) -> SourceBranch { sources.node(record) }

    /// The node of a record as an object, which is made if there is none.
    func object(_ record: Record) -> any TreeNode<Element> { sources.object(sources.node(record)) }

    /// Makes the records of a planned node and of the nodes below it.
    ///
    /// - Returns: the record of the node.
    @discardableResult
    mutating func install(_ plan: OutlinePlan, at position: Int, of parent: Record) -> Record {
      let records = translation.install(plan.shape, isFull: expansion.isAll, at: position, of: parent)
      for index in records.indices { sources.insert(plan.nodes[index], for: records[index]) }
      return records[0]
    }

    /// Forgets the nodes of free records, and adds them to `references`, to be released when nothing is being changed.
    mutating func forget(_ freed: [Record], to references: inout [any TreeNode]) {
      for record in freed {
        if let node = sources.remove(record) { references.append(node) }
      }
    }

    /// Frees detached records with all records below them.
    mutating func discard(_ records: [Record], to references: inout [any TreeNode]) {
      for record in records { forget(translation.discard(translation.shape.parent(of: record)!), to: &references) }
    }
  }

  // MARK: Reading

  /// The tree whose rows are shown.
  public var root: any TreeNode<Element> { state.value.sources.root! }

  public var value: Element? { root.value }

  /// The number of visible rows.
  @inlinable
  public var count: Int { state.value.translation.count }

  /// The value in a row.
  ///
  /// - Complexity: O(log n).
  @inlinable
  public func element(at row: Int) -> Element? { state.value.element(at: row) }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "OutlineNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions.reading) }
}

@available(*, unavailable)
extension OutlineNode: Sendable {}

extension OutlineNode where Element: Identifiable, Element.ID == ID {
  /// Creates the outline of a tree of identifiable values.
  ///
  /// - Parameters:
  ///   - root: the node whose children are the top rows; it is kept alive.
  ///   - expansion: the expanded nodes.
  /// - Complexity: O(n) for the n children of all expanded nodes; O(1) if nothing is expanded.
  @inlinable
  public convenience init(_ root: any TreeNode<Element>, expansion: ExpansionState<ID> = ExpansionState()) {
    self.init(root, expansion: expansion, id: { $0.id })
  }
}
