/// The survivors of many changes, in the order after the changes; composers use it instead of canonical deltas.
///
/// ```text
/// old      0 1 2 3 4 5 6 …              entries (old, new, count)
/// new      0 1 + 4 ~5 6 …               (0, 0, 2)  (4, 3, 1)  (5, 4, 1, updated)  (6, 5, endless)
/// ```
///
/// An element that is in no entry after the change was inserted; an element that is in no entry before the change was
/// removed. The last entry is the tail behind all touched positions, and counts as endless. The table does not mark
/// elements as moved: the heaviest increasing subsequence is found once, for the net delta.
struct PieceTable: Sendable {
  struct Entry: Sendable {
    var old: Int
    var new: Int
    var count: Int
    var isUpdated: Bool

    var newEnd: Int { new &+ count }
  }

  /// The count of the last entry. No end overflows, because no position is larger than this number either.
  static var endless: Int { Delta.largestPosition }

  /// Ascending in `new`, disjoint; the last entry is endless.
  private(set) var entries: [Entry]

  /// The table of no change.
  init() {
    entries = []
    entries.reserveCapacity(8)
    entries.append(Entry(old: 0, new: 0, count: Self.endless, isUpdated: false))
  }

  private init(entries: [Entry]) { self.entries = entries }

  /// The table of one delta.
  init(_ delta: Delta) {
    entries = []
    let extent = delta.oldExtent
    var update = RangeCursor(delta.updates)
    func append(_ piece: Delta.Piece) {
      var new = piece.new
      while new < piece.newEnd {
        while update.upper <= new { update.advance() }
        let isUpdated = update.lower <= new
        let end = min(piece.newEnd, isUpdated ? update.upper : update.lower)
        entries.append(
          Entry(old: piece.old + (new - piece.new), new: new, count: end - new, isUpdated: isUpdated))
        new = end
      }
    }
    delta.forEachPiece(oldCount: extent, append)
    entries.append(
      Entry(old: extent, new: extent + delta.countChange, count: Self.endless, isUpdated: false))
    checkTail()
  }

  /// The delta of the table's changes.
  var delta: Delta {
    var pieces: [Delta.Piece] = []
    pieces.reserveCapacity(entries.count)
    var updates: [Range<Int>] = []
    for entry in entries.dropLast() {
      pieces.append(Delta.Piece(old: entry.old, new: entry.new, count: entry.count))
      if entry.isUpdated { RangeLists.append(entry.new..<entry.newEnd, to: &updates) }
    }
    let tail = entries[entries.count - 1]
    return Delta(pieces: pieces, oldCount: tail.old, newCount: tail.new, updates: updates)
  }

  /// The position of an element before the changes; nil if the changes inserted the element.
  ///
  /// - Complexity: O(log p) for p entries.
  func position(before position: Int) -> Int? {
    let next = entries.partitioningIndex { $0.new > position }
    guard next > 0, position < entries[next - 1].newEnd else { return nil }
    return entries[next - 1].old + position - entries[next - 1].new
  }

  // MARK: One more change

  /// Splits an entry so that one begins at `position` after the change; an inserted position splits nothing.
  ///
  /// - Returns: the index of the first entry that begins at or behind `position`.
  private mutating func split(at position: Int) -> Int {
    var low = 0
    var high = entries.count - 1
    while low < high {
      let middle = (low &+ high) / 2
      if entries[middle].newEnd <= position { low = middle + 1 } else { high = middle }
    }
    let entry = entries[low]
    if entry.new >= position { return low }
    let head = position - entry.new
    entries.insert(
      Entry(
        old: entry.old + head, new: position,
        count: low == entries.count - 1 ? Self.endless : entry.count - head,
        isUpdated: entry.isUpdated),
      at: low + 1)
    entries[low].count = head
    return low + 1
  }

  private mutating func shift(from index: Int, by distance: Int) {
    for later in index..<entries.count { entries[later].new += distance }
  }

  /// Joins the entries on both sides of `index` if nothing separates them.
  private mutating func join(at index: Int) {
    guard index > 0 else { return }
    let left = entries[index - 1]
    let right = entries[index]
    if left.newEnd == right.new && left.old + left.count == right.old && left.isUpdated == right.isUpdated {
      entries[index - 1].count = index == entries.count - 1 ? Self.endless : left.count + right.count
      entries.remove(at: index)
    }
  }

  private mutating func insert(_ range: Range<Int>) {
    shift(from: split(at: range.lowerBound), by: range.count)
    checkTail()
  }

