/// The samples of one measurement, in nanoseconds.
struct Statistics: Equatable {
  let median: Double
  let minimum: Double
  let maximum: Double
  /// Half the distance between the quartiles.
  let spread: Double
  let count: Int

  /// - Precondition: there is a sample.
  init(_ samples: [Double]) {
    precondition(!samples.isEmpty, "a measurement without samples has no median")
    let sorted = samples.sorted()
    count = sorted.count
    minimum = sorted[0]
    maximum = sorted[sorted.count - 1]
    median = Self.quantile(0.5, of: sorted)
    spread = (Self.quantile(0.75, of: sorted) - Self.quantile(0.25, of: sorted)) / 2
  }

  /// The value below which a `fraction` of the sorted samples lies, interpolated between neighbours.
  private static func quantile(_ fraction: Double, of sorted: [Double]) -> Double {
    let place = fraction * Double(sorted.count - 1)
    let lower = Int(place)
    let upper = min(lower + 1, sorted.count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (place - Double(lower))
  }
}
