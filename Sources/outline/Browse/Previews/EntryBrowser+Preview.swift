import AssemblageTerminal

// Previews of entries: the beginning of a file, the target of a link, the summary of a folder.
extension EntryBrowser {
  /// Makes the preview of an entry.
  func preview(_ item: Item, in place: TerminalSize) -> TerminalPreview {
    if store.isFolder(item) { return folderPreview(item, in: place) }
    if isList { return TerminalPreview("a path in a list") }
    let path = store.path(item)
    switch store[item].kind {
    case .special: return TerminalPreview("a special file, which has no contents")
    case .link:
      let target = FileSystem.linkTarget(path)?.printed ?? "?"
      var preview = files.preview(path, in: place, units)
      preview.heading = "a link to \(target) · \(preview.heading)"
      return preview
    case .directory, .file, .program:
      return files.preview(path, in: place, units)
    }
  }

  /// The numbers of folders and files in a folder, and its first entries with their sizes.
  private func folderPreview(_ item: Item, in place: TerminalSize) -> TerminalPreview {
    guard let folder = store.folder(item) else { return TerminalPreview("") }
    if case .failed(let code) = folder.state {
      return TerminalPreview("this could not be read: \(FileSystemError(code: code))")
    }
    if !isList, folder.state == .unread || folder.state == .waiting { return TerminalPreview("not read yet") }
    let shown = folder.children.lazy.filter { self.store.isShown($0, self.hiding) }
    var lines: [[TerminalSpan]] = []
    for child in shown.prefix(max(0, place.rows)) {
      let row = contents.row(child)
      let detail = row.detail.map { TerminalSpan("  " + $0.text.trimmed, $0.style) }
      lines.append(row.label + row.note + detail)
    }
    // A folder with very many entries is counted only up to a limit, because each key counts again.
    let counted = shown.prefix(10_000)
    let folders = counted.count { store.isFolder($0) }
    let more = counted.count == 10_000 ? " or more" : ""
    let parts = [
      outline.counted(folders, "folder", "folders"), outline.counted(counted.count - folders, "file", "files") + more,
      isList ? nil : units.format(size(item)),
    ]
    return TerminalPreview(parts.compactMap { $0 }.joined(separator: ", "), lines)
  }
}

extension String {
  /// The text without spaces at its ends.
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
