/// The files below each entry of a store, counted and summed up in one pass from the last entry to the first.
struct EntryTotals {
  /// The files below a directory.
  struct Summary: Equatable {
    var files: Int
    /// Their bytes; `Int.max` where they are more, as a few sparse files can claim.
    var size: Int
  }

  private var files: [UInt32]
  private var sizes: [Int]
  private var below: [UInt32]

  /// Counts.
  ///
  /// - Parameters:
  ///   - store: the entries; all that counts has been added.
  ///   - isShown: says which of the entries that are no directory count.
  init(_ store: EntryStore, where isShown: (Item) -> Bool) {
    files = [UInt32](repeating: 0, count: store.count)
    sizes = [Int](repeating: 0, count: store.count)
    below = files
    for index in (0..<store.count).reversed() {
      let item = Item(index)
      guard let parent = store.parent(item)?.index else { continue }
      below[parent] += below[index] + 1
      if store.isDirectory(item) {
        files[parent] += files[index]
        sizes[parent] = Self.sum(sizes[parent], sizes[index])
      } else if isShown(item) {
        files[parent] += 1
        sizes[parent] = Self.sum(sizes[parent], store.sizes[index])
      }
    }
  }

  func summary(_ item: Item) -> Summary { Summary(files: Int(files[item.index]), size: sizes[item.index]) }

  func summary(_ items: [Item]) -> Summary {
    items.map(summary).reduce(into: Summary(files: 0, size: 0)) { sum, next in
      sum.files += next.files
      sum.size = Self.sum(sum.size, next.size)
    }
  }

  /// The number of entries below one, shown or not.
  func entries(below item: Item) -> Int { Int(below[item.index]) }

  static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? .max : sum
  }
}
