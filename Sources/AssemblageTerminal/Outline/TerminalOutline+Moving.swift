import Assemblage
import AssemblageWidgets

// Moves of the current row along the tree, and expansion.
extension TerminalOutline {
  private var rows: OutlineNode<Element, ID> { contents.rows }

  /// Whether a row may be expanded.
  func mayExpand(_ row: Int) -> Bool {
    guard row >= 0, row < count else { return false }
    let shown = rows.row(at: row)
    return shown.hasChildren || shown.value.map { contents.row($0).mayHaveChildren } ?? false
  }

  func toggle(row: Int) {
    guard mayExpand(row) else { return }
    if isExpanded(row) { rows.collapse(row: row) } else { expand(row: row) }
  }

  /// Whether a row is expanded, even if it has no children, or none yet.
  func isExpanded(_ row: Int) -> Bool { rows.isExpanded(at: rows.path(ofRow: row)) }

  private func expand(row: Int) {
    let element = element(at: row)
    rows.expand(row: row)
    if let element { contents.look(element) }
  }

  /// Expands the current row, or goes to the first of its children.
  func unfold() {
    guard mayExpand(cursor) else { return }
    if !isExpanded(cursor) { return expand(row: cursor) }
    if !rows.descendants(ofRow: cursor).isEmpty { go(to: cursor + 1) }
  }

  /// Collapses the current row, or goes to its parent.
  func fold() {
    guard count > 0 else { return }
    if mayExpand(cursor), isExpanded(cursor) { return rows.collapse(row: cursor) }
    goToParent()
  }

  func goToParent() {
    guard let path = currentPath, path.count > 1, let row = rows.row(ofPath: path.dropLast()) else { return }
    go(to: row)
  }

  func goToSibling(_ step: Int) {
    guard var path = currentPath, let position = path.popLast(), position + step >= 0,
      let row = rows.row(ofPath: path.appending(position + step))
    else { return }
    go(to: row)
  }

  private var currentPath: IndexPath? { cursor < count ? rows.path(ofRow: cursor) : nil }

  // MARK: Everything

  func expandAll() {
    let path = currentPath
    update { rows.expandAll() }
    goBack(to: path)
  }

  /// Expands some levels.
  ///
  /// If the current row is hidden, its nearest ancestor with a row becomes the current row.
  func expand(toDepth depth: Int) {
    let path = currentPath
    update { if depth == 0 { rows.collapseAll() } else { rows.expand(toDepth: depth) } }
    goBack(to: path)
  }

  /// Goes to the row of a path, or of the nearest ancestor that has a row.
  private func goBack(to path: IndexPath?) {
    guard var path else { return }
    while !path.isEmpty {
      if let row = rows.row(ofPath: path) { return go(to: row) }
      path.removeLast()
    }
  }

  // MARK: Order

  func sort(by key: Character) {
    guard let index = contents.orders.firstIndex(where: { $0.key == key }) else {
      if key == "r" { reverse() }
      return
    }
    orderIndex = index
    isReversed = false
    sort()
  }

  func reverse() {
    guard !contents.orders.isEmpty else { return }
    isReversed.toggle()
    sort()
  }

  private func sort() {
    let order = contents.orders[orderIndex].areInIncreasingOrder
    update {
      guard isReversed else { return contents.sort.setComparator(order) }
      if let order {
        contents.sort.setComparator { order($1, $0) }
      } else if let source = contents.sourceOrder {
        contents.sort.setComparator { source($1, $0) }
      }
    }
    showCursor()
  }

  /// Sorts again after changes that the nodes do not notice, like sizes that are filled in later.
  package func refreshOrder() {
    if contents.orders.indices.contains(orderIndex), contents.orders[orderIndex].areInIncreasingOrder != nil { sort() }
  }

  // MARK: Kinds that are left out

  func toggle(_ kind: TerminalHiding) {
    guard contents.hidings.contains(kind) else { return }
    hiding.formSymmetricDifference(kind)
    dropIndex()
    let names: [TerminalHiding: String] = [.hidden: "hidden", .ignored: "ignored"]
    message = "\(names[kind] ?? "") entries are \(hiding.contains(kind) ? "left out" : "shown")"
    if hidesOthers {
      applySearch(mayNarrow: false)
    } else {
      update { showAll(hint: hiding.contains(kind) ? .stricter : .looser) }
      showCursor()
    }
    // Sizes count only the elements that are shown.
    refreshOrder()
  }

  /// Makes the filter show all elements except the kinds that are left out.
  func showAll(hint: FilterHint) {
    let (isShown, hiding) = (contents.isShown, hiding)
    contents.filter.setPredicate(hint: hint) { isShown($0, hiding) }
  }
}
