import Foundation

/// Reads standard input on a thread of its own, and passes the input on in pieces.
///
/// If the pieces are not taken as fast as they arrive, the scanner waits.
final class PathScanner: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var isAtEnd = false
    var isStopped = false
  }

  private static let pieceLength = 256 * 1_024
  private static let mostPieces = 32

  private let state = LockedValue(State())
  private let space = DispatchSemaphore(value: mostPieces)
  private let ready: @Sendable () -> Void

  init(ready: @escaping @Sendable () -> Void) { self.ready = ready }

  /// Waits for the first bytes of a file: enough bytes to distinguish a document from a list of paths.
  ///
  /// - Parameter descriptor: the source of the bytes.
  /// - Returns: the bytes; empty at the end of the file.
  /// - Throws: `FileSystemError` if the file cannot be read.
  static func beginning(of descriptor: Int32) throws(FileSystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: pieceLength)
    var beginning: [UInt8] = []
    while true {
      let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw FileSystemError(code: errno) }
      beginning += buffer.prefix(count)
      // The text behind a bracket decides, and may arrive later.
      let text = beginning.drop(while: JSONText.isSpace)
      let isOpen = text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
      if count == 0 || !text.isEmpty && (!isOpen || text.count >= 16) { return beginning }
    }
  }

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - descriptor: the source of the bytes.
  ///   - start: the bytes that have been read before.
  func start(_ descriptor: Int32, after start: [UInt8]) {
    if !start.isEmpty {
      space.wait()
      state.withValue { $0.pieces.append(start) }
      ready()
    }
    Thread.detachNewThread { self.read(descriptor) }
  }

  private func read(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: Self.pieceLength)
    while !state.withValue({ $0.isStopped }) {
      let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      space.wait()
      state.withValue { $0.pieces.append(Array(buffer.prefix(count))) }
      ready()
    }
    state.withValue { $0.isAtEnd = true }
    ready()
  }

  /// Returns the next piece; nil if there is none at the moment, or no more.
  func take() -> (piece: [UInt8]?, isAtEnd: Bool) {
    let answer = state.withValue { state -> (piece: [UInt8]?, isAtEnd: Bool) in
      if state.pieces.isEmpty { return (nil, state.isAtEnd) }
      return (state.pieces.removeFirst(), false)
    }
    if answer.piece != nil { space.signal() }
    return answer
  }

  /// Stops the reading.
  func stop() { state.withValue { $0.isStopped = true } }
}
