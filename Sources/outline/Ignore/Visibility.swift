/// Which entries of directories are shown at all.
struct Visibility: Hashable, Sendable {
  /// Whether entries are shown whose names begin with a point.
  var showsHidden = false
  /// What is left out, by patterns like those of `.gitignore`, which count from the directory that was given.
  var excluded: [IgnorePattern] = []
  /// Whether what git ignores is left out, and what belongs to git itself.
  var obeysGit = false

  /// Whether patterns leave something out.
  var hasPatterns: Bool { obeysGit || !excluded.isEmpty }

  /// Everything is shown.
  static let everything = Visibility(showsHidden: true)
}

/// Which entries of one directory are shown.
///
/// A scope is made for a directory that was given, and leads to those below:
///
///     var scope = EntryScope(of: "src", visibility, fileSystem)
///     let shown = try fileSystem.list("src").entries.filter { scope.shows($0.name, isDirectory: $0.kind == .directory) }
///     let inside = scope.below("lib", at: "src/lib", contents, fileSystem)
struct EntryScope {
  private let visibility: Visibility
  private var excluded = IgnoreRules()
  private var ignored = IgnoreRules()

  /// Creates the scope of a directory that was given.
  ///
  /// Where git is obeyed and the directory is in a repository, the files of the directories above are read, too.
  init(of path: FileName, _ visibility: Visibility, _ fileSystem: FileSystem) {
    self.visibility = visibility
    excluded.add(IgnoreFile(patterns: visibility.excluded))
    guard visibility.obeysGit, let place = Repository.place(of: path, fileSystem) else { return }
    // From the top of the repository down to the directory, whose own file is read with its entries.
    var here = place.top
    ignored.add(Repository.ownExcludes(here, fileSystem))
    for name in place.names {
      ignored.add(Repository.patterns(here, fileSystem))
      ignored = ignored.below(name)
      here = here.appending(name)
    }
  }

  /// Takes in the directory's own file of patterns, if its entries have one.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - entries: what is in it.
  ///   - fileSystem: where it is.
  mutating func read(_ path: FileName, _ entries: [Entry], _ fileSystem: FileSystem) {
    guard visibility.obeysGit else { return }
    if entries.contains(where: { $0.name == ".git" }) {
      // A repository of its own, to which the rules of the one around it say nothing.
      ignored = IgnoreRules()
      ignored.add(Repository.ownExcludes(path, fileSystem))
    }
    if entries.contains(where: { $0.name == ".gitignore" }) { ignored.add(Repository.patterns(path, fileSystem)) }
  }

  /// The scope of a directory in this one, before its own file has been read.
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

  /// Whether an entry of the directory is left out by a pattern, or because it is git's own.
  func ignores(_ name: FileName, isDirectory: Bool) -> Bool {
    if excluded.ignores(name, isDirectory: isDirectory) { return true }
    return visibility.obeysGit && (name == ".git" || ignored.ignores(name, isDirectory: isDirectory))
  }
}
