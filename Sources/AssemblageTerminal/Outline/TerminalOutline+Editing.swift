import Assemblage
import AssemblageWidgets

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
    line.replace(with: contents.typedName(element) ?? "")
    mode = .naming(.rename(contents.id(element)), line)
  }

  func beginFolder() {
    guard contents.hasFiles else { return }
    let isInside = mayExpand(cursor) && isExpanded(cursor)
    mode = .naming(.newFolder(near: element(at: cursor).map(contents.id), isInside: isInside), TerminalLine())
  }

  func beginDeletion() {
    guard contents.hasFiles, !actedIDs.isEmpty else { return }
    let ids = actedIDs.filter { contents.element($0) != nil }
    if ids.isEmpty { message = "the marked entries are gone" } else { mode = .confirming(.toTrash, ids) }
  }

  /// Asks whether elements are deleted for good, because there is no trash for them.
  ///
  /// The owner unmarks them only after they are deleted, so the question still knows which are hidden.
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
      return .delete(ids, deletion)
    default:
      mode = .browsing
      message = "nothing is deleted"
      return nil
    }
  }

  /// Forgets the marks of elements that were deleted, which must not be chosen later.
  ///
  /// The marks of elements that could not be deleted remain.
  package func unmark(_ ids: [ID]) {
    guard hasMarks, !ids.isEmpty else { return }
    let gone = Set(ids)
    coordinator.selection.select(ids: markedIDs.lazy.filter { !gone.contains($0) }.map { AnyHashable($0) })
  }

  /// The question before a deletion.
  ///
  /// A single entry is named, because it may be a marked row that is not on the screen.
  func question(_ deletion: TerminalDeletion, _ ids: [ID]) -> String {
    let absent = hasMarks ? coordinator.selection.absentIDs : []
    let hidden = ids.count { absent.contains(AnyHashable($0)) }
    let question = { (entries: String) in
      let what =
        switch deletion {
        case .toTrash: "put \(entries)\(hidden > 0 ? "," : "") into the trash"
        case .forGood: "there is no trash for \(entries): delete for good"
        }
      return what + "?  y yes · any other key: no"
    }
    if ids.count > 1 {
      let some = hidden == ids.count ? "all" : Self.grouped(hidden)
      return question("\(Self.grouped(ids.count)) entries" + (hidden > 0 ? ", \(some) of them hidden" : ""))
    }
    let name = ids.first.flatMap(contents.element).map(contents.text) ?? "1 entry"
    let addition = hidden > 0 ? ", which is hidden" : ""
    // The end of the question must be visible behind a long name.
    let room = max(8, size.columns - 2 - TerminalWidth.columns(of: question(addition)))
    return question(TerminalWidth.fitted(name, to: room) + addition)
  }
}
