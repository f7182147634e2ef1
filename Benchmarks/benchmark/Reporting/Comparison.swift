/// What has changed since an earlier run, by more than noise.
///
/// Two runs are of two hours, or of two machines. So a subject's time is divided by that of its competitor in the
/// same run; where it has none, the times themselves are compared. Competitors are not compared.
struct Comparison {
  /// A figure that has changed.
  struct Change: Equatable {
    let key: EarlierRun.Key
    /// Nanoseconds, in the earlier run and in this one.
    let times: (Double, Double)
    /// The new time as a multiple of the former one, each beside its competitor's.
    let factor: Double

    static func == (left: Change, right: Change) -> Bool {
      left.key == right.key && left.times == right.times && left.factor == right.factor
    }
  }

  let earlier: EarlierRun
  private(set) var changes: [Change] = []
  /// How many figures both runs have.
  private(set) var compared = 0

  init(with earlier: EarlierRun) { self.earlier = earlier }

  /// Takes in what was measured of an operation.
  mutating func add(_ result: OperationResult) {
    for measurement in result.measurements {
      guard let (factor, noise) = factor(of: measurement, in: result), let old = earlier[result.key(measurement)] else {
        continue
      }
      compared += 1
      if factor > 1 + noise || factor < 1 / (1 + noise) {
        changes.append(
          Change(key: result.key(measurement), times: (old.nanoseconds, measurement.time.median), factor: factor))
      }
    }
  }

  /// By what a subject's time has changed beside its competitor's, and what of that may be noise: twice the spreads
  /// of all times that take part, at least a twentieth. Nil for a competitor, and where one of the runs has not both.
  private func factor(of measurement: Measurement, in result: OperationResult) -> (factor: Double, noise: Double)? {
    guard
      let factor = earlier.factor(of: measurement, in: result, now: \.time.median, then: \.nanoseconds)
    else { return nil }
    var noise = 0.0
    for subject in Set([measurement.subject, result.yardstick(of: measurement.subject) ?? measurement.subject]) {
      guard let own = result.measurement(subject, measurement.n), let old = earlier[result.key(own)] else { continue }
      noise += own.relativeSpread + old.spread / old.nanoseconds
    }
    return (factor, max(0.05, 2 * noise))
  }

  /// What has changed, the greatest gain first.
  var text: String {
    if compared == 0 { return "The earlier run has none of these figures.\n" }
    let lines = changes.sorted { ($0.factor, $0.key) < ($1.factor, $1.key) }.map { change in
      "  × \(Decimal.short(change.factor))  \(change.key.text): \(Decimal.short(change.times.0)) → "
        + "\(Decimal.short(change.times.1)) ns"
    }
    let others = compared - changes.count
    return (["Against the earlier run, each beside its competitor:"] + lines).joined(separator: "\n")
      + "\n  \(Decimal.grouped(others)) of \(Decimal.grouped(compared)) figures within their noise\n"
  }
}

extension EarlierRun {
  /// By what a figure of the library's has changed, divided by that of its competitor, if it has one; nil for a
  /// competitor, and where one of the runs has not both.
  func factor(
    of measurement: Measurement, in result: OperationResult, now: (Measurement) -> Double, then: (ResultLine) -> Double
  ) -> Double? {
    func factor(of measurement: Measurement) -> Double? {
      guard let old = self[result.key(measurement)], then(old) > 0, now(measurement) > 0 else { return nil }
      return now(measurement) / then(old)
    }
    guard !result.competitors.contains(measurement.subject), let own = factor(of: measurement) else { return nil }
    guard let yardstick = result.yardstick(of: measurement.subject) else { return own }
    return result.measurement(yardstick, measurement.n).flatMap { factor(of: $0) }.map { own / $0 }
  }
}

/// Refuses figures of the library's that have become worse than those of a baseline, beside their competitors. A
/// subject that has no competitor is not judged, for its time alone is that of a machine.
///
/// It compares the best samples: on a busy machine they are the last to become worse. What is worse in each of three
/// repetitions is also worse in the best samples of all three, for a ratio of minima is no less than one of the ratios.
struct Baseline {
  /// The least factor that is a fault, if it comes up three times in a row.
  static var limit: Double { 1.5 }
  static var repetitions: Int { 3 }

  private let earlier: EarlierRun
  private(set) var faults: [EarlierRun.Key: Double] = [:]
  private var compared = 0
  /// How many were worse when they were measured first.
  private var suspects = 0

  init(_ earlier: EarlierRun) { self.earlier = earlier }

  /// Looks at an operation's result, and, where something has become worse, at that of measuring it again.
  mutating func check(_ result: OperationResult, again: () -> OperationResult) {
    compared += result.measurements.count { factor(of: $0, in: result) != nil }
    var worse = worse(in: result)
    suspects += worse.count
    for _ in 1..<Self.repetitions where !worse.isEmpty {
      let repeated = self.worse(in: again())
      worse = worse.filter { repeated[$0.key] != nil }.merging(
        repeated.filter { worse[$0.key] != nil }, uniquingKeysWith: min)
    }
    faults.merge(worse) { $1 }
  }

  /// How many figures were looked at, and how many were worse.
  var text: String {
    let limit = Decimal.short(Self.limit)
    return "Against the baseline, each of the library's beside its competitor: \(Decimal.grouped(compared)) figures, "
      + "of which \(suspects) at first and \(faults.count) in each of \(Self.repetitions) runs were worse by more "
      + "than \(limit) ×\n"
  }

  /// Ends the run where there was a fault, or nothing to be compared.
  ///
  /// - Throws: `Failure`.
  func finish() throws(Failure) {
    if compared == 0 {
      throw Failure(sentence: "the baseline has none of these figures: was it made at other sizes?", code: 65)
    }
    if faults.isEmpty { return }
    let worse = faults.sorted { $0.key < $1.key }.map { "\($0.key.text) (× \(Decimal.short($0.value)))" }
    throw Failure(
      sentence:
        "worse than the baseline by more than \(Decimal.short(Self.limit)) × in \(Self.repetitions) runs, beside the "
        + "competitor: \(worse.joined(separator: ", "))", code: 2)
  }

  private func factor(of measurement: Measurement, in result: OperationResult) -> Double? {
    guard result.yardstick(of: measurement.subject) != nil else { return nil }
    return earlier.factor(of: measurement, in: result, now: \.time.minimum, then: \.minimum)
  }

  private func worse(in result: OperationResult) -> [EarlierRun.Key: Double] {
    var worse: [EarlierRun.Key: Double] = [:]
    for measurement in result.measurements {
      if let factor = factor(of: measurement, in: result), factor > Self.limit {
        worse[result.key(measurement)] = factor
      }
    }
    return worse
  }
}
