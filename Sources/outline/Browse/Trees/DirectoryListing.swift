import Foundation

/// The contents of a directory: names as bytes, in their order, and the properties of each entry from `lstat`.
struct DirectoryListing: Sendable {
  /// One entry.
  struct Entry: Hashable, Sendable {
    var kind: BrowseKind
    var size = 0
    var modified = 0
    /// The bits of type and permission, in the form of the system.
    var mode: UInt16 = 0
    /// Whether the entry is a file with several names.
    var hasOtherNames = false
    /// Whether a pattern leaves the entry out.
    var isIgnored = false
    /// The file system of the entry.
    var device = 0
  }

  private(set) var names: [[UInt8]] = []
  private(set) var entries: [Entry] = []
  /// The reason why the directory could not be read; nil if it was read.
  var problem: Int32?
  /// The date of the last arrival or departure of an entry, in seconds.
  ///
  /// A very recent date is nil: another entry may have arrived during the reading, with the same date.
  private(set) var date: Int?
  /// The patterns for the directory and its descendants; nil without patterns.
  var scope: EntryScope?

  var count: Int { entries.count }

  /// Adds an entry behind the others.
  mutating func append(_ name: [UInt8], _ entry: Entry) {
    names.append(name)
    entries.append(entry)
  }

  /// Reads a directory.
  ///
  /// - Parameters:
  ///   - path: the path of the directory, byte by byte.
  ///   - order: the order of names.
  ///   - scope: decides the entries that patterns leave out, and reads the directory's own patterns; nil without
  ///     patterns.
  /// - Returns: the entries, or the reason why the directory could not be read.
  static func read(_ path: [UInt8], _ order: NameOrder, scope: EntryScope? = nil) -> DirectoryListing {
    var listing = DirectoryListing()
    let directory = FileName(bytes: path)
    let date = FileSystem.status(of: directory)?.modified
    listing.date = date.flatMap { Int(Date().timeIntervalSince1970) - $0 > 1 ? $0 : nil }
    let contents: FileSystem.Contents
    do {
      contents = try FileSystem.local.list(directory) { _ in true }
    } catch {
      listing.problem = (error as? FileSystemError)?.code ?? EIO
      return listing
    }
    // Entries that have gone meanwhile are left out.
    let found = contents.entries.filter { $0.error == nil }
    for place in order.sorted(found.map(\.name)) {
      listing.append(found[place].name.bytes, Entry(found[place]))
    }
    if let scope { listing.apply(scope, to: directory, found) }
    return listing
  }

  /// Decides which entries are left out, also by the directory's own patterns.
  private mutating func apply(_ scope: EntryScope, to path: FileName, _ found: [outline.Entry]) {
    var scope = scope
    scope.read(path, found, .local)
    for place in entries.indices {
      let isDirectory = entries[place].kind == .directory
      entries[place].isIgnored = scope.ignores(FileName(bytes: names[place]), isDirectory: isDirectory)
    }
    self.scope = scope
  }

  /// The names of entries that change the patterns of a directory.
  static let patternNames = [".gitignore", ".ignore", ".git"].map { Array($0.utf8) }
}

extension DirectoryListing.Entry {
  /// The properties of an entry in a list of paths.
  static func listed(isDirectory: Bool) -> Self {
    isDirectory ? Self(kind: .directory, mode: 0o040755) : Self(kind: .file, mode: 0o100644)
  }

  /// Creates the properties of an entry in a file system.
  init(_ entry: outline.Entry) {
    kind =
      switch entry.kind {
      case .directory: .directory
      case .link: .link
      case .file: entry.mode & 0o111 != 0 ? .program : .file
      case .other, .unknown: .special
      }
    (mode, size, modified, device) = (entry.mode, entry.size, entry.modified, entry.device)
    hasOtherNames = entry.identity != nil
  }
}

/// The kind of an entry.
enum BrowseKind: UInt8, Hashable, Sendable, Comparable {
  case directory, file, program, link, special

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
