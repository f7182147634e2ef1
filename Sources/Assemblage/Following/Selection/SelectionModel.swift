import OffsetIndexing

/// How many rows may be selected.
///
/// ```swift
/// let selection = SelectionModel(of: ArrayNode(["a", "b"]), mode: .single)
/// selection.select(0)
/// selection.select(1)     // selectedRow is 1, and row 0 is not selected any longer
/// ```
public enum SelectionMode: Hashable, Sendable {
  /// One or none.
  case single
  /// Any number.
  case multiple
}

/// The selected rows of a flat node, which follow their elements wherever these go.
///
/// ```swift
/// let names = ArrayNode(["Ada", "Bob", "Cy", "Dee"])
/// let sorted = SortNode(names, by: <)
/// let selection = SelectionModel(of: sorted)
/// selection.select(1)                 // "Bob"
/// selection.extend(to: 2)             // and "Cy"
/// names.insert("Abe", at: 0)
/// selection.selectedRanges            // [2..<4]
/// names.remove(at: 2)                 // "Bob" leaves, and is no longer selected
/// selection.selectedRanges            // [2..<3]
/// ```
///
/// It suits every node whose children are shown as rows: an `OutlineNode`, in which rows come and go as others are expanded and
/// collapsed, a sorted or filtered list, an array. Only the node's own index space counts; what happens inside children
/// does not.
///
/// ## Kept by id
/// With an `id` closure, a selected row that leaves, because it was filtered out, or below a row that was collapsed, or because
/// everything was loaded again, is *absent*: its id is kept, and it is selected when it comes back.
///
/// ```swift
/// let long = FilterNode(names) { $0.count > 2 }
/// let kept = SelectionModel(of: long, id: { $0 })
/// kept.select(1)                      // "Ada", behind "Abe"
/// long.setPredicate { $0.hasPrefix("D") }
/// kept.absentIDs                      // ["Ada"]
/// long.setPredicate { _ in true }
/// kept.selectedRanges                 // [1..<2]
/// ```
///
/// Ids should be unique. Of several rows with an id that is absent, the first one that comes is selected.
///
/// ## When it follows
/// It is never behind its node: inside a transaction, and in observers that are called before others, rows are those that the
/// node shows at that moment. Observers of the selection are called for rows that left or returned when the transaction ends. A
/// transaction that is rolled back leaves the selection as it was. Where its body read the selection or a view, rows that it had
/// removed until then are selected again only if they are kept by id.
///
/// Each setting of a view is reported by itself: a row that one predicate hides and another shows again within one transaction is
/// removed and inserted, and stays selected only if it is kept by id.
///
/// - Complexity: a change of the node costs O(log n) for each range in it, and O(m / 64) for m rows that move; where ids
///   are kept, a call of `id` for each updated row that is selected, and, while rows are absent, for each row that comes.
///   The memory is 1.3 bits a row, and, where ids are kept, the ids of the selected rows.
public final class SelectionModel<Element, ID: Hashable> {
  let state: Cell<State>

  struct State {
    var rows: SelectedRows<ID>
    let mode: SelectionMode
    var anchorRow: Int?
    /// The other end of the rows that were selected last by extending.
    var leadRow: Int?

    /// Yields the ids of a range of rows.
    let ids: (Range<Int>) -> [ID?]
    var observation: NodeObservation?
    /// Whether the node is asked for what it has not delivered yet.
    var isCatchingUp = false
    /// Whether rows came or left of which the selection's observers have not heard.
    var hasNews = false
    let observers = FollowingObservers<SelectionChange?>()
    /// What observers of changes know to be selected; nil where there never was one.
    var known: SelectedRows<Never>?
    /// How many calls of `performEdits(_:)` are under way.
    var editDepth = 0
  }

  /// The node whose rows are selected.
  public let node: any TreeNode<Element>

  package init(_ node: any TreeNode<Element>, _ mode: SelectionMode, _ id: ((Element) -> ID)?) {
    self.node = node
    let ids: (Range<Int>) -> [ID?] =
      if let id {
        { rows in
          var ids = [ID?](repeating: nil, count: rows.count)
          node.hub.refusingChanges {
            // All at once: in an outline, each row by itself would be looked for from the root.
            node.forEachSpan(in: rows) { start, span in
              countCalls(span.count)
              span.lendEach { ids[start - rows.lowerBound + $0] = id($1) }
            }
          }
          return ids
        }
      } else {
        { _ in [] }
      }
    state = Cell(
      State(rows: SelectedRows(count: node.count, keepsIDs: id != nil), mode: mode, ids: ids))
    state.value.observation = node.observe { [unowned self] change in follow(change) }
  }

