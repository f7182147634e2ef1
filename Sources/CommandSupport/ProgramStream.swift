import Foundation

/// What became of bytes that a program wrote.
package enum OutputOutcome: Equatable, Sendable {
  case written
  /// The reader has gone, as `head` does: nothing more need be written.
  case closed
  case failed(code: Int32)
}

/// An open file that a program writes to, whatever happens there.
package struct ProgramStream: Sendable {
  private let descriptor: Int32

  /// Creates a stream in front of a file descriptor, which stays the caller's.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package static let standardOutput = ProgramStream(STDOUT_FILENO)
  package static let standardError = ProgramStream(STDERR_FILENO)

  /// Writes all of some bytes.
  ///
  /// - Parameter bytes: any bytes.
  /// - Returns: `.written`, or why not all of them are.
  package func write(_ bytes: [UInt8]) -> OutputOutcome {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes[done...].withUnsafeBytes { piece in
        unsafe writeBytes(descriptor, piece.baseAddress, piece.count)
      }
      if written >= 0 {
        done += written
      } else if errno == EPIPE {
        return .closed
      } else if errno == EAGAIN {
        // Somebody has told the terminal or the pipe not to wait.
        waitUntilWritable()
      } else if errno != EINTR {
        return .failed(code: errno)
      }
    }
    return .written
  }

  /// Writes a text in UTF-8.
  @discardableResult
  package func write(_ text: String) -> OutputOutcome { write(Array(text.utf8)) }

  private func waitUntilWritable() {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&request, 1, -1)
  }
}

/// The system's `write`, which a method's own name would hide.
private let writeBytes = unsafe write(_:_:_:)
