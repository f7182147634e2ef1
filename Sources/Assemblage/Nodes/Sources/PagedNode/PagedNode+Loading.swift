// Asking for pages, and dropping them.
extension PagedNode {
  /// The rows that are on the screen; nil, as at first, if they are not known.
  ///
  /// ```swift
  /// list.visibleRange = 0..<0     // the view has left the screen: nothing is fetched for it
  /// ```
  ///
  /// The pages of these rows stay in memory, whichever other rows are read. Setting a range ends the fetches of all
  /// pages that have no row in the range. A row that is read afterwards is fetched, wherever it lies. Setting the range
  /// asks for no page; reading the rows does.
  ///
  /// - Precondition: the range does not begin below 0; it may end behind the last row.
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

  /// Asks for rows that are missing, have failed, or are out of date.
  ///
  /// The rows in memory stay.
  ///
  /// The pages of these rows are fetched before all other pages that wait. Call this for rows that will be read soon.
  /// If the range has more pages than can be kept, only its last pages are fetched.
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

  /// Asks again for the page of a row if the page has failed; otherwise does nothing.
  ///
  /// - Parameter position: any integer.
  /// - Complexity: O(1), and the propagation of the update.
  public func retry(at position: Int) {
    guard position >= 0, position < count, supply.table.isFailed(position / pageSize) else { return }
    tell { supply.load([position / pageSize]) }
  }

  /// Reports that rows may have changed.
  ///
  /// The rows in memory are reported as updated, by whole pages. They are shown until their page has arrived again, and
  /// also if that fetch fails. The page is asked for when one of its rows is read; views that show the rows read them.
  /// A page that is being fetched is fetched anew.
  ///
  /// The node does not own the data. So a rollback or an `UndoLog` can revert none of its changes.
  ///
  /// - Parameter range: positions within `0..<count`; nil for all.
  /// - Complexity: O(p log p) for the p pages that are kept, and the propagation.
  public func reload(_ range: Range<Int>? = nil) {
    let range = range ?? 0..<count
    checkRange(range, in: count, of: "PagedNode")
    tell { supply.invalidate(supply.table.pages(of: range)) }
  }

  /// Reports, as one change, that all rows may have changed, and their new number.
  ///
  /// It combines `setCount(_:)` and `reload(_:)`: rows arrive and leave at the end, and the rows in memory stay until
  /// they have arrived again.
  ///
  /// - Parameter count: the new number of rows, exact or estimated.
  /// - Complexity: O(p log p) for the p pages that are kept, and the propagation.
  public func reload(count: PagedCount) {
    performUpdates {
      setCount(count)
      reload()
    }
  }

  /// Sets the number of rows.
  ///
  /// Rows arrive or leave at the end.
  ///
  /// - Parameter count: the new number of rows, exact or estimated.
  /// - Complexity: O(p) for the p pages that are kept, and the propagation.
  public func setCount(_ count: PagedCount) {
    tell { supply.setCount(count) }
  }

  /// Reports that all rows have been replaced, for example by the rows of another query.
  ///
  /// All former rows are dropped and reported as removed, and fetches are cancelled. Unlike after `reload(count:)`, no
  /// former row is shown in the meantime.
  ///
  /// - Parameter count: the new number of rows, exact or estimated.
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
