/// Counts and sums up the files below each entry of a store, in one pass from the last entry to the first.
///
/// A file with several names (hard links) counts once for each name, but its bytes count once: they are subtracted
/// again at the lowest directory above two of its names.
struct EntryTotals {
  /// The files below a directory.
  struct Summary: Equatable {
    var files: Int
    /// The bytes of the files; `Int.max` for larger sums, which a few sparse files can claim.
    var size: Int
    /// The bytes of the files on the disk.
    ///
    /// Without a filter, they include the bytes of directories and links.
    var usage = 0
  }

  private var files: [UInt32]
  private var sizes: [Int]
  private var usages: [Int]
  /// The bytes that are counted in several roots, but may count only once.
  private var repeated = Summary(files: 0, size: 0)

  /// Counts the files.
  ///
  /// - Parameters:
  ///   - store: the entries; all entries that count have been added.
  ///   - isFiltered: whether some entries are left out; then the disk usage of directories does not count.
  ///   - isShown: whether an entry counts that is no directory.
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
        sizes[parent] = Self.sum(sizes[parent], store.size(Item(index)))
        usages[parent] = Self.sum(usages[parent], store.usage(Item(index)))
      }
    }
  }

  /// Subtracts the bytes of a file with several names from the lowest directory above two of its names.
  ///
  /// The descendants of a directory have consecutive numbers. So the names of one file are visited in pairs, in the
  /// order of their numbers. For each two neighbouring names, the bytes of one are too many in the lowest directory
  /// above both.
  private mutating func takeOffRepetitions(_ store: EntryStore, _ isShown: (Item) -> Bool) {
    var last: [Entry.Identity: Int] = [:]
    for (index, identity) in store.identities.sorted(by: { $0.key < $1.key }) where isShown(Item(index)) {
      if let earlier = last.updateValue(index, forKey: identity) {
        if let shared = Self.lowest(above: earlier, and: index, store) {
          sizes[shared] = Self.difference(sizes[shared], store.size(Item(index)))
          usages[shared] = Self.difference(usages[shared], store.usage(Item(index)))
        } else {
          repeated.size = Self.sum(repeated.size, store.size(Item(index)))
          repeated.usage = Self.sum(repeated.usage, store.usage(Item(index)))
        }
      }
    }
  }

  /// The lowest directory above two entries; nil if they are below different roots.
  ///
  /// Parents have smaller numbers than their children.
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

  /// Whether a visible file is below a directory.
  func hasFiles(_ index: Int) -> Bool { files[index] > 0 }

  static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? .max : sum
  }

  private static func difference(_ first: Int, _ second: Int) -> Int {
    let (difference, overflow) = first.subtractingReportingOverflow(second)
    return overflow ? .min : difference
  }
}
