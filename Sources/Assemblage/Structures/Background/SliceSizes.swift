/// How many elements make a slice of work that should take a given time.
struct SliceSizes {
  private let budget: Duration
  private var size: Int
  private let isFixed: Bool

  /// - Parameter budget: how long a slice should take.
  init(budget: Duration) {
    require(budget > .zero, "A slice of work takes some time: its budget is \(budget).")
    self.budget = budget
    size = BackgroundPacing.elements ?? 256
    isFixed = BackgroundPacing.elements != nil
  }

  /// Does a slice, and learns from the time that it took: the next one is at most twice as large, and at least half.
  ///
  /// - Parameter work: does a slice of some elements at most.
  /// - Returns: what `work` returns.
  mutating func measure<Result>(_ work: (Int) -> Result) -> Result {
    if isFixed { return work(size) }
    let start = ContinuousClock.now
    let result = work(size)
    let ratio = budget / (ContinuousClock.now - start)
    size = Int((Double(size) * min(max(ratio, 0.5), 2)).rounded(.up))
    size = min(size, 1 << 20)
    return result
  }
}
