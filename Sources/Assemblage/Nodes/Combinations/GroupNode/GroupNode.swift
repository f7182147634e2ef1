/// What becomes of a section that loses its last row.
public enum EmptySectionPolicy: Sendable {
  /// It leaves.
  case vanish

  /// It stays, and has no rows.
  case stay
}

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
/// **Sections** stand in the order in which their first rows stand in the source, or in that of a comparator of keys; where that
/// says that two are alike, their first rows decide. Rows whose key is nil, and children without a value, stand in a section
/// of their own behind all others. A section is a `GroupSection`, which tells its `key`; as a child of the group it has no
/// value, unless a closure makes one, a header, of the key. **Rows** stand in the order of the source. With a comparator of rows
/// the source is sorted first, and "the order of the source" means the sorted one, for sections too.
///
/// **Empty sections** vanish, or, where that is wished, stay: in the place that the comparator gives them, and among those that
/// are alike, or without a comparator, behind all that have rows.
///
/// A row that changes moves to the section of its new key, and observers hear of a transfer (`ChangeSet.transfers`) from one
/// parent to the other; so do those of nodes in which both sections stand. Only the keys of rows that came or changed are asked
/// for. A group takes about 18 bytes a row, and its keys.
///
/// The closures must depend on nothing but what they are given; where the key looks into objects that change, call
/// `refresh()` afterwards. They must not change any node of the graph: that traps.
public final class GroupNode<Element, Key: Hashable>: TreeNode, ReadableNode, DerivedNode {
  public let port: NodePort
  /// What sections and group have in common; nil while the group is being released.
  private var core: GroupCore<Element, Key>?
  /// The sorted rows, where they are sorted here.
  private let sorting: SortNode<Element>?

  /// Creates a group.
  ///
  /// - Parameters:
  ///   - source: the node whose children are grouped; it is kept alive.
  ///   - areSectionsInIncreasingOrder: says whether the section of its first argument comes before that of its second; nil for
  ///     the order in which the sections' first rows stand.
  ///   - areRowsInIncreasingOrder: says whether its first argument comes before its second; nil for the order of the source.
  ///   - emptySections: whether sections without rows vanish or stay.
  ///   - header: makes the value of a section of its key; nil for sections without a value. It is called each time the value is
  ///     asked for.
  ///   - key: the key of a value; nil for rows that have none. It is called once for each child now, and once for each that
  ///     comes or changes later.
  /// - Complexity: expected O(n) for n children, and O(m · log m) more for m sections with a comparator, O(n · log n) where rows are
  ///   sorted.
  @inlinable @inline(__always)
  public convenience init(
    _ source: any TreeNode<Element>, sectionsBy areSectionsInIncreasingOrder: ((Key, Key) -> Bool)? = nil,
    rowsBy areRowsInIncreasingOrder: ((Element, Element) -> Bool)? = nil, emptySections: EmptySectionPolicy = .vanish,
    header: ((Key) -> Element)? = nil, by key: @escaping (Element) -> Key?
  ) {
    self.init(
      source, areRowsInIncreasingOrder.map { SortNode(source, by: $0) }, key, areSectionsInIncreasingOrder, header,
      emptySections,
      GroupCore<Element, Key>.Functions(
        reading: .reading(GroupSection<Element, Key>.State.self), slots: { slots($0, $1, $2, $3) }))
  }

  @usableFromInline
  init(
    _ source: any TreeNode<Element>, _ sorting: SortNode<Element>?, _ key: @escaping (Element) -> Key?,
    _ comparator: ((Key, Key) -> Bool)?, _ header: ((Key) -> Element)?, _ emptySections: EmptySectionPolicy,
    _ functions: GroupCore<Element, Key>.Functions
  ) {
    let hub = NodeHub()
    port = hub
    self.sorting = sorting
    core = GroupCore(sorting ?? source, key, comparator, header, emptySections, functions, groupHub: hub)
    hub.attach(to: self)
    hub.link(core!, slot: 0)
  }

  deinit {
    hub.detach()
    var references: [any TreeNode] = []
    surrenderSources(to: &references)
    release(&references)
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    if let core { references.append(core) }
    core = nil
  }

  // MARK: Reading

  /// The node whose children are grouped; where the group sorts rows, the `SortNode` that it sorts them with.
  public var source: any TreeNode<Element> { core!.source }

  public var value: Element? { core!.value }

  /// The number of sections.
  public var count: Int { core!.count }

