import OffsetIndexing

extension SelectionModel {
  /// Follows the changes that the node has not delivered yet.
  func catchUp() { state.value.observation?.catchUp() }

  /// Follows a change of the node.
  func follow(_ change: ChangeSet) {
    let delta = change.delta
    if !delta.isEmpty {
      if state.value.rows.translate(delta) { state.value.hasNews = true }
      state.value.observers.updateNews { _ = $0.known?.translate(delta) }
      if delta.movesPositions {
        state.value.leadRow = leadRow(after: delta)
        state.value.anchorRow = state.value.anchorRow.flatMap { delta.position(after: $0) }
        if state.value.rows.bits.setCount > 0 { state.value.readers.haveNews = true }
      }
      var strangers: [(row: Int, id: ID?)] = []
      for range in state.value.rows.strangers(in: delta) {
        for (row, id) in zip(range, state.value.ids(range)) { strangers.append((row, id)) }
      }
      let recognition = state.value.rows.recognize(strangers)
      if recognition.returned { state.value.hasNews = true }
      if recognition.renamed { state.value.readers.haveNews = true }
    }
    // Another view may read the selection while it translates a change. A reader could not change nodes then; the
    // observation calls again in its turn.
    if !node.hub.graph.isSettling { state.value.readers.notify() }
    if state.value.hasNews, state.value.observation?.isEarly != true, state.value.editDepth == 0 { notify() }
  }

  /// The far end of the last extension after a change. If that row leaves, the extension ends at the nearest of its
  /// other rows.
  private func leadRow(after delta: Delta) -> Int? {
    guard let lead = state.value.leadRow else { return nil }
    guard let anchor = state.value.anchorRow, let removed = delta.removals.first(where: { $0.contains(lead) }) else {
      return delta.position(after: lead)
    }
    return delta.position(after: lead < anchor ? min(removed.upperBound, anchor) : max(removed.lowerBound - 1, anchor))
  }

  /// Calls a closure whenever other elements are selected than before.
  ///
  /// The closure is called at once when the selection is edited. It is called at the end of the node's transaction if
  /// selected rows left or returned, but not if they only moved. It may read and change the selection and any node.
  ///
  /// ```swift
  /// let token = selection.observe { title = "\(selection.selectedCount) selected" }
  /// ```
  ///
  /// - Parameter handler: reads the selection.
  /// - Returns: the token that keeps the observation, and the selection, alive; releasing the token ends the
  ///   observation. A handler that captures its own token keeps both alive until `cancel()`.
  /// - Complexity: O(1).
  public func observe(_ handler: @escaping () -> Void) -> NodeObservation {
    catchUp()
    return state.value.observers.add(keeping: self, News()) { _ in handler() }
  }

  /// Calls a closure with the changed rows whenever other elements are selected than before.
  ///
  /// The closure is called on the same occasions as that of `observe(_:)` without an argument.
  ///
  /// ```swift
  /// let token = selection.observe { change in table.redraw(change.selected + change.deselected) }
  /// selection.performEdits {
  ///   selection.select(only: 3)
  ///   selection.extend(to: 5)
  /// }                                       // one change: 3..<6 were selected
  /// ```
  ///
  /// - Parameter handler: receives the change since it was last called.
  /// - Returns: the token that keeps the observation, and the selection, alive; releasing the token ends the
  ///   observation.
  /// - Complexity: O(n / 64) for n rows, also for each call of the handler.
  public func observe(_ handler: @escaping (SelectionChange) -> Void) -> NodeObservation {
    catchUp()
    return state.value.observers.add(keeping: self, News(known: SelectedRows(bits: state.value.rows.bits))) { change in
      if let change { handler(change) }
    }
  }

  /// Calls the observers.
  func notify() {
    state.value.hasNews = false
    state.value.observers.updateNews { $0.isDue = true }
    notifyReaders()
    state.value.observers.notify(catchingUp: catchUp) { news in
      guard news.isDue else { return nil }
      news.isDue = false
      guard let former = news.known?.ranges else { return .some(nil) }
      let rows = state.value.rows
      news.known = SelectedRows(bits: rows.bits)
      return SelectionChange(
        selected: RangeLists.subtracting(former, from: rows.ranges),
        deselected: RangeLists.subtracting(rows.ranges, from: former))
    }
  }
}

/// The rows that have been selected and deselected.
///
/// Rows are counted after the change. Selected rows that left the node are in neither list.
///
/// ```swift
/// let selection = SelectionModel(of: ArrayNode(["a", "b", "c"]))
/// selection.select(0..<2)
/// var last: SelectionChange?
/// let token = selection.observe { last = $0 }
/// selection.select(only: 2)     // last?.selected is [2..<3], last?.deselected is [0..<2]
/// ```
public struct SelectionChange: Hashable, Sendable {
  /// The rows that are selected, and were not before: ascending ranges, each as long as possible.
  public let selected: [Range<Int>]

  /// The rows that are not selected any longer: ascending ranges, each as long as possible.
  public let deselected: [Range<Int>]
}
