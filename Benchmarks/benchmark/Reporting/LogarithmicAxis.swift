import Foundation

/// Maps positive values to places on a line. Equal ratios become equal distances.
struct LogarithmicAxis {
  /// The exponents of the whole powers of the base that enclose the values, with at least one step between them.
  let exponents: ClosedRange<Int>
  private let base: Double
  private let start: Double
  private let end: Double

  /// Creates the axis that encloses `values`.
  ///
  /// - Parameters:
  ///   - values: the values; all positive, and not empty.
  ///   - base: the factor of a step.
  ///   - start: the place of the lowest power.
  ///   - end: the place of the highest power.
  init(values: [Double], base: Double, from start: Double, to end: Double) {
    let logarithms = values.map { log($0) / log(base) }
    // A small tolerance, so that log(1000) / log(10) = 2.9999999999999996 is the third power.
    let low = Int(((logarithms.min() ?? 0) + 1e-9).rounded(.down))
    let high = Int(((logarithms.max() ?? 1) - 1e-9).rounded(.up))
    exponents = low...max(high, low + 1)
    self.base = base
    self.start = start
    self.end = end
  }

  /// The exponents that get a label: about ten at most.
  var ticks: [Int] {
    let step = max(1, (exponents.count + 9) / 10)
    return Array(stride(from: exponents.lowerBound, through: exponents.upperBound, by: step))
  }

  func place(_ value: Double) -> Double { place(logarithm: log(value) / log(base)) }

  func place(exponent: Int) -> Double { place(logarithm: Double(exponent)) }

  private func place(logarithm: Double) -> Double {
    let span = Double(exponents.upperBound - exponents.lowerBound)
    return start + (end - start) * (logarithm - Double(exponents.lowerBound)) / span
  }
}
