#if os(macOS) || os(Linux)
  import Foundation

  /// The part of a fuzz command that runs scripts, and that a script may end.
  ///
  /// A worker reads requests from standard input, one on each line, and writes answers to standard output.
  struct FuzzWorker {
    /// The argument that makes a fuzz command a worker.
    static let argument = "--worker"

    /// The number of seconds that a script may take. A script that takes longer is a finding, as a trap is.
    private static let patience: UInt32 = 60

    let kinds: [NodeKind]
    let settings: FuzzSettings

    /// Answers requests until there are no more.
    func serve() {
      while let line = readLine() {
        guard let request = try? JSONDecoder().decode(FuzzRequest.self, from: Data(line.utf8)) else { continue }
        answer(request)
      }
    }

    private func answer(_ request: FuzzRequest) {
      switch request {
      case .scripts(let seed, let first, let count): runScripts(of: seed, first..<first + count)
      case .script(let seed, let number): send(.script(FuzzScript(fuzzer(seed).script(number))))
      case .outcome(let script): send(.outcome(run(script.script, printing: false).fault.map(Self.outcome)))
      case .code(let script): send(.outcome(run(script.script, printing: true).fault.map(Self.outcome)))
      case .worlds(let world, let count): runWorlds(from: world, count)
      }
    }

    private func runWorlds(from first: WorldCase, _ count: Int) {
      for number in first.number..<first.number + count {
        alarm(Self.patience)
        defer { alarm(0) }
        send(.began(number))
        var run = WorldRun(first.numbered(number))
        run.willRun = { send(.code($0)) }
        send(.outcomes(run.run()))
      }
      send(.ended)
    }

    private func fuzzer(_ seed: UInt64) -> PipelineFuzzer {
      var fuzzer = PipelineFuzzer(seed: seed, kinds: kinds)
      fuzzer.length = settings.length
      return fuzzer
    }

    private func runScripts(of seed: UInt64, _ numbers: Range<Int>) {
      let fuzzer = fuzzer(seed)
      var made = Dictionary(uniqueKeysWithValues: fuzzer.actions.map { ($0.description, 0) })
      for number in numbers {
        send(.began(number))
        let script = fuzzer.script(number)
        let (run, length, fault) = run(script, printing: false)
        for (action, count) in run.made { made[action.description, default: 0] += count }
        if let fault { send(.found(Self.outcome(fault), script: FuzzScript(script), length: length)) }
      }
      send(.made(made))
    }

    private func run(
      _ script: PipelineScript, printing: Bool
    ) -> (run: PipelineRun, length: Int, fault: PipelineFault?) {
      // The signal ends the process, and the other process waits for that end.
      alarm(Self.patience)
      defer { alarm(0) }
      let run = PipelineRun(
        script, kinds: kinds, usesSmallStorage: settings.usesSmallStorage, recordsCode: printing)
      // If the process ends, the code that was sent last shows the operation that ended it.
      run.code?.didChange = { [unowned run] in send(.code(PipelineFuzzer.function("reproduce", run, nil))) }
      let (length, fault) = run.run()
      if printing, let fault { send(.code(PipelineFuzzer.function("reproduce", run, fault))) }
      return (run, length, fault)
    }

    private static func outcome(_ fault: PipelineFault) -> FuzzOutcome {
      FuzzOutcome(kind: fault.kind, finding: fault.finding)
    }

    private func send(_ answer: FuzzAnswer) {
      guard var data = try? JSONEncoder().encode(answer) else { return }
      data.append(UInt8(ascii: "\n"))
      try? FileHandle.standardOutput.write(contentsOf: data)
    }
  }
#endif
