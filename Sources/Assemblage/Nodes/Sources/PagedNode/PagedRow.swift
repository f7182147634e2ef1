/// What a `PagedNode` shows at a position.
///
/// ```swift
/// switch list[row] {
/// case .loading: cell.showSpinner()             // it has been asked for, by this very look
/// case .failed(let error): cell.show(error)     // until `retry()`
/// case .loaded(let person): cell.show(person)
/// }
/// ```
public enum PagedRow<Value> {
  /// The row is not there; a look at it asks for its page.
  case loading

  /// The row's page could not be fetched.
  case failed(any Error)

  /// The row.
  case loaded(Value)

  /// The row, where it is there.
  public var value: Value? {
    if case .loaded(let value) = self { return value }
    return nil
  }

  /// Whether the row is neither there nor has failed.
  public var isLoading: Bool {
    if case .loading = self { return true }
    return false
  }

  /// Why the row's page could not be fetched; nil where it could, or has not been yet.
  public var error: (any Error)? {
    if case .failed(let error) = self { return error }
    return nil
  }
}

extension PagedRow: Sendable where Value: Sendable {}

/// How many rows there are, as far as that is known.
public enum PagedCount: Hashable, Sendable {
  /// So many, at least 0 and at most 2^62 - 1; an answer with fewer or more rows than were asked for is an error.
  case exact(Int)

  /// Some such number, at least 0 and at most 2^62 - 1; an answer with fewer rows than were asked for is the end.
  ///
  /// Where the rows go on behind it, so does the count: one row further at a time, whose page is fetched when it is looked at.
  /// `.estimated(1)` is for those who know nothing;
  /// of 0 there is no row to look at.
  case estimated(Int)

  /// The number.
  public var number: Int {
    switch self {
    case .exact(let number), .estimated(let number): number
    }
  }

  /// Whether the number is known, and not a guess.
  public var isExact: Bool {
    if case .exact = self { return true }
    return false
  }
}

/// An answer that has another number of rows than were asked for: the error of its page.
public struct PageMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// The positions that were asked for.
  public let range: Range<Int>

  /// How many rows came.
  public let rowCount: Int

  /// The two numbers in a sentence.
  public var description: String {
    "The rows \(range) were asked for, which are \(range.count), and \(rowCount) came."
  }
}
