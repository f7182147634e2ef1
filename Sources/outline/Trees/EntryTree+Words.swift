// The output about entries.
extension EntryTree {
  func writeHeadline(to output: inout OutputText) {
    // The error is known after the directory was read.
    let count = totals == nil ? roots.map { children(of: $0).count }.reduce(0, +) : 0
    let errors = roots.compactMap { store.error($0) }
    if errors.count == roots.count { return writeUnreadable(errors[0], to: &output) }
    if let totals { write(totals.summary(roots), to: &output) } else { output.write(count, "entry", "entries") }
    if roots.allSatisfy({ store.children($0)?.isEmpty == true }) { writeLeftOut(roots, to: &output) }
  }

  /// Writes the number of entries that are left out of directories in which nothing else is.
  private func writeLeftOut(_ directories: [Item], to output: inout OutputText) {
    let count = directories.reduce(0) { $0 + store.leftOut($1) }
    if count > 0 { output.write("  (\(grouped(count)) hidden or ignored)") }
  }

  func writeColumns(_ item: Item, to output: inout OutputText) {
    guard options.isLong else { return }
    let owner = owner(item)
    output.write(Permissions.text(store.mode(item)) + "  " + owner)
    output.write(String(repeating: " ", count: max(0, Self.ownerWidth - owner.count)) + "  ")
    output.write(formattedDate(store.date(item)) + "  ")
  }

  /// The columns that most names of owners take.
  private static let ownerWidth = 8

  func writeLine(_ row: Row, to output: inout OutputText) {
    let item = row.item
    let name = store.nameBytes(item)
    if let look { look.write(name.span, style: style(item, look), to: &output) } else { output.write(name: name.span) }
    guard isBranch(item) else { return writeDetail(item, to: &output) }
    if name.last != UInt8(ascii: "/") { output.write("/") }
    if let error = store.error(item) {
      output.write("  ")
      return writeUnreadable(error, to: &output)
    }
    if foreign.contains(item.index) { return output.write("  (another file system)") }
    if let totals {
      output.write("  ")
      write(totals.summary(item), to: &output)
    } else if row.isOpened, let children = store.children(item) {
      output.write("  ")
      output.write(children.count, "entry", "entries")
    }
    writeLeftOut([item], to: &output)
    writeDate(item, to: &output)
  }

  /// The style of an entry's name.
  func style(_ item: Item, _ look: Look) -> String? {
    look.colors.style(
      of: store.nameBytes(item).span, mode: store.mode(item), linkEnd: store.linkEnd(item),
      hasOtherNames: store.identity(item) != nil)
  }

  /// Writes the details behind the name or the path of an entry that is no directory.
  func writeDetail(_ item: Item, to output: inout OutputText) {
    guard hasSizes else { return }
    switch store.kind(item) {
    case .file:
      output.write("  ")
      output.write(options.units.format(store.size(item)))
      write(usage: store.usage(item), to: &output)
    case .link:
      output.write(store.target(item).map { " -> " + $0.printed } ?? " -> ?")
      if let words = brokenLink(item) { output.write("  (\(words) link)") }
    case .directory: output.write("/")
    case .other: output.write("  (\(Self.specialFile(store.mode(item))))")
    case .unknown: output.write("  (unknown)")
    }
    writeDate(item, to: &output)
  }

  /// The word for a link that leads nowhere, or to itself.
  private func brokenLink(_ item: Item) -> String? {
    switch store.linkEnd(item) {
    case .nothing: "dangling"
    case .circle: "looping"
    case .mode, nil: nil
    }
  }

  /// The name of the kind of an entry that is no file, directory or link.
  private static func specialFile(_ mode: UInt16) -> String {
    switch mode & 0o170000 {
    case 0o010000: "named pipe"
    case 0o140000: "socket"
    case 0o060000: "block device"
    case 0o020000: "character device"
    default: "special file"
    }
  }

  /// Writes the disk usage, if the options request it.
  private func write(usage: Int, to output: inout OutputText) {
    guard options.showsUsage else { return }
    output.write(", ")
    output.write(options.units.format(usage))
    output.write(" on disk")
  }

  /// Writes the number of files, and their size.
  func write(_ summary: EntryTotals.Summary, to output: inout OutputText) {
    output.write(summary.files, "file", "files")
    guard hasSizes else { return }
    output.write(", ")
    output.write(options.units.format(summary.size))
    write(usage: summary.usage, to: &output)
  }

  /// Writes the date of the last change, if the entries are sorted by it.
  private func writeDate(_ item: Item, to output: inout OutputText) {
    if isSortedByDate, !options.isLong { output.write("  " + formattedDate(store.date(item))) }
  }

  private func writeUnreadable(_ reason: String, to output: inout OutputText) {
    output.write("unreadable: " + reason.printed)
  }

  func summary(rows: Int) -> String {
    guard let totals else { return counted(rows, "entry", "entries") + " shown" }
    let total = totals.summary(roots)
    var size = hasSizes ? ", \(options.units.format(total.size))" : ""
    if hasSizes, options.showsUsage { size += ", \(options.units.format(total.usage)) on disk" }
    return "\(counted(total.files, "file", "files"))\(filterText) in "
      + "\(counted(directoryCount, "directory", "directories"))\(size)"
  }

  /// The number of visible directories.
  ///
  /// The directories of the command line count; the root of a list of paths does not.
  var directoryCount: Int {
    let directories = (hasSizes ? 0..<store.count : 1..<store.count).filter { store.isDirectory(Item($0)) }
    if names == nil, options.conditions.isEmpty { return directories.count }
    guard let filter, options.types?.contains(.d) == true else {
      return directories.count { totals?.hasFiles($0) != false }
    }
    // A directory is visible if it matches, or if an entry below it does. Parents have smaller numbers.
    var isVisible = [Bool](repeating: false, count: store.count)
    for index in (0..<store.count).reversed() {
      guard let parent = store.parent(Item(index)) else { continue }
      if filter.predicate(Item(index)) { isVisible[index] = true }
      if isVisible[index] { isVisible[parent.index] = true }
    }
    return directories.count { isVisible[$0] }
  }

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
    writeMember(usage: summary.usage, to: &output)
  }

  private func writeMember(usage: Int, to output: inout OutputText) {
    if hasSizes, options.showsUsage { output.write(#","usage":\#(usage)"#) }
  }

  func writeMembers(_ row: Row, to output: inout OutputText) {
    output.write("\"name\":")
    output.write(jsonName: store.nameBytes(row.item).span)
    writeMembersBehindName(row.item, to: &output)
  }

  func writeMembersBehindName(_ item: Item, to output: inout OutputText) {
    output.write(",\"kind\":\"")
    output.write(store.kind(item).rawValue)
    output.write("\"")
    if isBranch(item) {
      if let totals { writeMembers(totals.summary(item), to: &output) }
      if let error = store.error(item) { output.write(#","error":\#(jsonString(error))"#) }
      if foreign.contains(item.index) { output.write(#","fileSystem":"another""#) }
    }
    if hasSizes, store.kind(item) == .file {
      output.write(#","size":\#(store.size(item))"#)
      writeMember(usage: store.usage(item), to: &output)
    }
    if let target = store.target(item) { output.write(#","target":\#(jsonString(target.text))"#) }
    if let words = brokenLink(item) { output.write(#","link":"\#(words)""#) }
    if isSortedByDate || options.isLong { output.write(#","modified":\#(store.date(item))"#) }
    if options.isLong {
      output.write(#","mode":"\#(Permissions.text(store.mode(item)))","owner":\#(jsonString(owner(item)))"#)
    }
  }
}
