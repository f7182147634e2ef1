import CommandSupport

/// Collects text, and passes the text on in large pieces.
final class OutputBuffer {
  /// The outcome: `written` until writing a piece fails; then nothing more is passed on.
  private(set) var outcome = OutputOutcome.written
  /// The collected text.
  var text = OutputText()
  /// The number of bytes at which a piece is passed on.
  ///
  /// The number is small at first and doubles, so that a user sees the first rows before the last rows are known.
  private var piece: Int
  private let capacity: Int
  private let sink: ([UInt8]) -> OutputOutcome

  /// Creates a buffer that passes its text on to `sink`.
  init(capacity: Int = 1 << 16, sink: @escaping ([UInt8]) -> OutputOutcome) {
    self.capacity = capacity
    piece = min(256, capacity)
    self.sink = sink
    text.bytes.reserveCapacity(capacity + 1_024)
  }

  /// Adds text.
  func write(_ text: String) { self.text.write(text) }

  /// Adds a row, and passes the collected text on if there is enough.
  ///
  /// - Parameter body: writes the row.
  /// - Returns: false if more rows are useless, because they cannot be written.
  func writeRow(_ body: (inout OutputText) -> Void) -> Bool {
    body(&text)
    if text.bytes.count >= piece {
      flush()
      piece = min(piece * 2, capacity)
    }
    return outcome == .written
  }

  /// Passes the collected text on.
  func flush() {
    guard !text.bytes.isEmpty, outcome == .written else { return }
    outcome = sink(text.bytes)
    text.bytes.removeAll(keepingCapacity: true)
  }

  /// Creates a buffer that writes to a file descriptor.
  static func descriptor(_ descriptor: Int32) -> OutputBuffer {
    OutputBuffer(sink: ProgramStream(descriptor).write)
  }
}
