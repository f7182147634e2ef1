import Testing

@testable import benchmark

@Suite struct ComparisonTests {
  /// The result of an operation at n = 8 with these medians. All samples are within a hundredth of them. Subjects whose
  /// names begin with "Naive" are competitors.
  private func result(_ times: [(subject: String, median: Double)]) -> OperationResult {
    var result = OperationResult(
      suite: "suite", operation: "work", subjects: times.map(\.subject),
      competitors: Set(times.map(\.subject).filter { $0.hasPrefix("Naive") }))
    for (subject, median) in times {
      result.measurements.append(
        Measurement(
          suite: "suite", operation: "work", subject: subject, n: 8,
          time: Statistics([median * 0.99, median, median * 1.01]), bytesPerElement: nil))
    }
    return result
  }

  private func run(_ results: OperationResult...) throws -> EarlierRun {
    try EarlierRun(text: results.map(JSONReporter().text).joined(), name: "old")
  }

  private func key(_ subject: String) -> EarlierRun.Key {
    EarlierRun.Key(suite: "suite", operation: "work", subject: subject, n: 8)
  }

  @Test func aSlowerMachineIsNoChange() throws {
    var comparison = Comparison(with: try run(result([("A", 100), ("B", 50), ("Naive", 1_000)])))
    comparison.add(result([("A", 200), ("B", 50), ("Naive", 2_000)]))
    #expect(comparison.compared == 2)
    #expect(comparison.changes == [.init(key: key("B"), times: (50, 50), factor: 0.5)])
    #expect(
      comparison.text == """
        Against the earlier run, each beside its competitor:
          × 0.50  suite/work B at n = 8: 50.0 → 50.0 ns
          1 of 2 figures within their noise

        """)
  }

  @Test func noiseIsNoChange() throws {
    let earlier = try run(result([("A", 100), ("Naive", 1_000)]))
    var comparison = Comparison(with: earlier)
    comparison.add(result([("A", 104), ("Naive", 1_000)]))
    #expect(comparison.compared == 1 && comparison.changes.isEmpty)
    // Each of the four spreads is half a hundredth. Twice their sum, four hundredths, is noise. But noise is at least a
    // twentieth.
    comparison.add(result([("A", 106), ("Naive", 1_000)]))
    #expect(comparison.changes.map(\.key) == [key("A")])
  }

  @Test func aSubjectAloneIsComparedByItsTime() throws {
    var comparison = Comparison(with: try run(result([("A", 100)])))
    comparison.add(result([("A", 200)]))
    #expect(comparison.changes == [.init(key: key("A"), times: (100, 200), factor: 2)])
  }

  @Test func aRunWithoutTheseFiguresIsSaid() throws {
    var comparison = Comparison(with: try run(result([("A", 100), ("Naive", 1_000)])))
    comparison.add(result([("B", 100), ("Other", 1_000)]))
    #expect(comparison.text == "The earlier run has none of these figures.\n")
  }

  @Test func whatIsNoResultIsRefused() throws {
    let line = JSONReporter().text(result([("A", 100)]))
    #expect(
      throws: Failure(sentence: "line 2 of \"old\" is no result, as --format json writes them", code: 65)
    ) { try EarlierRun(text: line + "{\"suite\": 1}\n", name: "old") }
    #expect(throws: Failure(sentence: "\"old\" holds no results", code: 65)) {
      try EarlierRun(text: "\n", name: "old")
    }
  }

  @Test func threeBadRunsAreAFaultAndTwoAreNot() throws {
    let earlier = try run(result([("A", 100), ("Naive", 1_000)]))
    let (good, bad) = (result([("A", 149), ("Naive", 1_000)]), result([("A", 160), ("Naive", 1_000)]))
    let suites = [Suite("suite") { Operation("work") }, Suite("other") { Operation("work") }]
    func runs(_ baseline: inout Baseline, _ next: [OperationResult]) -> Int {
      var runs = 0
      baseline.checkAgain(suites) { operation, suite in
        #expect(operation.name == "work" && suite.name == "suite")
        runs += 1
        return next[runs - 1]
      }
      return runs
    }

    var baseline = Baseline(earlier)
    baseline.check(good)
    #expect(runs(&baseline, []) == 0)
    baseline.check(bad)
    #expect(runs(&baseline, [bad, good]) == 2 && baseline.faults.isEmpty)
    baseline.check(bad)
    #expect(runs(&baseline, [good]) == 1 && baseline.faults.isEmpty)
    try baseline.finish()
    baseline.check(bad)
    #expect(runs(&baseline, [result([("A", 190), ("Naive", 1_000)]), bad]) == 2)
    #expect(baseline.faults.keys.map(\.self) == [key("A")])
    #expect(
      baseline.text
        == "Against the baseline, each of the library's beside its competitor: 4 figures, of which 3 at first and 1 in "
        + "each of 3 runs were worse by more than 1.50 ×\n")
    let failure = #expect(throws: Failure.self) { try baseline.finish() }
    #expect(
      failure
        == Failure(
          sentence: "worse than the baseline by more than 1.50 × in 3 runs, beside the competitor: "
            + "suite/work A at n = 8 (× 1.60)", code: 2))
  }

  @Test func competitorsAreNeverJudged() throws {
    var baseline = Baseline(try run(result([("A", 100), ("Naive 1", 100), ("Naive 2", 1_000)])))
    baseline.check(result([("A", 100), ("Naive 1", 900), ("Naive 2", 1_000)]))
    #expect(baseline.faults.isEmpty)
    try baseline.finish()
  }

  @Test func eachOfTheLibrarysIsSeenBesideTheLastCompetitorThatFollowsIt() {
    let result = result([("A", 1), ("B", 1), ("Naive 1", 1), ("Naive 2", 1), ("C", 1), ("Naive 3", 1), ("D", 1)])
    #expect(["A", "B", "C"].map { result.yardstick(of: $0) } == ["Naive 2", "Naive 2", "Naive 3"])
    #expect(result.yardstick(of: "Naive 1") == nil && result.yardstick(of: "D") == nil)
  }

  @Test func whatHasNoCompetitorIsNotJudged() throws {
    var baseline = Baseline(try run(result([("A", 100), ("Naive", 100), ("B", 100)])))
    baseline.check(result([("A", 100), ("Naive", 100), ("B", 900)]))
    #expect(baseline.faults.isEmpty)
    try baseline.finish()
  }

  @Test func ofSeveralRunsInAFileTheBestCounts() throws {
    let runs = [result([("A", 300), ("Naive", 1_000)]), result([("A", 100), ("Naive", 1_200)])]
    for earlier in [try run(runs[0], runs[1]), try run(runs[1], runs[0])] {
      #expect(earlier[key("A")]?.nanoseconds == 100 && earlier[key("Naive")]?.nanoseconds == 1_000)
    }
  }

  @Test func aBaselineThatHasNoneOfTheFiguresIsRefused() throws {
    var baseline = Baseline(try run(result([("A", 100), ("Naive", 1_000)])))
    baseline.check(result([("B", 100), ("Other", 1_000)]))
    #expect(
      throws: Failure(sentence: "the baseline has none of these figures: was it made at other sizes?", code: 65)
    ) { try baseline.finish() }
  }
}
