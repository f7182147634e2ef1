/// The columns of a tree to which paths are added.
///
/// The entries have numbers in the order of their first appearance. The root is number 0, and has no name.
protocol PathColumns {
  /// Returns the number of a name, and stores the name if it is new.
  mutating func number(ofName name: Span<UInt8>) -> UInt32

  /// Returns the name and the parent of an entry.
  func key(_ entry: UInt32) -> (name: UInt32, parent: UInt32)

  /// Adds the entry with the next number.
  mutating func append(_ name: UInt32, to parent: UInt32, isDirectory: Bool)

  /// Turns an entry into a directory, because a path leads through it; it may be one.
  mutating func makeDirectory(_ entry: UInt32)
}

/// Finds the entries of paths in a tree, and adds entries that are new.
///
/// An open hash table finds the entry of a name in a directory. Most paths need few look-ups: in a sorted list, a path
/// begins like the previous path, and the table goes on from the last directory that both share.
struct PathTable {
  /// The entries; 0 in an empty slot.
  ///
  /// The count is a power of two, and at most half of the slots are used.
  private var slots = [UInt32](repeating: 0, count: 1_024)
  private var count: UInt32 = 1
  /// The path that was added last, and its directories, each with the position of the slash behind it.
  private var last: [UInt8] = []
  private var directories: [(entry: UInt32, end: Int)] = []

  /// The length of a path without a CR before the end of the line.
  static func length(_ line: Span<UInt8>, separator: UInt8) -> Int {
    separator == 0x0A && line.count > 0 && line[line.count - 1] == 0x0D ? line.count - 1 : line.count
  }

  /// Adds a path: the entries of its parts, as far as they are new.
  ///
  /// Empty parts are left out, and so is the part `.`. A leading slash is a part of the first name.
  mutating func add(_ path: Span<UInt8>, to columns: inout some PathColumns) {
    var common = 0
    let shorter = min(path.count, last.count)
    while common < shorter, path[common] == last[common] { common += 1 }
    while let end = directories.last?.end, end >= common { directories.removeLast() }
    last.removeLast(last.count - common)
    // The bytes are only read while they are added.
    unsafe path.extracting(common...).withUnsafeBufferPointer { unsafe last.append(contentsOf: $0) }
    var (start, parent) = directories.last.map { ($0.end + 1, $0.entry) } ?? (0, 0)
    let slash = FileName.slash
    // Of several leading slashes, the last one belongs to the first name.
    while directories.isEmpty, start + 1 < path.count, path[start] == slash, path[start + 1] == slash { start += 1 }
    let first = directories.isEmpty ? start : -1
    while start < path.count {
      var end = start == first && path[start] == slash ? start + 1 : start
      while end < path.count, path[end] != slash { end += 1 }
      let name = path.extracting(start..<end)
      start = end + 1
      if name.isEmpty || name.count == 1 && (name[0] == UInt8(ascii: ".") || name[0] == slash) { continue }
      parent = entry(columns.number(ofName: name), in: parent, isDirectory: end < path.count, &columns)
      if end < path.count { directories.append((parent, end)) }
    }
  }

  private mutating func entry(
    _ name: UInt32, in parent: UInt32, isDirectory: Bool, _ columns: inout some PathColumns
  ) -> UInt32 {
    var slot = Self.hash(name, parent) & (slots.count - 1)
    while slots[slot] > 0 {
      if columns.key(slots[slot]) == (name, parent) {
        if isDirectory { columns.makeDirectory(slots[slot]) }
        return slots[slot]
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    let entry = count
    columns.append(name, to: parent, isDirectory: isDirectory)
    slots[slot] = entry
    count += 1
    if Int(count) * 2 > slots.count { grow(columns) }
    return entry
  }

  private mutating func grow(_ columns: some PathColumns) {
    let mask = slots.count * 2 - 1
    slots = [UInt32](repeating: 0, count: mask + 1)
    for entry in 1..<count {
      let (name, parent) = columns.key(entry)
      var slot = Self.hash(name, parent) & mask
      while slots[slot] > 0 { slot = (slot + 1) & mask }
      slots[slot] = entry
    }
  }

  private static func hash(_ name: UInt32, _ parent: UInt32) -> Int {
    let key = (UInt64(parent) << 32 | UInt64(name)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: key >> 33)
  }
}
