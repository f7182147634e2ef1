import CommandSupport

/// Gathers text and hands it on in large pieces.
final class OutputBuffer {
  /// `written` until a piece is not; then nothing more is handed on.
  private(set) var outcome = OutputOutcome.written
  /// What has been gathered.
  var text = OutputText()
  /// The bytes that are handed on together, at least. They are few in the beginning and double, so that the first rows are
  /// seen before the last are known.
  private var piece: Int
  private let capacity: Int
  private let sink: ([UInt8]) -> OutputOutcome

  /// Creates a buffer in front of `sink`.
  init(capacity: Int = 1 << 16, sink: @escaping ([UInt8]) -> OutputOutcome) {
    self.capacity = capacity
    piece = min(256, capacity)
    self.sink = sink
    text.bytes.reserveCapacity(capacity + 1_024)
  }

  /// Adds text.
  func write(_ text: String) { self.text.write(text) }

  /// Adds a row, and hands on what has been gathered where that is enough.
  ///
  /// - Parameter body: writes the row.
  /// - Returns: false where there is no use in adding more.
  func writeRow(_ body: (inout OutputText) -> Void) -> Bool {
    body(&text)
    if text.bytes.count >= piece {
      flush()
      piece = min(piece * 2, capacity)
    }
    return outcome == .written
  }

  /// Hands on what has been gathered.
  func flush() {
    guard !text.bytes.isEmpty, outcome == .written else { return }
    outcome = sink(text.bytes)
    text.bytes.removeAll(keepingCapacity: true)
  }

  /// Writes to a file descriptor.
  static func descriptor(_ descriptor: Int32) -> OutputBuffer {
    OutputBuffer(sink: ProgramStream(descriptor).write)
  }
}
