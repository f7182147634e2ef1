public import Observation
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

/// The selected rows of a flat node, which follow their elements to every position.
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
/// The model suits every node whose children are shown as rows: a sorted or filtered list, an array, or an
/// `OutlineNode`, whose rows arrive and leave as others are expanded and collapsed. Only the node's own index space
/// counts, and not the contents of its children.
///
/// ## Kept by id
/// With an `id` closure, a selected row that leaves is *absent*. A filter may hide the row, the row above may be
/// collapsed, or all rows may be loaded again. The model keeps the row's id, and selects the row when it returns.
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
/// Ids should be unique. Of several rows with an absent id, the first one that arrives is selected.
///
/// ## When the selection follows
/// The selection is always current: inside a transaction, and in observers that are called before others, its rows are
/// the rows that the node shows at that moment. Observers of the selection are called for rows that left or returned
/// when the transaction ends. A transaction that is rolled back leaves the selection as it was. If its body read the
/// selection or a view, rows that it had removed until then are selected again only if they are kept by id.
///
/// Each setting of a view is reported separately. Within one transaction, one predicate may hide a row, and another one
/// may show it again. The row is then removed and inserted, and stays selected only if it is kept by id.
///
/// It is `Observable`: `withObservationTracking`, or the body of a SwiftUI view, that reads the selected rows or ids is
/// notified when they have changed.
///
/// - Complexity: a change of the node costs O(log n) for each of its ranges, and O(m / 64) for m rows that move. Where
///   ids are kept, each updated row that is selected costs a call of `id`. While rows are absent, each row that is
///   updated or arrives costs such a call. The memory is 1.3 bits a row, and, where ids are kept, the ids of the
///   selected rows.
public final class SelectionModel<Element, ID: Hashable>: Observable {
  let state: Cell<State>

  struct State {
    var rows: SelectedRows<ID>
    let mode: SelectionMode
    var anchorRow: Int?
    /// The other end of the rows that the last extension selected.
    var leadRow: Int?

    /// Yields the ids of a range of rows.
    let ids: (Range<Int>) -> [ID?]
    var observation: NodeObservation?
    /// Whether the selection's observers have to be notified of a change.
    var hasNews = false
    let observers = FollowingObservers<News, SelectionChange?>()
    let readers = TrackedReaders()
    /// How many calls of `performEdits(_:)` are under way.
    var editDepth = 0
  }

  /// What an observer has not been notified of.
  struct News {
    /// The selection that the observer knows; nil for an observer that receives no changes.
    var known: SelectedRows<Never>?
    /// Whether the observer has to be notified.
    var isDue = false
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
            // All at once: an outline would search for each single row from the root.
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
  ///   - node: the node whose children are the rows, which is kept alive.
  ///   - mode: whether several rows may be selected.
  ///   - id: returns the id of a row's element. The closure must not change nodes. Rows without a value have no id, and
  ///     are forgotten when they leave.
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

  /// The selected rows: ascending ranges, each as long as possible.
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
  /// - Returns: whether the row is selected.
  /// - Complexity: O(log n) for n rows.
  public func isSelected(_ row: Int) -> Bool {
    noteRead()
    catchUp()
    return row >= 0 && row < state.value.rows.bits.count && state.value.rows.bits[row]
  }

  /// The row from which `extend(to:)` extends the selection.
  ///
  /// This is the last row that was selected, deselected or toggled alone, or the first row of a range that was selected
  /// after that. The anchor follows its element, and is nil where the element has left, or nothing has been selected
  /// yet.
  package var anchorRow: Int? {
    catchUp()
    return state.value.anchorRow
  }

  /// The ids of the selected rows in order, without absent ids; empty where ids are not kept.
  ///
  /// - Complexity: O(k) for k selected rows.
  public var selectedIDs: [ID] {
    let rows = current
    return rows.ids.elements(in: 0..<rows.ids.count).compactMap { $0 }
  }

  /// The ids of selected rows that have left; such a row is selected again when it returns.
  public var absentIDs: Set<ID> { current.absent }

  /// The selection of the rows that the node shows now.
  private var current: SelectedRows<ID> {
    noteRead()
    catchUp()
    return state.value.rows
  }

  // MARK: Tracking

  /// Tracks a read, where reads are tracked.
  private func noteRead() { state.value.readers.noteRead() }

  /// Notifies tracked readers, which may read the selection, and change it.
  func notifyReaders() {
    let readers = state.value.readers
    readers.haveNews = true
    readers.notify()
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
  ///   - node: the node whose children are the rows, which is kept alive.
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
  /// A selected row that leaves is selected again when it returns, for example after a search.
  ///
  /// - Parameters:
  ///   - node: the node whose children are the rows, which is kept alive.
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
