import Assemblage
import Foundation

@testable import outline

/// A directory in memory: names, with directories' children and files' sizes.
indirect enum Fake {
  case directory([String: Fake])
  case file(Int)
  case link(String)
  /// A directory that can't be read.
  case locked
  /// An entry that is listed and then gone.
  case gone

  /// The entry at a path like `/a/b`; nil where there is none.
  func at(_ path: String) -> Fake? {
    var here = self
    for name in path.split(separator: "/").map(String.init) {
      guard case .directory(let children) = here, let next = children[name] else { return nil }
      here = next
    }
    return here
  }

  /// A file system whose root this is.
  var fileSystem: FileSystem {
    FileSystem(
      names: { path in
        guard case .directory(let children) = at(path) else {
          throw FileSystemError("Permission denied")
        }
        return Array(children.keys)
      },
      entry: { path, name in
        switch at(path) {
        case .directory, .locked: return Entry(name: name, kind: .directory)
        case .file(let size): return Entry(name: name, kind: .file, size: size)
        case .link(let target): return Entry(name: name, kind: .link, target: target)
        case .gone, nil: throw FileSystemError("No such file or directory")
        }
      },
      isDirectory: { path in
        switch at(path) {
        case .directory, .locked: true
        case nil: nil
        default: false
        }
      })
  }
}

/// What a run printed.
struct Run {
  var code: Int32
  var output: String
  var errors: String
}

/// Runs the command with `arguments` and gathers what it prints.
func run(_ arguments: String..., in fileSystem: FileSystem = .local, progress: ScanProgress? = nil) -> Run {
  var (output, errors) = ("", "")
  let buffer = OutputBuffer { bytes in
    output += String(decoding: bytes, as: UTF8.self)
    return .written
  }
  let command = Command(
    fileSystem: fileSystem, output: buffer, report: { errors += $0 + "\n" }, progress: progress)
  let code = command.run(arguments)
  return Run(code: code, output: output, errors: errors)
}

/// Calls `body` with the path of a new directory, and removes it afterwards.
func withTemporaryDirectory(_ body: (String) throws -> Void) throws {
  let directory = FileManager.default.temporaryDirectory
    .appendingPathComponent("assemblage-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  try body(directory.path)
}

/// Writes a file of `size` bytes.
func write(_ size: Int, to path: String) throws {
  try Data(repeating: 0x61, count: size).write(to: URL(fileURLWithPath: path))
}
