/// The nodes that were made for rows, by number: which row each shows, and which of them have lost it.
///
/// A node stays that of its row for as long as the row is in the source. Afterwards it is the node of the next row with the
/// same id that comes.
@usableFromInline
struct NestParts {
  private var rows: [Int: Int] = [:]
  private var numbers: [Int: Int] = [:]
  /// By the slot of the id: those that lost their row, the last one last.
  private var lost = LostParts<Int, Int>()
  private var next = 0

  var isEmpty: Bool { rows.isEmpty && lost.isEmpty }

  /// The row of a node; nil where it has lost it.
  func row(of part: Int) -> Int? { rows[part] }

  /// The node of a row.
  func part(of row: Int) -> Int? { numbers[row] }

  /// Makes the number of a node.
  mutating func add(for row: Int) -> Int {
    defer { next += 1 }
    rows[next] = row
    numbers[row] = next
    return next
  }

  /// Notes that a row leaves.
  ///
  /// - Returns: its node, which is lost from now on.
  mutating func lose(_ row: Int, slot: Int) -> Int? {
    guard let part = numbers.removeValue(forKey: row) else { return nil }
    rows[part] = nil
    if slot > 0 { lost.insert(part, for: slot) }
    return part
  }

  /// Gives a row to the node that was the last one to lose a row with the same id.
  ///
  /// - Parameters:
  ///   - row: the row, which has no node.
  ///   - slot: that of its id.
  /// - Returns: the node; nil where none waits for the id.
  mutating func find(_ row: Int, slot: Int) -> Int? {
    guard let part = lost.takeLast(for: slot) else { return nil }
    rows[part] = row
    numbers[row] = part
    return part
  }

  /// Notes that a node dies.
  ///
  /// - Returns: the slot that it is not waiting for any longer.
  mutating func remove(_ part: Int) -> Int? {
    if let row = rows.removeValue(forKey: part) { numbers[row] = nil }
    return lost.remove(part)
  }
}
