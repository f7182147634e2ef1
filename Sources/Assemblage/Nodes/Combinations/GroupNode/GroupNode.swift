/// A node that groups the children of a flat source into sections, one section for each key.
///
/// ```swift
/// let words = ArrayNode(["bee", "ant", "bat", "ape"])
/// let letters = GroupNode(words) { $0.first }
/// letters.count               // 2
/// letters.key(ofSection: 0)   // "b"
/// letters[[0, 1]]             // "bat"
/// words.append("cat")         // letters reports a section, inserted at 2
/// words[0] = "ace"            // letters reports that [0, 0] moved to [0, 0], and the sections changed places
/// ```
///
/// **Sections** have the order of their first rows in the source, or the order of a comparator of keys. Where the
/// comparator finds two keys equal, their first rows decide. Rows whose key is nil, and children without a value, are
/// in a section of their own behind all others. A section is a `GroupSection`, which has a `key`. As a child of the
/// group, a section has no value, unless a closure makes a header from the key. **Rows** have the order of the source.
/// With a comparator of rows, the group sorts the source first. Then "the order of the source" means the sorted order,
/// also for sections.
///
/// A section is identified by its key. A section may lose all rows and get other rows in one change, or in a
/// transaction that reads no view. Such a section stays or moves.
///
/// **Empty sections** are removed by default. An empty section that is kept has the place that the comparator gives its
/// key. There it is behind all sections with rows that the comparator finds equal; without a comparator, it is behind
/// all sections with rows and a key.
///
/// When a row changes, it moves to the section of its new key. Observers receive a transfer (`ChangeSet.transfers`)
/// from one parent to the other. So do observers of nodes that show both sections. The key closure is only called for
/// new and changed rows. A group takes about 18 bytes for each row, and its keys.
///
/// The closures must depend on nothing but their arguments. Where the key reads objects that change, call `refresh()`
/// after the change. They must not change any node of the graph: that traps.
public final class GroupNode<Element, Key: Hashable>: TreeNode, ReadableNode, DerivedNode {
  /// Whether a section that loses its last row is still shown.
  ///
  /// ```swift
  /// let numbers = ArrayNode([1, 2])
  /// let group = GroupNode(numbers, emptySections: .keep) { $0 % 2 }
  /// numbers.remove(at: 0)     // group still has two sections, one of them without rows
  /// ```
  public enum EmptySectionPolicy: Sendable {
    /// The section is removed.
    case remove

    /// The section stays, without rows.
    ///
    /// A section that a rolled-back transaction added also stays, if that transaction read a view or changed a setting.
    case keep
  }

  @_spi(NodeAuthors)
  public let port: NodePort = NodeHub()
  @usableFromInline let state: NodeCell<State>
  let functions: KeyFunctions<Element, Key>
  private let header: ((Key) -> Element)?

  @usableFromInline
  struct State: ~Copyable {
    @usableFromInline var translation: GroupTranslation
    @usableFromInline let reader: NodeReader<Element>
    @usableFromInline let table: KeyTable<Key>
    var source: (any TreeNode<Element>)?
    var key: (Element) -> Key?
    var comparator: ((Key, Key) -> Bool)?
    /// The work on another key, while its values are computed in the background.
    var work: BackgroundWork? { willSet { work?.isSuperseded = true } }
    /// The living sections, by slot.
    var sections = LivingNodes<Int>()
  }

  /// Creates a group.
  ///
  /// - Parameters:
  ///   - source: the node whose children are grouped; it is kept alive.
  ///   - areSectionsInIncreasingOrder: returns whether the section of its first argument is before that of its second;
  ///     nil for the order of the sections' first rows.
  ///   - areRowsInIncreasingOrder: returns whether its first argument is before its second; nil for the order of the
  ///     source.
  ///   - emptySections: whether sections without rows are removed or stay.
  ///   - header: makes the value of a section from its key; nil for sections without a value. The closure is called
  ///     each time a caller reads the value.
  ///   - key: returns the key of a value; nil for rows without a key. The closure is called once for each child now,
  ///     and once for each child that arrives or changes later.
  /// - Complexity: expected O(n) for n children, and O(m · log m) more for m sections with a comparator, O(n · log n)
  ///   where rows are sorted.
  @inlinable @inline(__always)
  public convenience init(
    _ source: any TreeNode<Element>, sectionsBy areSectionsInIncreasingOrder: ((Key, Key) -> Bool)? = nil,
    rowsBy areRowsInIncreasingOrder: ((Element, Element) -> Bool)? = nil, emptySections: EmptySectionPolicy = .remove,
    header: ((Key) -> Element)? = nil, by key: @escaping (Element) -> Key?
  ) {
    self.init(
      areRowsInIncreasingOrder.map { SortNode(source, by: $0) } ?? source, key, areSectionsInIncreasingOrder, header,
      emptySections, KeyFunctions(reading: .reading(GroupSection<Element, Key>.State.self)))
  }

