#if os(macOS) || os(Linux)
  import AssemblageTesting
  import Foundation

  /// Cuts scripts by running parts of them in workers.
  final class FuzzCutter {
    private let executable: URL
    private let settings: FuzzSettings
    private var worker: FuzzWorkerProcess?

    init(executable: URL, settings: FuzzSettings) {
      self.executable = executable
      self.settings = settings
    }

    /// Returns the script with a number; nil where a worker ends while it makes the script.
    func script(_ number: Int, of seed: UInt64) throws -> PipelineScript? {
      let worker = try start()
      try worker.send(.script(seed: seed, number: number))
      while let answer = try worker.next() {
        if case .script(let script) = answer { return script.script }
      }
      return nil
    }

    /// Cuts a script as long as its fault stays of the same kind.
    ///
    /// - Parameters:
    ///   - outcome: the fault that the script found.
    ///   - script: the script. Its first `length` operations find the fault.
    ///   - length: the number of operations that find the fault.
    ///   - seed: the seed of the script.
    ///   - number: the number of the script.
    /// - Returns: the fault that the shortest script found.
    /// - Throws: an error where a worker could not be started.
    func failure(
      _ outcome: FuzzOutcome, of script: PipelineScript, length: Int, seed: UInt64, number: Int
    ) throws -> PipelineFailure {
      var error: (any Error)?
      var shrinker = ScriptShrinker(script, kind: outcome.kind) { candidate in
        do {
          return error == nil ? try self.outcome(of: candidate)?.kind : nil
        } catch let failure {
          error = failure
          return nil
        }
      }
      shrinker.shrink(length: length)
      if let error { throw error }
      var (code, last) = ("", nil as FuzzOutcome?)
      last = try run(.code(FuzzScript(shrinker.script))) { code = $0 }
      let final = last ?? outcome
      var law: NodeLaw?
      var trap: String?
      switch final.kind {
      case .law(let broken): law = broken
      case .ended:
        trap = final.finding
        // The last line is the function's brace.
        code = code.split(separator: "\n", omittingEmptySubsequences: false).dropLast(2).joined(separator: "\n")
        code += "\n  // The process ended: \(final.finding)\n}\n"
      case .contents, .release, .rollback, .widget: break
      }
      return PipelineFailure(
        seed: seed, scriptNumber: number, law: law, trap: trap, finding: final.finding, script: shrinker.script,
        originalCount: script.count, code: code)
    }

    /// Runs a script. A script that ends its worker gives an outcome, too.
    private func outcome(of script: PipelineScript) throws -> FuzzOutcome? {
      try run(.outcome(FuzzScript(script))) { _ in }
    }

    private func run(_ request: FuzzRequest, _ receive: (_ code: String) -> Void) throws -> FuzzOutcome? {
      let worker = try start()
      try worker.send(request)
      while let answer = try worker.next() {
        switch answer {
        case .outcome(let outcome): return outcome
        case .code(let code): receive(code)
        case .began, .found, .made, .script, .outcomes, .ended: break
        }
      }
      self.worker = nil
      return FuzzOutcome(ending: worker.ending())
    }

    private func start() throws -> FuzzWorkerProcess {
      if let worker { return worker }
      let new = try FuzzWorkerProcess(executable: executable, settings: settings)
      worker = new
      return new
    }
  }

  extension FuzzOutcome {
    /// Makes the outcome of a process that ended. Two sentences that differ only in their numbers are the same kind of
    /// fault.
    init(ending sentence: String) {
      let pattern = sentence.split(omittingEmptySubsequences: false) { $0.isNumber }.filter { !$0.isEmpty }
      kind = .ended(pattern.joined(separator: "#"))
      finding = sentence
    }
  }
#endif
