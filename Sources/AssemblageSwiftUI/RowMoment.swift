@_spi(NodeAuthors) import Assemblage
import Foundation

/// The rows of a view at one moment, and the changes since then.
final class RowMoment<Contents> {
  /// The rows. They never change.
  let contents: Contents
  private var later = ChangeSetComposer()
  private let catchUp: () -> Void

  /// - Parameters:
  ///   - contents: the rows.
  ///   - catchUp: lets this moment follow the changes that have not been delivered yet.
  init(_ contents: Contents, catchUp: @escaping () -> Void) {
    self.contents = contents
    self.catchUp = catchUp
  }

  /// Adds a change of the rows that was made after this moment.
  func follow(_ delta: Delta) { later.append(ChangeSet(delta)) }

  /// The change from this moment to the present.
  private var change: Delta {
    // Inside a transaction, and in an observer that is called earlier, the last changes are not known yet.
    catchUp()
    // A copy: the composer itself must keep its changes.
    var later = later
    return later.net().delta
  }

  /// The present position of a row; nil where it has left.
  func present(_ row: Int) -> Int? { change.position(after: row) }

  /// The present positions of rows, without those that have left.
  func present(_ rows: IndexSet) -> IndexSet {
    let change = change
    return change.movesPositions ? IndexSet(rows.compactMap { change.position(after: $0) }) : rows
  }

  /// The present position of the first of some rows that has not left; nil where all have.
  func present(_ rows: Range<Int>) -> Int? {
    let change = change
    return rows.lazy.compactMap { change.position(after: $0) }.first
  }
}
