public import OffsetIndexing

/// The elements of a whole tree as one flat list, in document order: all of them, or the leaves.
///
/// ```swift
/// let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
/// let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes), .node(BranchNode(value: "empty"))])
/// DescendantsNode(home).elements              // ["x.txt", "notes", "a.md", "b.md", "empty"]
/// let files = DescendantsNode(home, .leaves)
/// files.elements                              // ["x.txt", "a.md", "b.md"]
/// files.path(ofRow: 2)                        // [1, 1]
/// notes.append(.leaf("c.md"))                 // files reports an insertion at 3
/// home.move(from: 1, to: 0)                   // files reports a move
/// ```
///
/// A `FlattenNode` shows the children at one depth, and an `OutlineNode` shows the children of expanded nodes. This
/// node has no depth and nothing to expand. The tree may change its depth at any time: when a child arrives, everything
/// below it is shown too. The rows have no children of their own. `.all` does not show nodes without a value, for
/// example sections that only group their children. A leaf without a value is shown, for example the row of such a
/// section in an `OutlineNode`. The root's own value is this node's value.
///
/// Rows that move within the tree are reported as moves, also if they move to another parent and depth. In a list of
/// leaves, a leaf that becomes a node leaves, and the leaves below it arrive. A node that becomes a leaf arrives, and
/// the leaves below it leave.
///
/// Everything in the tree is looked at: all children of a `HierarchyNode` are loaded. The node keeps a record for each
/// branch, and a bit for each element.
public final class DescendantsNode<Element>: TreeNode, ReadableNode, DerivedNode {
  /// The elements of a tree that a `DescendantsNode` shows.
  ///
  /// ```swift
  /// let home = BranchNode([.leaf("x.txt"), .node(BranchNode(value: "notes", leaves: ["a.md"]))])
  /// DescendantsNode(home, .all).elements       // ["x.txt", "notes", "a.md"]
  /// DescendantsNode(home, .leaves).elements    // ["x.txt", "a.md"]
  /// ```
  public enum Scope: Hashable, Sendable {
    /// Shows branches and leaves, each branch before everything below it.
    case all

    /// Shows the leaves: children that are not nodes. A node without children is not a leaf.
    case leaves
  }

  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  @usableFromInline let functions: NodeReader<Element>.Functions

  /// Creates the flat list of a tree.
  ///
  /// - Parameters:
  ///   - root: the node whose descendants are shown; it is kept alive.
  ///   - descendants: the descendants that are shown.
  /// - Complexity: O(n) for n elements in the tree.
  @inlinable
  public convenience init(_ root: any TreeNode<Element>, _ descendants: Scope = .all) {
    self.init(
      OutlineNode(root, expansion: ExpansionState(policy: .expanded), id: { _ in 0 }), descendants,
      .reading(State.self))
  }

  @usableFromInline
  init(_ outline: OutlineNode<Element, Int>, _ descendants: Scope, _ functions: NodeReader<Element>.Functions) {
    state = NodeCell(
      State(
        translation: FilterTranslation(outline.showing(descendants, in: 0..<outline.count)), outline: outline,
        reader: outline.reader, descendants: descendants), of: port)
    self.functions = functions
    hub.attach(to: self)
    hub.link(outline, slot: 0)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    if let outline = cell.value.outline { references.append(outline) }
    cell.value.outline = nil
  }

  /// The tree's rows, all expanded, and the bits of the rows that are shown.
  @usableFromInline
  struct State: BitsState, ~Copyable {
    @usableFromInline var translation: FilterTranslation
    @usableFromInline var outline: OutlineNode<Element, Int>?
    @usableFromInline let reader: NodeReader<Element>
    let descendants: Scope

    @inlinable
    var shown: BitIndex { translation.passes }
  }

  // MARK: Reading

  /// The tree whose elements are shown.
  public var root: any TreeNode<Element> { outline.root }

  /// The elements of the tree that are shown.
  package var descendants: Scope { state.value.descendants }

  public var value: Element? { root.value }

  @inlinable
  public var count: Int { state.value.count }

  /// The value of a row.
  ///
  /// - Complexity: O(d · log n) for a row at depth d.
  @inlinable
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  @_spi(NodeAuthors)
  @inlinable
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "DescendantsNode")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(functions) }

  private var outline: OutlineNode<Element, Int> { state.value.outline! }

  // MARK: Changes

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let change = changes.takeOnlyChange(of: self)
    if let insertion = change.onlyInsertion, insertion.count == 1 {
      let isShown = outline.showing(descendants, in: insertion)[0]
      return ChangeSet(state.value.translation.insert(isShown, at: insertion.lowerBound))
    }
    let inserted = outline.showing(descendants, in: Array(change.delta.insertions))
    let updated = outline.showing(descendants, in: Array(change.delta.updates))
    return state.value.translation.translate(change, inserted: inserted, updated: updated)
  }
}

@available(*, unavailable)
extension DescendantsNode: Sendable {}

extension OutlineNode {
  /// The rows of a range that a list of descendants shows, as bits; everything in the outline is expanded.
  ///
  /// - Complexity: O(d · log n) for a row at depth d, and O(log n) for each branch in the range.
  fileprivate func showing(_ descendants: DescendantsNode<Element>.Scope, in rows: Range<Int>) -> BitRun {
    var words = [UInt64](repeating: ~0, count: Swift.max(1, (rows.count + 63) / 64))
    words[words.count - 1] &= lowBits(rows.count - 64 * (words.count - 1))
    // Each child that has a record is a node.
    for run in state.value.translation.shape.runs(in: rows) where run.branch != nil {
      if descendants == .all, state.value.sources.element(at: run.positions.lowerBound, of: run.parent) != nil {
        continue
      }
      let index = run.numbers.lowerBound - rows.lowerBound
      words[index / 64] &= ~(1 << (index % 64))
    }
    return BitRun(words: words, count: rows.count)
  }

  /// The rows of several ranges, in ascending order, that a list of descendants shows, as bits.
  fileprivate func showing(_ descendants: DescendantsNode<Element>.Scope, in ranges: [Range<Int>]) -> [BitRun] {
    guard ranges.count > 1 else { return ranges.map { showing(descendants, in: $0) } }
    let all = ranges[0].lowerBound..<ranges[ranges.count - 1].upperBound
    // The ranges of the levels of a deep tree lie close together. One pass goes down the tree once, and not once for
    // each range.
    guard all.count / ranges.count < 64 else { return ranges.map { showing(descendants, in: $0) } }
    let verdicts = showing(descendants, in: all)
    return ranges.map { range in
      var words = [UInt64](repeating: 0, count: (range.count + 63) / 64)
      for (index, row) in range.enumerated() where verdicts[row - all.lowerBound] {
        words[index / 64] |= 1 << (index % 64)
      }
      return BitRun(words: words, count: range.count)
    }
  }
}
