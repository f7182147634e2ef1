public import Assemblage
import Foundation

/// The effect on the other rows when a row is selected.
///
/// ```swift
/// coordinator.select(at: [0, 2], .extending)      // a click with the shift key
/// ```
public enum SelectionEffect: Hashable, Sendable {
  /// Only the row is selected.
  case only
  /// The other selected rows stay selected.
  case adding
  /// All rows from the row that was clicked last to this row are selected.
  case extending
  /// The row is selected if it was not selected, and deselected if it was. The other rows stay as they are.
  case toggling
}

// The selection of rows. A widget may keep a selection of its own, or set it in `showSelection()`.
extension WidgetCoordinator {
  /// The selection of the rows, in the order of the widget. The selection follows each row to its new place.
  ///
  /// Its rows are the rows of the node, so they are always current. In a list without sections, they are the children
  /// of the node. In a list with sections, they are the rows of all sections, one after the other. In an outline, they
  /// are all descendants in document order.
  ///
  /// The selection is made at the first use of this property, and again for another node: see `keepSelection(_:id:)`.
  /// In an `OutlineCoordinator`, the selection reads the whole tree: a `HierarchyNode` loads all its children. In a
  /// `ListCoordinator` with an `OutlineNode`, the selection reads only the unfolded rows.
  ///
  /// A selection through this model does not ask any `SelectionBehavior`.
  public var selection: SelectionModel<Element, AnyHashable> { currentSelection.model }

  /// Starts an empty selection, and sets how rows can be selected.
  ///
  /// Without a call of this method, any number of rows can be selected. If elements are `Identifiable`, their ids are
  /// used; otherwise a selected row that leaves is forgotten.
  ///
  /// - Parameters:
  ///   - mode: how many rows may be selected.
  ///   - id: yields the id of a row's element. A selected row that leaves is then selected again when it returns, for
  ///     example behind a filter, and in another node.
  public func keepSelection<ID: Hashable>(_ mode: SelectionMode = .multiple, id: @escaping (Element) -> ID) {
    startSelection(mode) { AnyHashable(id($0)) }
  }

  /// Starts an empty selection, and sets how rows can be selected.
  ///
  /// If elements are `Identifiable`, a selected row that leaves is selected again when it returns; otherwise the row is
  /// forgotten.
  ///
  /// - Parameter mode: how many rows may be selected.
  public func keepSelection(_ mode: SelectionMode) { startSelection(mode, Self.ownID) }

  /// Yields the `Identifiable` id of an element; nil if elements are not `Identifiable`.
  private static var ownID: ((Element) -> AnyHashable)? {
    func id<Value: Identifiable>(of type: Value.Type) -> (Element) -> AnyHashable { { AnyHashable(($0 as! Value).id) } }
    return (Element.self as? any Identifiable.Type).map { id(of: $0) }
  }

  private func startSelection(_ mode: SelectionMode, _ id: ((Element) -> AnyHashable)?) {
    var selection = WidgetSelection(of: node, feed.shape, mode, id)
    follow(&selection)
    selecting = selection
    feed.showSelection()
  }

  /// Lets the widget show the selection whenever the selection changes.
  func follow(_ selection: inout WidgetSelection<Element>) {
    let feed = feed
    feed.hasSelection = true
    selection.observation = selection.model.observe { [weak feed] in feed?.showSelection() }
  }

  private var currentSelection: WidgetSelection<Element> {
    if let selecting { return selecting }
    var selection = WidgetSelection(of: node, feed.shape, .multiple, Self.ownID)
    follow(&selection)
    selecting = selection
    return selection
  }

  /// Whether the row that the widget shows at a path is selected.
  ///
  /// - Parameter path: a path of the widget.
  /// - Returns: whether the row is selected; false for sections, and for rows that have left the node.
  /// - Complexity: O(d · log n) for a path of length d.
  public func isSelected(at path: IndexPath) -> Bool {
    guard let selecting else { return false }
    return feed.nodePath(of: path).flatMap { selecting.row(at: $0) }.map { selecting.model.isSelected($0) } ?? false
  }

  /// The paths at which the widget shows the selected rows, in the order of the node.
  ///
  /// - Complexity: O(n / 64) for n rows, and O(k · d · log n) for k selected rows.
  public var selectedPaths: [IndexPath] {
    selecting.map { $0.selectedPaths.compactMap { feed.widgetPath(of: $0) } } ?? []
  }

  /// Whether the user may select a row, because no behavior refuses. This method selects no row, and makes no
  /// selection.
  ///
  /// - Parameter path: the path of a row of the widget.
  /// - Returns: whether the row may be selected; false for sections, and for rows that have left the node.
  public func canSelect(at path: IndexPath) -> Bool { allowsSelection(at: path) { $0.shouldSelect(at: $1) } }

