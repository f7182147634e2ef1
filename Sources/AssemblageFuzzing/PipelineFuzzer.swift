import Assemblage
package import AssemblageTesting

/// Builds random graphs of nodes, makes random edits on them, and checks everything that nodes promise.
///
/// ```swift
/// var fuzzer = PipelineFuzzer(kinds: NodeKind.standard + [NodeKind(TailModel.self)])
/// try fuzzer.run(scripts: 200)
/// ```
///
/// A script makes nodes of all kinds over each other. There are diamonds, shared sources, joins of joins, filters of
/// filters, empty members, and nodes that are members twice. The script edits sources and derived nodes, inside and
/// outside transactions. It writes through derived nodes by index path. Its observers edit, attach, detach and release
/// nodes while they are notified. After every edit, at every depth, the fuzzer compares each node with a naive model,
/// and a `NodeChecker` checks the node. A `ShadowTree` for each observer checks the changes that the observer receives.
///
/// The fuzzer cuts a script that fails to a short one. It throws a `PipelineFailure` with Swift code that fails in the
/// same way. A run of many scripts also fails where it never made some kind of node, or some edit: `tally` has the
/// numbers.
///
/// A node that traps ends the process, so this type cannot cut that script. A `FuzzCommand` runs scripts in processes
/// of their own, and cuts such scripts too. Without a `FuzzCommand`, set `trace` and run the seed again: the last lines
/// of the trace show the operations of the script.
package struct PipelineFuzzer {
  /// The seed. Everything depends on the seed and the kinds only.
  package let seed: UInt64

  /// The kinds of nodes that the fuzzer makes.
  package let kinds: [NodeKind]

  /// The number of operations in a script, without the operations that make its first nodes.
  package var length = 40

  /// Receives each operation before it is made, and the number of each script.
  package var trace: ((String) -> Void)?

  /// The number of times that this fuzzer's runs made each kind of node and each edit, by names like `make.join`,
  /// `array.insert`, `write.move` and `transaction`.
  package private(set) var tally: OperationTally<String>

  /// Whether arrays and other nodes keep few elements together, for tests inside the package.
  package var usesSmallStorage = false

  /// The defect of all screens, for tests of the fuzzer.
  package var screenDefect: ScreenDefect?

  /// The number of screens at a time, for tests of the fuzzer. Without a screen, no part of a script depends on a
  /// screen.
  package var screenLimit = 3

  let actions: [PipelineOperation.Action]

  /// Creates a fuzzer.
  ///
  /// - Parameters:
  ///   - seed: decides every script. By default it is the seed of the run, which is printed and can be set
  ///     (`ASSEMBLAGE_SEED`).
  ///   - kinds: the kinds of nodes to make. Their names differ, and at least one of them is a source.
  package init(seed: UInt64 = TestSeed.seed, kinds: [NodeKind] = NodeKind.standard) {
    precondition(Set(kinds.map(\.name)).count == kinds.count, "Two kinds of nodes have the same name.")
    precondition(kinds.contains { $0.isSource }, "A pipeline needs a kind of node that is a source.")
    self.seed = seed
    self.kinds = kinds
    actions = PipelineOperation.Action.all(of: kinds)
    tally = OperationTally(kinds: actions.map(\.description))
  }

  /// Runs random scripts, and checks that together they made every kind of node and every edit.
  ///
  /// - Parameters:
  ///   - scripts: the number of scripts. About 100 are needed to make every edit of the standard kinds.
  ///   - first: the number of the first script, to run only some of the scripts.
  /// - Throws: `PipelineFailure` with a short script where a script found a fault. Otherwise `MissingOperations` where
  ///   neither this run nor an earlier one made some kind of node or some edit.
  package mutating func run(scripts: Int, from first: Int = 0) throws {
    try check(scripts: scripts, from: first)
    try tally.check()
  }

  /// Runs random scripts, however few.
  ///
  /// - Parameters:
  ///   - scripts: the number of scripts.
  ///   - first: the number of the first script.
  /// - Throws: `PipelineFailure` with a short script where a script found a fault.
  package mutating func check(scripts: Int, from first: Int = 0) throws(PipelineFailure) {
    for number in first..<first + scripts {
      trace?("script \(number) of the seed \(seed)")
      let script = script(number)
      let run = newRun(script, recordsCode: false, trace: trace)
      let (length, fault) = run.run()
      for (action, count) in run.made { tally.count(action.description, times: count) }
      guard let fault else { continue }
      throw shrunk(script, number: number, length: length, fault)
    }
  }

  /// Runs one script, without cutting it.
  ///
  /// - Parameter script: a script that a fuzzer of the same kinds made.
  /// - Throws: `PipelineFailure` where the script finds a fault.
  package func check(_ script: PipelineScript) throws(PipelineFailure) {
    let run = newRun(script, recordsCode: true, trace: trace)
    guard let fault = run.run().fault else { return }
    throw failure(script, number: 0, originalCount: script.count, run, fault)
  }

  /// The Swift code of a script: a function that makes the same operations, and checks every node at the end.
  ///
  /// - Parameters:
  ///   - script: a script that a fuzzer of the same kinds made.
  ///   - name: the function's name.
  /// - Returns: the code of a source file.
  package func code(of script: PipelineScript, name: String = "reproduce") -> String {
    let run = newRun(script, recordsCode: true)
    run.releasesAtEnd = false
    let fault = run.run().fault
    return Self.function(name, run, fault)
  }

  func newRun(_ script: PipelineScript, recordsCode: Bool, trace: ((String) -> Void)? = nil) -> PipelineRun {
    let run = PipelineRun(
      script, kinds: kinds, usesSmallStorage: usesSmallStorage, recordsCode: recordsCode, trace: trace)
    run.screenDefect = screenDefect
    run.screenLimit = screenLimit
    return run
  }

  func failure(
    _ script: PipelineScript, number: Int, originalCount: Int, _ run: PipelineRun, _ fault: PipelineFault
  ) -> PipelineFailure {
    var law: NodeLaw?
    if case .law(let broken) = fault.kind { law = broken }
    return PipelineFailure(
      seed: seed, scriptNumber: number, law: law, trap: nil, finding: fault.finding, script: script,
      originalCount: originalCount, code: Self.function("reproduce", run, fault))
  }

  static func function(_ name: String, _ run: PipelineRun, _ fault: PipelineFault?) -> String {
    guard let code = run.code else { return "" }
    let modules = ["Assemblage", "AssemblageFuzzing", "AssemblageTesting", "AssemblageWidgets", "Foundation"]
    var lines = modules.map { "import \($0)" }
    lines += ["", "func \(name)() throws {"]
    lines += code.statements()
    if let fault {
      lines.append("  " + fault.code)
    } else {
      for number in run.held {
        lines.append("  try NodeChecker<PipelineRow>(id: \\.id).check(\(run.name(of: number)))")
      }
      for observer in run.observers where observer.shadow != nil { lines.append("  try \(observer.name).check()") }
      for observer in run.observers {
        guard let names = observer.screenNames, observer.screen?.widget != nil else { continue }
        lines.append("  try \(names.user).check()")
        lines.append("  try \(names.widget).check()")
      }
    }
    let kept = code.names.joined(separator: ", ")
    if !kept.isEmpty { lines.append("  withExtendedLifetime((\(kept))) {}") }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }
}
