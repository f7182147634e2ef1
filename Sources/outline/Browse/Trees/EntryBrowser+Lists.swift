import Assemblage
import Foundation

// Lists of paths, which are shown while they come.
extension EntryBrowser {
  func startList() {
    let paths = PathScanner { [weak self] in
      DispatchQueue.main.async { MainActor.assumeIsolated { self?.schedule() } }
    }
    self.paths = paths
    paths.start(list.descriptor, after: list.start)
  }

  /// Takes lines into the store, and then what is new into the forest.
  func takeLines(until end: ContinuousClock.Instant) {
    var new: [Item: [Item]] = [:]
    var turned: [Item] = []
    let known = store.entries.count
    reading: repeat {
      if lines.isEmpty, !takePiece() { break reading }
      for _ in 0..<100 {
        guard let line = lines.popFirst() else { continue reading }
        add(line[...], &new, &turned)
      }
    } while ContinuousClock.now < end
    // What is new itself becomes a branch when it is inserted.
    forests[0].performUpdates { tell(new, turned.filter { $0.index < known }) }
    if !lines.isEmpty || paths != nil && ContinuousClock.now >= end { schedule() }
  }

  /// Cuts the next piece into lines.
  ///
  /// - Returns: whether there was one.
  private func takePiece() -> Bool {
    guard let paths else { return false }
    let (piece, isAtEnd) = paths.take()
    guard let piece else {
      if isAtEnd {
        self.paths = nil
        lines = rest.isEmpty ? [] : [rest]
        rest = []
      }
      return !lines.isEmpty
    }
    let bytes = rest + piece
    // NUL between paths is told from the first piece that has one.
    if bytes.contains(0) { separator = 0 }
    var parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
    rest = Array(parts.popLast() ?? [])
    lines = parts.map { Array($0) }[...]
    return true
  }

  /// Adds a path: the entries of its parts, as far as they are new.
  private func add(_ line: ArraySlice<UInt8>, _ new: inout [Item: [Item]], _ turned: inout [Item]) {
    var line = line
    if separator == 0x0A, line.last == 0x0D { line.removeLast() }
    let slash = UInt8(ascii: "/")
    var parts = line.split(separator: slash).filter { !$0.elementsEqual([UInt8(ascii: ".")]) }
    guard !parts.isEmpty else { return }
    if line.first == slash { parts[0] = [slash] + parts[0] }
    let isDirectory = line.last == slash
    var parent = roots[0]
    var isSame = true
    for (depth, part) in parts.enumerated() {
      let isBranch = isDirectory || depth < parts.count - 1
      var item: Item
      if isSame, depth < lastPath.count, lastPath[depth].name == part {
        item = lastPath[depth].item
      } else {
        isSame = false
        lastPath.removeSubrange(min(depth, lastPath.count)...)
        item = entry(part, in: parent, isBranch, &new)
        lastPath.append((part, item))
      }
      if isBranch, !store.isFolder(item) {
        store.makeFolder(item)
        addFiles(-1, like: item, to: parent)
        turned.append(item)
      }
      parent = item
    }
  }

  private func entry(
    _ name: ArraySlice<UInt8>, in parent: Item, _ isBranch: Bool, _ new: inout [Item: [Item]]
  ) -> Item {
    let count = store.entries.count
    let number = store.number(ofName: name)
    let key = UInt64(parent.number) << 32 | UInt64(number)
    if let known = entryOfName[key] { return Item(Int(known)) }
    var listed = DirectoryListing.Entry.listed(isDirectory: isBranch)
    listed.isIgnored = ignores(FileName(bytes: Array(name)), in: parent, isDirectory: isBranch)
    let item = store.insert(Array(name), listed, to: parent)
    store.appendChildren([item], to: parent)
    if !isBranch { addFiles(1, like: item, to: parent) }
    entryOfName[key] = UInt32(count)
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
    if visibility.excluded.isEmpty { return false }
    var rules = IgnoreRules()
    rules.add(IgnoreFile(patterns: visibility.excluded))
    for item in store.way(to: folder) { rules = rules.below(FileName(bytes: Array(store.name(item)))) }
    return rules.ignores(name, isDirectory: isDirectory)
  }

  /// Tells the forest of new entries: what stands above others has a smaller number, and comes first.
  private func tell(_ new: [Item: [Item]], _ turned: [Item]) {
    for item in turned {
      guard let parent = store.parent(item) else { continue }
      node(of: parent)?.makeBranch(at: Int(store[item].position))
    }
    for (folder, items) in new.sorted(by: { $0.key.number < $1.key.number }) {
      guard let node = node(of: folder) else { continue }
      node.insert(contentsOf: items, at: node.count)
      for item in items where store.isFolder(item) { node.makeBranch(at: Int(store[item].position)) }
    }
  }
}
