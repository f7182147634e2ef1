import Foundation

/// The outcome of an attempt to write bytes.
package enum OutputOutcome: Equatable, Sendable {
  case written
  /// The reader has closed the output, as `head` does: no more output is needed.
  case closed
  case failed(code: Int32)
}

/// An open file that a program writes to; interruptions and full buffers are handled.
package struct ProgramStream: Sendable {
  private let descriptor: Int32

  /// Creates a stream to a file descriptor, which the caller still owns.
  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  package static let standardOutput = ProgramStream(STDOUT_FILENO)
  package static let standardError = ProgramStream(STDERR_FILENO)

  /// Writes all of the bytes.
  ///
  /// - Parameter bytes: any bytes.
  /// - Returns: `.written`, or the reason why some bytes were not written.
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
        // Another process has set the terminal or the pipe to non-blocking mode.
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

/// The system's `write`, which the name of the method hides.
private let writeBytes = unsafe write(_:_:_:)
