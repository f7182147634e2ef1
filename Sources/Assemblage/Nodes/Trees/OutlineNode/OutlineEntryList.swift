/// The children of a level that have records, while they are few: one array, searched from its start.
///
/// Four items share a cache line: in a large tree, what a look-up waits for is memory.
struct OutlineEntryList {
  private struct Item {
    private var storedGap: UInt32
    private var storedRecord: Int32
    var extra: Int

    init(gap: Int, extra: Int, record: Int) {
      storedGap = UInt32(gap)
      storedRecord = Int32(record)
      self.extra = extra
    }

    /// The number of children before this one, back to the item before, that have no record.
    var gap: Int {
      get { Int(storedGap) }
      set { storedGap = UInt32(newValue) }
    }

    var record: Int { Int(storedRecord) }
  }

  /// The greatest number of children of a level.
  static let mostChildren = Int(UInt32.max)

  private var items: [Item]

  /// Creates a list of entries that ascend by position.
  init(_ entries: [OutlineLevel.Entry]) {
    items = []
    items.reserveCapacity(entries.count)
    var next = 0
    for entry in entries {
      items.append(Item(gap: entry.position - next, extra: entry.extra, record: entry.record))
      next = entry.position + 1
    }
  }

  var count: Int { items.count }

  func locate(_ row: Int) -> OutlineLevel.Location {
    var position = 0
    var start = 0
    for item in items {
      position &+= item.gap
      start &+= item.gap
      if row <= start {
        return OutlineLevel.Location(position: position &- (start &- row), record: row == start ? item.record : -1)
      }
      start &+= 1
      if row < start &+ item.extra {
        return OutlineLevel.Location(position: position, record: item.record, inside: row &- start)
      }
      start &+= item.extra
      position &+= 1
    }
    return OutlineLevel.Location(position: position &+ (row &- start), record: -1)
  }

  func place(ofChild position: Int) -> OutlineLevel.Place {
    var next = 0
    var start = 0
    for item in items {
      next &+= item.gap
      start &+= item.gap
      if position <= next {
        return OutlineLevel.Place(row: start &- (next &- position), record: position == next ? item.record : -1)
      }
      next &+= 1
      start &+= 1 &+ item.extra
    }
    return OutlineLevel.Place(row: start &+ (position &- next), record: -1)
  }

  func place(ofRecord record: Int) -> (position: Int, row: Int) {
    var position = 0
    var row = 0
    for item in items {
      position &+= item.gap
      row &+= item.gap
      if item.record == record { return (position, row) }
      position &+= 1
      row &+= 1 &+ item.extra
    }
    trap("OutlineNode: an outline has no child with record \(record) where it was looked for.")
  }

  func forEachEntry(in range: Range<Int>, _ body: (_ entry: OutlineLevel.Entry, _ row: Int) -> Void) {
    var position = 0
    var row = 0
    for item in items {
      position += item.gap
      row += item.gap
      if position >= range.upperBound { return }
      if position >= range.lowerBound {
        body(OutlineLevel.Entry(position: position, extra: item.extra, record: item.record), row)
      }
      position += 1
      row += 1 + item.extra
    }
  }

  func nextEntry(from start: Int) -> OutlineLevel.Entry? {
    var position = 0
    for item in items {
      position += item.gap
      if position >= start, item.extra > 0 {
        return OutlineLevel.Entry(position: position, extra: item.extra, record: item.record)
      }
      position += 1
    }
    return nil
  }

  mutating func insertChildren(_ added: Int, at position: Int) {
    var next = 0
    for index in items.indices {
      next += items[index].gap
      if position <= next {
        items[index].gap += added
        return
      }
      next += 1
    }
  }

  mutating func removeChildren(_ range: Range<Int>) -> [OutlineLevel.Entry] {
    var taken: [OutlineLevel.Entry] = []
    var kept: [OutlineLevel.Entry] = []
    forEachEntry(in: 0..<Int.max) { entry, _ in
      var entry = entry
      if range.contains(entry.position) {
        taken.append(entry)
      } else {
        if entry.position >= range.upperBound { entry.position -= range.count }
        kept.append(entry)
      }
    }
    self = OutlineEntryList(kept)
    return taken
  }

  mutating func insert(_ entry: OutlineLevel.Entry) {
    var next = 0
    for index in items.indices {
      let end = next + items[index].gap
      if entry.position < end {
        items[index].gap = end - entry.position - 1
        items.insert(Item(gap: entry.position - next, extra: entry.extra, record: entry.record), at: index)
        return
      }
      next = end + 1
    }
    items.append(Item(gap: entry.position - next, extra: entry.extra, record: entry.record))
  }

  /// Takes a record away, and returns the number of its extra rows.
  mutating func remove(record: Int) -> Int {
    let index = index(ofRecord: record)
    let item = items.remove(at: index)
    if index < items.count { items[index].gap += item.gap + 1 }
    return item.extra
  }

  mutating func addExtra(_ growth: Int, ofRecord record: Int) {
    items[index(ofRecord: record)].extra += growth
  }

  private func index(ofRecord record: Int) -> Int {
    guard let index = items.firstIndex(where: { $0.record == record }) else {
      trap("OutlineNode: an outline has no child with record \(record) where it was looked for.")
    }
    return index
  }
}
