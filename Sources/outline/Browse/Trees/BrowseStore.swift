import AssemblageTerminal

/// Stores the entries of directories and of lists of paths by number.
///
/// Entries can be added and removed later.
///
///     number    0     1      2      3
///     name      top   a.txt  b      c.txt
///     parent    -     0      0      2
///     position  0     0      1      0       among its siblings
///
/// Each folder knows the totals of its descendants: files, bytes, and the folders that have not been read.
///
/// The store is an object, so that the predicates of filters read the store itself, and not through its browser.
final class BrowseStore: NamedItems {
  /// The known properties of an entry.
  struct Entry {
    var name: UInt32
    var parent: UInt32
    var position: UInt32
    /// The number of its folder; -1 if the entry is no folder.
    var folder: Int32
    var kind: BrowseKind
    var hiding: UInt8
    var isRemoved = false
    var hasOtherNames = false
    var mode: UInt16
    var size: Int
    var modified: Int
  }

  /// The additional properties of a directory.
  struct Folder {
    enum State: Equatable {
      case unread, waiting, read
      case failed(Int32)
    }

    var state = State.unread
    var children: [Item] = []
    var device = 0
    /// The date of the directory when it was read, in seconds: the last arrival or departure of an entry; nil if
    /// unknown.
    var date: Int?
    /// The scanner's turn in which the directory was read.
    var turn = 0
    /// The files below the directory, and their bytes.
    var totals = BrowseTotals()
    /// The number of folders that wait to be read, among this folder and its descendants.
    var waiting = 0
  }

  private(set) var names = NameTable()
  private(set) var entries: [Entry] = []
  private(set) var folders: [Folder] = []
  /// The entries that exist, except the roots; each counts as a file without bytes.
  private var counts = BrowseTotals()

  static let hidden: UInt8 = 1
  static let ignored: UInt8 = 2

  // MARK: Reading

  /// The number of entries, without the roots.
  ///
  /// - Parameter hiding: the kinds of entries that are left out.
  /// - Returns: the number of the other entries.
  func count(without hiding: TerminalHiding = []) -> Int { counts.files(without: hiding) }

  subscript(item: Item) -> Entry { entries[item.index] }

  func nameNumber(_ item: Item) -> Int { Int(entries[item.index].name) }

  func name(_ item: Item) -> ArraySlice<UInt8> { names.bytes(nameNumber(item)) }

  /// The name in the form that is shown.
  func text(_ item: Item) -> String {
    let name = self.name(item)
    return sanitized(name.span)
  }

  func isShown(_ item: Item, _ hiding: TerminalHiding) -> Bool { entries[item.index].hiding & hiding.rawValue == 0 }

  func folder(_ item: Item) -> Folder? {
    let number = entries[item.index].folder
    return number < 0 ? nil : folders[Int(number)]
  }

  func isFolder(_ item: Item) -> Bool { entries[item.index].folder >= 0 }

  func parent(_ item: Item) -> Item? {
    let parent = entries[item.index].parent
    return parent == .max ? nil : Item(Int(parent))
  }

  func children(_ item: Item) -> [Item] { folder(item)?.children ?? [] }

  /// The entries on the path from a root down to an entry.
  ///
  /// The root is not included; the entry is.
  func way(to item: Item) -> [Item] {
    var way: [Item] = []
    var here = item
    while let parent = parent(here) {
      way.append(here)
      here = parent
    }
    return way.reversed()
  }

  // MARK: Writing

  /// Returns the number of a name, and stores the name if it is new.
  func number(ofName name: Span<UInt8>) -> UInt32 { UInt32(names.number(of: name)) }

  /// Adds a folder without a parent.
  func addRoot(_ name: [UInt8], device: Int = 0) -> Item {
    let item = append(
      number(ofName: name.span), DirectoryListing.Entry(kind: .directory, device: device), parent: .max, hiding: 0)
    count(item, -1)
    return item
  }

