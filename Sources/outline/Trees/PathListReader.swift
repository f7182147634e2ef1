/// Makes a tree from a list of paths.
///
/// Each entry consists of two numbers, for its parent and its name, so that a million paths need little memory.
struct PathListReader {
  /// The separator between two paths.
  enum Separator: Equatable { case newline, nul }

  /// The entries in the order of their first appearance.
  private struct Columns: PathColumns {
    var names = NameTable()
    var nameNumbers: [UInt32] = [0]
    var parents: [UInt32] = [.max]
    var isDirectory = [true]

    mutating func number(ofName name: Span<UInt8>) -> UInt32 { UInt32(names.number(of: name)) }

    func key(_ entry: UInt32) -> (name: UInt32, parent: UInt32) { (nameNumbers[Int(entry)], parents[Int(entry)]) }

    mutating func append(_ name: UInt32, to parent: UInt32, isDirectory: Bool) {
      nameNumbers.append(name)
      parents.append(parent)
      self.isDirectory.append(isDirectory)
    }

    mutating func makeDirectory(_ entry: UInt32) { isDirectory[Int(entry)] = true }
  }

  private var columns = Columns()
  private var table = PathTable()
  /// The patterns of paths that are left out.
  private let excluded: IgnoreRules
  private let order: NameOrder

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
    var start = 0
    while start < bytes.count {
      var limit = start
      while limit < bytes.count, bytes[limit] != end { limit += 1 }
      let path = bytes.extracting(start..<limit)
      reader.table.add(path.extracting(first: PathTable.length(path, separator: end)), to: &reader.columns)
      start = limit + 1
    }
    return reader.store()
  }

  /// Creates a reader that has read nothing.
  private init(excluded: IgnoreRules, order: NameOrder) { (self.excluded, self.order) = (excluded, order) }

  /// Numbers the entries again, so that siblings have adjacent numbers, and leaves out entries.
  ///
  /// Only now is it known which entries are directories: some patterns are for directories only.
  private consuming func store() -> EntryStore {
    table = PathTable()
    let (parents, nameNumbers, isDirectory) = (columns.parents, columns.nameNumbers, columns.isDirectory)
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
    let ranks = columns.names.ranks(order)
    var order: [UInt32] = [0]
    order.reserveCapacity(parents.count)
    var newParents: [UInt32] = [.max]
    newParents.reserveCapacity(parents.count)
    // The patterns for the entries of each directory whose entries are not numbered yet; empty without patterns.
    var scopes: [Int: IgnoreRules] = excluded.isEmpty ? [:] : [0: excluded]
    var place = 0
    while place < order.count {
      let entry = Int(order[place])
      let scope = scopes.removeValue(forKey: place)
      let children = lists[starts[entry]..<starts[entry + 1]]
      for child in children.sorted(by: { ranks[Int(nameNumbers[Int($0)])] < ranks[Int(nameNumbers[Int($1)])] }) {
        if let scope {
          let name = FileName(listed: columns.names.bytes(Int(nameNumbers[Int(child)])))
          if scope.ignores(name, isDirectory: isDirectory[Int(child)]) { continue }
          if isDirectory[Int(child)] { scopes[order.count] = scope.below(name) }
        }
        order.append(child)
        newParents.append(UInt32(place))
      }
      place += 1
    }
    return EntryStore(
      names: columns.names, nameNumbers: order.map { nameNumbers[Int($0)] }, parents: newParents,
      isDirectory: order.map { isDirectory[Int($0)] })
  }
}

extension FileName {
  /// Creates the name that patterns compare with an entry of a list: without the slash at the start of a path.
  init(listed name: ArraySlice<UInt8>) { self.init(bytes: Array(name.drop { $0 == FileName.slash })) }
}
