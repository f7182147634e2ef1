/// Sections by key: the children of a flat source, those with equal keys together.
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
/// **Sections** have the order of their first rows in the source, or that of a comparator of keys; where that says that two are
/// alike, their first rows decide. Rows whose key is nil, and children without a value, are in a section of their own behind all
/// others. A section is a `GroupSection`, which has a `key`; as a child of the group it has no value, unless a closure makes
/// one, a header, of the key. **Rows** have the order of the source. With a comparator of rows the source is sorted first,
/// and "the order of the source" means the sorted one, for sections too.
///
/// A section is its key: one that loses all rows and gets others in one change, or in a transaction that reads no view, stays or
/// moves.
///
/// **Empty sections** vanish, or, where that is wished, stay: in the place that the comparator gives them, and among those that
/// are alike, or without a comparator, behind all that have rows.
///
/// A row that changes moves to the section of its new key, and observers receive a transfer (`ChangeSet.transfers`) from one
/// parent to the other; so do observers of nodes that show both sections. Only the keys of new and changed rows are asked
/// for. A group takes about 18 bytes a row, and its keys.
///
/// The closures must depend on nothing but what they are given; where the key looks into objects that change, call
/// `refresh()` afterwards. They must not change any node of the graph: that traps.
public final class GroupNode<Element, Key: Hashable>: TreeNode, ReadableNode, DerivedNode {
  /// Whether a section that loses its last row is still shown.
  ///
  /// ```swift
  /// let numbers = ArrayNode([1, 2])
  /// let group = GroupNode(numbers, emptySections: .keep) { $0 % 2 }
  /// numbers.remove(at: 0)     // group still has two sections, one of them without rows
  /// ```
  public enum EmptySectionPolicy: Sendable {
    /// It is removed.
    case remove

    /// It is kept, and has no rows. So does a section that a rolled-back transaction added, if that transaction read a view or
    /// changed a setting.
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
    /// Another key, while its values are asked for in the background.
    var work: BackgroundWork? { willSet { work?.isSuperseded = true } }
    /// The living sections, by slot.
    var sections = LivingNodes<Int>()
  }

  /// Creates a group.
  ///
  /// - Parameters:
  ///   - source: the node whose children are grouped; it is kept alive.
  ///   - areSectionsInIncreasingOrder: says whether the section of its first argument comes before that of its second; nil for
  ///     the order of the sections' first rows.
  ///   - areRowsInIncreasingOrder: says whether its first argument comes before its second; nil for the order of the source.
  ///   - emptySections: whether sections without rows vanish or stay.
  ///   - header: makes the value of a section of its key; nil for sections without a value. It is called each time the value is
  ///     asked for.
  ///   - key: the key of a value; nil for rows that have none. It is called once for each child now, and once for each that
  ///     arrives or changes later.
  /// - Complexity: expected O(n) for n children, and O(m · log m) more for m sections with a comparator, O(n · log n) where
  ///   rows are sorted.
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

  /// Creates a group by a key that every row has: see the other initializer.
  ///
  /// Without it, the compiler would take the element of `GroupNode(ArrayNode([1, 2])) { $0 % 2 }` for an optional one. That
  /// optional keys are not `Comparable` tells the two apart; keys that are neither take the other one.
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

  /// The node whose children are grouped; where the group sorts rows, the `SortNode` that it sorts them with.
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
  /// - Returns: the section, the same object for as long as it is held.
  /// - Complexity: O(log m) for m sections.
  public func section(at ordinal: Int) -> GroupSection<Element, Key> {
    section(inSlot: slot(at: ordinal))
  }

  /// The section in a slot, which is made where there is none.
  private func section(inSlot slot: Int) -> GroupSection<Element, Key> {
    if let node = livingSection(inSlot: slot) { return node }
    let node = GroupSection(self, slot: slot)
    state.value.sections[slot] = node
    return node
  }

  /// The section in a slot, where somebody holds it.
  func livingSection(inSlot slot: Int) -> GroupSection<Element, Key>? {
    guard let node = state.value.sections[slot] else { return nil }
    // Only sections of this group are put into its list.
    return unsafe unsafeDowncast(node, to: GroupSection<Element, Key>.self)
  }

  /// The key of a section.
  ///
  /// - Parameter ordinal: `0..<count`.
  /// - Returns: the key; nil for the section of rows that have none.
  /// - Complexity: O(log m) for m sections.
  public func key(ofSection ordinal: Int) -> Key? { state.value.table.keys[slot(at: ordinal)] }

  /// The ordinal of the section of a key.
  ///
  /// - Parameter key: any key; nil for the rows that have none.
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

  /// Where a child of the source is shown.
  ///
  /// ```swift
  /// GroupNode(ArrayNode(["bee", "ant", "bat"])) { $0.first }.place(ofSource: 2)    // (section: 0, row: 1)
  /// ```
  ///
  /// - Parameter position: 0..<the source's count, in the index space of `source`.
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
  ///   - row: 0..<the section's count.
  ///   - ordinal: the section, `0..<count`.
  /// - Returns: a position in the index space of `source`.
  /// - Complexity: O(log n) for n rows.
  public func sourcePosition(of row: Int, inSection ordinal: Int) -> Int {
    let slot = slot(at: ordinal)
    checkPosition(row, in: state.value.translation.rows.count(ofSlot: slot), of: "GroupNode's section")
    return state.value.translation.rows.position(slot: slot, row: row)
  }

  /// The positions that a section's rows have where the sections stand one after the other, as in a `FlattenNode` of the group.
  ///
  /// ```swift
  /// GroupNode(ArrayNode(["bee", "ant", "bat"])) { $0.first }.flatRange(ofSection: 1)    // 2..<3
  /// ```
  ///
  /// A `FlattenNode` that stands on the group anyway tells the same in O(log m): `range(ofMember:)`.
  ///
  /// - Parameter ordinal: the section, 0..<`count`.
  /// - Returns: a range of 0..<the source's count; empty where the section has no rows.
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
