import Assemblage
import AssemblageFuzzing
import AssemblageTesting
import Testing

/// The examples on the pages of the types that a fuzzer works with.
@Suite struct FuzzingExampleTests {
  /// The node and the model of the examples obey all laws.
  @Test func aKindOfOnesOwn() throws {
    var fuzzer = PipelineFuzzer(kinds: NodeKind.standard + [NodeKind(TailModel.self)])
    try fuzzer.check(untilMade: ["make.tail", "tail.start"])
  }

  @Test func scripts() throws {
    let fuzzer = PipelineFuzzer(seed: 1)
    let script = fuzzer.script(7)
    #expect("\(script)".split(separator: "\n").count == script.count)
    try fuzzer.check(script)
    #expect(fuzzer.code(of: script).hasPrefix("import Assemblage\n"))
  }

  @Test func failures() {
    let kinds = NodeKind.standard.filter { $0.name == "array" } + [MirrorFault.insertionOffByOne.kind]
    var fuzzer = PipelineFuzzer(seed: 1, kinds: kinds)
    do {
      try fuzzer.check(scripts: 1_000)
      Issue.record("Nothing was found.")
    } catch {
      #expect(error.law == .replayAgrees)
      #expect("\(error)".hasPrefix(error.finding) && "\(error)".contains("of the seed 1,"))
      #expect("\(error)".hasSuffix(error.code) && error.code.contains("func reproduce() throws {"))
    }
  }
}
