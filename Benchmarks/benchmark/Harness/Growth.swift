import Foundation

/// Predicts the time of one operation at a larger size from its times at smaller sizes.
struct Growth {
  private var points: [(n: Int, nanoseconds: Double)] = []

  /// Adds the time of one operation at a size.
  mutating func record(n: Int, nanoseconds: Double) {
    points.append((n, max(nanoseconds, 1)))
  }

  /// The time that one operation is expected to take; nil where no time is known.
  ///
  /// The last two points give the power of n with which the time grows. The power is limited to 1...3. A lower power
  /// would trust a cache too much, and a higher one is the noise of a first call.
  func prediction(at n: Int) -> Double? {
    guard let last = points.last else { return nil }
    var power = 1.0
    if points.count > 1 {
      let former = points[points.count - 2]
      power = log(last.nanoseconds / former.nanoseconds) / log(Double(last.n) / Double(former.n))
    }
    return last.nanoseconds * pow(Double(n) / Double(last.n), min(max(power, 1), 3))
  }
}
