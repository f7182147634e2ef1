#if os(macOS) || os(Linux)
  import Foundation
  import Synchronization

  /// The reason why a worker could not be started or be used.
  struct FuzzWorkerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  /// A worker, as the process that started it sees the worker.
  final class FuzzWorkerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let errors: URL
    private var received = Data()

    /// Two processes must not be started at once. The second would inherit the pipes of the first, and keep them open.
    private static let starting = Mutex(())

    /// Starts a worker.
    ///
    /// - Throws: `FuzzWorkerError` where the file for the errors can't be written, and the errors of `Process`.
    init(executable: URL, settings: FuzzSettings) throws {
      errors = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString).txt")
      process.executableURL = executable
      process.arguments = [FuzzWorker.argument] + settings.arguments
      // The sentence of a trap is enough. A backtrace with the names of all functions on the stack would take seconds.
      process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      process.standardInput = input
      process.standardOutput = output
      guard FileManager.default.createFile(atPath: errors.path, contents: nil) else {
        throw FuzzWorkerError("\(errors.path) can't be written.")
      }
      process.standardError = try FileHandle(forWritingTo: errors)
      try Self.starting.withLock { _ in try process.run() }
    }

    deinit {
      try? input.fileHandleForWriting.close()
      if process.isRunning { process.terminate() }
      try? FileManager.default.removeItem(at: errors)
    }

    /// Sends a request to the worker. A worker that has ended does not receive the request.
    func send(_ request: FuzzRequest) throws {
      var data = try JSONEncoder().encode(request)
      data.append(UInt8(ascii: "\n"))
      try? input.fileHandleForWriting.write(contentsOf: data)
    }

    /// Waits for the next answer; nil where the worker has ended.
    func next() throws -> FuzzAnswer? {
      while true {
        if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
          let line = received[..<end]
          received = Data(received[(end + 1)...])
          // A node of the user may print, and such a line is no answer.
          guard let answer = try? JSONDecoder().decode(FuzzAnswer.self, from: line) else { continue }
          return answer
        }
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { return nil }
        received.append(data)
      }
    }

    /// Returns the reason why a worker ended: the sentence of its trap, its signal or its exit code.
    func ending() -> String {
      process.waitUntilExit()
      let text = (try? String(decoding: Data(contentsOf: errors), as: UTF8.self)) ?? ""
      if let sentence = text.range(of: "Fatal error: ") {
        return String(text[sentence.upperBound...].prefix { $0 != "\n" })
      }
      guard process.terminationReason == .uncaughtSignal else {
        return "The process ended with the code \(process.terminationStatus)."
      }
      return process.terminationStatus == SIGALRM
        ? "The script did not end." : "The process ended with the signal \(process.terminationStatus)."
    }
  }
#endif