  /// Creates a group by a key that every row has; see the other initializer.
  ///
  /// Without this initializer, the compiler would infer an optional element in
  /// `GroupNode(ArrayNode([1, 2])) { $0 % 2 }`. Optional keys are not `Comparable`, so the compiler can distinguish the
  /// two initializers. A key that is neither optional nor `Comparable` uses the other initializer.
  @inlinable @inline(__always)
  public convenience init(
    _ source: any TreeNode<Element>, sectionsBy areSectionsInIncreasingOrder: ((Key, Key) -> Bool)? = nil,
    rowsBy areRowsInIncreasingOrder: ((Element, Element) -> Bool)? = nil, emptySections: EmptySectionPolicy = .remove,
    header: ((Key) -> Element)? = nil, by key: @escaping (Element) -> Key
  ) where Key: Comparable {
    self.init(
      source, sectionsBy: areSectionsInIncreasingOrder, rowsBy: areRowsInIncreasingOrder, emptySections: emptySections,
      header: header, by: key as (Element) -> Key?)
  }

  @usableFromInline
  init(
    _ source: any TreeNode<Element>, _ key: @escaping (Element) -> Key?, _ comparator: ((Key, Key) -> Bool)?,
    _ header: ((Key) -> Element)?, _ emptySections: EmptySectionPolicy, _ functions: KeyFunctions<Element, Key>
  ) {
    let table = KeyTable<Key>()
    let reader = source.reader
    let translation = source.hub.refusingChanges {
      let slots = functions.slots(reader, 0..<source.count, table, key)
      return GroupTranslation(
        slots, slotCount: table.keys.count, order: comparator.map { table.order(by: $0) },
        keepsEmptySections: emptySections == .keep)
    }
    state = NodeCell(
      State(
        translation: translation, reader: reader, table: table, source: source, key: key, comparator: comparator),
      of: port)
    self.functions = functions
    self.header = header
    hub.attach(to: self)
    hub.link(source, slot: 0)
  }

  deinit {
    releaseSources()
    state.destroy()
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let cell = state.cell
    if let source = cell.value.source { references.append(source) }
    cell.value.source = nil
  }

  // MARK: Reading

  /// The node whose children are grouped; where the group sorts rows, this is the `SortNode` that sorts them.
  public var source: any TreeNode<Element> { state.value.source! }

  public var value: Element? { source.value }

  /// The number of sections.
  public var count: Int { state.value.translation.display.count }

  /// The header of a section; nil where the group makes none.
  public func element(at position: Int) -> Element? {
    guard position >= 0, position < count else { return nil }
    return header(ofSlot: state.value.translation.slot(at: position))
  }

  func header(ofSlot slot: Int) -> Element? {
    guard let header, let key = state.value.table.keys[slot] else { return nil }
    return hub.refusingChanges { header(key) }
  }

  /// A section: see `section(at:)`.
  public func child(at position: Int) -> (any TreeNode<Element>)? {
    guard position >= 0, position < count else { return nil }
    return section(inSlot: state.value.translation.slot(at: position))
  }

  /// The section at an ordinal.
  ///
  /// - Parameter ordinal: `0..<count`.
  /// - Returns: the section, which stays the same object as long as it is held.
  /// - Complexity: O(log m) for m sections.
  public func section(at ordinal: Int) -> GroupSection<Element, Key> {
    section(inSlot: slot(at: ordinal))
  }

