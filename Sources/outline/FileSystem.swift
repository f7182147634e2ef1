import Foundation

/// How directories are read; tests put directories that can't be read here.
struct FileSystem {
  /// The names in a directory, in any order.
  var names: (_ path: String) throws -> [String]
  /// What stands at a path, without following a link there.
  var entry: (_ path: String, _ name: String) throws -> Entry
  /// What there is at a path, following links; nil where there is nothing.
  var kind: (_ path: String) -> Entry.Kind?
  /// The bytes of a file, mapped where that can be done.
  var contents: (_ path: String) throws -> Data
}

/// Why the file system refused, in its own words.
struct FileSystemError: Error, CustomStringConvertible {
  let description: String

  /// Creates the error for a value of `errno`.
  init(code: Int32) { description = unsafe String(cString: strerror(code)) }

  init(_ description: String) { self.description = description }
}

extension FileSystem {
  /// The machine's own, read with `FileManager`.
  ///
  /// Names come from `FileManager`; what they stand for comes from `lstat`, because
  /// `attributesOfItem(atPath:)`, which looks up the owner's name and makes a dictionary, takes about six
  /// times as long.
  static var local: FileSystem {
    let manager = FileManager.default
    return FileSystem(
      names: { path in
        do {
          return try manager.contentsOfDirectory(atPath: path)
        } catch {
          throw Self.reason(error)
        }
      },
      entry: { path, name in
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw FileSystemError(code: errno) }
        var entry = Entry(name: name, kind: kind(status), modified: modified(status))
        if entry.kind == .file { entry.size = max(0, Int(status.st_size)) }
        if entry.kind == .link { entry.target = try? manager.destinationOfSymbolicLink(atPath: path) }
        return entry
      },
      kind: { path in
        var status = stat()
        return unsafe stat(path, &status) == 0 ? kind(status) : nil
      },
      contents: { path in
        do {
          return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
          throw Self.reason(error)
        }
      })
  }

  private static func kind(_ status: stat) -> Entry.Kind {
    switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .directory
    case S_IFLNK: .link
    default: .other
    }
  }

  private static func modified(_ status: stat) -> Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      status.st_mtim.tv_sec
    #endif
  }

  /// The system's words behind an error of Foundation.
  private static func reason(_ error: any Error) -> FileSystemError {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    if let underlying, underlying.domain == NSPOSIXErrorDomain {
      return FileSystemError(code: Int32(underlying.code))
    }
    return FileSystemError(error.localizedDescription)
  }
}
