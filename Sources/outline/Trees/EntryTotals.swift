/// The files below each entry of a store, counted and summed up in one pass from the last entry to the first.
///
/// A file with several names (hard links) is counted by each of them, and its bytes once: below the directory that two of
/// its names have in common, they are taken off again.
struct EntryTotals {
  /// The files below a directory.
  struct Summary: Equatable {
    var files: Int
    /// Their bytes; `Int.max` where they are more, as a few sparse files can claim.
    var size: Int
    /// Their bytes on the disk, and those of directories and links where nothing is filtered.
    var usage = 0
  }

  private var files: [UInt32]
  private var sizes: [Int]
  private var usages: [Int]
  /// What is counted once though it is below several roots.
  private var repeated = Summary(files: 0, size: 0)

  /// Counts.
  ///
  /// - Parameters:
  ///   - store: the entries; all that counts has been added.
  ///   - isFiltered: whether some entries are left out; then directories count for nothing on the disk.
  ///   - isShown: says which of the entries that are no directory count.
  init(_ store: EntryStore, isFiltered: Bool, where isShown: (Item) -> Bool) {
    files = [UInt32](repeating: 0, count: store.count)
    sizes = [Int](repeating: 0, count: store.count)
    usages = sizes
    takeOffRepetitions(store, isShown)
    for index in (0..<store.count).reversed() {
      let item = Item(index)
      if store.isDirectory(item) {
        if !isFiltered { usages[index] = Self.sum(usages[index], store.usage(Item(index))) }
        guard let parent = store.parent(item)?.index else { continue }
        files[parent] += files[index]
        sizes[parent] = Self.sum(sizes[parent], sizes[index])
        usages[parent] = Self.sum(usages[parent], usages[index])
      } else if let parent = store.parent(item)?.index, isShown(item) {
        files[parent] += 1
        sizes[parent] = Self.sum(sizes[parent], store.sizes[index])
        usages[parent] = Self.sum(usages[parent], store.usage(Item(index)))
      }
    }
  }

  /// Takes the bytes of files with several names off where two of the names come together.
  ///
  /// What is below a directory has numbers that no other file has among them, so that the names of one file, taken by
  /// their numbers, come together two by two: the lowest directory above both is where one is too many.
  private mutating func takeOffRepetitions(_ store: EntryStore, _ isShown: (Item) -> Bool) {
    var last: [Entry.Identity: Int] = [:]
    for (index, identity) in store.identities.sorted(by: { $0.key < $1.key }) where isShown(Item(index)) {
      if let earlier = last.updateValue(index, forKey: identity) {
        if let shared = Self.lowest(above: earlier, and: index, store) {
          sizes[shared] -= store.sizes[index]
          usages[shared] -= store.usage(Item(index))
        } else {
          repeated.size = Self.sum(repeated.size, store.sizes[index])
          repeated.usage = Self.sum(repeated.usage, store.usage(Item(index)))
        }
      }
    }
  }

  /// The lowest directory above two entries; nil where they are below different roots. Parents stand before their
  /// children.
  private static func lowest(above first: Int, and second: Int, _ store: EntryStore) -> Int? {
    var (left, right) = (first, second)
    while left != right {
      let later = max(left, right)
      guard let parent = store.parent(Item(later))?.index else { return nil }
      if left == later { left = parent } else { right = parent }
    }
    return left
  }

  func summary(_ item: Item) -> Summary {
    Summary(files: Int(files[item.index]), size: sizes[item.index], usage: usages[item.index])
  }

  func summary(_ items: [Item]) -> Summary {
    var sum = Summary(files: 0, size: 0)
    for next in items.map(summary) {
      sum.files += next.files
      sum.size = Self.sum(sum.size, next.size)
      sum.usage = Self.sum(sum.usage, next.usage)
    }
    if sum.size < .max { sum.size -= repeated.size }
    if sum.usage < .max { sum.usage -= repeated.usage }
    return sum
  }

  /// Whether a file that is shown is below a directory.
  func hasFiles(_ index: Int) -> Bool { files[index] > 0 }

  static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? .max : sum
  }
}
