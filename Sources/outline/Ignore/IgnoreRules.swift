/// The patterns that hold in one directory: those of its own file of patterns and of all above, the nearest first.
///
///     .git/info/exclude   asked last
///     .gitignore
///     src/.gitignore      asked first for what is in src
///
/// A value of shared links, so that a directory without a file costs nothing but its path. Paths count from the outermost
/// directory that has rules.
struct IgnoreRules: Sendable {
  private final class Level: Sendable {
    let file: IgnoreFile
    /// Where the path of an entry goes on behind the file's directory.
    let start: Int
    let next: Level?

    init(_ file: IgnoreFile, _ start: Int, _ next: Level?) { (self.file, self.start, self.next) = (file, start, next) }
  }

  /// The directory, with a slash behind it; empty for the outermost one.
  private var path: [UInt8] = []
  private var first: Level?
  private var comparesPaths = false

  /// Whether nothing is ignored.
  var isEmpty: Bool { first == nil }

  /// The rules of a directory in this one, before its own file is added.
  func below(_ name: FileName) -> IgnoreRules {
    var rules = self
    rules.path += name.bytes
    rules.path.append(FileName.slash)
    return rules
  }

  /// Adds the directory's own file, which is asked before the others.
  mutating func add(_ file: IgnoreFile) {
    guard !file.isEmpty else { return }
    first = Level(file, path.count, first)
    comparesPaths = comparesPaths || file.comparesPaths
  }

  /// Whether an entry of the directory is ignored. What is in an ignored directory is not asked about: it is ignored with
  /// it.
  ///
  /// - Parameters:
  ///   - name: the entry's name.
  ///   - isDirectory: whether it is a directory; a link to one is none.
  /// - Returns: what the nearest file says that says something.
  func ignores(_ name: FileName, isDirectory: Bool) -> Bool {
    guard first != nil else { return false }
    let whole = comparesPaths ? path + name.bytes : name.bytes
    var level = first
    while let here = level {
      let below = whole.span.extracting(droppingFirst: comparesPaths ? here.start : 0)
      switch here.file.verdict(name.bytes.span, path: below, isDirectory: isDirectory) {
      case .ignored: return true
      case .kept: return false
      case nil: level = here.next
      }
    }
    return false
  }
}
