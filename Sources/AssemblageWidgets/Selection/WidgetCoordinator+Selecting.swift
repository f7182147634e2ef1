public import Assemblage
import Foundation

/// What selecting a row does to the others.
///
/// ```swift
/// coordinator.select(at: [0, 2], .extending)      // a click with the shift key
/// ```
public enum SelectionEffect: Hashable, Sendable {
  /// The row alone is selected.
  case only
  /// The others stay selected.
  case adding
  /// All rows from the one that was clicked last to this one are selected.
  case extending
  /// The row is selected if it is not, and the other way round; the others stay.
  case toggling
}

// Which rows are selected. A widget's own idea of it may be left to the widget, or be set in `showSelection()`.
extension WidgetCoordinator {
  /// The selection of the rows, in the order of the widget; it follows them wherever they go.
  ///
  /// Its rows are those of the node, so they are never behind: in a list without sections those of the node itself, in one with
  /// sections those of all sections, one after the other, and in an outline all descendants in document order. It is made
  /// when first asked for, and with another node: see `keepSelection(_:id:)`.
  ///
  /// What is selected through it is not asked of any `SelectionBehavior`.
  public var selection: SelectionModel<Element, AnyHashable> { currentSelection.model }

  /// Selects nothing, and says how rows are going to be selected.
  ///
  /// Without it, any number of rows can be selected. Where elements are `Identifiable`, their ids are used; otherwise a selected
  /// row that leaves is forgotten.
  ///
  /// - Parameters:
  ///   - mode: how many rows may be selected.
  ///   - id: yields the id of a row's element. A selected row that leaves is then selected again when it comes back, as behind a
  ///     filter, and in another node.
  public func keepSelection<ID: Hashable>(_ mode: SelectionMode = .multiple, id: @escaping (Element) -> ID) {
    startSelection(mode) { AnyHashable(id($0)) }
  }

  /// Selects nothing, and says how rows are going to be selected.
  ///
  /// Where elements are `Identifiable`, a selected row that leaves is selected again when it comes back; otherwise it is forgotten.
  ///
  /// - Parameter mode: how many rows may be selected.
  public func keepSelection(_ mode: SelectionMode) { startSelection(mode, Self.ownID) }

  /// The id that an element has by itself; nil where elements are not `Identifiable`.
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

  /// Lets the widget show what is selected, whenever that changes.
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
  /// - Returns: whether it is; false for sections, and for what has left the node.
  /// - Complexity: O(d · log n) for a path of length d.
  public func isSelected(at path: IndexPath) -> Bool {
    guard let selecting else { return false }
    return feed.nodePath(of: path).flatMap { selecting.row(at: $0) }.map { selecting.model.isSelected($0) } ?? false
  }

  /// The paths at which the widget shows what is selected, in its order.
  ///
  /// - Complexity: O(n / 64) for n rows, and O(k · d · log n) for k that are selected.
  public var selectedPaths: [IndexPath] {
    selecting.map { $0.selectedPaths.compactMap { feed.widgetPath(of: $0) } } ?? []
  }

  /// Whether the user may select a row: no behavior refuses. Nothing is selected.
  ///
  /// - Parameter path: the path of a row of the widget.
  /// - Returns: whether the row may be selected; false for sections, and for what has left the node.
  public func canSelect(at path: IndexPath) -> Bool { allowsSelection(at: path) { $0.shouldSelect(at: $1) } }

  /// Whether the user may deselect a row: no behavior refuses. Nothing is deselected.
  ///
  /// - Parameter path: the path of a row of the widget.
  /// - Returns: whether the row may be deselected; false for sections, and for what has left the node.
  public func canDeselect(at path: IndexPath) -> Bool { allowsSelection(at: path) { $0.shouldDeselect(at: $1) } }

  private func allowsSelection(at path: IndexPath, _ ask: (any SelectionBehavior, NodePlace) -> Bool) -> Bool {
    guard let own = feed.nodePath(of: path), currentSelection.row(at: own) != nil else { return false }
    return behavior(for: own) { $0 as? any SelectionBehavior }.map { ask($0, $1) } ?? true
  }

