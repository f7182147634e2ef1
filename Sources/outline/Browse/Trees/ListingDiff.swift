import Assemblage

/// The differences between the children of a folder and a new listing of the folder.
///
/// Both are in the order of their names.
struct ListingDiff {
  private var items: [Item] = []
  private var isBranch: [Bool] = []
  /// Positions before the change.
  private var removals: [Range<Int>] = []
  /// Positions after the change.
  private var insertions: [Range<Int>] = []
  private var updates: [Int] = []
  /// Folders that arrived.
  private(set) var newFolders: [Item] = []
  /// The change of the folder's totals, and of the number of folders below it that wait to be read.
  private(set) var totals = BrowseTotals()
  private(set) var waiting = 0
  /// Whether a file of patterns or a repository arrived, left or changed: they decide which entries are left out.
  private(set) var changesPatterns = false

  /// Compares a listing with the store, and updates the store.
  ///
  /// - Parameters:
  ///   - listing: the present contents of the folder.
  ///   - folder: the folder.
  ///   - store: the known entries.
  ///   - order: the order of names, also in the listing.
  init(_ listing: DirectoryListing, of folder: Item, in store: BrowseStore, order: NameOrder = .natural) {
    let former = store.children(folder)
    var items: [Item] = []
    items.reserveCapacity(listing.count)
    var index = 0
    func note(_ name: ArraySlice<UInt8>) {
      if DirectoryListing.patternNames.contains(where: name.elementsEqual) { changesPatterns = true }
    }
    let isAllIgnored = store[folder].hiding & BrowseStore.ignored != 0
    func extend(_ ranges: inout [Range<Int>], by position: Int) {
      if let last = ranges.last, last.upperBound == position {
        ranges[ranges.count - 1] = last.lowerBound..<position + 1
      } else {
        ranges.append(position..<position + 1)
      }
    }
    func remove(upTo end: Int) {
      for position in index..<end {
        let item = former[position]
        if let folder = store.folder(item) {
          totals -= folder.totals
          waiting -= folder.waiting
        } else {
          totals.add(files: -1, size: -store[item].size, hiding: store[item].hiding)
        }
        note(store.name(item))
        store.remove(item)
        extend(&removals, by: position)
      }
      index = end
    }
    for (name, entry) in zip(listing.names, listing.entries) {
      var end = index
      while end < former.count, order.precedes(store.name(former[end]).span, name.span) { end += 1 }
      remove(upTo: end)
      if index < former.count, store.name(former[index]).elementsEqual(name) {
        let item = former[index]
        let known = store[item]
        let wasIgnored = known.hiding & BrowseStore.ignored != 0
        // If patterns leave out an entry from now on, or no longer, a new entry replaces the entry and all its
        // descendants.
        if store.isFolder(item) == (entry.kind == .directory), wasIgnored == (entry.isIgnored || isAllIgnored) {
          if known.size != entry.size || known.modified != entry.modified || known.mode != entry.mode {
            note(name[...])
            if !store.isFolder(item) { totals.add(files: 0, size: entry.size - known.size, hiding: known.hiding) }
            store.update(item, entry)
            updates.append(items.count)
          }
          items.append(item)
          index += 1
          continue
        }
        remove(upTo: index + 1)
      }
      note(name[...])
      let item = store.insert(store.number(ofName: name.span), entry, to: folder)
      if entry.kind == .directory {
        newFolders.append(item)
      } else {
        totals.add(files: 1, size: entry.size, hiding: store[item].hiding)
      }
      extend(&insertions, by: items.count)
      items.append(item)
    }
    remove(upTo: former.count)
    store.setChildren(items, of: folder)
    self.items = items
    let folders = Set(newFolders)
    isBranch = items.map { folders.contains($0) }
  }

  /// Applies the differences to the folder's node.
  func apply(to node: ForestNode<Item>) {
    node.performUpdates {
      for range in removals.reversed() { node.removeSubrange(range) }
      for range in insertions {
        node.insert(contentsOf: items[range], at: range.lowerBound)
        // A folder is a branch before it was read, so that a user can expand it.
        for position in range where isBranch[position] { node.turnIntoBranch(at: position) }
      }
      for position in updates { node.update(at: position) }
    }
  }
}
