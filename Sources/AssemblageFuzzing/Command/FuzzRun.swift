#if os(macOS) || os(Linux)
  import Dispatch
  import Foundation
  import Synchronization

  /// One run of a fuzz command, which gives the scripts of its seeds to workers.
  final class FuzzRun: Sendable {
    /// The results of a run.
    struct Report {
      var failures: [PipelineFailure] = []
      /// The number of scripts that were run.
      var count = 0
      /// The number of times that each kind of node and each edit was made.
      var made: [String: Int] = [:]
      /// The kinds of nodes and edits that were never made. Empty if the run had too few scripts to make all of them.
      var missing: [String] = []

      var exitCode: Int32 { failures.isEmpty && missing.isEmpty ? 0 : 1 }
    }

    private struct State {
      var report = Report()
      /// The next script for a worker.
      var seed: UInt64
      var number: Int
      var isEnded = false
      var error: (any Error)?
    }

    private struct Batch {
      let seed: UInt64
      var numbers: Range<Int>
    }

    /// This many scripts surely make every edit of the standard kinds.
    private static let completeCount = 1_000
    /// The scripts of some seconds of work. Batches of this size let the processes end together.
    private static let batchSize = 500

    private let options: FuzzOptions
    private let executable: URL
    private let print: @Sendable (String) throws -> Void
    private let state: Mutex<State>

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - options: the scripts to run, and the settings of the run.
    ///   - executable: a program that runs a `FuzzCommand`, for the workers.
    ///   - print: receives the report, line by line. An error that it throws ends the run.
    init(_ options: FuzzOptions, executable: URL, print: @escaping @Sendable (String) throws -> Void) {
      self.options = options
      self.executable = executable
      self.print = print
      state = Mutex(State(seed: options.seeds.lowerBound, number: options.first))
    }

    /// Runs all scripts, or stops after the number of findings in the options.
    ///
    /// - Throws: an error where a worker could not be started, and the errors of `print`.
    func run() throws -> Report {
      DispatchQueue.concurrentPerform(iterations: options.jobs) { _ in
        do {
          try work()
        } catch {
          state.withLock {
            $0.error = error
            $0.isEnded = true
          }
        }
      }
      let (report, error) = state.withLock { state in
        if state.report.count >= Self.completeCount {
          state.report.missing = state.report.made.filter { $0.value == 0 }.keys.sorted()
        }
        return (state.report, state.error)
      }
      if let error { throw error }
      if !report.missing.isEmpty { try print("never made: \(report.missing.joined(separator: ", "))") }
      try print(
        "\(report.count) graphs, \(report.failures.count) \(report.failures.count == 1 ? "finding" : "findings")")
      return report
    }

    /// Runs batches until there are no more.
    private func work() throws {
      var worker: FuzzWorkerProcess?
      while var batch = state.withLock({ nextBatch(&$0) }) {
        while !batch.numbers.isEmpty, !state.withLock({ $0.isEnded }) {
          let present = try worker ?? FuzzWorkerProcess(executable: executable, settings: options.settings)
          worker = present
          if try !run(&batch, on: present) { worker = nil }
        }
      }
    }

    /// Returns the next scripts to run, all of one seed.
    private func nextBatch(_ state: inout State) -> Batch? {
      let end = options.first + options.scripts
      if state.number >= end, state.seed < options.seeds.upperBound {
        state.seed += 1
        state.number = options.first
      }
      guard !state.isEnded, state.number < end else { return nil }
      let numbers = state.number..<min(state.number + Self.batchSize, end)
      state.number = numbers.upperBound
      return Batch(seed: state.seed, numbers: numbers)
    }

    /// Runs a batch until all its scripts are done, or a script has ended the worker.
    ///
    /// - Returns: whether the worker still runs.
    private func run(_ batch: inout Batch, on worker: FuzzWorkerProcess) throws -> Bool {
      try worker.send(.scripts(seed: batch.seed, first: batch.numbers.lowerBound, count: batch.numbers.count))
      var current: Int?
      while let answer = try worker.next() {
        switch answer {
        case .began(let number):
          current = number
          batch.numbers = number + 1..<batch.numbers.upperBound
          state.withLock { $0.report.count += 1 }
        case .found(let outcome, let script, let length):
          try report(outcome, of: script.script, length: length, seed: batch.seed, number: current ?? 0)
        case .made(let made):
          state.withLock { $0.report.made.merge(made, uniquingKeysWith: +) }
          return true
        case .script, .outcome, .code, .outcomes, .ended: break
        }
      }
      guard let current else { throw FuzzWorkerError("A worker ended before its first script: \(worker.ending())") }
      let cutter = FuzzCutter(executable: executable, settings: options.settings)
      guard let script = try cutter.script(current, of: batch.seed) else {
        throw FuzzWorkerError("A worker ended while it made a script: \(worker.ending())")
      }
      let outcome = FuzzOutcome(ending: worker.ending())
      try report(outcome, of: script, length: script.operations.count, seed: batch.seed, number: current)
      return false
    }

    /// Cuts a script and prints the fault that it found.
    private func report(
      _ outcome: FuzzOutcome, of script: PipelineScript, length: Int, seed: UInt64, number: Int
    ) throws {
      guard !state.withLock({ $0.isEnded }) else { return }
      let cutter = FuzzCutter(executable: executable, settings: options.settings)
      let failure = try cutter.failure(outcome, of: script, length: length, seed: seed, number: number)
      try state.withLock { state in
        guard !state.isEnded else { return }
        state.report.failures.append(failure)
        if state.report.failures.count >= options.findings { state.isEnded = true }
        try print("\(failure)\n-----")
      }
    }
  }
#endif