  /// Selects a row for the user, if no behavior refuses.
  ///
  /// The innermost `SelectionBehavior` behind each row that would be selected or deselected is asked. A row stays as it is if the
  /// behavior refuses. The behavior is notified of the other rows. In a node with the selection mode `.single`, the row replaces
  /// the selected row of the node.
  ///
  /// - Parameters:
  ///   - path: the path of a row of the widget.
  ///   - effect: what it does to the others.
  /// - Returns: whether the row is selected afterwards, or, where it is toggled, whether that was done.
  /// - Complexity: O(k · d · log n) for k rows that are affected; where every row of n is looked at, O(n / 64) more.
  @discardableResult
  public func select(at path: IndexPath, _ effect: SelectionEffect = .only) -> Bool {
    guard let row = feed.nodePath(of: path).flatMap({ currentSelection.row(at: $0) }) else { return false }
    let wasSelected = selection.isSelected(row)
    changeSelection(to: row) { model in
      switch effect {
      case .only: model.select(only: row)
      case .adding: model.select(row)
      case .extending: model.extend(to: row)
      case .toggling: model.toggle(row)
      }
    }
    return selection.isSelected(row) != (effect == .toggling && wasSelected)
  }

  /// Deselects a row for the user, if no behavior refuses.
  ///
  /// - Parameter path: the path of a row of the widget.
  /// - Returns: whether the row is not selected afterwards.
  @discardableResult
  public func deselect(at path: IndexPath) -> Bool {
    guard let row = feed.nodePath(of: path).flatMap({ currentSelection.row(at: $0) }) else { return false }
    changeSelection { $0.deselect(row) }
    return !selection.isSelected(row)
  }

  /// Deselects all rows for the user but those of which a behavior refuses it.
  public func deselectAll() { changeSelection { $0.deselectAll() } }

  /// Changes the selection where the behaviors of the rows allow it.
  ///
  /// - Parameters:
  ///   - row: the row that the user selects; nil if the user selects none.
  ///   - body: changes the selection.
  private func changeSelection(to row: Int? = nil, _ body: (SelectionModel<Element, AnyHashable>) -> Void) {
    let selection = currentSelection
    let model = selection.model
    var selected: [Asked] = []
    var deselected: [Asked] = []
    model.performEdits {
      let former = model.selectedRanges
      body(model)
      replaceRows(of: selection, by: difference(model.selectedRanges, former), preferring: row)
      let latter = model.selectedRanges
      let (refused, kept): ([Asked], [Asked])
      (selected, refused) = asked(difference(latter, former), selection) { $0.behavior.shouldSelect(at: $0.place) }
      (deselected, kept) = asked(difference(former, latter), selection) { $0.behavior.shouldDeselect(at: $0.place) }
      if model.mode == .single, !refused.isEmpty || !kept.isEmpty {
        // One cannot go without the other.
        model.deselectAll()
        for row in former.joined() { model.select(row) }
        (selected, deselected) = ([], [])
        return
      }
      for one in refused { model.deselect(one.row..<one.row + 1) }
      for one in kept { model.select(one.row..<one.row + 1) }
      // The same in each node that has one selected row at most.
      for node in Set((refused + kept).compactMap(singleNode)) {
        for one in selected where singleNode(of: one) == node { model.deselect(one.row..<one.row + 1) }
        for one in deselected where singleNode(of: one) == node { model.select(one.row..<one.row + 1) }
        selected.removeAll { singleNode(of: $0) == node }
        deselected.removeAll { singleNode(of: $0) == node }
      }
    }
    for one in deselected { one.behavior.didDeselect(at: one.place) }
    for one in selected { one.behavior.didSelect(at: one.place) }
  }

  /// Deselects rows, so that each node with the mode `.single` which has new rows keeps one of them, and no other row.
  private func replaceRows(of selection: WidgetSelection<Element>, by rows: [Int], preferring row: Int?) {
    func node(_ row: Int) -> ObjectIdentifier? {
      asked(row, selection).flatMap(singleNode)
    }
    var remaining: [ObjectIdentifier: Int] = [:]
    for new in rows { node(new).map { if remaining[$0] != row { remaining[$0] = new } } }
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

  /// The rows that have a behavior, which is asked: those that it allows, and those that it refuses.
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

  /// The rows of some ranges that are in none of others.
  private func difference(_ ranges: [Range<Int>], _ others: [Range<Int>]) -> [Int] {
    var rows = IndexSet()
    for range in ranges { rows.insert(integersIn: range) }
    for range in others { rows.remove(integersIn: range) }
    return Array(rows)
  }
}
