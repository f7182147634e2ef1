import Assemblage

/// The entry that gets a name which is typed.
package enum TerminalNaming<ID: Hashable & Sendable>: Hashable, Sendable {
  /// An element gets another name.
  case rename(ID)
  /// A folder is made in an element, or beside it; at the top if there is no element.
  case newFolder(near: ID?, isInside: Bool)
}

/// The way in which elements are deleted.
package enum TerminalDeletion: Hashable, Sendable { case toTrash, forGood }

// New names, new folders and deletions: the outline asks, and the owner changes the files.
extension TerminalOutline {
  func beginRenaming() {
    guard contents.hasFiles, let element = element(at: cursor) else { return }
    var line = TerminalLine()
    line.replace(with: contents.text(element))
    mode = .naming(.rename(contents.id(element)), line)
  }

  func beginFolder() {
    guard contents.hasFiles else { return }
    let isInside = mayExpand(cursor) && isExpanded(cursor)
    mode = .naming(.newFolder(near: element(at: cursor).map(contents.id), isInside: isInside), TerminalLine())
  }

  func beginDeletion() {
    guard contents.hasFiles, !actedIDs.isEmpty else { return }
    mode = .confirming(.toTrash, actedIDs)
  }

  /// Asks whether elements are deleted for good, because there is no trash for them.
  package func askToDeleteForGood(_ ids: [ID]) { mode = .confirming(.forGood, ids) }

  func handle(_ key: TerminalKey, whileTyping line: TerminalLine, of naming: TerminalNaming<ID>) -> TerminalAction<ID>?
  {
    switch key {
    case .enter:
      mode = .browsing
      return line.text.isEmpty ? nil : .name(naming, line.text)
    case .escape, .control("c"), .control("g"): mode = .browsing
    case .control("z"): return .suspend
    case .control("l"): return .redraw
    default:
      var line = line
      line.take(key)
      mode = .naming(naming, line)
    }
    return nil
  }

  func handle(_ key: TerminalKey, deleting ids: [ID], _ deletion: TerminalDeletion) -> TerminalAction<ID>? {
    switch key {
    case .control("z"): return .suspend
    case .control("l"): return .redraw
    case .character("y"):
      mode = .browsing
      // Elements that are gone must not be chosen later.
      unmarkAll()
      return .delete(ids, deletion)
    default:
      mode = .browsing
      message = "nothing is deleted"
      return nil
    }
  }

  /// The question before a deletion.
  func question(_ deletion: TerminalDeletion, _ ids: [ID]) -> String {
    let entries = ids.count == 1 ? "1 entry" : "\(Self.grouped(ids.count)) entries"
    let what =
      switch deletion {
      case .toTrash: "put \(entries) into the trash"
      case .forGood: "there is no trash for \(entries): delete for good"
      }
    return what + "?  y yes · any other key: no"
  }
}
