public import OffsetIndexing

/// A tree made of a flat source, where each element has an id and names the id of its parent.
///
/// ```swift
/// struct Folder { var id: Int, parent: Int?, name: String }
///
/// let folders = ArrayNode([
///   Folder(id: 2, parent: 1, name: "letters"), Folder(id: 1, parent: nil, name: "home"),
///   Folder(id: 3, parent: 9, name: "lost"),
/// ])
/// let tree = NestNode(folders, id: \.id, parent: \.parent)
/// tree.count                          // 2: home, and lost, whose parent is unknown
/// tree[[0, 0]]?.name                  // "letters"
/// folders[2].parent = 2               // tree reports that [1] moved to [0, 0, 0]
/// folders.remove(at: 1)               // letters has lost its parent: it moved to [0], with everything below it
/// ```
///
/// **Every element of the source is shown once.** It lies below the element with its parent's id, which may be anywhere
/// in the source. Where the parent's id is nil or unknown, the element lies on the top level. When the parent arrives
/// later, the element moves below it; when the parent leaves, the element moves back to the top level. Siblings lie in
/// the order of the source.
///
/// - Where **several elements have one id**, the first of them in the source has the children. When this element
///   leaves, gets another id or moves behind the next one, the children move to the element that is the first now.
/// - Where elements are **their own ancestors**, the first of them in the source lies on the top level, and the others
///   lie below it. So the tree depends only on the present parents, and not on the order of the edits. An element that
///   is its own parent is a root, like an element without a parent.
/// - Children of the source **without a value** have neither an id nor a parent. A child of the source may be a node
///   with children of its own. These are not shown: a nest is made by ids alone.
///
/// An update that names another parent moves the element with everything below it. Observers receive a transfer
/// (`ChangeSet.transfers`), or a move among siblings. An element with children is a branch, and an element without is a
/// leaf. Where one turns into the other, observers receive an update.
///
/// A branch is a nest too. Its node is made when a caller asks for it, and stays the same object as long as it is held.
/// A branch costs no object before that. The node follows its element. When the element leaves the source, the node is
/// empty, and later shows the next element that arrives with the same id.
///
/// ## Costs
/// An edit of one element takes O(log² n), wherever the element is in the tree and whatever moves with it. The edit
/// takes as much again for each child that the element gains or loses. Where k elements share the element's id, the
/// edit takes O(k) more. Where there is an observer, the path at a depth of d takes O(d · log n) more. While the nest
/// has a cycle, an edit also walks from the element up to the top level. A nest takes about 45 bytes for each element,
/// 36 more for each branch, and the ids.
///
/// The closures must depend on nothing but their arguments. Where they read objects that change, call `refresh()` after
/// the change. They must not change any node of the graph: that traps.
public final class NestNode<Element, ID: Hashable>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  private let state: NodeCell<State>
  private let ownFamily: NestFamily<Element, ID>

  /// Creates a tree.
  ///
  /// - Parameters:
  ///   - source: the node whose children are nested; it is kept alive.
  ///   - id: the id of an element. The closure is called once for each child of the source now, and once for each child
  ///     that arrives or changes later. The same holds for `parent`.
  ///   - parent: the id of an element's parent; nil for a root.
  /// - Complexity: expected O(n) for n children.
  @inlinable @inline(__always)
  public convenience init(
    _ source: any TreeNode<Element>, id: @escaping (Element) -> ID, parent: @escaping (Element) -> ID?
  ) {
    self.init(source, id, parent, KeyFunctions(reading: .reading(State.self)))
  }

  @usableFromInline
  init(
    _ source: any TreeNode<Element>, _ id: @escaping (Element) -> ID?, _ parent: @escaping (Element) -> ID?,
    _ functions: KeyFunctions<Element, ID>
  ) {
    ownFamily = NestFamily(source, id: id, parent: parent, functions)
    state = NodeCell(State(ownFamily), of: port)
    state.cell.value.source = source
    hub.attach(to: self)
    hub.link(source, slot: 0)
  }

  /// Creates the node of a row.
  init(_ family: NestFamily<Element, ID>, row: Int, root: NestNode) {
    ownFamily = family
    state = NodeCell(State(family), of: port)
    state.cell.value.row = row
    state.cell.value.root = root
    hub.attach(to: self)
    hub.becomePart(of: root.hub)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    if let source = cell.value.source { references.append(source) }
    cell.value.source = nil
    guard let root = cell.value.root else { return }
    ownFamily.forget(self, row: cell.value.row)
    references.append(root)
    cell.value.root = nil
  }

  /// The rows and their tree, after the pending changes.
  var family: NestFamily<Element, ID> {
    hub.settle()
    return ownFamily
  }

  /// Finds the children in the family's translation.
  ///
  /// The node holds the family, so the cell stays alive.
  @usableFromInline
  struct State: ViewState, ~Copyable {
    @usableFromInline let translation: Cell<NestTranslation>
    @usableFromInline let reader: NodeReader<Element>
    /// In the node of a row: the row whose children are shown; nil where the row has left the source.
    var row: Int?
    /// In the node of a row: the root.
    var root: NestNode?
    /// In the root: the source, until the root is released.
    var source: (any TreeNode<Element>)?

    init(_ family: NestFamily<Element, ID>) {
      translation = family.translation
      reader = family.reader
    }

    /// The branch whose children are shown; nil where there are none.
    @usableFromInline
    var branch: TreeIndex.Branch? {
      root == nil ? TreeIndex.root : row.flatMap { translation.value.rows[$0].branch }
    }

    @usableFromInline
    var count: Int { branch.map { translation.value.count(of: $0) } ?? 0 }

    @usableFromInline
    func sourcePosition(of position: Int) -> Int { translation.value.sourcePosition(of: position, in: branch!) }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      guard let branch = unsafe state.pointee.branch else { return }
      let positions = unsafe state.pointee.translation.value.sourcePositions(of: range, in: branch)
      let reader = unsafe state.pointee.reader
      gatherSpans(in: range, body) { reader.element(at: positions[$0 &- range.lowerBound]) }
    }
  }

  // MARK: Reading

  /// The node whose children are nested.
  public var source: any TreeNode<Element> { root.state.value.source! }

  /// The root of the tree that contains this node.
  public var root: NestNode { state.value.root ?? self }

  /// The value of the source, in the root; the value of the element, in a branch; nil where the element has left the
  /// source.
  public var value: Element? {
    guard state.value.root != nil else { return source.value }
    return state.value.row.flatMap { family.reader.element(at: family.translation.value.sourcePosition(ofRow: $0)) }
  }

  public var count: Int { state.value.count }

  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  /// The node of a child, made when a caller first asks for it; nil where the child is a leaf, or there is no such
  /// child.
  public func child(at position: Int) -> (any TreeNode<Element>)? {
    guard let branch = state.value.branch, position >= 0, position < family.translation.value.count(of: branch),
      let child = family.translation.value.tree.shape.branch(at: position, of: branch)
    else { return nil }
    return family.node(of: family.translation.value.row(of: child), root: root)
  }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "NestNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(family.functions.reading) }

  /// The number of elements at all depths below this node.
  ///
  /// - Complexity: O(log n).
  public var descendantCount: Int {
    state.value.branch.map { family.translation.value.tree.shape.descendants(of: $0).count } ?? 0
  }

  /// The memory of the order, the shape and the rows, in bytes; ids are not counted.
  package var byteCount: Int { family.translation.value.byteCount }

  /// The row whose children the node shows; nil in the root, and where the row has left the source.
  var row: Int? { state.value.row }

  func show(_ row: Int?) { state.cell.value.row = row }
}

