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
    listing.scope = scope
    let directory = unsafe withPath(path) { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard directory >= 0 else {
      listing.problem = errno
      return listing
    }
    guard let stream = unsafe fdopendir(directory) else {
      listing.problem = errno
      close(directory)
      return listing
    }
    defer { _ = unsafe closedir(stream) }
    var found: [(name: [UInt8], entry: Entry)] = []
    while let record = unsafe readdir(stream) {
      let name = unsafe name(of: record)
      if name == [0x2E] || name == [0x2E, 0x2E] { continue }
      // What has gone meanwhile is not there.
      if let entry = entry(name, in: directory) { found.append((name, entry)) }
    }
    let places = order.sorted(found.map { FileName(bytes: $0.name) })
    listing.names = places.map { found[$0].name }
    listing.entries = places.map { found[$0].entry }
    listing.readPatterns(of: path)
    return listing
  }

  /// Says what is left out, with the directory's own patterns.
  private mutating func readPatterns(of path: [UInt8]) {
    guard scope != nil else { return }
    let own = names.filter { $0 == Self.patternsName || $0 == Self.repositoryName }
    let entries = own.map { outline.Entry(name: FileName(bytes: $0), kind: .unknown) }
    scope?.read(FileName(bytes: path), entries, .local)
    for place in self.entries.indices {
      let isDirectory = self.entries[place].kind == .directory
      self.entries[place].isIgnored = scope?.ignores(FileName(bytes: names[place]), isDirectory: isDirectory) == true
    }
  }

  /// The names of what changes the patterns of a directory.
  static let patternsName = Array(".gitignore".utf8)
  static let repositoryName = Array(".git".utf8)

  /// What stands at a path that a user gave, at the end of links; nil where there is nothing.
  static func entry(at path: [UInt8]) -> Entry? {
    var status = stat()
    return unsafe withPath(path) { unsafe stat($0, &status) } == 0 ? Entry(status) : nil
  }

  private static func entry(_ name: [UInt8], in directory: Int32) -> Entry? {
    var status = stat()
    return unsafe withPath(name) { unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) } == 0
      ? Entry(status) : nil
  }

  private static func name(of record: UnsafeMutablePointer<dirent>) -> [UInt8] {
    // The name is a C string in a field of fixed size, whose end is not its own.
    unsafe withUnsafePointer(to: &record.pointee.d_name) { pointer in
      unsafe pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
        var (name, index): ([UInt8], Int) = ([], 0)
        while unsafe bytes[index] != 0 {
          unsafe name.append(bytes[index])
          index += 1
        }
        return name
      }
    }
  }

  /// Lends a path to a call of the system.
  static func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let characters = path.map { CChar(bitPattern: $0) } + [0]
    return unsafe characters.withUnsafeBufferPointer { unsafe body($0.baseAddress!) }
  }
}

extension DirectoryListing.Entry {
  /// What a list of paths says of an entry.
  static func listed(isDirectory: Bool) -> Self {
    isDirectory ? Self(kind: .directory, mode: 0o040755) : Self(kind: .file, mode: 0o100644)
  }

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFREG: status.st_mode & 0o111 != 0 ? .program : .file
      default: .special
      }
    mode = UInt16(truncatingIfNeeded: status.st_mode)
    hasOtherNames = kind != .directory && status.st_nlink > 1
    size = kind == .file || kind == .program ? max(0, Int(status.st_size)) : 0
    #if canImport(Darwin)
      modified = status.st_mtimespec.tv_sec
    #else
      modified = status.st_mtim.tv_sec
    #endif
    device = Int(truncatingIfNeeded: status.st_dev)
  }
}

/// What an entry is.
enum BrowseKind: UInt8, Hashable, Sendable, Comparable {
  case directory, file, program, link, special

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
