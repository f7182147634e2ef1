import AssemblageTerminal
import Foundation

/// Reads the beginning of a file for a preview.
///
/// At most 64 KiB are read, and the last file is kept, so that a key costs no reading if the file is the same.
struct FilePreview {
  /// The largest number of bytes that are read.
  static let limit = 65_536

  /// A file as it was when it was read.
  private struct Key: Equatable {
    let path: [UInt8]
    let size: Int
    let modified: Int
  }

  private var key: Key?
  private var beginning = Beginning(bytes: [], size: nil)

  /// The first bytes of a file.
  struct Beginning {
    var bytes: [UInt8]
    /// The number of all bytes; nil if the path leads to no regular file.
    var size: Int?
    /// The reason why the file could not be read.
    var problem: String?
  }

  /// Makes the preview of a file.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - size: the known size of the file; if it differs from the last call, the file is read again.
  ///   - modified: the known time of the last change, for the same purpose.
  ///   - place: the space for lines.
  ///   - units: the units of sizes.
  /// - Returns: the size of the file, and its first lines if it is a text.
  mutating func preview(
    _ path: [UInt8], size: Int, modified: Int, in place: TerminalSize, _ units: SizeUnits
  ) -> TerminalPreview {
    let key = Key(path: path, size: size, modified: modified)
    if key != self.key {
      self.key = key
      beginning = Self.read(FileName(bytes: path))
    }
    if let problem = beginning.problem { return TerminalPreview("this could not be read: \(problem)") }
    guard let whole = beginning.size else { return TerminalPreview("no file") }
    if beginning.bytes.contains(0) { return TerminalPreview("binary, \(units.format(whole))") }
    let isCut = whole > beginning.bytes.count
    let lines = Self.lines(beginning.bytes, in: place)
    return TerminalPreview(
      whole == 0 ? "empty" : "text, \(units.format(whole))" + (isCut ? ", the first 64 KiB" : ""), lines)
  }

  /// Reads the beginning of a file, which may be at the end of links.
  static func read(_ path: FileName) -> Beginning {
    // Without the flag, opening a pipe would wait for a writer.
    let descriptor = unsafe path.callSystem { unsafe openat($0, $1, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      return Beginning(bytes: [], size: nil, problem: FileSystemError(code: errno).description)
    }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return Beginning(bytes: [], size: nil)
    }
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let read = unsafe bytes[count...].withUnsafeMutableBytes {
        unsafe Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if read < 0, errno == EINTR { continue }
      if read < 0 { return Beginning(bytes: [], size: nil, problem: FileSystemError(code: errno).description) }
      if read == 0 { break }
      count += read
    }
    return Beginning(bytes: Array(bytes[..<count]), size: max(count, Int(status.st_size)))
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
