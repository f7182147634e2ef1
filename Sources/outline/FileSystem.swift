import Foundation

/// How directories are read; tests put directories that can't be read here.
struct FileSystem {
  /// The names in a directory, in any order.
  var names: (_ path: String) throws -> [String]
  /// What stands at a path, without following a link there.
  var entry: (_ path: String, _ name: String) throws -> Entry
  /// Whether there is a directory at a path, following links; nil where there is nothing.
  var isDirectory: (_ path: String) -> Bool?
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
        switch status.st_mode & S_IFMT {
        case S_IFREG: return Entry(name: name, kind: .file, size: max(0, Int(status.st_size)))
        case S_IFDIR: return Entry(name: name, kind: .directory)
        case S_IFLNK:
          let target = try? manager.destinationOfSymbolicLink(atPath: path)
          return Entry(name: name, kind: .link, target: target)
        default: return Entry(name: name, kind: .other)
        }
      },
      isDirectory: { path in
        var isDirectory = ObjCBool(false)
        let exists = unsafe manager.fileExists(atPath: path, isDirectory: &isDirectory)
        return exists ? isDirectory.boolValue : nil
      })
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
