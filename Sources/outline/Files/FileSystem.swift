import CommandSupport
import Foundation

/// Reads directories and files.
///
/// Tests use file systems with directories that cannot be read.
struct FileSystem {
  /// The contents of a directory.
  struct Contents {
    /// The entries in any order.
    var entries: [Entry]
    /// The bytes that the directory itself takes on the disk.
    var usage = 0
  }

  /// The kind of file at a given path, after following links.
  enum Place: Equatable {
    case directory, file, pipe, other, nothing
    /// A link to a target that does not exist.
    case dangling(FileName)
    /// A link that leads to itself.
    case circle
  }

  /// Returns the entries of a directory, without following links.
  ///
  /// Of an entry for which the closure is false, only the name and the kind need to be known. The closure is not asked
  /// about directories.
  var list: (_ path: FileName, _ needsProperties: (_ name: FileName) -> Bool) throws -> Contents
  /// Returns the kind of file at a path.
  var place: (_ path: FileName) throws -> Place
  /// Returns the bytes of a file, mapped if possible; of a pipe, all bytes until its end.
  var contents: (_ path: FileName) throws -> Data
  /// Returns the file system of a directory; nil if there is no such directory.
  var device: (_ path: FileName) -> Int? = { FileSystem.status(of: $0)?.device }
  /// Returns the absolute path without links; nil if there is no such path.
  var resolved: (_ path: FileName) -> FileName?
}

/// The reason of the file system's refusal, in words that can follow a colon.
struct FileSystemError: Error, CustomStringConvertible {
  let description: String
  /// The value of `errno`; nil if the error is not the system's.
  let code: Int32?

  /// Creates the error for a value of `errno`.
  init(code: Int32) { (description, self.code) = (systemWords(code), code) }

  init(_ description: String) { (self.description, code) = (description, nil) }
}

extension FileName {
  /// Calls `body` with the name in the form of the system's calls.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    let bytes = self.bytes + [0]
    return unsafe try bytes.withUnsafeBufferPointer { buffer in
      unsafe try buffer.withMemoryRebound(to: CChar.self) { unsafe try body($0.baseAddress!) }
    }
  }

  /// Creates a name from the system's form.
  init(cString: UnsafePointer<CChar>) {
    let count = unsafe strlen(cString)
    let buffer = unsafe UnsafeRawBufferPointer(start: cString, count: count)
    self.init(bytes: unsafe Array(buffer))
  }
}
