import Assemblage
import Foundation

// The edits that a list of SwiftUI asks for. The rows of a tree move and leave with all rows below them.
extension TreeNode {
  /// Removes children, in one transaction.
  func removeRows(_ rows: IndexSet) {
    let writer = rowWriter
    performUpdates {
      for row in uppermost(rows).reversed() { writer.removeChild(at: row) }
    }
  }

  /// Moves children before the one at a position, in their order and in one transaction.
  ///
  /// - Parameters:
  ///   - rows: the positions of the children, before the move.
  ///   - goal: `0...count`, before the move.
  func moveRows(_ rows: IndexSet, before goal: Int) {
    let writer = rowWriter
    performUpdates {
      let rows = uppermost(rows)
      var (start, end) = (goal, goal)
      // The last one first: it changes no position above itself, and the others come before it.
      for row in rows.reversed() where row < goal {
        let size = rowCount(movingWith: row)
        // It cannot move into itself.
        if row + size > goal { continue }
        end -= size
        if row != end { writer.move(from: row, to: end) }
      }
      for row in rows where row >= goal {
        let size = rowCount(movingWith: row)
        if row != start { writer.move(from: row, to: start) }
        start += size
      }
    }
  }

  /// The rows that do not lie below another one of these rows.
  private func uppermost(_ rows: IndexSet) -> [Int] {
    var uppermost: [Int] = []
    var end = 0
    for row in rows where row >= end {
      uppermost.append(row)
      end = row + rowCount(movingWith: row)
    }
    return uppermost
  }

  private func rowCount(movingWith row: Int) -> Int {
    (self as? any TreeRows<Element>)?.rows(movingWith: row).count ?? 1
  }

  private var rowWriter: any WritableNode<Element> {
    guard let writer else { fatalError("Rows: a \(type(of: self)) cannot be written.") }
    return writer
  }
}

/// Traps where there is no such row.
func checkRow(_ row: Int, in count: Int, of type: String) {
  if row < 0 || row >= count { fatalError("\(type): the position \(row) is out of range 0..<\(count).") }
}

/// Traps where there are no such rows.
func checkRows(_ rows: IndexSet, in count: Int, of type: String) {
  if let last = rows.last { checkRow(last, in: count, of: type) }
}

/// Traps because a row has no value.
func trapMissing(_ row: Int, of type: String) -> Never {
  fatalError("\(type): the row \(row) is a node without a value, which cannot be shown.")
}
