extension SelectionModel {
  /// Makes several edits, and notifies the observers once.
  ///
  /// ```swift
  /// selection.performEdits {
  ///   selection.deselectAll()
  ///   for row in found { selection.select(row) }
  /// }
  /// ```
  ///
  /// Calls may be nested. The observers are notified when the outermost call ends, if an edit changed the selection.
  ///
  /// - Parameter body: makes the edits; called once, before this method returns.
  /// - Returns: the result of `body`.
  /// - Throws: the error that `body` throws; the edits made until then stay.
  /// - Complexity: that of the edits.
  public func performEdits<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    state.value.editDepth += 1
    defer {
      state.value.editDepth -= 1
      if state.value.editDepth == 0, state.value.hasNews { notify() }
    }
    return try body()
  }

  /// Selects a row, and keeps the other selected rows; in single mode, the row replaces the selected one.
  ///
  /// The row becomes the anchor.
  ///
  /// - Parameter row: 0..<the node's `count`.
  /// - Precondition: there is such a row; anything else traps.
  /// - Complexity: O(log n) for n rows; in single mode, O(n / 64) where another row was selected.
  public func select(_ row: Int) {
    check(row)
    if mode == .single { return select(only: row) }
    let ids = ids(of: row..<row + 1)
    edit(anchor: row) { $0.select(row..<row + 1, ids) }
  }

  /// Selects a row, and no other; absent ids are forgotten.
  ///
  /// The row becomes the anchor.
  ///
  /// - Parameter row: 0..<the node's `count`.
  /// - Precondition: there is such a row; anything else traps.
  /// - Complexity: O(n / 64) for n rows.
  public func select(only row: Int) {
    check(row)
    let ids = ids(of: row..<row + 1)
    edit(anchor: row) { $0.replaceAll(by: row, ids) }
  }

  /// Selects the rows of a range, and keeps the other selected rows.
  ///
  /// The first row becomes the anchor, and `extend(to:)` goes on from the last row.
  ///
  /// - Parameter range: rows within 0..<the node's `count`; an empty range selects nothing, and leaves the anchor.
  /// - Precondition: there are such rows, and in single mode at most one; anything else traps.
  /// - Complexity: O(log n + k / 64) for k of n rows; O(k · log n) where ids are kept.
  public func select(_ range: Range<Int>) {
    check(range)
    require(
      mode == .multiple || range.count <= 1,
      "SelectionModel: \(range.count) rows cannot be selected, because the mode is single.")
    if range.isEmpty { return }
    if mode == .single { return select(range.lowerBound) }
    let ids = ids(of: range)
    edit(anchor: range.lowerBound, lead: range.upperBound - 1) { $0.select(range, ids) }
  }

  /// Deselects a row, which becomes the anchor.
  ///
  /// - Parameter row: 0..<the node's `count`.
  /// - Precondition: there is such a row; anything else traps.
  /// - Complexity: O(log n) for n rows.
  public func deselect(_ row: Int) {
    check(row)
    edit(anchor: row) { $0.deselect(row..<row + 1) }
  }

  /// Deselects the rows of a range; the anchor stays.
  ///
  /// - Parameter range: rows within 0..<the node's `count`.
  /// - Precondition: there are such rows; anything else traps.
  /// - Complexity: O(log n + k / 64) for k of n rows.
  public func deselect(_ range: Range<Int>) {
    check(range)
    edit { $0.deselect(range) }
  }

  /// Deselects a selected row, or selects another one, as `select(_:)` does; the row becomes the anchor.
  ///
  /// - Parameter row: 0..<the node's `count`.
  /// - Precondition: there is such a row; anything else traps.
  /// - Complexity: that of `select(_:)`.
  public func toggle(_ row: Int) {
    if isSelected(row) { deselect(row) } else { select(row) }
  }

  /// Selects all rows between the anchor and a row, both included.
  ///
  /// The previous extension from the same anchor may have reached other rows; these are deselected.
  ///
  /// ```swift
  /// selection.select(4)
  /// selection.extend(to: 6)             // 4, 5 and 6
  /// selection.extend(to: 3)             // 3 and 4
  /// ```
  ///
  /// Without an anchor, and in single mode, this is `select(_:)`.
  ///
  /// - Parameter row: 0..<the node's `count`.
  /// - Precondition: there is such a row; anything else traps.
  /// - Complexity: O(log n + k / 64) for k rows of n; O(k · log n) where ids are kept.
  public func extend(to row: Int) {
    check(row)
    guard mode == .multiple, let anchor = state.value.anchorRow else { return select(row) }
    let lead = state.value.leadRow
    let range = min(anchor, row)..<max(anchor, row) + 1
    let ids = ids(of: range)
    edit(anchor: anchor, lead: row) { rows in
      var hasChanged = false
      if let lead {
        let former = min(anchor, lead)..<max(anchor, lead) + 1
        for rest in RangeLists.subtracting([range], from: [former]) {
          hasChanged = rows.deselect(rest) || hasChanged
        }
      }
      return rows.select(range, ids) || hasChanged
    }
  }

  /// Selects all rows; the anchor stays. In single mode, this is `select(only:)` for the only row.
  ///
  /// - Precondition: the mode is multiple, or there is at most one row; anything else traps.
  /// - Complexity: O(n / 64) for n rows; O(n · log n) where ids are kept.
  public func selectAll() {
    catchUp()
    let all = 0..<state.value.rows.bits.count
    require(
      mode == .multiple || all.count <= 1,
      "SelectionModel: \(all.count) rows cannot be selected, because the mode is single.")
    if mode == .single {
      if !all.isEmpty { select(only: 0) }
    } else {
      restore(all)
    }
  }

  /// Selects the rows of a range again; the anchor stays.
  ///
  /// - Precondition: the mode is multiple, or no other row is selected.
  package func restore(_ range: Range<Int>) {
    let ids = ids(of: range)
    edit { $0.select(range, ids) }
  }

  /// Deselects all rows, and forgets the absent ids and the anchor.
  ///
  /// - Complexity: O(n / 64) for n rows.
  public func deselectAll() {
    catchUp()
    state.value.anchorRow = nil
    state.value.leadRow = nil
    edit { $0.deselectAll() }
  }

  /// Selects the rows that have one of some ids, and no others; the ids without a row are absent.
  ///
  /// A row with an absent id is selected when it arrives. With `selectedIDs` and `absentIDs`, this restores a stored
  /// selection. In single mode only the first row is selected, and an id stays absent only if there is no such row. Of
  /// rows with equal ids the first is selected.
  ///
  /// - Parameter ids: the ids, in any order.
  /// - Precondition: ids are kept; anything else traps.
  /// - Complexity: O(n · log n) for n rows.
  public func select(ids: some Sequence<ID>) {
    require(state.value.rows.keepsIDs, "SelectionModel: there are no ids, because the selection was made without them.")
    catchUp()
    state.value.anchorRow = nil
    state.value.leadRow = nil
    var wanted = Set(ids)
    var found: [(row: Int, id: ID?)] = []
    let count = state.value.rows.bits.count
    // Piece by piece, because all ids may be found soon.
    for start in stride(from: 0, to: count, by: 1_024) where !wanted.isEmpty {
      let rows = start..<min(start + 1_024, count)
      for (row, id) in zip(rows, state.value.ids(rows)) where !wanted.isEmpty {
        guard let id, wanted.remove(id) != nil else { continue }
        found.append((row, id))
        if mode == .single { wanted = [] }
      }
    }
    edit { rows in
      let former = rows.ranges
      _ = rows.deselectAll()
      for (row, id) in found { _ = rows.select(row..<row + 1, [id]) }
      rows.absent = mode == .single ? Set(wanted.prefix(1)) : wanted
      return rows.ranges != former
    }
    // Others may be absent now.
    notifyReaders()
  }

  /// Forgets the ids of selected rows that have left: these rows are not selected when they return.
  ///
  /// - Complexity: O(k) for k absent ids.
  public func forgetAbsentIDs() {
    catchUp()
    state.value.rows.absent = []
    notifyReaders()
  }

  // MARK: Parts of edits

  private func check(_ row: Int) {
    catchUp()
    checkPosition(row, in: state.value.rows.bits.count, of: "SelectionModel")
  }

  private func check(_ range: Range<Int>) {
    catchUp()
    checkRange(range, in: state.value.rows.bits.count, of: "SelectionModel")
  }

  /// Returns the ids of the rows of a range, where ids are kept.
  private func ids(of range: Range<Int>) -> [ID?] { state.value.rows.keepsIDs ? state.value.ids(range) : [] }

  /// Edits the rows, and notifies the observers if the rows changed.
  ///
  /// - Parameters:
  ///   - anchor: the new anchor; nil: the anchor stays.
  ///   - lead: the row from which an extension goes on; by default the anchor.
  ///   - body: edits the rows in place, and returns whether they changed. The closure must call no code of the user's.
  private func edit(anchor: Int? = nil, lead: Int? = nil, _ body: (inout SelectedRows<ID>) -> Bool) {
    let absentCount = state.value.rows.absent.count
    let hasChanged = body(&state.value.rows)
    if let anchor {
      state.value.anchorRow = anchor
      state.value.leadRow = lead ?? anchor
    }
    if hasChanged { state.value.hasNews = true }
    if hasChanged, state.value.editDepth == 0 { notify() }
    if !hasChanged, absentCount != state.value.rows.absent.count { notifyReaders() }
  }
}
