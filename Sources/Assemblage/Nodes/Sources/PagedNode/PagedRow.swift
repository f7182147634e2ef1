/// A row of a `PagedNode`: loading, failed or loaded.
///
/// ```swift
/// switch list[row] {
/// case .loading: cell.showSpinner()             // this very read has asked for the row
/// case .failed(let error): cell.show(error)     // until `retry()`
/// case .loaded(let person): cell.show(person)
/// }
/// ```
public enum PagedRow<Value> {
  /// The row is not in memory; reading it asks for its page.
  case loading

  /// The row's page could not be fetched.
  case failed(any Error)

  /// The row.
  case loaded(Value)

  /// The row, if it is in memory.
  public var value: Value? {
    if case .loaded(let value) = self { return value }
    return nil
  }

  /// Whether the row is neither in memory nor failed.
  public var isLoading: Bool {
    if case .loading = self { return true }
    return false
  }

  /// The reason why the row's page could not be fetched; nil if it was fetched, or not fetched yet.
  public var error: (any Error)? {
    if case .failed(let error) = self { return error }
    return nil
  }
}

extension PagedRow: Sendable where Value: Sendable {}

/// The number of rows, exact or estimated.
public enum PagedCount: Hashable, Sendable {
  /// The known number, at least 0 and at most 2^62 - 1.
  ///
  /// An answer with fewer or more rows than requested is an error.
  case exact(Int)

  /// A guess, at least 0 and at most 2^62 - 1.
  ///
  /// An answer with fewer rows than requested marks the end.
  ///
  /// If the rows go on beyond the estimate, the count grows by one row at a time. The page of that row is fetched when
  /// the row is read. A caller who knows nothing passes `.estimated(1)`, because a node with the estimate 0 has no row
  /// to read.
  case estimated(Int)

  /// The number.
  package var number: Int {
    switch self {
    case .exact(let number), .estimated(let number): number
    }
  }

  /// Whether the number is known, and not a guess.
  package var isExact: Bool {
    if case .exact = self { return true }
    return false
  }
}

/// An answer with another number of rows than requested: the error of its page.
public struct PageMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// The requested positions.
  package let range: Range<Int>

  /// The number of rows that arrived.
  package let rowCount: Int

  /// The two numbers in a sentence.
  public var description: String {
    "The request was for the \(range.count) rows \(range), but the answer has \(rowCount) rows."
  }
}
