import AssemblageTerminal
import Foundation

// Changes of files by keys. Each returns the sentence that the last line shows.
extension EntryBrowser {
  /// Gives a typed name to an entry, or to a new folder.
  func name(_ naming: TerminalNaming<Item>, _ text: String) -> String {
    let name = FileName(text)
    do {
      switch naming {
      case .rename(let item):
        // The line began with the name as it is shown, which may have escapes.
        if text == self.text(item) { return "the name is the same" }
        try FileEdits.rename(FileName(bytes: store.path(item)), to: name)
        store.parent(item).map { readAgain($0) }
        return "renamed to \(name.printed)"
      case .newFolder(let near, let isInside):
        if name.bytes.contains(FileName.slash) { throw FileSystemError("this is no name") }
        let folder = near.flatMap { isInside ? $0 : store.parent($0) } ?? roots[0]
        try FileEdits.makeFolder(FileName(bytes: store.path(folder)).appending(name))
        readAgain(folder)
        return "made \(name.printed)"
      }
    } catch {
      return "\(name.printed): \(error)"
    }
  }

  /// Deletes entries.
  ///
  /// - Parameters:
  ///   - items: the entries.
  ///   - deletion: the way in which they are deleted.
  ///   - trash: the trash; nil if there is none.
  /// - Returns: a sentence, and the entries for which there is no trash.
  func delete(_ items: [Item], _ deletion: TerminalDeletion, trash: FileName?) -> (words: String, rest: [Item]) {
    let present = items.filter { !store[$0].isRemoved }
    defer { for parent in Set(present.compactMap { store.parent($0) }) { readAgain(parent) } }
    let count = counted(present.count, "entry", "entries")
    if deletion == .forGood {
      return (FileEdits.delete(present.map { store.path($0) }) ? "\(count) deleted" : "some could not be deleted", [])
    }
    guard let trash else { return ("", present) }
    var rest: [Item] = []
    for item in present {
      let path = FileName(bytes: store.path(item))
      do throws(FileSystemError) {
        try FileEdits.putIntoTrash(path, trash)
      } catch {
        switch error.code {
        // An entry in a folder that is already in the trash is there, too.
        case ENOENT: break
        case EXDEV: rest.append(item)
        default: return ("\(text(item)) could not be put into the trash: \(error)", [])
        }
      }
    }
    return (rest.isEmpty ? "\(count) put into the trash" : "", rest)
  }
}
