/// Stores items in trees, and the name of each item.
protocol NamedItems {
  /// All names.
  var names: NameTable { get }

  /// The number of an item's name.
  func nameNumber(_ item: Item) -> Int

  /// The item above; nil for a root.
  func parent(_ item: Item) -> Item?
}

extension NamedItems {
  /// The path of an item: the names from its root down to the item, with a slash between them.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - withRoot: whether the path includes the root's name.
  /// - Returns: the path.
  func path(_ item: Item, withRoot: Bool = true) -> FileName {
    var length = 0
    forEachName(in: item, withRoot) { name, hasSlash in length += names.length(name) + (hasSlash ? 1 : 0) }
    var path = [UInt8](repeating: FileName.slash, count: length)
    var end = length
    forEachName(in: item, withRoot) { name, hasSlash in
      names.copy(name, to: &path, endingAt: end)
      end -= names.length(name) + (hasSlash ? 1 : 0)
    }
    return FileName(bytes: path)
  }

  /// Passes the numbers of the names in a path to a closure, from the last one to the first, and whether the path has a
  /// slash before the name.
  private func forEachName(in item: Item, _ withRoot: Bool, _ body: (_ name: Int, _ hasSlash: Bool) -> Void) {
    var item = item
    while let parent = parent(item) {
      let isFirst = !withRoot && self.parent(parent) == nil
      body(nameNumber(item), !isFirst && names.bytes(nameNumber(parent)).last != FileName.slash)
      item = parent
    }
    if withRoot { body(nameNumber(item), false) }
  }
}
