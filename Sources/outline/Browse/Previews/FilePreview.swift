import AssemblageTerminal
import Foundation

/// Reads the beginning of a file for a preview.
///
/// At most 64 KiB are shown, and the last file is kept, so that a key costs no reading if the file is the same.
struct FilePreview {
  /// The largest number of bytes that are read.
  static let limit = 65_536

  /// A file as it was when it was read.
  private struct Key: Equatable {
    let path: FileName
    let device: UInt64
    let number: UInt64
    let size: Int
    let seconds: Int
    let nanoseconds: Int

    init(_ path: FileName, _ status: stat) {
      self.path = path
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
      size = Int(status.st_size)
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }
  }

  /// The file that was read last; nil if it must be read again.
  private var key: Key?
  private var beginning = Beginning()

  /// The first bytes of a file.
  struct Beginning {
    var bytes: [UInt8] = []
    /// The number of all bytes, as far as it is known; nil if the path leads to no regular file.
    var size: Int?
    /// Whether the file has more bytes.
    var isCut = false
    /// The reason why the file could not be read.
    var problem: String?
  }

  /// Makes the preview of a file, which may be at the end of links.
  ///
  /// The file is read again if it has changed since the last call.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - place: the space for lines.
  ///   - units: the units of sizes.
  /// - Returns: the size of the file, and its first lines if it is a text.
  mutating func preview(_ path: FileName, in place: TerminalSize, _ units: SizeUnits) -> TerminalPreview {
    read(path)
    if let problem = beginning.problem { return TerminalPreview("this could not be read: \(problem)") }
    guard let whole = beginning.size else { return TerminalPreview("no file") }
    if beginning.bytes.contains(0) { return TerminalPreview("binary, \(units.format(whole))") }
    let lines = Self.lines(beginning.bytes, in: place)
    return TerminalPreview(
      whole == 0 ? "empty" : "text, \(units.format(whole))" + (beginning.isCut ? ", the first 64 KiB" : ""), lines)
  }

  /// Reads the beginning of a file, unless the file is the same as before.
  private mutating func read(_ path: FileName) {
    var status = stat()
    // Only regular files are opened: opening a pipe or a device may change what other programs see.
    guard unsafe path.callSystem({ unsafe fstatat($0, $1, &status, 0) }) == 0 else { return fail() }
    if let key, key == Key(path, status) { return }
    (key, beginning) = (nil, Beginning())
    guard status.st_mode & S_IFMT == S_IFREG else { return }
    let found = (status.st_dev, status.st_ino)
    // Another file may have the path by now, and without the flag opening a pipe would wait for a writer.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let descriptor = unsafe path.callSystem { unsafe openat($0, $1, flags) }
    guard descriptor >= 0 else { return fail() }
    defer { close(descriptor) }
    guard unsafe fstat(descriptor, &status) == 0 else { return fail() }
    guard status.st_mode & S_IFMT == S_IFREG, (status.st_dev, status.st_ino) == found else { return }
    // One byte more shows whether the file goes on; a file of the system may have contents, and no size.
    var bytes = [UInt8](repeating: 0, count: Self.limit + 1)
    var count = 0
    while count < bytes.count {
      let read = unsafe bytes[count...].withUnsafeMutableBytes {
        unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if read < 0, errno == EINTR { continue }
      if read < 0 { return fail() }
      if read == 0 { break }
      count += read
    }
    beginning = Beginning(
      bytes: Array(bytes[..<min(count, Self.limit)]), size: max(count, Int(status.st_size)), isCut: count > Self.limit)
    if status.st_size > 0 { key = Key(path, status) }
  }

  /// Remembers the system's last error instead of a file.
  private mutating func fail() {
    (key, beginning) = (nil, Beginning(problem: FileSystemError(code: errno).description))
  }

  /// Divides a text into the lines that fit into a space.
  static func lines(_ text: [UInt8], in place: TerminalSize) -> [[TerminalSpan]] {
    let lines = text.split(separator: 0x0A, maxSplits: max(0, place.rows), omittingEmptySubsequences: false)
    // A character has at least one byte and most have at most four, so the rest of a long line is not visible.
    return lines.prefix(place.rows).map { line in
      var bytes = Array(line.prefix(4 * place.columns))
      if bytes.count == line.count, bytes.last == 0x0D { bytes.removeLast() }
      return [TerminalSpan(expanded(bytes))]
    }
  }

  /// Replaces tabulators with spaces, and escapes other characters that control a terminal.
  private static func expanded(_ line: [UInt8]) -> String {
    var text = ""
    for (number, part) in line.split(separator: 0x09, omittingEmptySubsequences: false).enumerated() {
      if number > 0 { text += String(repeating: " ", count: 8 - TerminalWidth.columns(of: text) % 8) }
      text += sanitized(Array(part).span, backslash: #"\"#)
    }
    return text
  }
}
