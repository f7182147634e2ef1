// What is printed about entries.
extension EntryTree {
  func writeHeadline(to output: inout OutputText) {
    if let totals { return write(totals.summary(roots), to: &output) }
    // The error is known when the directory has been read.
    let count = roots.map { children(of: $0).count }.reduce(0, +)
    if let error = roots.lazy.compactMap({ self.store.error($0) }).first { return writeUnreadable(error, to: &output) }
    output.write(count, "entry", "entries")
  }

  func writeLine(_ row: Row, to output: inout OutputText) {
    let item = row.item
    let name = store.nameBytes(item)
    output.write(name: name.span)
    guard isBranch(item) else { return writeDetail(item, to: &output) }
    if name.last != UInt8(ascii: "/") { output.write("/") }
    if let error = store.error(item) {
      output.write("  ")
      return writeUnreadable(error, to: &output)
    }
    if let totals {
      output.write("  ")
      write(totals.summary(item), to: &output)
    } else if row.isOpened, let children = store.children(item) {
      output.write("  ")
      output.write(children.count, "entry", "entries")
    }
    writeDate(item, to: &output)
  }

  /// Writes what stands behind the name or the path of anything but a directory.
  func writeDetail(_ item: Item, to output: inout OutputText) {
    guard hasSizes else { return }
    switch store.kinds[item.index] {
    case .file:
      output.write("  ")
      output.write(size: store.sizes[item.index])
    case .link: output.write(store.target(item).map { " -> " + $0.printed } ?? " -> ?")
    case .directory: output.write("/")
    case .other: output.write("  (special file)")
    case .unknown: output.write("  (unknown)")
    }
    writeDate(item, to: &output)
  }

  /// Writes how many files there are, and their size.
  func write(_ summary: EntryTotals.Summary, to output: inout OutputText) {
    output.write(summary.files, "file", "files")
    guard hasSizes else { return }
    output.write(", ")
    output.write(size: summary.size)
  }

  /// Writes when something was changed, where that is what it is sorted by.
  private func writeDate(_ item: Item, to output: inout OutputText) {
    if isSortedByDate { output.write("  " + formattedDate(store.dates[item.index])) }
  }

  private func writeUnreadable(_ reason: String, to output: inout OutputText) {
    output.write("unreadable: " + reason.printed)
  }

  func summary(rows: Int) -> String {
    guard let totals else { return counted(rows, "entry", "entries") + " shown" }
    let total = totals.summary(roots)
    let size = hasSizes ? ", \(formattedSize(total.size))" : ""
    return "\(counted(total.files, "file", "files"))\(filterText) in "
      + "\(counted(directoryCount, "directory", "directories"))\(size)"
  }

  /// The directories; those that were given count, the root of a list of paths does not.
  var directoryCount: Int { store.kinds.count { $0 == .directory } - (hasSizes ? 0 : 1) }

  // MARK: JSON

  func writeMembers(to output: inout OutputText) {
    output.write(#""kind":"directory""#)
    guard let totals else { return }
    writeMembers(totals.summary(roots), to: &output)
    output.write(#","directories":\#(directoryCount)"#)
  }

  func writeMembers(_ summary: EntryTotals.Summary, to output: inout OutputText) {
    output.write(#","files":"#)
    output.write(summary.files)
    if hasSizes { output.write(#","size":\#(summary.size)"#) }
  }

  func writeMembers(_ row: Row, to output: inout OutputText) {
    output.write("\"name\":")
    output.write(jsonName: store.nameBytes(row.item).span)
    writeMembersBehindName(row.item, to: &output)
  }

  func writeMembersBehindName(_ item: Item, to output: inout OutputText) {
    output.write(",\"kind\":\"")
    output.write(store.kinds[item.index].rawValue)
    output.write("\"")
    if isBranch(item) {
      if let totals { writeMembers(totals.summary(item), to: &output) }
      if let error = store.error(item) { output.write(#","error":\#(jsonString(error))"#) }
    }
    if hasSizes, store.kinds[item.index] == .file { output.write(#","size":\#(store.sizes[item.index])"#) }
    if let target = store.target(item) { output.write(#","target":\#(jsonString(target))"#) }
    if isSortedByDate { output.write(#","modified":\#(store.dates[item.index])"#) }
  }
}
