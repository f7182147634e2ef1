/// One section of a `GroupNode`: the rows that have one key in common.
///
/// ```swift
/// let words = ArrayNode(["ant", "bee", "ape"])
/// let letters = GroupNode(words) { $0.first }
/// let a = letters.section(at: 0)
/// a.key                       // "a"
/// a.elements                  // ["ant", "ape"]
/// a.sourcePosition(of: 1)     // 2
/// ```
///
/// A section is made when a caller asks for it, and stays the same object as long as it is held. It stays the section
/// of its key. When its last row leaves and the group no longer shows the section, the section is empty. It has rows
/// again when rows with its key arrive.
public final class GroupSection<Element, Key: Hashable>: TreeNode, ReadableNode, DerivedNode {
  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  let slot: Int
  private var group: GroupNode<Element, Key>?
  let state: NodeCell<State>

  /// Creates the section of a slot; the group keeps the section up to date.
  init(_ group: GroupNode<Element, Key>, slot: Int) {
    self.group = group
    self.slot = slot
    state = NodeCell(State(group: group.state.cell, slot: slot), of: port)
    hub.attach(to: self)
    hub.becomePart(of: group.hub)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    guard let group else { return }
    group.forget(self)
    references.append(group)
    self.group = nil
  }

  /// Finds the rows in the group's translation.
  ///
  /// The section holds the group, so the cell stays alive.
  @usableFromInline
  struct State: ViewState, ~Copyable {
    @usableFromInline let group: Cell<GroupNode<Element, Key>.State>
    @usableFromInline let slot: Int

    @inlinable
    var count: Int { group.value.translation.rows.count(ofSlot: slot) }

    @inlinable
    var reader: NodeReader<Element> { group.value.reader }

    @inlinable
    func sourcePosition(of row: Int) -> Int { group.value.translation.rows.position(slot: slot, row: row) }

    @inlinable
    static func forEachSpan(
      in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
    ) {
      let (group, slot) = unsafe (state.pointee.group, state.pointee.slot)
      let positions = group.value.translation.rows.positions(slot: slot, rows: range)
      let reader = group.value.reader
      gatherSpans(in: range, body) { reader.element(at: positions[$0 &- range.lowerBound]) }
    }
  }

  // MARK: Reading

  /// The key that the rows have in common; nil for the section of the rows without a key.
  public var key: Key? { group?.state.value.table.keys[slot] }

  /// The header that the group makes from the key; nil where the group has no closure for headers.
  public var value: Element? { group?.header(ofSlot: slot) }

  /// The number of rows.
  public var count: Int { state.value.count }

  /// The value of a row.
  public func element(at position: Int) -> Element? { state.value.element(at: position) }

  @_spi(NodeAuthors)
  public func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Element>) -> Void) {
    checkRange(range, in: count, of: "GroupSection")
    state.forEachSpan(in: range, body)
  }

  var reader: NodeReader<Element> { state.reader(group!.functions.reading) }

  /// The group, and the section's ordinal there; nil where the group does not show the section.
  var place: (node: any TreeNode, position: Int)? {
    guard let group else { return nil }
    return group.state.value.translation.ordinal(ofSlot: slot).map { (group, $0) }
  }

  /// The node whose children are the rows: the group's source, which is sorted where the group sorts its rows.
  public var source: any TreeNode<Element> { group!.source }

  /// The position of a row in `source`.
  ///
  /// - Parameter position: `0..<count`, in this section.
  /// - Returns: a position in the index space of `source`.
  /// - Complexity: O(log n) for n rows of the source.
  public func sourcePosition(of position: Int) -> Int {
    checkPosition(position, in: count, of: "GroupSection")
    return state.value.sourcePosition(of: position)
  }

  /// The row of a child of `source`; nil where the child belongs to another section.
  ///
  /// - Parameter position: `0..<source.count`, in the index space of `source`.
  /// - Returns: a position in this section, or nil.
  /// - Complexity: O(log n) for n rows of the source.
  public func position(ofSource position: Int) -> Int? {
    let rows = state.value.group.value.translation.rows
    checkPosition(position, in: rows.count, of: "GroupSection's source")
    let place = rows.place(of: position)
    return place.slot == slot ? place.row : nil
  }
}

@available(*, unavailable)
extension GroupSection: Sendable {}

// MARK: - The section as a view of the source

@_spi(NodeAuthors)
extension GroupSection: SourceView {}

extension GroupSection: SectionNode, WritableNode {
  /// The position in the source of an insertion: behind the row before `position`, or before the first row.
  ///
  /// Where the section has no rows, the position is the end of the source. The key of the new row decides which section
  /// shows it.
  @_spi(NodeAuthors)
  public func insertionPoint(at position: Int) -> Int {
    if position > 0 { return sourcePosition(of: position - 1) + 1 }
    return count > 0 ? sourcePosition(of: 0) : source.count
  }

  // The section has neither the header nor the footer of the group's source.

  public var header: Element? { nil }

  public var footer: Element? { nil }
}
