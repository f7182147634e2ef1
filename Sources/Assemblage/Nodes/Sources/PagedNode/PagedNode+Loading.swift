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
    report { supply.load(supply.table.pages(of: range)) }
  }

  /// Asks again for pages that have failed: for all of them, or for the page of one row.
  ///
  /// - Parameter position: any integer; nil for all rows. Nothing happens where the page of the row has not failed.
  /// - Complexity: O(1) for one row; O(p log p) for the p pages that are kept; and the propagation of those that had
  ///   failed.
  public func retry(at position: Int? = nil) {
    guard let position else { return report { supply.load(supply.table.failedPages) } }
    guard position >= 0, position < count, supply.table.isFailed(position / pageSize) else { return }
    report { supply.load([position / pageSize]) }
  }

  /// Reports that rows may have changed.
  ///
  /// The rows in memory are reported as updated, by whole pages. They are shown until their page has arrived again, and
  /// also if that fetch fails. The page is asked for when one of its rows is read; views that show the rows read them.
  /// A page that is being fetched is fetched anew.
  ///
  /// The node does not own the data. So a rollback or an `UndoLog` can revert none of its changes.
  ///
  /// A new number of rows is part of the same change: rows arrive and leave at the end, see `setCount(_:)`.
  ///
  /// - Parameters:
  ///   - range: positions within `0..<count`, after the count was set; nil for all.
  ///   - newCount: the new number of rows, exact or estimated; nil if the number stays.
  /// - Complexity: O(p log p) for the p pages that are kept, and the propagation.
  public func reload(_ range: Range<Int>? = nil, count newCount: PagedCount? = nil) {
    if let newCount {
      return performUpdates {
        setCount(newCount)
        reload(range)
      }
    }
    let range = range ?? 0..<count
    checkRange(range, in: count, of: "PagedNode")
    report { supply.invalidate(supply.table.pages(of: range)) }
  }

  /// Sets the number of rows.
  ///
  /// Rows arrive or leave at the end.
  ///
  /// - Parameter count: the new number of rows, exact or estimated.
  /// - Complexity: O(p) for the p pages that are kept, and the propagation.
  public func setCount(_ count: PagedCount) {
    report { supply.setCount(count) }
  }

  /// Reports that all rows have been replaced, for example by the rows of another query.
  ///
  /// All former rows are dropped and reported as removed, and fetches are cancelled. Unlike after `reload(_:count:)`,
  /// no former row is shown in the meantime.
  ///
  /// - Parameter count: the new number of rows, exact or estimated.
  /// - Complexity: O(p) for the p pages that are kept, and the propagation.
  public func reset(count: PagedCount) {
    report { supply.reset(to: count) }
  }

  /// Reports a change of the rows.
  func report(_ change: () -> Delta) {
    hub.prepareForChange()
    let former = supply.table
    hub.publish(ChangeSet(change()))
    // Released last, because a row that is dropped may use this node while it is released.
    withExtendedLifetime(former) {}
  }
}
