import Foundation

/// Finds the files in which git keeps its patterns.
enum Repository {
  /// A directory in a repository.
  struct Place: Equatable {
    /// The directory that contains `.git`.
    let top: FileName
    /// The names on the path from the top to the directory.
    let names: [FileName]
  }

  /// Finds the repository around a directory; nil if there is none.
  static func place(of path: FileName, _ fileSystem: FileSystem) -> Place? {
    guard var top = fileSystem.resolved(path) else { return nil }
    var names: [FileName] = []
    while true {
      switch try? fileSystem.place(top.appending(".git")) {
      case .directory, .file: return Place(top: top, names: names.reversed())
      default: break
      }
      let name = top.lastComponent
      guard top.isAbsolute, name.bytes != [FileName.slash], let end = top.bytes.lastIndex(of: FileName.slash) else {
        return nil
      }
      names.append(name)
      top = FileName(bytes: Array(top.bytes[..<max(end, 1)]))
    }
  }

  /// The patterns of a directory's `.gitignore`; none without a readable file.
  static func patterns(_ directory: FileName, _ fileSystem: FileSystem) -> IgnoreFile {
    file(directory.appending(".gitignore"), fileSystem)
  }

  /// The patterns of a directory's `.ignore`, which ripgrep and fd read, too; none without a readable file.
  static func toolPatterns(_ directory: FileName, _ fileSystem: FileSystem) -> IgnoreFile {
    file(directory.appending(".ignore"), fileSystem)
  }

  /// The patterns of `info/exclude`, which belong only to the user of this copy.
  static func ownExcludes(_ top: FileName, _ fileSystem: FileSystem) -> IgnoreFile {
    file(gitDirectory(top, fileSystem).appending("info").appending("exclude"), fileSystem)
  }

  /// The value of `core.excludesFile` in the repository's own configuration; nil if there is none.
  static func excludesFile(_ top: FileName, _ fileSystem: FileSystem) -> String? {
    GlobalIgnores.value(in: gitDirectory(top, fileSystem).appending("config"), fileSystem)
  }

  /// The folder with the files that all worktrees of a repository have in common.
  private static func gitDirectory(_ top: FileName, _ fileSystem: FileSystem) -> FileName {
    var git = top.appending(".git")
    // In a worktree or a submodule, `.git` is a file with the path of the git directory. And the git directory of a
    // worktree has a file with the path of the common directory.
    if let target = line(git, after: "gitdir: ", fileSystem) {
      git = target.isAbsolute ? target : top.appending(target)
    }
    if let common = line(git.appending("commondir"), after: "", fileSystem) {
      git = common.isAbsolute ? common : git.appending(common)
    }
    return git
  }

  /// The patterns of a file; none without a readable file.
  static func file(_ path: FileName, _ fileSystem: FileSystem) -> IgnoreFile {
    guard (try? fileSystem.place(path)) == .file, let data = try? fileSystem.contents(path) else {
      return IgnoreFile(patterns: [])
    }
    return IgnoreFile(Array(data))
  }

  /// The text that follows a word on the first line of a file; nil if there is no such file.
  private static func line(_ path: FileName, after word: String, _ fileSystem: FileSystem) -> FileName? {
    guard (try? fileSystem.place(path)) == .file, let data = try? fileSystem.contents(path),
      data.starts(with: word.utf8)
    else { return nil }
    return FileName(bytes: Array(data.dropFirst(word.utf8.count).prefix { $0 != 0x0A && $0 != 0x0D }))
  }
}
