/// The patterns for one directory: its own file of patterns, and the files of all its ancestors, the nearest first.
///
///     .git/info/exclude   checked last
///     .gitignore
///     src/.gitignore      checked first for entries of src
///
/// The value consists of shared links, so that a directory without a file costs only its path. Paths are relative to
/// the outermost directory with rules.
struct IgnoreRules: Sendable {
  private final class Level: Sendable {
    let file: IgnoreFile
    /// The position in an entry's path behind the file's directory.
    let start: Int
    let next: Level?

    init(_ file: IgnoreFile, _ start: Int, _ next: Level?) { (self.file, self.start, self.next) = (file, start, next) }
  }

  /// The path of the directory, with a slash at its end; empty for the outermost directory.
  private var path: [UInt8] = []
  private var first: Level?
  private var comparesPaths = false

  /// Whether there are no patterns.
  var isEmpty: Bool { first == nil }

  /// Returns the rules of a child directory, before its own file is added.
  func below(_ name: FileName) -> IgnoreRules {
    var rules = self
    rules.path += name.bytes
    rules.path.append(FileName.slash)
    return rules
  }

  /// Adds the directory's own file, which is checked before the others.
  mutating func add(_ file: IgnoreFile) {
    guard !file.isEmpty else { return }
    first = Level(file, path.count, first)
    comparesPaths = comparesPaths || file.comparesPaths
  }

  /// Whether an entry of the directory is ignored.
  ///
  /// The caller must not check the entries of an ignored directory: they are all ignored.
  ///
  /// - Parameters:
  ///   - name: the name of the entry.
  ///   - isDirectory: whether the entry is a directory; a link to a directory is none.
  /// - Returns: the decision of the nearest file with a matching pattern; false without a match.
  func ignores(_ name: FileName, isDirectory: Bool) -> Bool { verdict(name, isDirectory: isDirectory) == .ignored }

  /// Returns the decision of the nearest file with a matching pattern; nil without a match.
  func verdict(_ name: FileName, isDirectory: Bool) -> IgnoreFile.Verdict? {
    guard first != nil else { return nil }
    let whole = comparesPaths ? path + name.bytes : name.bytes
    var level = first
    while let here = level {
      let below = whole.span.extracting(droppingFirst: comparesPaths ? here.start : 0)
      if let verdict = here.file.verdict(name.bytes.span, path: below, isDirectory: isDirectory) { return verdict }
      level = here.next
    }
    return nil
  }
}
