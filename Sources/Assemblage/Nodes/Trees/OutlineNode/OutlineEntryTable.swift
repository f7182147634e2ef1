import OffsetIndexing

/// The children of a level that have records, where they are many.
///
///     children      a   b   c   d   e   f          c and d have records; d is expanded and shows 4 rows
///     spans         3           1                   children up to and with each one that has a record
///     rows          3           5                   the rows of those
///     order         #0          #1                  handles, which stay the same while others come and go
struct OutlineEntryTable {
  private var spans: OffsetIndex
  private var rows: OffsetIndex
  private var order: OrderIndex
  /// The records by the numbers of their handles, and the other way round.
  private var records: [Int]
  private var handles: [Int: Int]

  /// Creates a table of entries that ascend by position.
  init(_ entries: [OutlineLevel.Entry]) {
    var next = 0
    let lengths = entries.map { entry in
      defer { next = entry.position + 1 }
      return entry.position + 1 - next
    }
    spans = OffsetIndex(lengths)
    rows = OffsetIndex(zip(lengths, entries).map { $0 + $1.extra })
    order = OrderIndex(count: entries.count)
    records = entries.map(\.record)
    handles = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.record, $0) })
  }

  private func record(at ordinal: Int) -> Int { records[order[ordinal].number] }

  func locate(_ row: Int) -> OutlineLevel.Location {
    guard row < rows.total else {
      return OutlineLevel.Location(position: spans.total + (row - rows.total), record: -1)
    }
    let (ordinal, offset) = rows.locate(row)
    let span = spans.range(of: ordinal)
    if offset < span.count {
      return OutlineLevel.Location(
        position: span.lowerBound + offset, record: offset == span.count - 1 ? record(at: ordinal) : -1)
    }
    return OutlineLevel.Location(
      position: span.upperBound - 1, record: record(at: ordinal), inside: offset - span.count)
  }

  func place(ofChild position: Int) -> OutlineLevel.Place {
    guard position < spans.total else {
      return OutlineLevel.Place(row: rows.total + (position - spans.total), record: -1)
    }
    let (ordinal, offset) = spans.locate(position)
    return OutlineLevel.Place(
      row: rows.offset(of: ordinal) + offset,
      record: offset == spans[ordinal] - 1 ? record(at: ordinal) : -1)
  }

  func place(ofRecord record: Int) -> (position: Int, row: Int) {
    let ordinal = ordinal(ofRecord: record)
    let span = spans.range(of: ordinal)
    return (span.upperBound - 1, rows.offset(of: ordinal) + span.count - 1)
  }

  func forEachEntry(in range: Range<Int>, _ body: (_ entry: OutlineLevel.Entry, _ row: Int) -> Void) {
    guard !range.isEmpty, range.lowerBound < spans.total else { return }
    for ordinal in spans.locate(range.lowerBound).index..<spans.count {
      let span = spans.range(of: ordinal)
      guard span.upperBound <= range.upperBound else { return }
      let row = rows.range(of: ordinal)
      body(
        OutlineLevel.Entry(
          position: span.upperBound - 1, extra: row.count - span.count, record: record(at: ordinal)),
        row.lowerBound + span.count - 1)
    }
  }

  func nextEntry(from position: Int) -> OutlineLevel.Entry? {
    guard position < spans.total else { return nil }
    for ordinal in spans.locate(position).index..<spans.count {
      let span = spans.range(of: ordinal)
      let extra = rows[ordinal] - span.count
      if extra > 0 {
        return OutlineLevel.Entry(position: span.upperBound - 1, extra: extra, record: record(at: ordinal))
      }
    }
    return nil
  }

  mutating func insertChildren(_ added: Int, at position: Int) {
    guard position < spans.total else { return }
    let ordinal = spans.locate(position).index
    spans.add(added, at: ordinal)
    rows.add(added, at: ordinal)
  }

  mutating func removeChildren(_ range: Range<Int>) -> [OutlineLevel.Entry] {
    guard !range.isEmpty, range.lowerBound < spans.total else { return [] }
    var taken: [OutlineLevel.Entry] = []
    forEachEntry(in: range) { entry, _ in taken.append(entry) }
    let first = spans.locate(range.lowerBound).index
    let last = first + taken.count
    let start = spans.offset(of: first)
    if last < spans.count {
      // What is left of the span that the range ends in, and before the range.
      let span = spans.range(of: last)
      let shrinkage = span.count - (span.upperBound - range.upperBound + range.lowerBound - start)
      spans.add(-shrinkage, at: last)
      rows.add(-shrinkage, at: last)
    }
    for entry in taken { handles[entry.record] = nil }
    spans.removeSubrange(first..<last)
    rows.removeSubrange(first..<last)
    order.removeSubrange(first..<last)
    return taken
  }

  mutating func insert(_ entry: OutlineLevel.Entry) {
    var ordinal = spans.count
    var length = entry.position + 1 - spans.total
    if length <= 0 {
      let place = spans.locate(entry.position)
      ordinal = place.index
      length = place.offset + 1
      spans.add(-length, at: ordinal)
      rows.add(-length, at: ordinal)
    }
    spans.insert(length, at: ordinal)
    rows.insert(length + entry.extra, at: ordinal)
    let handle = order.insert(at: ordinal).number
    if handle == records.count { records.append(entry.record) } else { records[handle] = entry.record }
    handles[entry.record] = handle
  }

  /// Takes a record away, and returns the number of its extra rows.
  mutating func remove(record: Int) -> Int {
    let ordinal = ordinal(ofRecord: record)
    let length = spans.remove(at: ordinal)
    let extra = rows.remove(at: ordinal) - length
    order.remove(at: ordinal)
    handles[record] = nil
    if ordinal < spans.count {
      spans.add(length, at: ordinal)
      rows.add(length, at: ordinal)
    }
    return extra
  }

  mutating func addExtra(_ growth: Int, ofRecord record: Int) { rows.add(growth, at: ordinal(ofRecord: record)) }

  private func ordinal(ofRecord record: Int) -> Int {
    guard let handle = handles[record] else {
      trap("OutlineNode: an outline has no child with record \(record) where it was looked for.")
    }
    return order.position(of: OrderIndex.Handle(number: handle))
  }
}
