#if os(macOS) || os(Linux)
  import Dispatch
  import Foundation
  import Synchronization

  /// One run of moving worlds by a fuzz command, which gives all sources and sizes to workers.
  final class WorldsRun: Sendable {
    /// The numbers of edits of a transaction.
    static let sizes = [1, 2, 4, 8, 16]

    private struct Batch {
      let first: WorldCase
      let count: Int
    }

    private struct State {
      var batches: [Batch]
      var report = WorldReport()
      var error: (any Error)?
    }

    private static let batchSize = 500

    private let options: FuzzOptions
    private let executable: URL
    private let print: @Sendable (String) throws -> Void
    private let state: Mutex<State>

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - options: the seeds, the number of the first world, the number of processes, and the limit of printed
    ///     findings.
    ///   - count: the number of worlds of each source and size.
    ///   - executable: a program that runs a `FuzzCommand`, for the workers.
    ///   - print: receives the report.
    init(_ options: FuzzOptions, count: Int, executable: URL, print: @escaping @Sendable (String) throws -> Void) {
      self.options = options
      self.executable = executable
      self.print = print
      var batches: [Batch] = []
      for seed in options.seeds {
        for source in MovingWorld.Source.allCases {
          for edits in Self.sizes {
            for start in stride(from: options.first, to: options.first + count, by: Self.batchSize) {
              let first = WorldCase(seed: seed, number: start, source: source, edits: edits, looks: options.looks)
              batches.append(Batch(first: first, count: min(Self.batchSize, options.first + count - start)))
            }
          }
        }
      }
      state = Mutex(State(batches: batches.reversed()))
    }

    /// Runs all worlds, and prints the report.
    ///
    /// - Returns: the report.
    /// - Throws: `FuzzWorkerError` where a worker could not be started, and the errors of `print`.
    func run() throws -> WorldReport {
      DispatchQueue.concurrentPerform(iterations: options.jobs) { _ in
        do {
          while let batch = state.withLock({ $0.batches.popLast() }) {
            let report = try run(batch)
            state.withLock { $0.report.add(report) }
          }
        } catch {
          state.withLock {
            $0.error = error
            $0.batches = []
          }
        }
      }
      let (report, error) = state.withLock { ($0.report, $0.error) }
      if let error { throw error }
      for finding in report.findings.prefix(options.findings) { try print("\(finding)\n-----") }
      try print(report.description)
      return report
    }

    /// Runs a batch. A world that ends its worker is a finding, and another worker runs the worlds after it.
    private func run(_ batch: Batch) throws -> WorldReport {
      var report = WorldReport()
      var next = batch.first.number
      let end = next + batch.count
      while next < end {
        let worker = try FuzzWorkerProcess(executable: executable, settings: options.settings)
        try worker.send(.worlds(batch.first.numbered(next), count: end - next))
        let start = next
        var (code, hasEnded) = ("", false)
        while !hasEnded, let answer = try worker.next() {
          switch answer {
          case .began(let number): next = number + 1
          case .code(let program): code = program
          case .outcomes(let outcomes): report.add(outcomes, of: batch.first)
          case .ended: hasEnded = true
          case .found, .made, .script, .outcome: break
          }
        }
        if hasEnded { continue }
        let ending = worker.ending()
        guard next > start else { throw FuzzWorkerError("A worker ended before its first world: \(ending)") }
        report.addEnding(ending, of: batch.first.numbered(next - 1), code: code)
      }
      return report
    }
  }
#endif
