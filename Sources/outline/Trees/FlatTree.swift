import Assemblage

/// Shows the entries of an `EntryTree` as one list of paths, in which each path is a row.
///
///     Sources/
///     Sources/main.swift
///     README.md
///
/// The paths are in the order of the tree. With `--sort size` or `--sort date`, the largest or the newest of all
/// entries is first.
final class FlatTree: ItemTree {
  private let tree: EntryTree
  private let items: [Item]
  /// Whether names are escaped, because a person reads them.
  private let escapes: Bool
  /// The directory of the last row, and its path, which the next row often begins with.
  private var last: (directory: Item, path: FileName)?

  /// Lists a tree that has been read.
  ///
  /// - Parameters:
  ///   - tree: the tree.
  ///   - options: the number of levels, and the order.
  ///   - escapes: whether characters that control a terminal are escaped; otherwise names are printed byte by byte.
  init(_ tree: EntryTree, options: Options, escapes: Bool) {
    self.tree = tree
    self.escapes = escapes
    let isShown = tree.filter?.predicate
    var items: [Item] = []
    var open = tree.roots.reversed().map { (item: $0, depth: 0) }
    while let (item, depth) = open.popLast() {
      if depth > 0, isShown?(item) != false { items.append(item) }
      if depth == options.levels { continue }
      open += (tree.store.children(item) ?? 0..<0).reversed().lazy.map { (Item($0), depth + 1) }
    }
    self.items = tree.sorted(items)
  }

  var node: any TreeNode<Item> { ArrayNode(items) }
  var isKnown: Bool { true }

  /// The list contains only visible entries.
  var filter: ItemFilter? { nil }
  var hasMatches: Bool { tree.filter == nil || !items.isEmpty }

  func isBranch(_ item: Item) -> Bool { false }

  // MARK: Words

  func writeHeadline(to output: inout OutputText) { tree.writeHeadline(to: &output) }

  func writeColumns(_ item: Item, to output: inout OutputText) {
    tree.writeColumns(item, to: &output)
    guard tree.options.isLong else { return }
    let isFile = tree.store.kind(item) == .file
    let size = isFile ? tree.options.units.format(tree.store.size(item)) : ""
    output.write(String(repeating: " ", count: max(0, tree.options.units.width - size.count)) + size + "  ")
  }

  func writeLine(_ row: Row, to output: inout OutputText) {
    let path = path(row.item)
    if let look = tree.look {
      look.write(path.bytes.span, style: tree.style(row.item, look), to: &output)
    } else if escapes {
      output.write(name: path.bytes.span)
    } else {
      output.write(path.bytes.span)
    }
  }

  /// The path as a user would write it; the path of a directory ends with a slash.
  private func path(_ item: Item) -> FileName {
    let directory = tree.store.parent(item)
    if last?.directory != directory { last = directory.map { ($0, prefix($0)) } }
    var path = last?.path.bytes ?? []
    path += tree.store.nameBytes(item)
    // Programs would treat a name that begins with a hyphen as an option.
    if path.first == UInt8(ascii: "-") { path.insert(contentsOf: "./".utf8, at: 0) }
    if tree.isBranch(item), path.last != FileName.slash { path.append(FileName.slash) }
    return FileName(bytes: path)
  }

  /// The path before the names of a directory's entries: with a slash at its end, or empty.
  private func prefix(_ directory: Item) -> FileName {
    var top = directory
    while let parent = tree.store.parent(top) { top = parent }
    let isBelowHere = !tree.hasSizes || tree.store.nameBytes(top).elementsEqual(".".utf8)
    var path = tree.store.path(directory, withRoot: !isBelowHere)
    if !(isBelowHere && directory == top), path.bytes.last != FileName.slash { path.bytes.append(FileName.slash) }
    return path
  }

  func summary(rows: Int) -> String { tree.summary(rows: rows) }

  func writeMembers(to output: inout OutputText) { tree.writeMembers(to: &output) }

  func writeMembers(_ row: Row, to output: inout OutputText) {
    output.write("\"name\":")
    output.write(jsonName: path(row.item).bytes.span)
    tree.writeMembersBehindName(row.item, to: &output)
  }
}
