import Foundation

/// What stands in a directory: names as bytes, in their order, with what `lstat` says of each.
struct DirectoryListing: Sendable {
  /// One entry.
  struct Entry: Hashable, Sendable {
    var kind: BrowseKind
    var size = 0
    var modified = 0
    /// The bits of type and permission, as the system has them.
    var mode: UInt16 = 0
    /// Whether it is a file with several names.
    var hasOtherNames = false
    /// Whether a pattern leaves it out.
    var isIgnored = false
    /// The file system that it is on.
    var device = 0
  }

  private(set) var names: [[UInt8]] = []
  private(set) var entries: [Entry] = []
  /// Why it could not be read; nil where it was.
  var problem: Int32?
  /// When something last came or went there, in seconds; nil where that was so lately that it may have happened again while
  /// the directory was read, with the same date.
  private(set) var date: Int?
  /// What the patterns say of it and of directories below; nil where there are none.
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
  ///   - path: its path, byte by byte.
  ///   - order: the order of names.
  ///   - scope: says what patterns leave out, and takes in the directory's own; nil where there are none.
  /// - Returns: its entries, or why it could not be read.
  static func read(_ path: [UInt8], _ order: NameOrder, scope: EntryScope? = nil) -> DirectoryListing {
    var listing = DirectoryListing()
    let directory = FileName(bytes: path)
    let date = FileSystem.status(of: directory)?.modified
    listing.date = date.flatMap { Int(Date().timeIntervalSince1970) - $0 > 1 ? $0 : nil }
    let contents: FileSystem.Contents
    do {
      contents = try FileSystem.local.list(directory)
    } catch {
      listing.problem = (error as? FileSystemError)?.code ?? EIO
      return listing
    }
    // What has gone meanwhile is not there.
    let found = contents.entries.filter { $0.error == nil }
    for place in order.sorted(found.map(\.name)) {
      listing.append(found[place].name.bytes, Entry(found[place]))
    }
    if let scope { listing.apply(scope, to: directory, found) }
    return listing
  }

  /// Says what is left out, with the directory's own patterns.
  private mutating func apply(_ scope: EntryScope, to path: FileName, _ found: [outline.Entry]) {
    var scope = scope
    scope.read(path, found, .local)
    for place in entries.indices {
      let isDirectory = entries[place].kind == .directory
      entries[place].isIgnored = scope.ignores(FileName(bytes: names[place]), isDirectory: isDirectory)
    }
    self.scope = scope
  }

  /// The names of what changes the patterns of a directory.
  static let patternsName = Array(".gitignore".utf8)
  static let repositoryName = Array(".git".utf8)
}

extension DirectoryListing.Entry {
  /// What a list of paths says of an entry.
  static func listed(isDirectory: Bool) -> Self {
    isDirectory ? Self(kind: .directory, mode: 0o040755) : Self(kind: .file, mode: 0o100644)
  }

  /// What a file system says of an entry.
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

/// What an entry is.
enum BrowseKind: UInt8, Hashable, Sendable, Comparable {
  case directory, file, program, link, special

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
