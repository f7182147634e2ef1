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
    var new: [Item: [Item]] = [:]
    var turned: [Item] = []
    let known = store.entries.count
    var isStarved = false
    repeat {
      for _ in 0..<100 {
        guard let place = nextPath() else {
          isStarved = true
          break
        }
        let input = input
        add(input.span.extracting(place), &new, &turned)
      }
    } while !isStarved && ContinuousClock.now < end
    // New entries become branches when they are inserted. Only entries that were known before are turned into branches
    // here.
    forests[0].performUpdates { tell(new, turned.filter { $0.index < known }) }
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

  /// Adds a path: the entries of its parts, as far as they are new.
  ///
  /// Most paths begin like the previous path, and the method goes on from the last directory that both share: see
  /// `PathListReader`.
  private func add(_ line: Span<UInt8>, _ new: inout [Item: [Item]], _ turned: inout [Item]) {
    var count = line.count
    if separator == 0x0A, count > 0, line[count - 1] == 0x0D { count -= 1 }
    let path = line.extracting(first: count)
    let common = Self.commonPrefix(path, lastPath.span)
    while let end = lastFolders.last?.end, end >= common { lastFolders.removeLast() }
    var (start, parent) = lastFolders.last.map { ($0.end + 1, $0.item) } ?? (0, roots[0])
    let slash = FileName.slash
    // Of several leading slashes, the last one belongs to the first name.
    while lastFolders.isEmpty, start + 1 < count, path[start] == slash, path[start + 1] == slash { start += 1 }
    let first = lastFolders.isEmpty ? start : -1
    while start < count {
      var end = start == first && path[start] == slash ? start + 1 : start
      while end < count, path[end] != slash { end += 1 }
      let name = path.extracting(start..<end)
      start = end + 1
      if name.isEmpty || name.count == 1 && (name[0] == UInt8(ascii: ".") || name[0] == slash) { continue }
      let isFolder = end < count
      let item = entry(name, in: parent, isFolder, &new)
      if isFolder {
        if !store.isFolder(item) {
          store.makeFolder(item)
          addFiles(-1, like: item, to: parent)
          turned.append(item)
        }
        lastFolders.append((item, end))
      }
      parent = item
    }
    lastPath.removeAll(keepingCapacity: true)
    // The bytes are only read while they are added.
    unsafe path.withUnsafeBufferPointer { unsafe lastPath.append(contentsOf: $0) }
  }

  /// Returns the number of bytes that two paths share at their beginning.
  private static func commonPrefix(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Int {
    var count = 0
    while count < first.count, count < second.count, first[count] == second[count] { count += 1 }
    return count
  }

  private func entry(
    _ name: Span<UInt8>, in parent: Item, _ isFolder: Bool, _ new: inout [Item: [Item]]
  ) -> Item {
    let number = store.number(ofName: name)
    let key = UInt64(parent.number) << 32 | UInt64(number)
    if let known = entryOfName[key] { return Item(Int(known)) }
    var listed = DirectoryListing.Entry.listed(isDirectory: isFolder)
    if !visibility.excluded.isEmpty {
      let name = FileName(bytes: name.indices.map { name[$0] })
      listed.isIgnored = ignores(name, in: parent, isDirectory: isFolder)
    }
    let item = store.insert(number, listed, to: parent)
    store.appendChild(item, to: parent)
    if !isFolder { addFiles(1, like: item, to: parent) }
    entryOfName[key] = item.number
    new[parent, default: []].append(item)
    return item
  }

  private func addFiles(_ count: Int, like item: Item, to folder: Item) {
    var totals = BrowseTotals()
    totals.add(files: count, size: 0, hiding: store[item].hiding)
    store.add(totals, to: folder)
  }

  /// Whether the patterns leave out an entry of a list.
  private func ignores(_ name: FileName, in folder: Item, isDirectory: Bool) -> Bool {
    var rules = IgnoreRules()
    rules.add(IgnoreFile(patterns: visibility.excluded))
    for item in store.way(to: folder) { rules = rules.below(FileName(bytes: Array(store.name(item)))) }
    return rules.ignores(name, isDirectory: isDirectory)
  }

  /// Inserts new entries into the forest.
  ///
  /// A parent has a smaller number than its children, so parents are inserted first.
  private func tell(_ new: [Item: [Item]], _ turned: [Item]) {
    for item in turned {
      guard let parent = store.parent(item) else { continue }
      node(of: parent)?.turnIntoBranch(at: Int(store[item].position))
    }
    for (folder, items) in new.sorted(by: { $0.key.number < $1.key.number }) {
      guard let node = node(of: folder) else { continue }
      node.insert(contentsOf: items, at: node.count)
      for item in items where store.isFolder(item) { node.turnIntoBranch(at: Int(store[item].position)) }
    }
  }
}
