/// Stores entries by number, in about 50 bytes each, and each different name once.
///
///     number    0     1      2      3      4
///     name      top   a.txt  b      c.txt  d.txt
///     parent    -     0      0      2      2
///     children  1..<3        3..<5
///
/// The children of a directory have adjacent numbers, larger than their parent's, in the order of their names.
final class EntryStore: NamedItems {
  private(set) var names = NameTable()
  private var records: [Record] = []
  /// Empty for a list of paths, in which only names are known.
  private var details: [Detail] = []
  private var extras: [Int: Extra] = [:]

  /// The properties that an entry of a list of paths has, too.
  private struct Record {
    /// The number of the name.
    var name: UInt32
    var parent: UInt32
    /// The number of the first child.
    var firstChild: UInt32 = 0
    /// The number of children; -1 if they have not been added.
    var childCount: Int32 = -1
    var kind: Entry.Kind
  }

  /// The properties of an entry of a directory.
  private struct Detail {
    var size: Int
    var date: Int
    /// The bytes on the disk.
    var usage: Int
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

  var count: Int { records.count }

  /// Adds an entry without a parent.
  func addRoot(_ entry: Entry) -> Item { append(entry, parent: UInt32.max) }

  /// Adds all children of a directory.
  func addChildren(_ entries: [Entry], to directory: Item) {
    records[directory.index].firstChild = UInt32(count)
    records[directory.index].childCount = Int32(entries.count)
    for entry in entries { _ = append(entry, parent: directory.number) }
  }

  /// Sets the disk usage of a directory itself.
  ///
  /// The usage of a root is known only after the root was read.
  func setUsage(_ usage: Int, of directory: Item) { details[directory.index].usage = usage }

  /// Sets the reason why a directory could not be read.
  func setError(_ reason: String, of directory: Item) {
    extras[directory.index, default: Extra()].error = reason
  }

  /// Sets the number of entries that are left out of a directory.
  func setLeftOut(_ count: Int, of directory: Item) {
    extras[directory.index, default: Extra()].leftOut = count
  }

  private func append(_ entry: Entry, parent: UInt32) -> Item {
    let item = Item(count)
    let name = UInt32(names.number(of: entry.name.bytes.span))
    records.append(Record(name: name, parent: parent, kind: entry.kind))
    details.append(
      Detail(
        size: entry.size, date: entry.modified, usage: entry.usage, mode: entry.mode, owner: entry.owner))
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
    records = parents.indices.map { index in
      Record(
        name: nameNumbers[index], parent: parents[index], childCount: 0, kind: isDirectory[index] ? .directory : .file)
    }
    for index in parents.indices.dropFirst() {
      let parent = Int(parents[index])
      if records[parent].childCount == 0 { records[parent].firstChild = UInt32(index) }
      records[parent].childCount += 1
    }
  }

  init() {}

  // MARK: Reading

  func nameNumber(_ item: Item) -> Int { Int(records[item.index].name) }
  func nameBytes(_ item: Item) -> ArraySlice<UInt8> { names.bytes(nameNumber(item)) }
  func kind(_ item: Item) -> Entry.Kind { records[item.index].kind }
  func isDirectory(_ item: Item) -> Bool { kind(item) == .directory }
  func size(_ item: Item) -> Int { details.isEmpty ? 0 : details[item.index].size }
  func date(_ item: Item) -> Int { details.isEmpty ? 0 : details[item.index].date }
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
    let parent = records[item.index].parent
    return parent == .max ? nil : Item(Int(parent))
  }

  /// The numbers of a directory's children; nil if they have not been added.
  func children(_ item: Item) -> Range<Int>? {
    let (first, count) = (Int(records[item.index].firstChild), Int(records[item.index].childCount))
    return count < 0 ? nil : first..<first + count
  }
}
