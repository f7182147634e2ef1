/// The figures that have changed since an earlier run by more than noise.
///
/// The two runs were made at different times, or on different machines. So a subject's time is divided by its
/// competitor's time in the same run. Where a subject has no competitor, the times themselves are compared. Competitors
/// are not compared.
struct Comparison {
  /// A figure that has changed.
  struct Change: Equatable {
    let key: EarlierRun.Key
    /// The nanoseconds in the earlier run and in this one.
    let times: (Double, Double)
    /// The new time as a multiple of the earlier time, each divided by its competitor's time.
    let factor: Double

    static func == (left: Change, right: Change) -> Bool {
      left.key == right.key && left.times == right.times && left.factor == right.factor
    }
  }

  let earlier: EarlierRun
  private(set) var changes: [Change] = []
  /// The number of figures that both runs have.
  private(set) var compared = 0

  init(with earlier: EarlierRun) { self.earlier = earlier }

  /// Adds the measurements of an operation.
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

  /// The change of a subject's time beside its competitor's, and the part of the change that may be noise.
  ///
  /// The noise is twice the spreads of all these times, and at least a twentieth. Nil for a competitor, and where one
  /// of the runs does not have both times.
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

  /// The changed figures, the greatest gain first.
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
  /// The change of a figure of the library, divided by the change of its competitor's figure, if it has a competitor;
  /// nil for a competitor, and where one of the runs does not have both figures.
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

/// Refuses figures of the library that have become worse than a baseline's figures, beside their competitors. A subject
/// without a competitor is not judged, because its time alone depends on the machine.
///
/// The best samples are compared. On a busy machine, they are the last to become worse. If a figure is worse in each of
/// three measurements, it is also worse in the best samples of all three: a ratio of minima is no less than one of the
/// ratios. The machine can be busy for longer than one operation, so nothing is measured again at once: `checkAgain`
/// comes after the first measurements of all operations.
struct Baseline {
  /// The least factor that is a fault, if it occurs in each of three measurements.
  static var limit: Double { 1.5 }
  static var repetitions: Int { 3 }

  private let earlier: EarlierRun
  /// The figures that were worse in each measurement until now, with their least factor.
  private(set) var faults: [EarlierRun.Key: Double] = [:]
  private var compared = 0
  /// The number of figures that were worse in the first measurement.
  private var suspects = 0

  init(_ earlier: EarlierRun) { self.earlier = earlier }

  /// Checks an operation's first result.
  mutating func check(_ result: OperationResult) {
    compared += result.measurements.count { factor(of: $0, in: result) != nil }
    let worse = worse(in: result)
    suspects += worse.count
    faults.merge(worse) { $1 }
  }

  /// Measures the operations of `suites` again that have a worse figure, and keeps the figures that are still worse.
  mutating func checkAgain(_ suites: [Suite], measure: (Operation, Suite) -> OperationResult) {
    for _ in 1..<Self.repetitions {
      for suite in suites {
        for operation in suite.operations where faults.keys.contains(where: { $0.isOf(operation, suite) }) {
          let worse = worse(in: measure(operation, suite))
          for (key, factor) in faults where key.isOf(operation, suite) {
            faults[key] = worse[key].map { min($0, factor) }
          }
        }
      }
    }
  }

  /// The number of compared figures, and the number of worse ones.
  var text: String {
    let limit = Decimal.short(Self.limit)
    return "Against the baseline, each of the library's beside its competitor: \(Decimal.grouped(compared)) figures, "
      + "of which \(suspects) at first and \(faults.count) in each of \(Self.repetitions) runs were worse by more "
      + "than \(limit) ×\n"
  }

  /// Ends the run if there was a fault, or no figure that could be compared.
  ///
  /// - Throws: `Failure` in these cases.
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
