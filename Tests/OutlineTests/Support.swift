import Assemblage
import Foundation

@testable import outline

/// A directory in memory: names, with directories' children and files' sizes.
indirect enum Fake {
  case directory([String: Fake])
  case file(Int)
  /// A file that was changed at a time, in seconds since 1970.
  case dated(Int, Int)
  /// A file with that in it.
  case text(String)
  /// A file that can't be opened.
  case sealed
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
        case .dated(let size, let time): return Entry(name: name, kind: .file, size: size, modified: time)
        case .text(let text): return Entry(name: name, kind: .file, size: text.utf8.count)
        case .sealed: return Entry(name: name, kind: .file)
        case .link(let target): return Entry(name: name, kind: .link, target: target)
        case .gone, nil: throw FileSystemError("No such file or directory")
        }
      },
      kind: { path in
        switch at(path) {
        case .directory, .locked: .directory
        case nil: nil
        case .link, .gone: .other
        default: .file
        }
      },
      contents: { path in
        switch at(path) {
        case .text(let text): return Data(text.utf8)
        case .file(let size): return Data(repeating: 0x61, count: size)
        default: throw FileSystemError("Permission denied")
        }
      })
  }
}

/// What a run printed.
struct Run: Equatable {
  var code: Int32
  var output: String
  var errors: String
}

/// Runs the command with `arguments` and gathers what it prints.
func run(
  _ arguments: String..., in fileSystem: FileSystem = .local, input: String? = nil, progress: ScanProgress? = nil
) -> Run {
  runCommand(arguments, in: fileSystem, input: input.map { Array($0.utf8) }, progress: progress)
}

/// Runs the command with `arguments`, and bytes on standard input; nil where that can't be read.
func runCommand(
  _ arguments: [String], in fileSystem: FileSystem = .local, input: [UInt8]? = nil, progress: ScanProgress? = nil
) -> Run {
  var (output, errors) = ("", "")
  let buffer = OutputBuffer { bytes in
    output += String(decoding: bytes, as: UTF8.self)
    return .written
  }
  let command = Command(
    fileSystem: fileSystem,
    input: {
      guard let input else { throw FileSystemError("Bad file descriptor") }
      return Data(input)
    },
    output: buffer, report: { errors += $0 + "\n" }, progress: progress)
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