  /// Whether the user may deselect a row, because no behavior refuses. This method deselects no row, and makes
  /// no selection.
  ///
  /// - Parameter path: the path of a row of the widget.
  /// - Returns: whether the row may be deselected; false for sections, and for rows that have left the node.
  public func canDeselect(at path: IndexPath) -> Bool { allowsSelection(at: path) { $0.shouldDeselect(at: $1) } }

  private func allowsSelection(at path: IndexPath, _ ask: (any SelectionBehavior, NodePlace) -> Bool) -> Bool {
    guard let own = feed.nodePath(of: path), WidgetSelection<Element>.hasRow(at: own, of: node, feed.shape) else {
      return false
    }
    return behavior(for: own) { $0 as? any SelectionBehavior }.map { ask($0, $1) } ?? true
  }

  /// Selects a row for the user, if no behavior refuses.
  ///
  /// For each row that would be selected or deselected, the innermost `SelectionBehavior` is asked. A row stays as it
  /// is if the behavior refuses. The behavior is notified of the other rows. In a node with the selection mode
  /// `.single`, the row replaces the selected row of the node.
  ///
  /// The first call makes the `selection`, which reads the whole tree of an `OutlineCoordinator`.
  ///
  /// - Parameters:
  ///   - path: the path of a row of the widget.
  ///   - effect: the effect on the other rows.
  /// - Returns: whether the row was selected when the behaviors were notified; for `.toggling`, whether the row was
  ///   toggled.
  /// - Complexity: O(k · d · log n) for k rows that are affected; where the selection looks at all n rows, O(n / 64)
  ///   more.
  @discardableResult
  public func select(at path: IndexPath, _ effect: SelectionEffect = .only) -> Bool {
    guard let row = selectionRow(at: path) else { return false }
    let wasSelected = selection.isSelected(row)
    let isSelected = changeSelection(of: [row]) { model in
      switch effect {
      case .only: model.select(only: row)
      case .adding: model.select(row)
      case .extending: model.extend(to: row)
      case .toggling: model.toggle(row)
      }
    }
    return isSelected != (effect == .toggling && wasSelected)
  }

  /// Deselects a row for the user, if no behavior refuses.
  ///
  /// - Parameter path: the path of a row of the widget.
  /// - Returns: whether the row was not selected when the behaviors were notified.
  @discardableResult
  public func deselect(at path: IndexPath) -> Bool {
    guard let row = selectionRow(at: path) else { return false }
    return !changeSelection(of: [row]) { $0.deselect(row) }
  }

  /// Selects some rows for the user, and deselects others, except rows whose behaviors refuse.
  ///
  /// This takes less time than a call for each row, because the selection is looked at once. The uppermost row of
  /// `paths` becomes the anchor of an extension, also if its behavior refuses. Where one row at most may be selected, in
  /// all or of a node, the last one of `paths` is selected.
  ///
  /// - Parameters:
  ///   - paths: the paths of rows of the widget to select; the other rows stay as they are.
  ///   - others: the paths of rows to deselect; a row in both lists is selected.
  /// - Complexity: O(n / 64) for n rows, and O(k · d · log n) for k rows in both lists.
  public func select(_ paths: [IndexPath], deselecting others: [IndexPath] = []) {
    let (coming, leaving) = (paths.compactMap(selectionRow), IndexSet(others.compactMap(selectionRow)))
    changeSelection(of: coming) { model in
      for range in leaving.rangeView { model.deselect(range) }
      guard model.mode == .multiple else { return coming.last.map { model.select($0) } ?? () }
      for range in IndexSet(coming).rangeView.reversed() { model.select(range) }
    }
  }

  /// The row of the selection that the widget shows at a path; nil for sections, and for rows that have left the node.
  private func selectionRow(at path: IndexPath) -> Int? {
    feed.nodePath(of: path).flatMap { currentSelection.row(at: $0) }
  }

  /// Deselects all rows for the user, except rows whose behavior refuses.
  public func deselectAll() { changeSelection { $0.deselectAll() } }

