import Assemblage

/// Groups the files of an `EntryTree` by extension: a `GroupNode`, whose sections are the top rows.
///
/// The extensions are in the order of their letters, and files without an extension are last. With `--sort size` or
/// `--sort date`, the largest or the newest extension is first. The files are in the order of their paths, or in the
/// order of `--sort`.
final class GroupTree: ItemTree {
  private let tree: EntryTree
  // The extensions by number, and their totals.
  private var extensions: [String] = []
  private var totals: [EntryTotals.Summary] = []
  private var newest: [Int] = []
  /// The number of each entry's extension; -1 for an entry that is not shown.
  private var sectionOfEntry: [Int32]
  private var files: [Item] = []
  private let options: Options

  /// Groups the files of a tree that has been read.
  init(_ tree: EntryTree, options: Options) {
    self.tree = tree
    self.options = options
    sectionOfEntry = [Int32](repeating: -1, count: tree.store.count)
    var numbers: [String: Int] = [:]
    // The files with several names, by section: their bytes count once.
    var seen: Set<SectionFile> = []
    for item in Self.files(of: tree) {
      let name = Self.fileExtension(tree.store.nameBytes(item))
      let section = numbers[name, default: extensions.count]
      if section == extensions.count {
        numbers[name] = section
        extensions.append(name)
        totals.append(EntryTotals.Summary(files: 0, size: 0))
        newest.append(.min)
      }
      totals[section].files += 1
      let identity = tree.store.identity(item)
      if identity.map({ seen.insert(SectionFile(section: section, file: $0)).inserted }) ?? true {
        totals[section].size = EntryTotals.sum(totals[section].size, tree.store.size(item))
        totals[section].usage = EntryTotals.sum(totals[section].usage, tree.store.usage(item))
      }
      newest[section] = max(newest[section], tree.store.date(item))
      sectionOfEntry[item.index] = Int32(section)
      files.append(item)
    }
    files = tree.sorted(files)
  }

  private struct SectionFile: Hashable {
    let section: Int
    let file: Entry.Identity
  }

  /// All visible files, in depth-first order.
  private static func files(of tree: EntryTree) -> [Item] {
    var files: [Item] = []
    var open = Array(tree.roots.reversed())
    while let item = open.popLast() {
      if tree.isBranch(item) {
        open += (tree.store.children(item) ?? 0..<0).reversed().lazy.map { Item($0) }
      } else if tree.isShown(item) {
        files.append(item)
      }
    }
    return files
  }

  /// The text behind the last dot of a name, in lower case; empty if the dot is the first or the last character.
  static func fileExtension(_ name: ArraySlice<UInt8>) -> String {
    guard let dot = name.lastIndex(of: 0x2E), dot > name.startIndex else { return "" }
    return String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased()
  }

  // MARK: The tree

  // The numbers of sections follow the numbers of entries.
  private func section(_ item: Item) -> Int? {
    item.index < tree.store.count ? nil : item.index - tree.store.count
  }

  var node: any TreeNode<Item> {
    GroupNode(
      ArrayNode(files), sectionsBy: { self.comesBefore($0, $1) }, header: { Item(self.tree.store.count + $0) },
      by: { Int(self.sectionOfEntry[$0.index]) })
  }

  var isKnown: Bool { true }

  private func comesBefore(_ first: Int, _ second: Int) -> Bool {
    switch options.sort {
    case .size where totals[first].size != totals[second].size: totals[first].size > totals[second].size
    case .date where newest[first] != newest[second]: newest[first] > newest[second]
    default:
      extensions[first].isEmpty || extensions[second].isEmpty
        ? !extensions[first].isEmpty && extensions[second].isEmpty : extensions[first] < extensions[second]
    }
  }

  /// The groups contain only visible files.
  var filter: ItemFilter? { nil }
  var hasMatches: Bool { tree.filter == nil || !files.isEmpty }

  func isBranch(_ item: Item) -> Bool { section(item) != nil }

  // MARK: Words

  func writeHeadline(to output: inout OutputText) { tree.writeHeadline(to: &output) }

  func writeColumns(_ item: Item, to output: inout OutputText) {
    if section(item) == nil { tree.writeColumns(item, to: &output) }
  }

  func writeLine(_ row: Row, to output: inout OutputText) {
    guard let section = section(row.item) else {
      let path = path(row.item)
      if let look = tree.look {
        look.write(path.bytes.span, style: tree.style(row.item, look), to: &output)
      } else {
        output.write(name: path.bytes.span)
      }
      return tree.writeDetail(row.item, to: &output)
    }
    output.write(extensions[section].isEmpty ? "(no extension)  " : "." + extensions[section].printed + "  ")
    tree.write(totals[section], to: &output)
  }

  /// The path below the directory of the command line; with several directories, the path includes this directory.
  private func path(_ item: Item) -> FileName { tree.store.path(item, withRoot: tree.roots.count > 1) }

  func summary(rows: Int) -> String {
    tree.summary(rows: rows) + ", " + counted(extensions.count, "extension", "extensions")
  }

  func writeMembers(to output: inout OutputText) {
    tree.writeMembers(to: &output)
    output.write(#","group":"extension""#)
  }

  func writeMembers(_ row: Row, to output: inout OutputText) {
    guard let section = section(row.item) else {
      output.write("\"name\":")
      output.write(jsonName: path(row.item).bytes.span)
      return tree.writeMembersBehindName(row.item, to: &output)
    }
    output.write(#""name":\#(jsonString(extensions[section])),"kind":"extension""#)
    tree.writeMembers(totals[section], to: &output)
  }
}