  /// Checks that positions stay in their domain, because ends are not checked for overflow.
  private func checkTail() {
    let tail = entries[entries.count - 1]
    require(
      tail.old <= Self.endless && tail.new <= Self.endless,
      "Delta: changes reach from position \(tail.old) to \(tail.new), beyond 2^62.")
  }

  private mutating func remove(_ range: Range<Int>) {
    let lower = split(at: range.lowerBound)
    let upper = split(at: range.upperBound)
    if lower < upper { entries.removeSubrange(lower..<upper) }
    shift(from: lower, by: -range.count)
    join(at: lower)
  }

  private mutating func update(_ range: Range<Int>) {
    let lower = split(at: range.lowerBound)
    let upper = split(at: range.upperBound)
    for index in lower..<upper { entries[index].isUpdated = true }
  }

  /// Composes this table with a delta of few ranges, in place.
  ///
  /// - Complexity: O(p · e) for p ranges and e entries.
  mutating func apply(_ delta: Delta) {
    switch delta.storage {
    case .identity: break
    case .insertion(let range): insert(range)
    case .removal(let range): remove(range)
    case .update(let range): update(range)
    case .several(let several):
      // Removals and sources of moves are processed from the last to the first, so that positions before the change
      // stay valid. Insertions and destinations are processed from the first to the last, so that positions after the
      // change are valid.
      var lifted: [(destination: Range<Int>, entries: [Entry])] = []
      var removal = several.removals.count - 1
      for move in several.moves.sorted(byNumber: { -$0.source.lowerBound }) {
        while removal >= 0 && several.removals[removal].lowerBound > move.source.lowerBound {
          remove(several.removals[removal])
          removal -= 1
        }
        let lower = split(at: move.source.lowerBound)
        let upper = split(at: move.source.upperBound)
        let distance = move.destination.lowerBound - move.source.lowerBound
        lifted.append(
          (
            move.destination,
            entries[lower..<upper].map {
              Entry(old: $0.old, new: $0.new + distance, count: $0.count, isUpdated: $0.isUpdated)
            }
          ))
        remove(move.source)
      }
      while removal >= 0 {
        remove(several.removals[removal])
        removal -= 1
      }
      var insertion = 0
      for (destination, moved) in lifted.sorted(byNumber: \.destination.lowerBound) {
        while insertion < several.insertions.count
          && several.insertions[insertion].lowerBound < destination.lowerBound
        {
          insert(several.insertions[insertion])
          insertion += 1
        }
        insert(destination)
        let index = split(at: destination.lowerBound)
        entries.insert(contentsOf: moved, at: index)
        join(at: index + moved.count)
        join(at: index)
      }
      while insertion < several.insertions.count {
        insert(several.insertions[insertion])
        insertion += 1
      }
      for range in several.updates { update(range) }
    }
  }

  // MARK: Many more changes

  /// The table of this table's changes and then the changes of `next`.
  ///
  /// The entries of `next` are processed in order. Each entry is cut at the borders of the entries here that it covers.
  /// If an entry does not continue where the last one ended, a search finds its place.
  ///
  /// - Complexity: O(p + q) for p and q entries, and O(log p) for each entry of `next` that moved.
  func composed(with next: PieceTable) -> PieceTable {
    var result: [Entry] = []
    result.reserveCapacity(entries.count + next.entries.count)
    let last = entries.count - 1
    var index = 0
    for piece in next.entries {
      let end = piece.old &+ piece.count
      // The first entry that ends behind the piece's start.
      if entries[index].new > piece.old && index > 0 && entries[index - 1].newEnd > piece.old {
        index = entries[..<index].partitioningIndex { $0.newEnd > piece.old }
      } else {
        var step = 1
        while index < last && entries[index].newEnd <= piece.old {
          if index + step < last && entries[index + step].newEnd <= piece.old {
            index += step
            step *= 2
          } else if step > 1 {
            step = 1
          } else {
            index += 1
          }
        }
      }
      while true {
        let entry = entries[index]
        let lower = max(entry.new, piece.old)
        let upper = min(entry.newEnd, end)
        if lower < upper {
          let part = Entry(
            old: entry.old &+ (lower &- entry.new), new: piece.new &+ (lower &- piece.old),
            count: upper &- lower, isUpdated: entry.isUpdated || piece.isUpdated)
          if let before = result.last, before.newEnd == part.new, before.old &+ before.count == part.old,
            before.isUpdated == part.isUpdated
          {
            result[result.count - 1].count += part.count
          } else {
            result.append(part)
          }
        }
        if entry.newEnd >= end || index == last { break }
        index += 1
      }
    }
    result[result.count - 1].count = Self.endless
    let table = PieceTable(entries: result)
    table.checkTail()
    return table
  }
}
