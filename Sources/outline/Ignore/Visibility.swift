/// Decides which entries of directories are shown.
struct Visibility: Hashable, Sendable {
  /// Whether entries are shown whose names begin with a point.
  var showsHidden = false
  /// The patterns of entries that are left out, like the patterns of `.gitignore`; relative to the given directory.
  var excluded: [IgnorePattern] = []
  /// Whether entries are left out that git ignores, that belong to git itself, or that a file `.ignore` names.
  var obeysGit = false
  /// The patterns of git's file for all repositories of a user.
  var globalPatterns = IgnoreFile(patterns: [])
  /// The home folder of the user, which a repository's configuration may name.
  var home: FileName?

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
///     let entries = try fileSystem.list("src", { _ in true }).entries
///     scope.read("src", entries, fileSystem)
///     let shown = entries.filter { scope.shows($0.name, isDirectory: $0.kind == .directory) }
///     let inside = scope.below("lib")
struct EntryScope {
  private let visibility: Visibility
  private var excluded = IgnoreRules()
  private var ignored = IgnoreRules()
  /// The rules of the files `.ignore`, which precede all rules of git and belong to no repository.
  private var ignoredByTools = IgnoreRules()

  /// Creates the scope of a given directory.
  ///
  /// If the rules of git apply, the files `.ignore` of its ancestors are read, and the files of git up to the top of
  /// the repository.
  init(of path: FileName, _ visibility: Visibility, _ fileSystem: FileSystem) {
    self.visibility = visibility
    excluded.add(IgnoreFile(patterns: visibility.excluded))
    guard visibility.obeysGit else { return }
    readAncestors(of: path, fileSystem)
    guard let place = Repository.place(of: path, fileSystem) else { return }
    // The files from the top of the repository down to the directory. Its own file is read later, with its entries.
    var here = place.top
    enterRepository(here, fileSystem)
    for name in place.names {
      ignored.add(Repository.patterns(here, fileSystem))
      ignored = ignored.below(name)
      here = here.appending(name)
    }
  }

  /// Reads the files `.ignore` from the top of the file system down to the parent of a directory.
  private mutating func readAncestors(of path: FileName, _ fileSystem: FileSystem) {
    guard let absolute = fileSystem.resolved(path), absolute.isAbsolute else { return }
    var here: FileName = "/"
    for part in absolute.bytes.split(separator: FileName.slash) {
      let name = FileName(bytes: Array(part))
      ignoredByTools.add(Repository.toolPatterns(here, fileSystem))
      ignoredByTools = ignoredByTools.below(name)
      here = here.appending(name)
    }
  }

  /// Replaces the rules of git with the rules that a repository has before its files `.gitignore` are read.
  private mutating func enterRepository(_ top: FileName, _ fileSystem: FileSystem) {
    ignored = IgnoreRules()
    let own = Repository.excludesFile(top, fileSystem)
      .map { GlobalIgnores.patterns(at: $0, home: visibility.home, fileSystem) }
    ignored.add(own ?? visibility.globalPatterns)
    ignored.add(Repository.ownExcludes(top, fileSystem))
  }

  /// Reads the directory's own files of patterns, as far as they are among its entries.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - entries: the entries of the directory.
  ///   - fileSystem: the file system of the directory.
  mutating func read(_ path: FileName, _ entries: [Entry], _ fileSystem: FileSystem) {
    guard visibility.obeysGit else { return }
    if entries.contains(where: { $0.name == ".git" }) {
      // The rules of the surrounding repository do not apply in a repository of its own.
      enterRepository(path, fileSystem)
    }
    if entries.contains(where: { $0.name == ".gitignore" }) { ignored.add(Repository.patterns(path, fileSystem)) }
    if entries.contains(where: { $0.name == ".ignore" }) {
      ignoredByTools.add(Repository.toolPatterns(path, fileSystem))
    }
  }

  /// Returns the scope of a child directory, before its own file has been read.
  func below(_ name: FileName) -> EntryScope {
    var scope = self
    if !visibility.excluded.isEmpty { scope.excluded = excluded.below(name) }
    if visibility.obeysGit {
      scope.ignored = ignored.below(name)
      scope.ignoredByTools = ignoredByTools.below(name)
    }
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
    guard visibility.obeysGit else { return false }
    if name == ".git" { return true }
    let verdict = ignoredByTools.verdict(name, isDirectory: isDirectory)
    return (verdict ?? ignored.verdict(name, isDirectory: isDirectory)) == .ignored
  }
}
