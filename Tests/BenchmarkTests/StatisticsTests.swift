import Testing

@testable import benchmark

@Suite struct StatisticsTests {
  @Test func oddAndEvenCounts() {
    let odd = Statistics([5, 1, 3])
    #expect(odd.median == 3 && odd.minimum == 1 && odd.maximum == 5 && odd.count == 3)
    #expect(odd.spread == 1)
    #expect(Statistics([4, 1, 3, 2]).median == 2.5)
    let one = Statistics([7])
    #expect(one.median == 7 && one.spread == 0)
  }

  @Test func anOutlierMovesNeitherMedianNorSpreadMuch() {
    let statistics = Statistics([1, 1, 1, 1, 1, 1, 1, 1, 1_000])
    #expect(statistics.median == 1 && statistics.spread == 0 && statistics.maximum == 1_000)
  }

  @Test func noSamplesAreRefused() async {
    await #expect(processExitsWith: .failure) { _ = Statistics([]) }
  }

  @Test(arguments: [
    (0, "0"), (0.000_001, "< 0.00001"), (0.000_52, "0.00052"), (0.005_12, "0.0051"), (0.051_2, "0.051"),
    (0.512, "0.51"), (9.994, "9.99"), (9.996, "10.0"), (99.94, "99.9"), (99.96, "100"),
    (1_234_567.4, "1,234,567"), (-5.5, "-5.50"),
  ])
  func shortNumbers(value: Double, text: String) {
    #expect(Decimal.short(value) == text)
  }

  @Test func groupedAndFixedNumbers() {
    #expect(
      [0, 999, 1_000, -12_345, 1_000_000].map(Decimal.grouped)
        == ["0", "999", "1,000", "-12,345", "1,000,000"])
    #expect(Decimal.fixed(-0.001, digits: 2) == "0.00")
    #expect(Decimal.fixed(-1.005, digits: 1) == "-1.0")
    #expect(Decimal.fixed(2.5, digits: 0) == "3")
  }

  @Test func growthFollowsThePowerOfN() {
    var growth = Growth()
    #expect(growth.prediction(at: 10) == nil)
    growth.record(n: 100, nanoseconds: 50)
    #expect(growth.prediction(at: 1_000) == 500)
    growth.record(n: 1_000, nanoseconds: 5_000)
    let quadratic = growth.prediction(at: 10_000) ?? 0
    #expect((499_000...501_000).contains(quadratic))
    // A time that grows more slowly is predicted as linear.
    growth.record(n: 10_000, nanoseconds: 5_000)
    #expect(growth.prediction(at: 20_000) == 10_000)
  }
}
