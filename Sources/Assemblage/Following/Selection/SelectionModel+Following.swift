extension SelectionModel {
  /// Follows what the node has not delivered yet.
  func catchUp() {
    let former = state.value.isCatchingUp
    state.value.isCatchingUp = true
    state.value.observation?.catchUp()
    state.value.isCatchingUp = former
  }

  /// Follows a change of the node.
  func follow(_ change: ChangeSet) {
    let delta = change.delta
    if !delta.isEmpty {
      if state.value.rows.translate(delta) { state.value.hasNews = true }
      if delta.movesPositions {
        state.value.anchorRow = state.value.anchorRow.flatMap { delta.position(after: $0) }
        state.value.leadRow = state.value.leadRow.flatMap { delta.position(after: $0) }
      }
      var strangers: [(row: Int, id: ID?)] = []
      for range in state.value.rows.strangers(in: delta) {
        for (row, id) in zip(range, state.value.ids(range)) { strangers.append((row, id)) }
      }
      if state.value.rows.recognize(strangers) { state.value.hasNews = true }
    }
    if state.value.hasNews, !state.value.isCatchingUp { tell() }
  }

  /// Calls a closure whenever other elements are selected than before.
  ///
  /// It is called at once where the selection is edited, and when the node's transaction ends where selected rows left or came
  /// back; not where they only changed their places. It may read and change the selection and any node.
  ///
  /// ```swift
  /// let token = selection.observe { title = "\(selection.selectedCount) selected" }
  /// ```
  ///
  /// - Parameter handler: reads the selection.
  /// - Returns: the token that keeps the observation, and the selection, alive; releasing it ends the observation. A handler
  ///   that captures its own token keeps both alive until `cancel()`.
  /// - Complexity: O(1).
  public func observe(_ handler: @escaping () -> Void) -> SelectionObservation {
    let number = SerialNumber.next()
    state.value.observers.append((number, handler))
    return SelectionObservation {
      guard let index = self.state.value.observers.firstIndex(where: { $0.number == number }) else { return }
      // Released last: what the handler captured may use this very selection.
      let former = self.state.value.observers.remove(at: index)
      withExtendedLifetime(former) {}
    }
  }

  /// Calls the observers.
  func tell() {
    state.value.hasNews = false
    let observers = state.value.observers
    for observer in observers where state.value.observers.contains(where: { $0.number == observer.number }) {
      observer.handler()
    }
  }
}

/// A token that keeps an observer of a `SelectionModel` registered, and the selection alive.
public final class SelectionObservation {
  private var end: (() -> Void)?

  init(_ end: @escaping () -> Void) { self.end = end }

  /// Ends the observation. Cancelling twice does nothing.
  ///
  /// - Complexity: O(k) for k observers of the selection.
  public func cancel() {
    let end = end
    self.end = nil
    end?()
  }

  deinit { cancel() }
}

@available(*, unavailable)
extension SelectionObservation: Sendable {}
