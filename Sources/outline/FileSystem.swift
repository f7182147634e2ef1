import Foundation

/// How directories are read; tests put directories that can't be read here.
struct FileSystem {
  /// The names in a directory, in any order.
  var names: (_ path: String) throws -> [String]
  /// What stands at a path, without following a link there.
  var entry: (_ path: String, _ name: String) throws -> Entry
  /// What there is at a path, following links; nil where there is nothing.
  var kind: (_ path: String) throws -> Entry.Kind?
  /// The bytes of a file, mapped where that can be done.
  var contents: (_ path: String) throws -> Data
}

/// Why the file system refused, in its own words.
struct FileSystemError: Error, CustomStringConvertible {
  let description: String

  /// Creates the error for a value of `errno`.
  init(code: Int32) { description = unsafe String(cString: strerror(code)) }

  init(_ description: String) { self.description = description }

  /// Creates the error in the system's words for one that Foundation threw.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - path: what was to be read, which is opened once more where the error does not say why; nil for standard input.
  init(_ error: any Error, at path: String? = nil) {
    if let error = error as? Self {
      self = error
      return
    }
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    if let underlying, underlying.domain == NSPOSIXErrorDomain {
      self.init(code: Int32(underlying.code))
      return
    }
    guard let path else {
      self.init(error.localizedDescription)
      return
    }
    let descriptor = unsafe open(path, O_RDONLY)
    var byte: UInt8 = 0
    let failed = unsafe descriptor < 0 || read(descriptor, &byte, 1) < 0
    let code = errno
    if descriptor >= 0 { close(descriptor) }
    if failed { self.init(code: code) } else { self.init(error.localizedDescription) }
  }
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
          throw FileSystemError(error, at: path)
        }
      },
      entry: { path, name in
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
          // Foundation has put replacement characters in place of bytes that are not UTF-8.
          if errno == ENOENT, name.contains("\u{FFFD}") { throw FileSystemError("its name is not UTF-8") }
          throw FileSystemError(code: errno)
        }
        var entry = Entry(name: name, kind: kind(status), modified: modified(status))
        if entry.kind == .file { entry.size = max(0, Int(status.st_size)) }
        if entry.kind == .link { entry.target = try? manager.destinationOfSymbolicLink(atPath: path) }
        return entry
      },
      kind: { path in
        var status = stat()
        if unsafe stat(path, &status) == 0 { return kind(status) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw FileSystemError(code: errno)
      },
      contents: { path in
        do {
          return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
          throw FileSystemError(error, at: path)
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
}
