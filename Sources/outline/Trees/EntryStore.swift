/// Stores entries by number, in columns: about 50 bytes for each entry, and each different name once.
///
///     number    0     1      2      3      4
///     name      top   a.txt  b      c.txt  d.txt
///     parent    -     0      0      2      2
///     children  1..<3        3..<5
///
/// The children of a directory have adjacent numbers, larger than their parent's, in the order of their names.
struct EntryStore {
  private(set) var names = NameTable()
  private var nameNumbers: [UInt32] = []
  private(set) var parents: [UInt32] = []
  private(set) var kinds: [Entry.Kind] = []
  private(set) var sizes: [Int] = []
  private(set) var dates: [Int] = []
  /// The number of the first child, and the number of children; -1 if the children have not been added.
  private var firstChildren: [UInt32] = []
  private var childCounts: [Int32] = []
  /// Empty for a list of paths, in which only names are known.
  private var details: [Detail] = []
  private var extras: [Int: Extra] = [:]

  /// Properties that are seldom read.
  ///
  /// With fewer columns, an access to the store costs less.
  private struct Detail {
    /// The bytes on the disk.
    var usage = 0
    /// The bits of type and permission.
    var mode: UInt16
    /// The number of the owner.
    var owner: UInt32
  }

  /// Properties that few entries have.
  private struct Extra {
    var identity: Entry.Identity?
    var target: FileName?
    var linkEnd: Entry.LinkEnd?
    var error: String?
    var leftOut = 0
  }

  var count: Int { parents.count }

  /// Adds an entry without a parent.
  mutating func addRoot(_ entry: Entry) -> Item { append(entry, parent: UInt32.max) }

  /// Adds all children of a directory.
  mutating func addChildren(_ entries: [Entry], to directory: Item) {
    firstChildren[directory.index] = UInt32(count)
    childCounts[directory.index] = Int32(entries.count)
    for entry in entries { _ = append(entry, parent: directory.number) }
  }

  /// Sets the disk usage of a directory itself.
  ///
  /// The usage of a root is known only after the root was read.
  mutating func setUsage(_ usage: Int, of directory: Item) { details[directory.index].usage = usage }

  /// Sets the reason why a directory could not be read.
  mutating func setError(_ reason: String, of directory: Item) {
    extras[directory.index, default: Extra()].error = reason
  }

  /// Sets the number of entries that are left out of a directory.
  mutating func setLeftOut(_ count: Int, of directory: Item) {
    extras[directory.index, default: Extra()].leftOut = count
  }

  private mutating func append(_ entry: Entry, parent: UInt32) -> Item {
    let item = Item(count)
    nameNumbers.append(UInt32(names.number(of: entry.name.bytes.span)))
    parents.append(parent)
    kinds.append(entry.kind)
    sizes.append(entry.size)
    dates.append(entry.modified)
    firstChildren.append(0)
    childCounts.append(-1)
    details.append(Detail(usage: entry.usage, mode: entry.mode, owner: entry.owner))
    if entry.identity != nil || entry.target != nil || entry.linkEnd != nil {
      extras[item.index] = Extra(identity: entry.identity, target: entry.target, linkEnd: entry.linkEnd)
    }
    return item
  }

  /// Creates a store from the columns of a tree.
  ///
  /// Its entries are directories, or files without a size.
  ///
  /// - Parameters:
  ///   - names: all names.
  ///   - nameNumbers: the number of each entry's name.
  ///   - parents: the parent of each entry. The first entry is the root. Every other entry lies behind its parent, next
  ///     to its siblings.
  ///   - isDirectory: whether each entry is a directory.
  init(names: NameTable, nameNumbers: [UInt32], parents: [UInt32], isDirectory: [Bool]) {
    self.names = names
    self.nameNumbers = nameNumbers
    self.parents = parents
    kinds = isDirectory.map { $0 ? .directory : .file }
    sizes = [Int](repeating: 0, count: parents.count)
    dates = sizes
    firstChildren = [UInt32](repeating: 0, count: parents.count)
    childCounts = [Int32](repeating: 0, count: parents.count)
    for index in parents.indices.dropFirst() {
      let parent = Int(parents[index])
      if childCounts[parent] == 0 { firstChildren[parent] = UInt32(index) }
      childCounts[parent] += 1
    }
  }

  init() {}

  // MARK: Reading

  func nameNumber(_ item: Item) -> Int { Int(nameNumbers[item.index]) }
  func nameBytes(_ item: Item) -> ArraySlice<UInt8> { names.bytes(Int(nameNumbers[item.index])) }
  func isDirectory(_ item: Item) -> Bool { kinds[item.index] == .directory }
  func target(_ item: Item) -> FileName? { extras[item.index]?.target }
  func linkEnd(_ item: Item) -> Entry.LinkEnd? { extras[item.index]?.linkEnd }
  func usage(_ item: Item) -> Int { details.isEmpty ? 0 : details[item.index].usage }
  func mode(_ item: Item) -> UInt16 {
    details.isEmpty ? isDirectory(item) ? 0o040755 : 0o100644 : details[item.index].mode
  }
  func owner(_ item: Item) -> UInt32 { details.isEmpty ? 0 : details[item.index].owner }
  /// The identity of the file, if the file has several names.
  func identity(_ item: Item) -> Entry.Identity? { extras[item.index]?.identity }
  /// The files with several names, and their identities.
  var identities: [Int: Entry.Identity] { extras.compactMapValues(\.identity) }
  func error(_ item: Item) -> String? { extras[item.index]?.error }
  /// The number of entries that are left out of a directory in which nothing else is.
  func leftOut(_ item: Item) -> Int { extras[item.index]?.leftOut ?? 0 }

  func parent(_ item: Item) -> Item? {
    parents[item.index] == .max ? nil : Item(Int(parents[item.index]))
  }

  /// The numbers of a directory's children; nil if they have not been added.
  func children(_ item: Item) -> Range<Int>? {
    let (first, count) = (Int(firstChildren[item.index]), Int(childCounts[item.index]))
    return count < 0 ? nil : first..<first + count
  }

  /// The path of an entry: the names from its root down to the entry.
  ///
  /// - Parameters:
  ///   - item: the entry.
  ///   - withRoot: whether the path includes the root's name.
  /// - Returns: the names, with a slash between them.
  func path(_ item: Item, withRoot: Bool = true) -> FileName {
    var parts: [ArraySlice<UInt8>] = []
    var here: Item? = item
    while let item = here {
      here = parent(item)
      if withRoot || here != nil { parts.append(nameBytes(item)) }
    }
    guard let first = parts.popLast() else { return "" }
    var path = Array(first)
    for part in parts.reversed() {
      if path.last != FileName.slash { path.append(FileName.slash) }
      path += part
    }
    return FileName(bytes: path)
  }
}
