import AssemblageTerminal
import Foundation

/// The look of entries in a terminal outline.
@MainActor
struct EntryLook {
  unowned let browser: EntryBrowser
  let colors: LSColors

  /// The row of an entry: its name, the target of a link, and its size.
  func row(_ item: Item) -> TerminalRow {
    let entry = browser.store[item]
    let name = browser.store.text(item)
    let isFolder = browser.store.isFolder(item)
    var label = [TerminalSpan(name, style(item))]
    var note: [TerminalSpan] = []
    if isFolder { note.append(TerminalSpan("/", label[0].style)) }
    if entry.kind == .link { note.append(TerminalSpan(" → " + (target(item) ?? "?"), Self.dim)) }
    if browser.isList {
      let files = browser.store.folder(item)?.totals.files(without: browser.hiding) ?? 0
      return TerminalRow(
        label: label, note: note, detail: isFolder ? [TerminalSpan(grouped(files), Self.dim)] : [],
        mayHaveChildren: isFolder)
    }
    if entry.hiding & BrowseStore.ignored != 0 { label[0].style.attributes.formUnion(.dim) }
    var detail = TerminalRow(label: label, note: note)
    detail.mayHaveChildren = isFolder && mayHaveChildren(item)
    if case .failed(let code)? = browser.store.folder(item)?.state {
      detail.note.append(TerminalSpan("  unreadable: \(FileSystemError(code: code))", TerminalStyle(.named(1))))
    }
    let leftOut = leftOut(item)
    if leftOut > 0 { detail.note.append(TerminalSpan("  \(grouped(leftOut)) hidden or ignored", Self.dim)) }
    detail.detail = [TerminalSpan(amount(item), Self.dim)]
    return detail
  }

  /// The colours of a name.
  ///
  /// The end of a link is looked up when the row is drawn.
  private func style(_ item: Item) -> TerminalStyle {
    let (entry, name) = (browser.store[item], browser.store.name(item))
    let linkEnd = entry.kind == .link ? linkEnd(item) : nil
    let codes = colors.style(of: name.span, mode: entry.mode, linkEnd: linkEnd, hasOtherNames: entry.hasOtherNames)
    return codes.flatMap { TerminalStyle(codes: $0) } ?? .plain
  }

  private func linkEnd(_ item: Item) -> Entry.LinkEnd? {
    var status = stat()
    let path = browser.store.path(item)
    if unsafe path.callSystem({ unsafe fstatat($0, $1, &status, 0) }) == 0 {
      return .mode(UInt16(truncatingIfNeeded: status.st_mode))
    }
    switch errno {
    case ENOENT, ENOTDIR: return .nothing
    case ELOOP: return .circle
    default: return nil
    }
  }

  private static let dim = TerminalStyle.plain.adding(.dim)

  private func mayHaveChildren(_ item: Item) -> Bool {
    guard let folder = browser.store.folder(item) else { return false }
    return folder.state == .unread || folder.state == .waiting
      || folder.children.contains { browser.store.isShown($0, browser.hiding) }
  }

  /// The number of entries that are left out of a folder in which nothing else is; 0 if something is shown.
  private func leftOut(_ item: Item) -> Int {
    guard let folder = browser.store.folder(item), folder.state == .read,
      !folder.children.contains(where: { browser.store.isShown($0, browser.hiding) })
    else { return 0 }
    return folder.children.count
  }

  /// The size of an entry, and the number of files in it; with `…` while more is being read.
  private func amount(_ item: Item) -> String {
    let entry = browser.store[item]
    guard let folder = browser.store.folder(item) else {
      let isFile = entry.kind == .file || entry.kind == .program
      return isFile ? padded(browser.units.format(entry.size)) + "  " : ""
    }
    if folder.state == .unread { return "" }
    let size = padded(browser.units.format(browser.size(item))) + (folder.waiting > 0 ? " …" : "  ")
    return counted(folder.totals.files(without: browser.hiding), "file", "files") + " " + size
  }

  private func padded(_ text: String) -> String {
    String(repeating: " ", count: max(0, browser.units.width - text.count)) + text
  }

  /// The target that is written in a link.
  private func target(_ item: Item) -> String? {
    FileSystem.linkTarget(browser.store.path(item))?.printed
  }
}