  /// Changes the selection, except for rows whose behaviors refuse.
  ///
  /// - Parameters:
  ///   - rows: the rows that the user selects or deselects, the most wanted one last; none for all rows.
  ///   - body: changes the selection.
  /// - Returns: whether the last row was selected when the behaviors were notified; false without rows.
  @discardableResult
  private func changeSelection(of rows: [Int] = [], _ body: (SelectionModel<Element, AnyHashable>) -> Void) -> Bool {
    let selection = currentSelection
    let model = selection.model
    var selected: [Asked] = []
    var deselected: [Asked] = []
    var news: [SelectionNews] = []
    var isRowSelected = false
    model.performEdits {
      // Later, a behavior may have changed nodes, and another row may lie there.
      defer { isRowSelected = rows.last.map { model.isSelected($0) } ?? false }
      let former = model.selectedRanges
      body(model)
      replaceRows(of: selection, by: difference(model.selectedRanges, former), preferring: rows)
      let latter = model.selectedRanges
      let (refused, kept): ([Asked], [Asked])
      (selected, refused) = asked(difference(latter, former), selection) { $0.behavior.shouldSelect(at: $0.place) }
      (deselected, kept) = asked(difference(former, latter), selection) { $0.behavior.shouldDeselect(at: $0.place) }
      if model.mode == .single, !refused.isEmpty || !kept.isEmpty {
        // Both the old row and the new row change, or neither of them.
        model.deselectAll()
        for row in former.joined() { model.select(row) }
        (selected, deselected) = ([], [])
        return
      }
      for one in refused { model.deselect(one.row..<one.row + 1) }
      for one in kept { model.restore(one.row..<one.row + 1) }
      // The same holds in each node with one selected row at most.
      for node in Set((refused + kept).compactMap(singleNode)) {
        for one in selected where singleNode(of: one) == node { model.deselect(one.row..<one.row + 1) }
        for one in deselected where singleNode(of: one) == node { model.restore(one.row..<one.row + 1) }
        selected.removeAll { singleNode(of: $0) == node }
        deselected.removeAll { singleNode(of: $0) == node }
      }
      if !(deselected.isEmpty && selected.isEmpty) {
        let anchors = AnchorSet(of: node)
        for (asked, isSelected) in [(deselected, false), (selected, true)] {
          for one in asked {
            let anchor = selection.path(of: one.row).map { anchors.anchor(at: $0) }
            news.append((one.behavior, one.place.node, anchor, isSelected))
          }
        }
      }
    }
    // A behavior may change nodes. So each row is at its present place, and a row that has left is left out.
    for one in news {
      guard let anchor = one.anchor, let path = anchor.path,
        let place = places(at: path, in: anchor.anchors.node).last(where: { $0.node === one.node })
      else { continue }
      if one.isSelected { one.behavior.didSelect(at: place) } else { one.behavior.didDeselect(at: place) }
    }
    return isRowSelected
  }

  /// Deselects rows, so that each node with the mode `.single` which has new rows keeps one of them, and no other row.
  ///
  /// - Parameters:
  ///   - selection: the selection.
  ///   - rows: the new rows.
  ///   - preferred: the rows of which a node keeps the last new one; otherwise it keeps its last new row.
  private func replaceRows(of selection: WidgetSelection<Element>, by rows: [Int], preferring preferred: [Int]) {
    func node(_ row: Int) -> ObjectIdentifier? {
      asked(row, selection).flatMap(singleNode)
    }
    var remaining: [ObjectIdentifier: Int] = [:]
    let new = Set(rows)
    let chosen = preferred.filter(new.contains)
    for row in new.subtracting(chosen).sorted() + chosen { node(row).map { remaining[$0] = row } }
    if remaining.isEmpty { return }
    for selected in selection.model.selectedRanges.joined() {
      guard let last = node(selected).flatMap({ remaining[$0] }), last != selected else { continue }
      selection.model.deselect(selected..<selected + 1)
    }
  }

  /// The node of a row's behavior, if one row of the node may be selected at most.
  private func singleNode(of one: Asked) -> ObjectIdentifier? {
    one.behavior.selectionMode == .single ? ObjectIdentifier(one.place.node) : nil
  }

  private func asked(_ row: Int, _ selection: WidgetSelection<Element>) -> Asked? {
    guard let path = selection.path(of: row),
      let (behavior, place) = behavior(for: path, { $0 as? any SelectionBehavior })
    else { return nil }
    return (row, behavior, place)
  }

  private typealias Asked = (row: Int, behavior: any SelectionBehavior, place: NodePlace)

  /// A row that was selected or deselected, the node of its behavior, and the row's anchor.
  private typealias SelectionNews = (
    behavior: any SelectionBehavior, node: any TreeNode, anchor: NodeAnchor<Element>?, isSelected: Bool
  )

  /// Asks the behaviors of rows, and yields the allowed rows and the refused rows. A row without a behavior is in
  /// neither list.
  private func asked(
    _ rows: [Int], _ selection: WidgetSelection<Element>, _ isAllowed: (Asked) -> Bool
  ) -> (allowed: [Asked], refused: [Asked]) {
    var result: (allowed: [Asked], refused: [Asked]) = ([], [])
    for row in rows {
      guard let asked = asked(row, selection) else { continue }
      if isAllowed(asked) { result.allowed.append(asked) } else { result.refused.append(asked) }
    }
    return result
  }

  /// The rows of some ranges that are in none of the other ranges.
  private func difference(_ ranges: [Range<Int>], _ others: [Range<Int>]) -> [Int] {
    var rows = IndexSet()
    for range in ranges { rows.insert(integersIn: range) }
    for range in others { rows.remove(integersIn: range) }
    return Array(rows)
  }
}
