/// Reads directories, one at a time.
struct DirectoryLoader {
  /// An entry that could not be read.
  struct Problem: Equatable {
    let path: FileName
    let reason: String
  }

  var fileSystem = FileSystem.local
  var order = NameOrder.natural
  /// Receives the number of entries read so far, after each directory.
  var progress: (_ entries: Int) -> Void = { _ in }

  /// The visible contents of a directory.
  struct Listing {
    /// The entries that are shown, in order.
    var entries: [Entry] = []
    /// The bytes that the directory itself takes on the disk.
    var usage = 0
    /// The number of entries that are left out.
    var leftOut = 0
    /// The reason why the directory could not be read.
    var error: String?
  }

  /// Reads a directory.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - needsProperties: whether more than the name and the kind is needed of a name; see `FileSystem.list`.
  ///   - scope: decides which entries are shown, and reads the directory's own file of patterns.
  ///   - problems: receives the entries that could not be read.
  /// - Returns: the entries in the order of their names, and the reason why the directory could not be read.
  func load(
    _ path: FileName, where needsProperties: (FileName) -> Bool, scope: inout EntryScope, problems: inout [Problem]
  ) -> Listing {
    let contents: FileSystem.Contents
    do {
      contents = try fileSystem.list(path, needsProperties)
    } catch {
      problems.append(Problem(path: path, reason: "\(error)"))
      return Listing(error: "\(error)")
    }
    scope.read(path, contents.entries, fileSystem)
    let shown = contents.entries.indices.filter { index in
      let entry = contents.entries[index]
      return scope.shows(entry.name, isDirectory: entry.kind == .directory)
    }
    let entries = order.sorted(shown.map { contents.entries[$0].name }).map { contents.entries[shown[$0]] }
    for entry in entries {
      if let reason = entry.error { problems.append(Problem(path: path.appending(entry.name), reason: reason)) }
    }
    return Listing(entries: entries, usage: contents.usage, leftOut: contents.entries.count - entries.count)
  }
}