@available(*, unavailable)
extension NestNode: Sendable {}

extension NestNode where Element: Identifiable, ID == Element.ID {
  /// Creates a tree of `Identifiable` elements by their own ids.
  ///
  /// - Parameters:
  ///   - source: the node whose children are nested; it is kept alive.
  ///   - parent: the id of an element's parent; nil for a root. The closure is called once for each child of the source
  ///     now, and once for each child that arrives or changes later.
  /// - Complexity: expected O(n) for n children.
  @inlinable @inline(__always)
  public convenience init(_ source: any TreeNode<Element>, parent: @escaping (Element) -> ID?) {
    self.init(source, id: { $0.id }, parent: parent)
  }
}

// MARK: - Where the elements lie in the source, and back

@_spi(NodeAuthors)
extension NestNode: SourceView {}

extension NestNode: SectionNode, WritableNode {
  /// The position of a child in the source.
  ///
  /// - Parameter position: `0..<count`, in this node's index space.
  /// - Returns: a position in the index space of `source`.
  /// - Complexity: O(log n) for n children of the source.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "NestNode")
    return state.value.sourcePosition(of: position)
  }

  /// The position of a child of the source among the children of this node; nil where the child lies elsewhere in the
  /// tree.
  ///
  /// - Parameter position: `0..<source.count`, in the index space of `source`.
  /// - Returns: a position in this node's index space, or nil.
  /// - Complexity: O(log² n) for n children of the source.
  public func position(ofSource position: Int) -> Int? {
    let (branch, position) = place(ofSource: position)
    return branch == state.value.branch ? position : nil
  }

  private func place(ofSource position: Int) -> (branch: TreeIndex.Branch, position: Int) {
    checkPosition(position, in: family.translation.value.count, of: "NestNode's source")
    return family.translation.value.place(of: family.translation.value.row(atSource: position))
  }

  /// The path of a child of the source, from this node; nil where it does not lie below this node.
  ///
  /// ```swift
  /// tree.path(ofSource: 0)              // [0, 0]: letters, below home
  /// ```
  ///
  /// - Parameter position: `0..<source.count`, in the index space of `source`.
  /// - Returns: the path, or nil.
  /// - Complexity: O(d · log n) at depth d, and O(log² n).
  public func path(ofSource position: Int) -> IndexPath? { path(to: place(ofSource: position)) }

  /// The path of the element that has an id; nil where no element has it, or where the element does not lie below this
  /// node.
  ///
  /// Where several elements have the id, the path is that of the first one in the source.
  ///
  /// ```swift
  /// tree.path(ofID: 2)                  // [0, 0]: letters, below home
  /// tree.path(ofID: 7)                  // nil
  /// ```
  ///
  /// - Parameter id: any id.
  /// - Returns: the path from this node, or nil.
  /// - Complexity: expected O(d · log n) at depth d, and O(log² n).
  public func path(ofID id: ID) -> IndexPath? {
    guard let slot = family.table.known(id), let row = family.translation.value.holder(of: slot) else { return nil }
    return path(to: family.translation.value.place(of: row))
  }

  private func path(to place: (branch: TreeIndex.Branch, position: Int)) -> IndexPath? {
    guard let top = state.value.branch,
      let path = family.translation.value.tree.path(of: place.branch, from: top)
    else { return nil }
    return IndexPath(indexes: path + [place.position])
  }

  /// The position in the source of an insertion: behind the child before `position`, or before the first child.
  ///
  /// Where the node has no children, the position is the end of the source. The parent's id of the new element decides
  /// where the element is shown.
  @_spi(NodeAuthors)
  public func insertionPoint(at position: Int) -> Int {
    if position > 0 { return sourcePosition(of: position - 1) + 1 }
    return count > 0 ? sourcePosition(of: 0) : source.count
  }

  /// The place of an insertion in the source; nil where the element that this node shows has left the source.
  @_spi(NodeAuthors)
  public func insertionOwner(at position: Int) -> OwnedPlace<Element>? {
    if state.value.root != nil, state.value.row == nil { return nil }
    return OwnedPlace(source, at: insertionPoint(at: position))
  }

  // The root has the header and the footer of the source. A branch has neither.

  public var header: Element? { state.value.root == nil ? source.header(at: []) : nil }

  public var footer: Element? { state.value.root == nil ? source.footer(at: []) : nil }

  public func turnIntoBranch(at position: Int) { trapTurning(position) }

  public func allows(_ edit: ChildEdit, at position: Int) -> Bool {
    edit != .turnIntoBranch && ownersAllow(edit, at: position)
  }
}
