import Assemblage
import Foundation

/// Traps where there is no such row.
func checkRow(_ row: Int, in count: Int, of type: String) {
  if row < 0 || row >= count { fatalError("\(type): the position \(row) is out of range 0..<\(count).") }
}

/// Traps where there are no such rows.
func checkRows(_ rows: IndexSet, in count: Int, of type: String) {
  if let last = rows.last { checkRow(last, in: count, of: type) }
}

/// Traps where rows cannot move before such a position.
func checkDestination(_ destination: Int, in count: Int, of type: String) {
  if destination < 0 || destination > count {
    fatalError("\(type): the destination \(destination) of a move is out of range 0...\(count).")
  }
}

/// Traps because a row has no value.
func trapMissing(_ row: Int, of type: String) -> Never {
  fatalError("\(type): the row \(row) is a node without a value, which cannot be shown.")
}
