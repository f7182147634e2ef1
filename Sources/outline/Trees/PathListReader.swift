/// Makes a tree from a list of paths.
///
/// Each entry consists of two numbers, for its parent and its name, so that a million paths need little memory. An open
/// hash table finds the entry of a name in a directory. Most paths need few look-ups: in a sorted list, a path begins
/// like the previous path, and the reader goes on from the last directory that both share.
struct PathListReader {
  /// The separator between two paths.
  enum Separator: Equatable { case newline, nul }

  private var names = NameTable()
  /// The patterns of paths that are left out.
  private let excluded: IgnoreRules
  private let order: NameOrder
  // The entries in the order of their first appearance. The root is first, and has no name.
  private var nameNumbers: [UInt32] = [0]
  private var parents: [UInt32] = [.max]
  private var isDirectory = [true]
  /// The entries; 0 in an empty slot.
  ///
  /// The count is a power of two, and at most half of the slots are used.
  private var slots = [UInt32](repeating: 0, count: 1_024)
  /// The directories of the last path, each with the position of the slash behind it.
  private var lastPath: [(entry: UInt32, end: Int)] = []

  /// Reads a list.
  ///
  /// Empty lines are left out, and so are empty parts and the `.` of a path. A leading `/` is a part of the first name.
  /// A path is a directory if it ends with `/`, or if another path leads through it.
  ///
  /// - Parameters:
  ///   - bytes: the paths, each followed by a separator, which may be missing behind the last path.
  ///   - separator: the separator; nil means NUL if the list contains a NUL, and newline otherwise.
  ///   - excluded: patterns of the paths that are left out.
  ///   - order: the order of siblings.
  /// - Returns: the tree, in breadth-first order; only the root if the list contains no names.
  static func read(
    _ bytes: Span<UInt8>, separator: Separator? = nil, excluding excluded: [IgnorePattern] = [],
    order: NameOrder = .natural
  ) -> EntryStore {
    let separator = separator ?? (bytes.indices.contains { bytes[$0] == 0 } ? .nul : .newline)
    let end: UInt8 = separator == .nul ? 0 : 0x0A
    var rules = IgnoreRules()
    rules.add(IgnoreFile(patterns: excluded))
    var reader = PathListReader(excluded: rules, order: order)
    var (start, last) = (0, 0..<0)
    while start < bytes.count {
      var limit = start
      while limit < bytes.count, bytes[limit] != end { limit += 1 }
      let path = bytes.extracting(start..<limit)
      let name = path.extracting(first: length(path, separator))
      if !reader.excludes(name) {
        reader.add(name, after: bytes.extracting(last))
        last = start..<limit
      }
      start = limit + 1
    }
    return reader.store()
  }

  /// The length of a path without a CR before the end of the line.
  private static func length(_ path: Span<UInt8>, _ separator: Separator) -> Int {
    separator == .newline && path.count > 0 && path[path.count - 1] == 0x0D ? path.count - 1 : path.count
  }

  /// Creates a reader that has read nothing.
  private init(excluded: IgnoreRules, order: NameOrder) { (self.excluded, self.order) = (excluded, order) }

  /// Whether a path, or one of its parent directories, is left out.
  private func excludes(_ path: Span<UInt8>) -> Bool {
    if excluded.isEmpty { return false }
    var (rules, start) = (excluded, 0)
    while start < path.count {
      var end = start
      while end < path.count, path[end] != FileName.slash { end += 1 }
      let name = FileName(bytes: (start..<end).map { path[$0] })
      start = end + 1
      if name.isEmpty || name == "." { continue }
      if rules.ignores(name, isDirectory: end < path.count) { return true }
      rules = rules.below(name)
    }
    return false
  }

  /// Adds a path, after the path that was added last.
  private mutating func add(_ path: Span<UInt8>, after last: Span<UInt8>) {
    var common = 0
    while common < path.count, common < last.count, path[common] == last[common] { common += 1 }
    while let end = lastPath.last?.end, end >= common { lastPath.removeLast() }
    var (start, parent) = lastPath.last.map { ($0.end + 1, $0.entry) } ?? (0, 0)
    // Of several leading slashes, the last one belongs to the first name.
    while lastPath.isEmpty, start + 1 < path.count, path[start] == 0x2F, path[start + 1] == 0x2F { start += 1 }
    let first = lastPath.isEmpty ? start : -1
    while start < path.count {
      var end = start == first && path[start] == 0x2F ? start + 1 : start
      while end < path.count, path[end] != 0x2F { end += 1 }
      let isDirectory = end < path.count
      let name = path.extracting(start..<end)
      start = end + 1
      if name.isEmpty || name.count == 1 && (name[0] == 0x2E || name[0] == 0x2F) { continue }
      parent = entry(UInt32(names.number(of: name)), in: parent)
      if isDirectory {
        self.isDirectory[Int(parent)] = true
        lastPath.append((parent, end))
      }
    }
  }

  /// Returns the entry of a name in a directory, and makes the entry if it is new.
  private mutating func entry(_ name: UInt32, in parent: UInt32) -> UInt32 {
    isDirectory[Int(parent)] = true
    var slot = hash(name, parent) & (slots.count - 1)
    while slots[slot] > 0 {
      let entry = slots[slot]
      if nameNumbers[Int(entry)] == name, parents[Int(entry)] == parent { return entry }
      slot = (slot + 1) & (slots.count - 1)
    }
    let entry = UInt32(parents.count)
    parents.append(parent)
    nameNumbers.append(name)
    isDirectory.append(false)
    slots[slot] = entry
    if parents.count * 2 > slots.count { grow() }
    return entry
  }

  private mutating func grow() {
    let mask = slots.count * 2 - 1
    slots = [UInt32](repeating: 0, count: mask + 1)
    for entry in 1..<parents.count {
      var slot = hash(nameNumbers[entry], parents[entry]) & mask
      while slots[slot] > 0 { slot = (slot + 1) & mask }
      slots[slot] = UInt32(entry)
    }
  }

  private func hash(_ name: UInt32, _ parent: UInt32) -> Int {
    let key = (UInt64(parent) << 32 | UInt64(name)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: key >> 33)
  }

  /// Numbers the entries again, so that siblings have adjacent numbers.
  private consuming func store() -> EntryStore {
    slots = []
    // The lists of children of all entries, one list after the other.
    var starts = [Int](repeating: 0, count: parents.count + 1)
    for entry in 1..<parents.count { starts[Int(parents[entry]) + 1] += 1 }
    for entry in parents.indices { starts[entry + 1] += starts[entry] }
    var next = starts
    var lists = [UInt32](repeating: 0, count: parents.count - 1)
    for entry in 1..<parents.count {
      let parent = Int(parents[entry])
      lists[next[parent]] = UInt32(entry)
      next[parent] += 1
    }
    let ranks = names.ranks(order)
    var order: [UInt32] = [0]
    order.reserveCapacity(parents.count)
    var newParents: [UInt32] = [.max]
    newParents.reserveCapacity(parents.count)
    var place = 0
    while place < order.count {
      let entry = Int(order[place])
      let children = lists[starts[entry]..<starts[entry + 1]]
      for child in children.sorted(by: { ranks[Int(nameNumbers[Int($0)])] < ranks[Int(nameNumbers[Int($1)])] }) {
        order.append(child)
        newParents.append(UInt32(place))
      }
      place += 1
    }
    return EntryStore(
      names: names, nameNumbers: order.map { nameNumbers[Int($0)] }, parents: newParents,
      isDirectory: order.map { isDirectory[Int($0)] })
  }
}
