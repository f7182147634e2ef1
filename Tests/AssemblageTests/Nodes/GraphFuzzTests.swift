import Assemblage
import TestSupport
import Testing

@Suite struct GraphFuzzTests {
  /// Every node of random graphs obeys the laws after every step, and its observers can follow it.
  @Test func randomGraphsObeyTheLaws() throws {
    var tally = OperationTally<GraphFuzz.Kind>()
    for iteration in 0..<TestSeed.iterations(60) {
      let fuzz = GraphFuzz(TestSeed.generator("graph-fuzz", iteration: iteration))
      fuzz.tally = tally
      do {
        try fuzz.check()
        for _ in 0..<TestSeed.length(80) { try fuzz.step() }
      } catch {
        Issue.record("script \(iteration): \(error)")
        return
      }
      tally = fuzz.tally
    }
    if !TestSeed.isResized { try tally.check() }
  }
}
