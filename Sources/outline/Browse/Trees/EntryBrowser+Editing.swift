import AssemblageTerminal
import Foundation

// Changes of files by keys. Each returns the sentence that the last line shows.
extension EntryBrowser {
  /// The name of an entry as a user types it.
  ///
  /// - Returns: the name; nil if it is shown with escapes. The escapes would become part of the new name.
  func typedName(_ item: Item) -> String? {
    let name = Array(store.name(item))
    let text = sanitized(name.span, backslash: #"\"#)
    return text.utf8.elementsEqual(name) ? text : nil
  }

  /// Gives a typed name to an entry, or to a new folder.
  func name(_ naming: TerminalNaming<Item>, _ text: String) -> String {
    let name = FileName(text)
    do {
      switch naming {
      case .rename(let item):
        if name.bytes.elementsEqual(store.name(item)) { return "the name is the same" }
        try FileEdits.rename(store.path(item), to: name)
        store.parent(item).map { readAgain($0) }
        return "renamed to \(name.printed)"
      case .newFolder(let near, let isInside):
        if name.bytes.contains(FileName.slash) { throw FileSystemError("this is no name") }
        let folder = near.flatMap { isInside ? $0 : store.parent($0) } ?? roots[0]
        try FileEdits.makeFolder(store.path(folder).appending(name))
        readAgain(folder)
        return "made \(name.printed)"
      }
    } catch {
      return "\(name.printed): \(error)"
    }
  }

  /// The result of a deletion.
  struct Deletion {
    /// The sentence for the last line.
    var words = ""
    /// The entries that are not there any more.
    var gone: [Item] = []
    /// The entries for which there is no trash.
    var rest: [Item] = []
  }

  /// Deletes entries.
  ///
  /// An entry that cannot be deleted does not stop the deletion of the others.
  ///
  /// - Parameters:
  ///   - items: the entries.
  ///   - deletion: the way in which they are deleted.
  ///   - trash: the trash; nil if there is none.
  /// - Returns: the entries that are gone, and the words about them.
  func delete(_ items: [Item], _ deletion: TerminalDeletion, trash: FileName?) -> Deletion {
    let present = items.filter { !store[$0].isRemoved }
    defer { for parent in Set(present.compactMap { store.parent($0) }) { readAgain(parent) } }
    switch (deletion, trash) {
    case (.forGood, _): return deleteForGood(present)
    case (.toTrash, let trash?): return putIntoTrash(present, trash)
    case (.toTrash, nil): return Deletion(rest: present)
    }
  }

  private func deleteForGood(_ items: [Item]) -> Deletion {
    let paths = items.map { store.path($0) }
    let reason = FileEdits.delete(paths.map(\.bytes))
    let gone = zip(items, paths).filter { FileEdits.isGone($1) }.map(\.0)
    var words = "\(counted(gone.count, "entry", "entries")) deleted"
    if gone.count < items.count {
      words = "\(grouped(items.count - gone.count)) of \(counted(items.count, "entry", "entries")) not deleted"
      if let reason { words += ": \(reason)" }
    }
    return Deletion(words: words, gone: gone)
  }

  private func putIntoTrash(_ items: [Item], _ trash: FileName) -> Deletion {
    var result = Deletion()
    var moved: Set<Item> = []
    var failure: (item: Item, error: FileSystemError)?
    for item in items {
      let path = store.path(item)
      do throws(FileSystemError) {
        try FileEdits.putIntoTrash(path, trash)
        moved.insert(item)
        result.gone.append(item)
      } catch {
        // A folder of the trash may be missing, too: only the entry itself says that it is gone.
        if error.code == ENOENT || error.code == ENOTDIR, FileEdits.isGone(path) {
          result.gone.append(item)
          // An entry in a folder that is already in the trash is there, too.
          if store.way(to: item).contains(where: moved.contains) { moved.insert(item) }
        } else if error.code == EXDEV {
          result.rest.append(item)
        } else if failure == nil {
          failure = (item, error)
        }
      }
    }
    let failed = items.count - result.gone.count - result.rest.count
    var parts: [String] = []
    let vanished = result.gone.count - moved.count
    if moved.count > 0 || vanished + failed == 0 {
      parts.append("\(counted(moved.count, "entry", "entries")) put into the trash")
    }
    if vanished > 0 { parts.append("\(counted(vanished, "entry was", "entries were")) already gone") }
    if let failure {
      parts.append(
        "\(counted(failed, "entry", "entries")) not put into the trash: \(store.text(failure.item)): \(failure.error)")
    }
    result.words = parts.joined(separator: ", ")
    return result
  }
}
