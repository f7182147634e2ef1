// What is asked for, and what is let go.
extension PagedNode {
  /// The rows that are on the screen; nil, as at first, where nobody says so.
  ///
  /// ```swift
  /// list.visibleRange = 0..<0     // the view has gone from the screen: nothing is fetched for it
  /// ```
  ///
  /// Their pages are not let go, whatever else is looked at. To set the range ends the fetches of all pages that have none of
  /// its rows: what is looked at afterwards is fetched, wherever it is. To set it asks for nothing; to read the rows does.
  ///
  /// - Precondition: it does not begin below 0; it may end behind the last row.
  /// - Complexity: O(p) for the p pages that wait or are fetched.
  public var visibleRange: Range<Int>? {
    get { supply.visibleRange }
    set {
      if let newValue {
        require(newValue.lowerBound >= 0, "PagedNode: the visible range \(newValue) begins below 0.")
      }
      supply.visibleRange = newValue
    }
  }

  /// Asks for rows that are not there, also where they have failed, or are out of date; what has come stays.
  ///
  /// Among what waits, they have the next turns. It is for rows that will be looked at soon; where there are more of them than
  /// pages can be kept, the last ones are fetched.
  ///
  /// - Parameter range: positions within `0..<count`.
  /// - Complexity: O(p) for the p pages of the range, and the propagation of those that had failed.
  public func load(_ range: Range<Int>) {
    checkRange(range, in: count, of: "PagedNode")
    tell { supply.load(supply.table.pages(of: range)) }
  }

  /// Asks again for all pages that have failed.
  ///
  /// - Complexity: O(p log p) for the p pages that are kept, and the propagation of those that had failed.
  public func retry() {
    tell { supply.load(supply.table.failedPages) }
  }

  /// Asks again for the page of a row where it has failed; otherwise does nothing.
  ///
  /// - Parameter position: any integer.
  /// - Complexity: O(1), and the propagation of the update.
  public func retry(at position: Int) {
    guard position >= 0, position < count, supply.table.isFailed(position / pageSize) else { return }
    tell { supply.load([position / pageSize]) }
  }

  /// Says that rows may be others now.
  ///
  /// Those that are in memory are told as updated, by whole pages. They stay until their page has come again, and where that
  /// fails; it is asked for when they are looked at, as views do that show them. What is being fetched is fetched anew.
  ///
  /// What is there is not the node's to change, so none of its changes can be taken back, by a rollback or an `UndoLog`.
  ///
  /// - Parameter range: positions within `0..<count`; nil for all.
  /// - Complexity: O(p log p) for the p pages that are kept, and the propagation.
  public func reload(_ range: Range<Int>? = nil) {
    let range = range ?? 0..<count
    checkRange(range, in: count, of: "PagedNode")
    tell { supply.invalidate(supply.table.pages(of: range)) }
  }

  /// Says that all rows may be others now, and how many there are; one change is told.
  ///
  /// It is `setCount(_:)` and `reload(_:)`: rows come and go at the end, and what is in memory stays until it has come again.
  ///
  /// - Parameter count: how many rows there are now, as far as that is known.
  /// - Complexity: O(p log p) for the p pages that are kept, and the propagation.
  public func reload(count: PagedCount) {
    performUpdates {
      setCount(count)
      reload()
    }
  }

  /// Takes in how many rows there are: those that come or go do so at the end.
  ///
  /// - Parameter count: the number, and whether it is known.
  /// - Complexity: O(p) for the p pages that are kept, and the propagation.
  public func setCount(_ count: PagedCount) {
    tell { supply.setCount(count) }
  }

  /// Says that the rows are others altogether, such as those of another query.
  ///
  /// All that was there is let go, and told as removed; fetches are cancelled. Other than after `reload(count:)`, no row of the
  /// former ones is shown meanwhile.
  ///
  /// - Parameter count: how many rows there are now, as far as that is known.
  /// - Complexity: O(p) for the p pages that are kept, and the propagation.
  public func reset(count: PagedCount) {
    tell { supply.reset(to: count) }
  }

  /// Reports a change of the rows.
  func tell(_ change: () -> Delta) {
    hub.prepareForChange()
    hub.publish(ChangeSet(change()))
  }
}
