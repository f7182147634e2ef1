/// Decides which entries of directories are shown.
struct Visibility: Hashable, Sendable {
  /// Whether entries are shown whose names begin with a point.
  var showsHidden = false
  /// The patterns of entries that are left out, like the patterns of `.gitignore`; relative to the given directory.
  var excluded: [IgnorePattern] = []
  /// Whether entries are left out that git ignores, or that belong to git itself.
  var obeysGit = false

  /// Whether there may be patterns that leave entries out.
  var hasPatterns: Bool { obeysGit || !excluded.isEmpty }

  /// A visibility that shows all entries.
  static let everything = Visibility(showsHidden: true)
}

/// Decides which entries of one directory are shown.
///
/// A scope is made for a given directory, and makes the scopes of the directories below:
///
///     var scope = EntryScope(of: "src", visibility, fileSystem)
///     let entries = try fileSystem.list("src").entries
///     scope.read("src", entries, fileSystem)
///     let shown = entries.filter { scope.shows($0.name, isDirectory: $0.kind == .directory) }
///     let inside = scope.below("lib")
struct EntryScope {
  private let visibility: Visibility
  private var excluded = IgnoreRules()
  private var ignored = IgnoreRules()

  /// Creates the scope of a given directory.
  ///
  /// If the rules of git apply and the directory is in a repository, the pattern files of its ancestors are read, too.
  init(of path: FileName, _ visibility: Visibility, _ fileSystem: FileSystem) {
    self.visibility = visibility
    excluded.add(IgnoreFile(patterns: visibility.excluded))
    guard visibility.obeysGit, let place = Repository.place(of: path, fileSystem) else { return }
    // The files from the top of the repository down to the directory. Its own file is read later, with its entries.
    var here = place.top
    ignored.add(Repository.ownExcludes(here, fileSystem))
    for name in place.names {
      ignored.add(Repository.patterns(here, fileSystem))
      ignored = ignored.below(name)
      here = here.appending(name)
    }
  }

  /// Reads the directory's own file of patterns, if there is one among its entries.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - entries: the entries of the directory.
  ///   - fileSystem: the file system of the directory.
  mutating func read(_ path: FileName, _ entries: [Entry], _ fileSystem: FileSystem) {
    guard visibility.obeysGit else { return }
    if entries.contains(where: { $0.name == ".git" }) {
      // The rules of the surrounding repository do not apply in a repository of its own.
      ignored = IgnoreRules()
      ignored.add(Repository.ownExcludes(path, fileSystem))
    }
    if entries.contains(where: { $0.name == ".gitignore" }) { ignored.add(Repository.patterns(path, fileSystem)) }
  }

  /// Returns the scope of a child directory, before its own file has been read.
  func below(_ name: FileName) -> EntryScope {
    var scope = self
    if !visibility.excluded.isEmpty { scope.excluded = excluded.below(name) }
    if visibility.obeysGit { scope.ignored = ignored.below(name) }
    return scope
  }

  /// Whether an entry of the directory is shown.
  func shows(_ name: FileName, isDirectory: Bool) -> Bool {
    if !visibility.showsHidden, name.isHidden { return false }
    return !ignores(name, isDirectory: isDirectory)
  }

  /// Whether a pattern leaves an entry of the directory out, or the entry belongs to git itself.
  func ignores(_ name: FileName, isDirectory: Bool) -> Bool {
    if excluded.ignores(name, isDirectory: isDirectory) { return true }
    return visibility.obeysGit && (name == ".git" || ignored.ignores(name, isDirectory: isDirectory))
  }
}
