import CommandSupport
import Foundation

/// How directories and files are read; tests put directories that can't be read here.
struct FileSystem {
  /// What is in a directory.
  struct Contents {
    /// The entries in any order.
    var entries: [Entry]
    /// Bytes that the directory itself takes on the disk.
    var usage = 0
  }

  /// What there is at a path that was given, following links.
  enum Place: Equatable {
    case directory, file, pipe, other, nothing
    /// A link to what is not there.
    case dangling(FileName)
    /// A link that leads to itself.
    case circle
  }

  /// The entries of a directory, none of which is followed.
  var list: (_ path: FileName) throws -> Contents
  /// What there is at a path.
  var place: (_ path: FileName) throws -> Place
  /// The bytes of a file, mapped where that can be done; of a pipe, all until its end.
  var contents: (_ path: FileName) throws -> Data
  /// The file system that a directory is on; nil where there is nothing.
  var device: (_ path: FileName) -> Int? = { FileSystem.status(of: $0)?.device }
  /// The absolute path without links; nil where there is nothing.
  var resolved: (_ path: FileName) -> FileName?
}

/// Why the file system refused, in words that can follow a colon.
struct FileSystemError: Error, CustomStringConvertible {
  let description: String
  /// The value of `errno`; nil where the system did not refuse.
  let code: Int32?

  /// Creates the error for a value of `errno`.
  init(code: Int32) { (description, self.code) = (systemWords(code), code) }

  init(_ description: String) { (self.description, code) = (description, nil) }
}

extension FileName {
  /// Calls `body` with the name as the system's calls take it.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    let bytes = self.bytes + [0]
    return unsafe try bytes.withUnsafeBufferPointer { buffer in
      unsafe try buffer.withMemoryRebound(to: CChar.self) { unsafe try body($0.baseAddress!) }
    }
  }

  /// Creates the name that the system tells.
  init(cString: UnsafePointer<CChar>) {
    let count = unsafe strlen(cString)
    let buffer = unsafe UnsafeRawBufferPointer(start: cString, count: count)
    self.init(bytes: unsafe Array(buffer))
  }
}
