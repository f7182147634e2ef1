/// The result of one subject doing one operation at one size.
struct Measurement: Equatable {
  let suite: String
  let operation: String
  let subject: String
  let n: Int
  /// Nanoseconds for one operation (build and scan: for one element).
  let time: Statistics
  /// The median of the samples that followed each other without another subject's between them; nil where one takes
  /// too long.
  var warm: Double?
  let bytesPerElement: Double?

  /// Half the distance between the quartiles, as a part of the median.
  var relativeSpread: Double { time.median > 0 ? time.spread / time.median : 0 }
}

/// Everything measured of one operation.
struct OperationResult: Equatable {
  let suite: String
  let operation: String
  /// The subjects' names, the library's own first.
  let subjects: [String]
  /// Those of them that are not the library's.
  var competitors: Set<String> = []
  var measurements: [Measurement] = []
  /// Sentences about what was left out.
  var notes: [String] = []

  func measurement(_ subject: String, _ n: Int) -> Measurement? {
    measurements.first { $0.subject == subject && $0.n == n }
  }

  /// What a time is the time of: nanoseconds for one operation, or for one of its elements.
  var unit: String {
    switch operation {
    case _ where suite == Suite.diff.name: "nanoseconds an element"
    case "build", "scan", "scan-ordered", "change", "stricter", "looser", "chain-build", "chain-scan":
      "nanoseconds an element"
    case "compose": "nanoseconds an edit"
    default: "nanoseconds"
    }
  }

  /// The sizes at which something was measured, ascending.
  var sizes: [Int] { Set(measurements.map(\.n)).sorted() }

  /// The competitor beside which one of the library's subjects is seen, whatever machine both run on: the last of
  /// those that follow it, before the library's next; nil where there is none, and for a competitor.
  func yardstick(of subject: String) -> String? {
    guard !competitors.contains(subject), let place = subjects.firstIndex(of: subject) else { return nil }
    let others = subjects[(place + 1)...].drop { !competitors.contains($0) }
    return others.prefix { competitors.contains($0) }.last
  }

  /// A sentence about figures that varied by more than a fifth; nil where none did.
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
