public import Assemblage

/// A change of rows as splices, from the first row to the last, for widgets that apply changes at one place at a time.
///
/// `GListModel::items-changed` of GTK and `beginInsertRows` of Qt report a change at one position. The widget may ask
/// for any row before it is notified of the next change. Then the rows before that position are already the rows after
/// the whole change, and the rows behind that position are still the former rows:
///
/// ```swift
/// // ["a", "b", "c", "d"]  →  ["d", "a", "c"]
/// let splices = RowSplices(
///   Delta(removals: [1..<2], insertions: [], updates: [], moves: [Delta.Move(from: 3..<4, to: 0..<1)]))
/// splices.map(\.description)             // ["0: 0→1", "2: 1→0", "3: 1→0"]
/// // Between the first and the second one, the widget shows d, a, b, c, d.
/// splices.row(after: 3, following: 1)    // 2: "c"
/// splices.row(after: 2, following: 1)    // nil: "b" is about to leave
/// ```
///
/// A moved row is removed at one place, and inserted at another place. A row that is updated and stays in its place has
/// no splice.
public struct RowSplices: Sendable {
  /// The change at one place.
  public struct Splice: Hashable, Sendable, CustomStringConvertible {
    /// The row at which the change begins, counted after all earlier splices.
    public let position: Int

    /// The number of rows that are removed there.
    public let removedCount: Int

    /// The number of rows that are inserted there.
    public let insertedCount: Int

    /// The splice as a text, for example `2: 1→3`: at row 2, three rows replace one row.
    public var description: String { "\(position): \(removedCount)→\(insertedCount)" }
  }

  private var splices: [Splice] = []
  /// The position of each splice, before the change.
  private var formerPositions: [Int] = []

  /// Creates the splices of a change.
  ///
  /// - Parameters:
  ///   - delta: the change of the rows.
  ///   - limit: the largest number of rows that a splice may insert if it also removes rows. With more rows, there are
  ///     two splices at the same position. The reason: GTK compares all rows of a splice that removes and inserts.
  /// - Complexity: O(p · log p) for p ranges of the delta.
  public init(_ delta: Delta, replacingAtMost limit: Int = .max) {
    let removals = Delta.Ranges(Array(delta.removals) + delta.moves.map(\.source))
    let insertions = Delta.Ranges(Array(delta.insertions) + delta.moves.map(\.destination))
    var (removal, insertion) = (0, 0)
    var (former, present) = (0, 0)
    while removal < removals.count || insertion < insertions.count {
      // Skip the rows that stay, up to the next removal or insertion.
      let distances = (
        removal < removals.count ? removals[removal].lowerBound - former : .max,
        insertion < insertions.count ? insertions[insertion].lowerBound - present : .max
      )
      let distance = Swift.min(distances.0, distances.1)
      former += distance
      present += distance
      let removedCount = distances.0 == distance ? removals[removal].count : 0
      let insertedCount = distances.1 == distance ? insertions[insertion].count : 0
      if removedCount > 0, insertedCount > limit {
        append(Splice(position: present, removedCount: removedCount, insertedCount: 0), at: former)
        append(Splice(position: present, removedCount: 0, insertedCount: insertedCount), at: former + removedCount)
      } else {
        append(Splice(position: present, removedCount: removedCount, insertedCount: insertedCount), at: former)
      }
      former += removedCount
      present += insertedCount
      if removedCount > 0 { removal += 1 }
      if insertedCount > 0 { insertion += 1 }
    }
  }

  private mutating func append(_ splice: Splice, at former: Int) {
    splices.append(splice)
    formerPositions.append(former)
  }

  /// The row after all splices of an element that is in a row between two splices.
  ///
  /// - Parameters:
  ///   - row: a row of the widget, at least 0, after the first `count` splices only.
  ///   - count: 0...the number of splices.
  /// - Returns: the row after the change; nil for a row that a later splice removes.
  /// - Complexity: O(log s) for s splices.
  public func row(after row: Int, following count: Int) -> Int? {
    guard count < splices.count, row >= splices[count].position else { return row }
    let former = row - splices[count].position + formerPositions[count]
    // The last splice that does not begin behind the row.
    var (low, high) = (count, splices.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if formerPositions[middle] <= former { low = middle } else { high = middle }
    }
    let distance = former - formerPositions[low] - splices[low].removedCount
    return distance < 0 ? nil : splices[low].position + splices[low].insertedCount + distance
  }
}

extension RowSplices: RandomAccessCollection {
  /// The position of the first splice: 0.
  public var startIndex: Int { 0 }

  /// The number of splices.
  public var endIndex: Int { splices.count }

  /// The splice number `index`.
  ///
  /// - Precondition: `index` is in `0..<count`.
  public subscript(index: Int) -> Splice {
    if !splices.indices.contains(index) {
      fatalError("RowSplices: the index \(index) is out of range 0..<\(splices.count).")
    }
    return splices[index]
  }
}