  deinit {
    state.value.observation?.cancel()
    state.destroy()
  }

  /// Creates the selection of a node whose rows are kept by id; nothing is selected.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the rows; it is kept alive.
  ///   - mode: whether several rows may be selected.
  ///   - id: yields the id of a row's element. It must not change nodes. Rows without a value have none, and are forgotten when
  ///     they leave.
  /// - Precondition: the node has at most `Int32.max` rows.
  /// - Complexity: O(n / 64) for n rows.
  public convenience init(
    of node: any TreeNode<Element>, mode: SelectionMode = .multiple, id: @escaping (Element) -> ID
  ) {
    self.init(node, mode, id)
  }

  // MARK: Reading

  /// How many rows may be selected.
  public var mode: SelectionMode { state.value.mode }

  /// The number of selected rows.
  ///
  /// - Complexity: O(1).
  public var selectedCount: Int { current.bits.setCount }

  /// The selected rows: ascending, and as long as can be.
  ///
  /// - Complexity: O(n / 64) for n rows.
  public var selectedRanges: [Range<Int>] { current.ranges }

  /// The first selected row, or nil.
  ///
  /// - Complexity: O(log n) for n rows.
  public var selectedRow: Int? {
    let bits = current.bits
    return bits.setCount == 0 ? nil : bits.select(0)
  }

  /// Whether a row is selected.
  ///
  /// - Parameter row: any integer, in the node's index space; where there is no such row, the answer is false.
  /// - Returns: whether it is.
  /// - Complexity: O(log n) for n rows.
  public func isSelected(_ row: Int) -> Bool {
    catchUp()
    return row >= 0 && row < state.value.rows.bits.count && state.value.rows.bits[row]
  }

  /// The row from which `extend(to:)` extends the selection: the last one that was selected, deselected or toggled alone.
  ///
  /// It follows its element, and is nil where that has left, and where nothing has been selected yet.
  public var anchorRow: Int? {
    catchUp()
    return state.value.anchorRow
  }

  /// The ids of the selected rows in order, without those that are absent; empty where ids are not kept.
  ///
  /// - Complexity: O(k) for k selected rows.
  public var selectedIDs: [ID] {
    let rows = current
    return rows.ids.elements(in: 0..<rows.ids.count).compactMap { $0 }
  }

  /// The ids of selected rows that have left, and are selected again when they come back.
  public var absentIDs: Set<ID> { current.absent }

  /// The selection as of what the node shows now.
  private var current: SelectedRows<ID> {
    catchUp()
    return state.value.rows
  }
}

@available(*, unavailable)
extension SelectionModel: Sendable {}

extension SelectionModel where ID == Never {
  /// Creates the selection of a node whose elements have no ids; nothing is selected.
  ///
  /// A selected row that leaves is forgotten.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the rows; it is kept alive.
  ///   - mode: whether several rows may be selected.
  /// - Precondition: the node has at most `Int32.max` rows.
  /// - Complexity: O(n / 64) for n rows.
  @_disfavoredOverload
  public convenience init(of node: any TreeNode<Element>, mode: SelectionMode = .multiple) {
    self.init(node, mode, nil)
  }
}

extension SelectionModel where Element: Identifiable, ID == Element.ID {
  /// Creates the selection of a node whose rows are kept by the ids of their elements; nothing is selected.
  ///
  /// A selected row that leaves is selected again when it comes back, as behind a search.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the rows; it is kept alive.
  ///   - mode: whether several rows may be selected.
  /// - Precondition: the node has at most `Int32.max` rows.
  /// - Complexity: O(n / 64) for n rows.
  public convenience init(of node: any TreeNode<Element>, mode: SelectionMode = .multiple) {
    self.init(node, mode, { $0.id })
  }
}

extension SelectionModel: CustomStringConvertible {
  public var description: String { "SelectionModel(\(selectedCount) of \(node.count) rows)" }
}
