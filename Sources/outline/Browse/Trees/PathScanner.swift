import Foundation

/// Reads standard input on a thread of its own, and hands it over in pieces.
///
/// Where these are not taken as fast as they come, it waits.
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

  /// Waits for the first bytes of a file: so many that a document can be told from a list of paths.
  ///
  /// - Parameter descriptor: where they come from.
  /// - Returns: some; none at the end.
  /// - Throws: `FileSystemError` where it cannot be read.
  static func beginning(of descriptor: Int32) throws(FileSystemError) -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: pieceLength)
    var beginning: [UInt8] = []
    while true {
      let count = unsafe Foundation.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw FileSystemError(code: errno) }
      beginning += buffer.prefix(count)
      // What stands behind a bracket tells more, and may come later.
      let text = beginning.drop(while: JSONText.isSpace)
      let isOpen = text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
      if count == 0 || !text.isEmpty && (!isOpen || text.count >= 16) { return beginning }
    }
  }

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - descriptor: where the bytes come from.
  ///   - start: those that have been read before.
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

  /// The next piece; nil where there is none at the moment, or no more.
  func take() -> (piece: [UInt8]?, isAtEnd: Bool) {
    let answer = state.withValue { state -> (piece: [UInt8]?, isAtEnd: Bool) in
      if state.pieces.isEmpty { return (nil, state.isAtEnd) }
      return (state.pieces.removeFirst(), false)
    }
    if answer.piece != nil { space.signal() }
    return answer
  }

  /// Reads no more.
  func stop() { state.withValue { $0.isStopped = true } }
}
