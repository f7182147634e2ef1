import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@testable import AssemblageFuzzing

@Suite struct PipelineFuzzerTests {
  /// Every node of random graphs obeys the laws after every edit, and its observers can follow it. No edit is left out.
  @Test func randomGraphsObeyTheLaws() throws {
    var fuzzer = PipelineFuzzer()
    fuzzer.usesSmallStorage = true
    fuzzer.length = TestSeed.length(40)
    try fuzzer.check(scripts: TestSeed.iterations(40), untilMade: fuzzer.tally.missing)
  }

  @Test func aSeedIsARun() throws {
    var (first, second, other) = (PipelineFuzzer(seed: 1), PipelineFuzzer(seed: 1), PipelineFuzzer(seed: 2))
    #expect(first.script(7) == second.script(7) && first.script(7) != first.script(8))
    #expect(first.script(7) != other.script(7))
    try first.check(scripts: 6)
    try second.check(scripts: 2)
    try second.check(scripts: 4, from: 2)
    try other.check(scripts: 6)
    #expect(first.tally.description == second.tally.description)
    #expect(first.tally.description != other.tally.description)
    #expect(first.code(of: first.script(3)) == second.code(of: second.script(3)))
  }

  /// A run whose size is set by the environment may leave an edit out.
  @Test(.enabled(if: !TestSeed.isResized)) func aRunThatLeavesSomethingOutFails() {
    var fuzzer = PipelineFuzzer(seed: 3, kinds: NodeKind.standard)
    #expect(throws: MissingOperations.self) { try fuzzer.run(scripts: 1) }
    #expect(fuzzer.tally.missing.contains("transaction") || fuzzer.tally["transaction"] > 0)
    #expect(!fuzzer.tally.missing.isEmpty)
  }

  /// A user's own kind of node, without faults, has its place in pipelines like the library's.
  @Test func aKindOfOnesOwnIsOneRegistration() throws {
    var fuzzer = PipelineFuzzer(kinds: NodeKind.standard + [NodeKind(MirrorModel<NoFault>.self)])
    try fuzzer.check(untilMade: ["make.mirror", "mirror.setReversed"])
  }

  @Test(arguments: MirrorFault.allCases)
  func aBrokenKindIsFoundAndCut(_ fault: MirrorFault) throws {
    // Few kinds, so that a short script is enough. They leave out the kinds that show the fault before an observer is
    // notified.
    let names: Set = ["array", "single", "provider", "branch", "join", "map"]
    var fuzzer = PipelineFuzzer(kinds: NodeKind.standard.filter { names.contains($0.name) } + [fault.kind])
    fuzzer.screenLimit = 0
    let failure = try fuzzer.firstFailure()
    #expect(fault.laws.contains(failure.law))
    #expect(failure.script.count <= 15, "\(failure)")
    #expect(failure.code.contains("MirrorNode("), "\(failure)")
    #expect(failure.description.contains("of the seed \(failure.seed)"))
    if failure.law != nil { #expect(failure.code.contains("  try shadow"), "\(failure)") }
    // The short script alone fails in the same way.
    let again = try #require(throws: PipelineFailure.self) { try fuzzer.check(failure.script) }
    #expect(again.code == failure.code && again.finding == failure.finding)
  }
}

/// The screens of a pipeline find faults of coordinators and behaviors.
@Suite struct PipelineScreenTests {
  @Test(arguments: ScreenDefect.allCases) func aDefectIsFoundAndCut(_ defect: ScreenDefect) throws {
    // Few kinds, so that more of the operations show and use screens. With a random seed, 50 to several thousand scripts
    // would be needed, which take up to ten minutes in a debug build.
    let names: Set = ["array", "branch", "join", "filter", "sort", "map"]
    var fuzzer = PipelineFuzzer(seed: 4, kinds: NodeKind.standard.filter { names.contains($0.name) })
    fuzzer.screenDefect = defect
    let failure = try fuzzer.firstFailure()
    #expect(failure.law == nil, "\(failure)")
    #expect(failure.code.contains("WidgetModel") || failure.code.contains("Widget()"), "\(failure)")
    #expect(failure.script.count <= 15, "\(failure)")
  }

  /// A row that is expanded by one step of the script must not move before the next step.
  @Test func aUserWhoSelectsInUpdatesLetsTheDelegateEditThere() {
    for manners: ScreenManners in [.edits, [.selects, .editsAfterwards]] {
      #expect(ScreenUser(manners).editsInUpdates)
    }
    for manners: ScreenManners in [.selects, .editsAfterwards, [.asks, .reloads, .suspends]] {
      #expect(!ScreenUser(manners).editsInUpdates)
    }
  }
}

extension PipelineFuzzer {
  /// Runs scripts until one fails.
  ///
  /// Only one of a thousand scripts may show a fault. So up to ten thousand scripts run.
  mutating func firstFailure() throws -> PipelineFailure {
    try #require(throws: PipelineFailure.self) { try check(scripts: 10_000) }
  }

  /// Runs scripts until they have made each of some rare edits.
  ///
  /// - Parameters:
  ///   - scripts: the number of scripts to run at a time.
  ///   - edits: the names of the edits in the tally.
  /// - Throws: `PipelineFailure` where a script found a fault. An issue is recorded where 800 scripts or more left an
  ///   edit out.
  mutating func check(scripts: Int = TestSeed.iterations(40), untilMade edits: [String]) throws {
    var done = 0
    repeat {
      try check(scripts: scripts, from: done)
      done += scripts
    } while !TestSeed.isResized && done < 800 && edits.contains { tally[$0] == 0 }
    #expect(TestSeed.isResized || edits.allSatisfy { tally[$0] > 0 }, "\(tally)")
  }
}