  /// Adds an entry that is not a child of its folder yet.
  ///
  /// - Parameters:
  ///   - name: the number of the entry's name.
  ///   - entry: the known properties of the entry.
  ///   - folder: the folder of the entry.
  /// - Returns: the entry.
  func insert(_ name: UInt32, _ entry: DirectoryListing.Entry, to folder: Item) -> Item {
    append(name, entry, parent: folder.number, hiding: hiding(name, isIgnored: entry.isIgnored, in: folder))
  }

  /// The reasons to leave out an entry of a folder.
  private func hiding(_ name: UInt32, isIgnored: Bool, in folder: Item) -> UInt8 {
    var hiding = entries[folder.index].hiding
    if names.bytes(Int(name)).first == UInt8(ascii: ".") { hiding |= Self.hidden }
    if isIgnored { hiding |= Self.ignored }
    return hiding
  }

  /// Sets the children of a folder, in their order.
  func setChildren(_ children: [Item], of folder: Item) {
    folders[Int(entries[folder.index].folder)].children = children
    for (position, child) in children.enumerated() { entries[child.index].position = UInt32(position) }
  }

  /// Adds a child behind the children of a folder.
  func appendChild(_ child: Item, to folder: Item) {
    let number = Int(entries[folder.index].folder)
    entries[child.index].position = UInt32(folders[number].children.count)
    folders[number].children.append(child)
  }

  private func append(
    _ name: UInt32, _ entry: DirectoryListing.Entry, parent: UInt32, hiding: UInt8
  ) -> Item {
    let item = Item(entries.count)
    var folder: Int32 = -1
    if entry.kind == .directory {
      folder = Int32(folders.count)
      folders.append(Folder(device: entry.device))
    }
    entries.append(
      Entry(
        name: name, parent: parent, position: 0, folder: folder,
        kind: entry.kind, hiding: hiding, hasOtherNames: entry.hasOtherNames, mode: entry.mode, size: entry.size,
        modified: entry.modified))
    count(item, 1)
    return item
  }

  private func count(_ item: Item, _ step: Int) {
    counts.add(files: step, size: 0, hiding: entries[item.index].hiding)
  }

  /// Marks an entry and all its descendants as removed.
  func remove(_ item: Item) {
    var open = [item]
    while let item = open.popLast() {
      entries[item.index].isRemoved = true
      count(item, -1)
      open += children(item)
    }
  }

  /// Updates the properties of a file, or the date of a directory.
  func update(_ item: Item, _ entry: DirectoryListing.Entry) {
    entries[item.index].size = entry.size
    entries[item.index].modified = entry.modified
    entries[item.index].kind = entry.kind
    entries[item.index].mode = entry.mode
    entries[item.index].hasOtherNames = entry.hasOtherNames
  }

  /// Turns a file into a folder, because paths of a list lead through it.
  ///
  /// - Parameters:
  ///   - item: the file, which has a parent.
  ///   - isIgnored: whether patterns leave out the folder.
  func makeFolder(_ item: Item, isIgnored: Bool) {
    guard entries[item.index].folder < 0, let parent = self.parent(item) else { return }
    count(item, -1)
    entries[item.index].hiding = hiding(entries[item.index].name, isIgnored: isIgnored, in: parent)
    count(item, 1)
    entries[item.index].folder = Int32(folders.count)
    entries[item.index].kind = .directory
    entries[item.index].mode = DirectoryListing.Entry.listed(isDirectory: true).mode
    folders.append(Folder())
  }

  func setState(_ state: Folder.State, of folder: Item) {
    folders[Int(entries[folder.index].folder)].state = state
  }

  /// Sets the turn and the date of the latest reading of a folder.
  func setReading(turn: Int, date: Int?, of folder: Item) {
    let number = Int(entries[folder.index].folder)
    (folders[number].turn, folders[number].date) = (turn, date)
  }

  /// Adds to the totals of a folder and of all its ancestors.
  func add(_ totals: BrowseTotals = BrowseTotals(), waiting: Int = 0, to folder: Item) {
    if totals.isEmpty, waiting == 0 { return }
    var here: Item? = folder
    while let item = here {
      let number = Int(entries[item.index].folder)
      folders[number].totals += totals
      folders[number].waiting += waiting
      here = parent(item)
    }
  }
}
