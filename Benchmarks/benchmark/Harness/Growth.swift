import Foundation

/// Predicts how long one operation takes at a larger size, from what it took at smaller ones.
struct Growth {
  private var points: [(n: Int, nanoseconds: Double)] = []

  /// Adds what one operation took.
  mutating func record(n: Int, nanoseconds: Double) {
    points.append((n, max(nanoseconds, 1)))
  }

  /// The time that one operation is expected to take; nil where nothing is known.
  ///
  /// The last two points give the power of n with which it grows, taken to be in 1...3: less would trust
  /// a cache too much, and more is the noise of a first call.
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
