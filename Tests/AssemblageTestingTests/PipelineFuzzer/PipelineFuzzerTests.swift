import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@Suite struct PipelineFuzzerTests {
  /// Every node of random graphs obeys the laws after every edit, its observers can follow it, and nothing is left out.
  @Test func randomGraphsObeyTheLaws() throws {
    var fuzzer = PipelineFuzzer()
    fuzzer.usesSmallStorage = true
    fuzzer.length = TestSeed.length(40)
    try fuzzer.run(scripts: TestSeed.iterations(150))
    print(fuzzer.tally)
  }
}
