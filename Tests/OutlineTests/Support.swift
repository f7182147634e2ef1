import Assemblage
import CommandSupport
import Foundation

@testable import outline

/// An entry of a file system in memory: directories with names and children, files with sizes.
indirect enum Fake {
  case directory([String: Fake])
  case file(Int)
  /// A file with the time of its last change, in seconds since 1970.
  case dated(Int, Int)
  /// A file with the given contents.
  case text(String)
  /// A file that can't be opened.
  case sealed
  case link(String)
  /// A file with several names, which all have this number.
  case linked(Int, UInt64)
  /// A link to an entry that does not exist, and a link that leads to itself.
  case dangling
  case looping
  /// A pipe with the given contents.
  case pipe(String)
  /// A directory that can't be read.
  case locked
  /// A directory on another file system.
  case mounted([String: Fake])
  /// An entry that is listed, and then gone.
  case gone

  /// Returns the entry at a path like `/a/b`; nil where there is no entry.
  func at(_ path: String) -> Fake? {
    var here = self
    for name in path.split(separator: "/").map(String.init) {
      guard let next = here.children?[name] else { return nil }
      here = next
    }
    return here
  }

  private var children: [String: Fake]? {
    switch self {
    case .directory(let children), .mounted(let children): children
    default: nil
    }
  }

  /// Returns the entry under the given name.
  private func entry(_ name: FileName) -> Entry {
    var entry = Entry(name: name, kind: .file, mode: 0o100644)
    switch self {
    case .directory, .locked: (entry.kind, entry.mode) = (.directory, 0o040755)
    case .mounted: (entry.kind, entry.mode, entry.device) = (.directory, 0o040755, 1)
    case .file(let size): entry.size = size
    case .dated(let size, let time): (entry.size, entry.modified) = (size, time)
    case .text(let text): entry.size = text.utf8.count
    case .sealed: break
    case .linked(let size, let number):
      (entry.size, entry.identity) = (size, Entry.Identity(device: 1, number: number))
    case .link(let target): (entry.kind, entry.target, entry.mode) = (.link, FileName(target), 0o120777)
    case .dangling: (entry.kind, entry.target, entry.linkEnd, entry.mode) = (.link, "none", .nothing, 0o120777)
    case .looping: (entry.kind, entry.target, entry.linkEnd, entry.mode) = (.link, name, .circle, 0o120777)
    case .pipe: (entry.kind, entry.mode) = (.other, 0o010644)
    case .gone: (entry.kind, entry.error) = (.unknown, systemWords(ENOENT))
    }
    // The usage is a block for each 4,096 bytes.
    entry.usage = (entry.size + 4_095) / 4_096 * 4_096
    return entry
  }

  /// A file system with this entry as its root.
  var fileSystem: FileSystem {
    FileSystem(
      list: { path, needsProperties in
        guard let children = at(path.text)?.children else { throw FileSystemError(code: EACCES) }
        let entries = children.map { name, child in
          let entry = child.entry(FileName(name))
          let isKnown = entry.kind != .directory && entry.kind != .unknown
          return isKnown && !needsProperties(entry.name) ? Entry(name: entry.name, kind: entry.kind) : entry
        }
        return FileSystem.Contents(entries: entries, usage: 4_096)
      },
      place: { path in
        switch at(path.text) {
        case .directory, .locked, .mounted: .directory
        case nil: .nothing
        case .link, .gone: .other
        case .dangling: .dangling("none")
        case .looping: .circle
        case .pipe: .pipe
        default: .file
        }
      },
      contents: { path in
        switch at(path.text) {
        case .text(let text), .pipe(let text): return Data(text.utf8)
        case .file(let size): return Data(repeating: 0x61, count: size)
        default: throw FileSystemError(code: EACCES)
        }
      },
      device: { _ in 0 }, resolved: { $0 })
  }
}

/// The exit code and the printed texts of a run.
struct Run: Equatable {
  var code: Int32
  var output: String
  var errors: String
}

/// Runs the command with `arguments` and gathers its output.
func run(
  _ arguments: String..., in fileSystem: FileSystem = .local, input: String? = nil, progress: ScanProgress? = nil
) -> Run {
  runCommand(arguments, in: fileSystem, input: input.map { Array($0.utf8) }, progress: progress)
}

/// Runs the command with `arguments`, and with bytes on standard input; nil means that standard input can't be read.
func runCommand(
  _ arguments: [String], in fileSystem: FileSystem = .local, input: [UInt8]? = nil, progress: ScanProgress? = nil,
  environment: [String: String] = [:], isTerminal: Bool = false
) -> Run {
  var (output, errors) = ("", "")
  let buffer = OutputBuffer { bytes in
    output += String(decoding: bytes, as: UTF8.self)
    return .written
  }
  let command = Command(
    fileSystem: fileSystem,
    input: {
      guard let input else { throw FileSystemError(code: EBADF) }
      return Data(input)
    },
    output: buffer, report: { errors += $0 + "\n" }, progress: progress, environment: environment,
    isTerminal: isTerminal)
  let code = command.run(arguments)
  return Run(code: code, output: output, errors: errors)
}

extension Command {
  func run(_ arguments: [String]) -> Int32 { run(arguments.map { FileName($0) }) }
}

extension Options {
  init(_ arguments: [String]) throws { try self.init(arguments.map { FileName($0) }) }
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
