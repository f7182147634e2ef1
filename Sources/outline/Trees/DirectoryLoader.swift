/// Reads directories, one at a time.
struct DirectoryLoader {
  /// Something that could not be read.
  struct Problem: Equatable {
    let path: String
    let reason: String
  }

  var fileSystem = FileSystem.local
  /// Told the number of entries read so far after each directory.
  var progress: (_ entries: Int) -> Void = { _ in }

  /// Reads a directory.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - problems: receives what could not be read.
  /// - Returns: the entries in the order of their names, and why the directory could not be read.
  func load(_ path: String, problems: inout [Problem]) -> (entries: [Entry], error: String?) {
    let names: [String]
    do {
      names = try fileSystem.names(path).sorted()
    } catch {
      problems.append(Problem(path: path, reason: "\(error)"))
      return ([], "\(error)")
    }
    let entries = names.map { name in
      let path = path.hasSuffix("/") ? path + name : path + "/" + name
      do {
        return try fileSystem.entry(path, name)
      } catch {
        problems.append(Problem(path: path, reason: "\(error)"))
        return Entry(name: name, kind: .unknown)
      }
    }
    return (entries, nil)
  }
}
