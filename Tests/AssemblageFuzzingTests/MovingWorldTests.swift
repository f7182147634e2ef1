import AssemblageTesting
import TestSupport
import Testing

@testable import AssemblageFuzzing

/// Random worlds of moves. Observers are at views of a tree, at views of one of its branches and at nodes of children.
///
/// `fuzz --worlds 4500` runs many more of them.
@Suite struct MovingWorldTests {
  /// Law 5: between two settlements a row that survives is neither removed nor inserted.
  ///
  /// A transaction without a read has one settlement. Laws 1 to 4 and 6 hold too, and each view has the rows of its
  /// model.
  @Test(arguments: MovingWorld.Source.allCases)
  func survivorsStay(in source: MovingWorld.Source) {
    let report = run(source, looks: false)
    #expect(report.isClean, "\(report)\n\(report.findings.first ?? "")")
  }

  /// A read inside a transaction never finds former contents, and the composed change is exact.
  @Test(arguments: MovingWorld.Source.allCases)
  func readsFindPresentContents(in source: MovingWorld.Source) {
    let report = run(source, looks: true)
    #expect(report.isClean, "\(report)\n\(report.findings.first ?? "")")
  }

  private func run(_ source: MovingWorld.Source, looks: Bool) -> WorldReport {
    var report = WorldReport()
    for edits in WorldsRun.sizes {
      for number in 0..<TestSeed.iterations(looks ? 1 : 3) {
        let world = WorldCase(seed: TestSeed.seed, number: number, source: source, edits: edits, looks: looks)
        report.add(WorldRun(world).run(), of: world)
      }
    }
    return report
  }

  @Test(arguments: MovingWorld.Source.allCases) func aSeedIsAWorld(_ source: MovingWorld.Source) {
    func program(_ number: Int) -> [String] {
      var programs: [String] = []
      var run = WorldRun(WorldCase(seed: 1, number: number, source: source, edits: 4, looks: false))
      run.willRun = { programs.append($0) }
      _ = run.run()
      return programs
    }
    #expect(program(3) == program(3))
    // The other programs end with an undo or a redo.
    #expect(program(3).count { $0.hasSuffix("}") } == 3)
    #expect(program(3) != program(4))
  }

  /// The report counts faults by view and size, and keeps the first finding of each.
  @Test func aReportIsATable() {
    let world = WorldCase(seed: 1, number: 7, source: .forest, edits: 2, looks: false)
    func outcome(_ fault: WorldOutcome.Fault?) -> WorldOutcome {
      WorldOutcome(view: "map", fault: fault, finding: "found")
    }
    var report = WorldReport()
    report.add([outcome(nil), outcome(.lost)], of: world)
    #expect(report.isClean)
    report.add([outcome(.law(.changesAreMinimal)), outcome(.law(.changesAreMinimal)), outcome(.contents)], of: world)
    #expect(!report.isClean && report.findings == ["found", "found"])
    var other = WorldReport()
    other.addEnding("a trap", of: world, code: "")
    report.add(other)
    #expect(
      report.description == """
        | edits of a transaction | 2 |
        |---|---|
        | forest: map | 2/5, 1 × contents, 1 × lost |
        1 worlds ended the process: a trap
        """)
  }
}
