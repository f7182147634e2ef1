/// The result of one subject doing one operation at one size.
struct Measurement: Equatable {
  let suite: String
  let operation: String
  let subject: String
  let n: Int
  /// Nanoseconds for one operation (build and scan: for one element).
  let time: Statistics
  let bytesPerElement: Double?
}

/// Everything measured of one operation.
struct OperationResult: Equatable {
  let suite: String
  let operation: String
  /// The subjects' names, the library's own first.
  let subjects: [String]
  var measurements: [Measurement] = []
  /// Sentences about what was left out.
  var notes: [String] = []

  func measurement(_ subject: String, _ n: Int) -> Measurement? {
    measurements.first { $0.subject == subject && $0.n == n }
  }

  /// The sizes at which something was measured, ascending.
  var sizes: [Int] { Set(measurements.map(\.n)).sorted() }

  /// A subject's time as a multiple of the first subject's, at one size.
  func ratio(_ subject: String, _ n: Int) -> Double? {
    guard let main = subjects.first, let own = measurement(subject, n), let first = measurement(main, n),
      first.time.median > 0
    else { return nil }
    return own.time.median / first.time.median
  }
}
