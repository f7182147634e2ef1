/// The result of one operation on one subject at one size.
struct Measurement: Equatable {
  let suite: String
  let operation: String
  let subject: String
  let n: Int
  /// Nanoseconds for one operation, or for one of its elements.
  let time: Statistics
  /// The median of the samples that were taken one after the other, without other subjects between them; nil where one
  /// sample takes too long.
  var warm: Double?
  let bytesPerElement: Double?

  /// Half the distance between the quartiles, as a fraction of the median.
  var relativeSpread: Double { time.median > 0 ? time.spread / time.median : 0 }
}

/// All measurements of one operation.
struct OperationResult: Equatable {
  let suite: String
  let operation: String
  /// The subjects' names. The library's own subjects are first.
  let subjects: [String]
  /// The names of the subjects that are competitors.
  var competitors: Set<String> = []
  var measurements: [Measurement] = []
  /// Sentences about subjects that were left out, and about the measurements.
  var notes: [String] = []

  func measurement(_ subject: String, _ n: Int) -> Measurement? {
    measurements.first { $0.subject == subject && $0.n == n }
  }

  /// Whether times are for one element, because an operation handles many.
  var isPerElement = false

  /// The unit of the times.
  var unit: String {
    let isOfEdits = [Suite.changes.name, Suite.transactions.name].contains(suite)
    return "nanoseconds" + (isPerElement ? isOfEdits ? " an edit" : " an element" : "")
  }

  /// The sizes that have a measurement, ascending.
  var sizes: [Int] { Set(measurements.map(\.n)).sorted() }

  /// The competitor with which a subject of the library is compared, because both ran on the same machine.
  ///
  /// It is the last of the competitors that follow the subject, before the library's next subject; nil where there is
  /// none, and for a competitor.
  func yardstick(of subject: String) -> String? {
    guard !competitors.contains(subject), let place = subjects.firstIndex(of: subject) else { return nil }
    let others = subjects[(place + 1)...].drop { !competitors.contains($0) }
    return others.prefix { competitors.contains($0) }.last
  }

  /// A sentence about figures that varied by more than a fifth; nil where there are none.
  var wideSpread: String? {
    let wide = measurements.filter { $0.relativeSpread > 0.2 }.map {
      "\($0.subject) at n = \(Decimal.grouped($0.n)) (±\(Int(($0.relativeSpread * 100).rounded()))%)"
    }
    return wide.isEmpty
      ? nil : "Wide spread, so measure again on a quieter machine before you use: \(wide.joined(separator: ", "))"
  }

  /// A subject's time as a multiple of the first subject's, at one size.
  func ratio(_ subject: String, _ n: Int) -> Double? {
    guard let main = subjects.first, let own = measurement(subject, n), let first = measurement(main, n),
      first.time.median > 0
    else { return nil }
    return own.time.median / first.time.median
  }
}
