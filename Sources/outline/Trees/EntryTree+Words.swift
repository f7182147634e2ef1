// What is printed about entries.
extension EntryTree {
  var headline: String {
    if let totals { return text(totals.summary(roots)) }
    let count = roots.map { children(of: $0).count }.reduce(0, +)
    return roots.lazy.compactMap { self.store.error($0) }.first.map(unreadable) ?? entries(count)
  }

  func line(_ row: Row) -> String {
    isBranch(row.item) ? directory(row) : store.name(row.item).printed + detail(row.item)
  }

  private func directory(_ row: Row) -> String {
    let name = store.name(row.item).printed + (store.name(row.item).hasSuffix("/") ? "" : "/")
    if let error = store.error(row.item) { return name + "  " + unreadable(error) }
    let date = self.date(row.item)
    if let totals { return name + "  " + text(totals.summary(row.item)) + date }
    guard row.isOpened, let children = store.children(row.item) else { return name + date }
    return name + "  " + entries(children.count) + date
  }

  /// What stands behind the name or the path of anything but a directory.
  func detail(_ item: Item) -> String {
    guard hasSizes else { return "" }
    let text =
      switch store.kinds[item.index] {
      case .file: "  \(formattedSize(store.sizes[item.index]))"
      case .link: store.target(item).map { " -> \($0.printed)" } ?? " -> ?"
      case .directory: "/"
      case .other: "  (special file)"
      case .unknown: "  (unknown)"
      }
    return text + date(item)
  }

  /// Files and their size.
  func text(_ summary: EntryTotals.Summary) -> String {
    counted(summary.files, "file", "files") + (hasSizes ? ", \(formattedSize(summary.size))" : "")
  }

  /// When something was changed, where that is what it is sorted by.
  func date(_ item: Item) -> String {
    isSortedByDate ? "  " + formattedDate(store.dates[item.index]) : ""
  }

  private func unreadable(_ reason: String) -> String { "unreadable: \(reason.printed)" }
  private func entries(_ count: Int) -> String { counted(count, "entry", "entries") }

  func summary(rows: Int) -> String {
    guard let totals else { return "\(entries(rows)) shown" }
    let total = totals.summary(roots)
    let size = hasSizes ? ", \(formattedSize(total.size))" : ""
    return "\(counted(total.files, "file", "files"))\(filterText) in "
      + "\(counted(directoryCount, "directory", "directories"))\(size)"
  }

  /// The directories; those that were given count, the root of a list of paths does not.
  var directoryCount: Int { store.kinds.count { $0 == .directory } - (hasSizes ? 0 : 1) }

  // MARK: JSON

  var members: String {
    guard let totals else { return #""kind":"directory""# }
    return #""kind":"directory","# + self.members(totals.summary(roots)) + #","directories":\#(directoryCount)"#
  }

  func members(_ summary: EntryTotals.Summary) -> String {
    #""files":\#(summary.files)"# + (hasSizes ? #","size":\#(summary.size)"# : "")
  }

  func members(_ row: Row) -> String { members(row.item, name: store.name(row.item)) }

  func members(_ item: Item, name: String) -> String {
    var text = #""name":\#(jsonString(name)),"kind":"\#(store.kinds[item.index].rawValue)""#
    if isBranch(item) {
      if let totals { text += "," + members(totals.summary(item)) }
      if let error = store.error(item) { text += #","error":\#(jsonString(error))"# }
    }
    if hasSizes, store.kinds[item.index] == .file { text += #","size":\#(store.sizes[item.index])"# }
    if let target = store.target(item) { text += #","target":\#(jsonString(target))"# }
    if isSortedByDate { text += #","modified":\#(store.dates[item.index])"# }
    return text
  }
}
