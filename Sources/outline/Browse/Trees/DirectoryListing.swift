import Foundation

/// What stands in a directory: names as bytes, in their order, with what `lstat` says of each.
struct DirectoryListing: Sendable {
  /// One entry.
  struct Entry: Hashable, Sendable {
    var kind: BrowseKind
    var size = 0
    var modified = 0
    /// The file system that it is on.
    var device = 0
  }

  private(set) var names: [[UInt8]] = []
  private(set) var entries: [Entry] = []
  /// Why it could not be read; nil where it was.
  var problem: Int32?

  var count: Int { entries.count }

  /// Adds an entry behind the others.
  mutating func append(_ name: [UInt8], _ entry: Entry) {
    names.append(name)
    entries.append(entry)
  }

  /// Reads a directory.
  ///
  /// - Parameter path: its path, byte by byte.
  /// - Returns: its entries, or why it could not be read.
  static func read(_ path: [UInt8]) -> DirectoryListing {
    var listing = DirectoryListing()
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
    found.sort { $0.name.lexicographicallyPrecedes($1.name) }
    listing.names = found.map(\.name)
    listing.entries = found.map(\.entry)
    return listing
  }

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
  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFDIR: .directory
      case S_IFLNK: .link
      case S_IFREG: status.st_mode & 0o111 != 0 ? .program : .file
      default: .special
      }
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
