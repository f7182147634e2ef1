import Assemblage
import Foundation

// Lists of paths, which are shown while they are read.
extension EntryBrowser {
  func startList() {
    let paths = PathScanner { [weak self] in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.schedule() } }
    }
    self.paths = paths
    paths.start(list.descriptor, after: list.start)
  }

  /// Stores paths, and then inserts the new entries into the forest.
  func takePaths(until end: ContinuousClock.Instant) {
    var columns = ListColumns(store: store, excluded: visibility.excluded)
    let known = store.entries.count
    var isStarved = false
    repeat {
      for _ in 0..<100 {
        guard let place = nextPath() else {
          isStarved = true
          break
        }
        let input = input
        let line = input.span.extracting(place)
        table.add(line.extracting(first: PathTable.length(line, separator: separator)), to: &columns)
      }
    } while !isStarved && ContinuousClock.now < end
    forests[0].performUpdates {
      // Entries that were known before may be folders now. New entries are folders from the beginning.
      for item in columns.turned where item.index < known {
        guard let parent = store.parent(item) else { continue }
        node(of: parent)?.turnIntoBranch(at: Int(store[item].position))
      }
      insertEntries(from: known)
    }
    if !isStarved { schedule() }
  }

  /// Returns the range of the next path in the input.
  ///
  /// A separator follows the path, or the path is the last one.
  private func nextPath() -> Range<Int>? {
    while true {
      if let end = Self.place(of: separator, in: input.span, from: next) {
        defer { next = end + 1 }
        return next..<end
      }
      guard let paths else { return nil }
      let (piece, isAtEnd) = paths.take()
      guard let piece else {
        if isAtEnd {
          self.paths = nil
          defer { next = input.count }
          if next < input.count { return next..<input.count }
        }
        return nil
      }
      // The first piece with a NUL shows that NUL separates the paths.
      if separator != 0, Self.place(of: 0, in: piece.span, from: 0) != nil { separator = 0 }
      input.removeSubrange(..<next)
      next = 0
      input += piece
    }
  }

  private static func place(of byte: UInt8, in bytes: Span<UInt8>, from start: Int) -> Int? {
    var place = start
    while place < bytes.count {
      if bytes[place] == byte { return place }
      place += 1
    }
    return nil
  }

  /// Inserts new entries into the forest, those of a new folder together with the folder.
  private func insertEntries(from known: Int) {
    var (parent, run): (Item?, [Item]) = (nil, [])
    for index in known..<store.entries.count {
      guard let folder = store.parent(Item(index)), folder.index < known else { continue }
      if folder != parent {
        if let parent { append(run, to: parent) }
        (parent, run) = (folder, [])
      }
      run.append(Item(index))
    }
    if let parent { append(run, to: parent) }
  }

  private func append(_ items: [Item], to folder: Item) {
    guard let node = node(of: folder) else { return }
    var rest = items[...]
    while let item = rest.first {
      let leaves = rest.prefix { !store.isFolder($0) }
      rest = rest.dropFirst(leaves.count)
      if leaves.isEmpty {
        rest.removeFirst()
        node.append(
          ForestNode(value: item, store.children(item)) { [store] in store.folder($0)?.children })
      } else {
        node.append(contentsOf: leaves)
      }
    }
  }
}

/// Adds the entries of a list to a store, and counts them.
private struct ListColumns: PathColumns {
  let store: BrowseStore
  let excluded: [IgnorePattern]
  /// The files that have become folders.
  var turned: [Item] = []

  func number(ofName name: Span<UInt8>) -> UInt32 { store.number(ofName: name) }

  func key(_ entry: UInt32) -> (name: UInt32, parent: UInt32) {
    let entry = store.entries[Int(entry)]
    return (entry.name, entry.parent)
  }

  func append(_ name: UInt32, to parent: UInt32, isDirectory: Bool) {
    let folder = Item(Int(parent))
    var entry = DirectoryListing.Entry.listed(isDirectory: isDirectory)
    if !excluded.isEmpty { entry.isIgnored = ignores(name, in: folder, isDirectory: isDirectory) }
    let item = store.insert(name, entry, to: folder)
    store.appendChild(item, to: folder)
    if !isDirectory { addFiles(1, like: item, to: folder) }
  }

  mutating func makeDirectory(_ entry: UInt32) {
    let item = Item(Int(entry))
    guard !store.isFolder(item), let parent = store.parent(item) else { return }
    addFiles(-1, like: item, to: parent)
    // Some patterns are for folders only. Entries that are added to the folder are left out with the folder.
    store.makeFolder(item, isIgnored: !excluded.isEmpty && ignores(store[item].name, in: parent, isDirectory: true))
    turned.append(item)
  }

  private func addFiles(_ count: Int, like item: Item, to folder: Item) {
    var totals = BrowseTotals()
    totals.add(files: count, size: 0, hiding: store[item].hiding)
    store.add(totals, to: folder)
  }

  /// Whether the patterns leave out an entry.
  private func ignores(_ name: UInt32, in folder: Item, isDirectory: Bool) -> Bool {
    var rules = IgnoreRules()
    rules.add(IgnoreFile(patterns: excluded))
    for item in store.way(to: folder) { rules = rules.below(FileName(listed: store.name(item))) }
    return rules.ignores(FileName(listed: store.names.bytes(Int(name))), isDirectory: isDirectory)
  }
}