  /// The section in a slot; made where there is none.
  private func section(inSlot slot: Int) -> GroupSection<Element, Key> {
    if let node = livingSection(inSlot: slot) { return node }
    let node = GroupSection(self, slot: slot)
    state.value.sections[slot] = node
    return node
  }

  /// The section in a slot, where its node is still held.
  func livingSection(inSlot slot: Int) -> GroupSection<Element, Key>? {
    guard let node = state.value.sections[slot] else { return nil }
    // Only sections of this group are in its list.
    return unsafe unsafeDowncast(node, to: GroupSection<Element, Key>.self)
  }

  /// The key of a section.
  ///
  /// - Parameter ordinal: `0..<count`.
  /// - Returns: the key; nil for the section of the rows without a key.
  /// - Complexity: O(log m) for m sections.
  public func key(ofSection ordinal: Int) -> Key? { state.value.table.keys[slot(at: ordinal)] }

  /// The ordinal of the section of a key.
  ///
  /// - Parameter key: any key; nil for the section of the rows without a key.
  /// - Returns: the ordinal, or nil where no such section is shown.
  /// - Complexity: expected O(log m) for m sections.
  public func ordinal(ofKey key: Key?) -> Int? {
    state.value.table.known(key).flatMap { state.value.translation.ordinal(ofSlot: $0) }
  }

  /// The number of rows of a section.
  func rowCount(ofSection ordinal: Int) -> Int {
    state.value.translation.rows.count(ofSlot: slot(at: ordinal))
  }

  private func slot(at ordinal: Int) -> Int {
    checkPosition(ordinal, in: count, of: "GroupNode")
    return state.value.translation.slot(at: ordinal)
  }

  // MARK: Positions

  /// The section that shows a child of the source, and the row in this section.
  ///
  /// ```swift
  /// GroupNode(ArrayNode(["bee", "ant", "bat"])) { $0.first }.place(ofSource: 2)    // (section: 0, row: 1)
  /// ```
  ///
  /// - Parameter position: `0..<source.count`, in the index space of `source`.
  /// - Returns: the section's ordinal, and the position among its rows.
  /// - Complexity: O(log n) for n rows.
  public func place(ofSource position: Int) -> (section: Int, row: Int) {
    let rows = state.value.translation.rows
    checkPosition(position, in: rows.count, of: "GroupNode's source")
    let place = rows.place(of: position)
    return (state.value.translation.ordinal(ofSlot: place.slot)!, place.row)
  }

  /// The position in the source of a row.
  ///
  /// - Parameters:
  ///   - row: `0..<n`, where n is the section's count.
  ///   - ordinal: the section, `0..<count`.
  /// - Returns: a position in the index space of `source`.
  /// - Complexity: O(log n) for n rows.
  public func sourcePosition(of row: Int, inSection ordinal: Int) -> Int {
    let slot = slot(at: ordinal)
    checkPosition(row, in: state.value.translation.rows.count(ofSlot: slot), of: "GroupNode's section")
    return state.value.translation.rows.position(slot: slot, row: row)
  }

  /// The positions of a section's rows where all sections follow one another, as in a `FlattenNode` of the group.
  ///
  /// ```swift
  /// GroupNode(ArrayNode(["bee", "ant", "bat"])) { $0.first }.flatRange(ofSection: 1)    // 2..<3
  /// ```
  ///
  /// Where a `FlattenNode` of the group exists anyway, its `range(ofMember:)` returns the same range in O(log m).
  ///
  /// - Parameter ordinal: the section, `0..<count`.
  /// - Returns: a range of `0..<source.count`, which is empty where the section has no rows.
  /// - Complexity: O(m · log m) for the m sections before it.
  public func flatRange(ofSection ordinal: Int) -> Range<Int> {
    checkPosition(ordinal, in: count, of: "GroupNode")
    let start = (0..<ordinal).reduce(0) { $0 + rowCount(ofSection: $1) }
    return start..<start + rowCount(ofSection: ordinal)
  }

  /// The memory that the index of the rows takes, in bytes; keys are not counted.
  package var byteCount: Int { state.value.translation.rows.byteCount }
}

@available(*, unavailable)
extension GroupNode: Sendable {}