  /// The header of a section; nil where the group makes none.
  public func element(at position: Int) -> Element? { core!.element(at: position) }

  /// A section: see `section(at:)`.
  public func child(at position: Int) -> (any TreeNode<Element>)? { core!.child(at: position) }

  /// The section at an ordinal.
  ///
  /// - Parameter ordinal: `0..<count`.
  /// - Returns: the section, the same object for as long as somebody holds it.
  /// - Complexity: O(log m) for m sections.
  public func section(at ordinal: Int) -> GroupSection<Element, Key> {
    core!.section(inSlot: slot(at: ordinal))
  }

  /// The key of a section.
  ///
  /// - Parameter ordinal: `0..<count`.
  /// - Returns: the key; nil for the section of rows that have none.
  /// - Complexity: O(log m) for m sections.
  public func key(ofSection ordinal: Int) -> Key? { core!.state.value.table.keys[slot(at: ordinal)] }

  /// The ordinal of the section of a key.
  ///
  /// - Parameter key: any key; nil for the rows that have none.
  /// - Returns: the ordinal, or nil where no such section is shown.
  /// - Complexity: expected O(log m) for m sections.
  public func ordinal(ofKey key: Key?) -> Int? {
    core!.state.value.table.known(key).flatMap { core!.state.value.translation.ordinal(ofSlot: $0) }
  }

  private func slot(at ordinal: Int) -> Int {
    checkPosition(ordinal, in: count, of: "GroupNode")
    return core!.state.value.translation.slot(at: ordinal)
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
    let rows = core!.state.value.translation.rows
    checkPosition(position, in: rows.count, of: "GroupNode's source")
    let place = rows.place(of: position)
    return (core!.state.value.translation.ordinal(ofSlot: place.slot)!, place.row)
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
    checkPosition(row, in: core!.state.value.translation.rows.count(ofSlot: slot), of: "GroupNode's section")
    return core!.state.value.translation.rows.position(slot: slot, row: row)
  }

  /// The memory that the index of the rows takes, in bytes; keys are not counted.
  public var byteCount: Int { core!.state.value.translation.rows.byteCount }

  // MARK: Grouping otherwise

  /// Puts the sections in another order.
  ///
  /// Observers hear the fewest moves of sections; nothing where the order is the same.
  ///
  /// - Parameter areInIncreasingOrder: says whether the section of its first argument comes before that of its second; nil for
  ///   the order in which the sections' first rows stand.
  /// - Complexity: O(m · log m) comparisons for m sections.
  public func setSectionComparator(_ areInIncreasingOrder: ((Key, Key) -> Bool)?) {
    hub.prepareForChange()
    let former = core!.state.value.comparator
    let change = core!.reorder(by: areInIncreasingOrder)
    hub.publish(change, of: .view, inverse: { [self] in setSectionComparator(former) })
  }

  /// Groups by another key.
  ///
  /// Observers hear which rows moved to other sections: a transfer for each, which is costly where there are very many.
  ///
  /// - Parameter key: the key of a value; nil for rows that have none.
  /// - Complexity: O(n) for n rows, and O(k · log n) for the k of them that move to another section.
  public func setKey(_ key: @escaping (Element) -> Key?) { regroup(by: key, nil) }

  /// Asks for all keys again, because what they come from has changed.
  ///
  /// Use it where elements are objects that changed without their node's knowledge, or where something else that the closure
  /// captures has changed.
  ///
  /// - Complexity: that of `setKey(_:)`.
  public func refresh() { regroup(by: core!.state.value.key, nil) }

  private func regroup(
    by key: @escaping (Element) -> Key?, _ known: (keys: [Key?], shown: [GroupCore<Element, Key>.Shown])?
  ) {
    hub.prepareForChange()
    let formerKey = core!.state.value.key
    // Written down only where they may be wanted back: that takes a pass over all rows.
    let formerKeys = hub.isRecording ? core!.keys : []
    let (whole, parts, shown) = core!.regroup(by: key, former: known)
    hub.publish(
      whole, of: .view, alongside: parts,
      inverse: { [self] in
        // Where something could not be taken back, the rows may be others by now.
        regroup(by: formerKey, hub.isRolledBackPartly ? nil : (formerKeys, shown))
      })
  }
}

@available(*, unavailable)
extension GroupNode: Sendable {}

extension GroupNode: CustomStringConvertible {
  public var description: String { "GroupNode(\(count) sections of \(core!.source.count) rows)" }
}
