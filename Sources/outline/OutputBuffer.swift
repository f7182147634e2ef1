import Foundation

/// Gathers text and hands it on in large pieces.
final class OutputBuffer {
  /// What happened to a piece.
  enum Outcome: Equatable {
    case written
    /// The reader has gone, as `head` does: nothing more need be written.
    case closed
    case failed(code: Int32)
  }

  /// `written` until a piece is not; then nothing more is handed on.
  private(set) var outcome = Outcome.written
  private var bytes: [UInt8] = []
  private let capacity: Int
  private let sink: ([UInt8]) -> Outcome

  /// Creates a buffer in front of `sink`.
  init(capacity: Int = 1 << 16, sink: @escaping ([UInt8]) -> Outcome) {
    self.capacity = capacity
    self.sink = sink
    bytes.reserveCapacity(capacity + 1_024)
  }

  /// Adds text.
  func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Adds UTF-8.
  func write(_ text: Span<UInt8>) {
    // The bytes are only read while they are added.
    unsafe text.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Adds a name in UTF-8, as `sanitized(_:)` shows it.
  func write(name: Span<UInt8>) { isPlain(name) ? write(name) : write(sanitized(text(name))) }

  /// Adds a name in UTF-8 as a JSON string.
  func write(jsonName name: Span<UInt8>) {
    guard isPlain(name) else { return write(jsonString(text(name))) }
    bytes.append(UInt8(ascii: "\""))
    write(name)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds a number; with a comma after each three digits, where it is for people.
  func write(_ number: Int, isGrouped: Bool = false) {
    guard number >= 0 else { return write(String(number)) }
    let start = bytes.count
    var (rest, digits) = (number, 0)
    repeat {
      if isGrouped, digits > 0, digits.isMultiple(of: 3) { bytes.append(UInt8(ascii: ",")) }
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
      digits += 1
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Adds `1 file`, `2 files`.
  func write(_ number: Int, _ singular: String, _ plural: String) {
    write(number, isGrouped: true)
    bytes.append(UInt8(ascii: " "))
    write(number == 1 ? singular : plural)
  }

  /// Adds a number of bytes, as `formattedSize(_:)` shows it.
  func write(size: Int) { write(formattedSize(size)) }

  /// Ends a row, and hands on what has been gathered where that is enough.
  ///
  /// - Returns: false where there is no use in adding more.
  func endRow() -> Bool {
    if bytes.count >= capacity { flush() }
    return outcome == .written
  }

  /// Hands on what has been gathered.
  func flush() {
    guard !bytes.isEmpty, outcome == .written else { return }
    outcome = sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Whether a text is printed as it is, by people's rules and by those of JSON.
  private func isPlain(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where !OutputBuffer.isPlain(text[index]) { return false }
    return true
  }

  /// Whether a character is ASCII, and never escaped.
  static func isPlain(_ byte: UInt8) -> Bool { byte &- 0x20 < 0x5F && byte != 0x5C && byte != 0x22 }

  private func text(_ bytes: Span<UInt8>) -> String { JSONText.string(bytes, 0..<bytes.count) }

  /// Writes to a file descriptor.
  static func descriptor(_ descriptor: Int32) -> OutputBuffer {
    OutputBuffer { bytes in
      var done = 0
      while done < bytes.count {
        let written = unsafe bytes[done...].withUnsafeBytes { piece in
          unsafe writeBytes(descriptor, piece.baseAddress, piece.count)
        }
        if written >= 0 {
          done += written
        } else if errno == EPIPE {
          return .closed
        } else if errno != EINTR {
          return .failed(code: errno)
        }
      }
      return .written
    }
  }
}

/// The system's `write`, which a method's own name would hide.
private let writeBytes = unsafe write(_:_:_:)
