import Synchronization

/// The results are added here, so that the optimiser can't remove the work that made them.
private let sink = Atomic<Int>(0)

/// Keeps `result` alive: an atomic addition is never removed.
@inline(never)
func blackHole(_ result: Int) {
  sink.wrappingAdd(result, ordering: .relaxed)
}

/// Measures operations.
struct Runner {
  /// The number of samples of each measurement.
  let samples: Int
  let seed: UInt64
  /// The least time of a sample, in nanoseconds.
  var leastSample: Double = 1_000_000
  /// If a single operation takes longer than this, in nanoseconds, the subject is sampled at most three times at that
  /// size.
  ///
  /// A subject is left out from the size on at which an operation is expected to take more than four times as long.
  var longestOperation: Double = 1_000_000_000
  /// Measures the nanoseconds of `body`. Tests use their own clock here.
  var time: (_ body: () -> Void) -> Double = { body in
    let elapsed = ContinuousClock().measure(body).components
    return Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9
  }

  /// Measures `operation` at each size, the smallest first. All subjects are measured side by side.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - suite: the suite of the operation.
  ///   - sizes: the sizes.
  ///   - progress: receives the size that is being measured, and the finished part of the operation, `0...1`.
  /// - Returns: the measurements, and notes about them.
  func measure(
    _ operation: Operation, of suite: Suite, sizes: [Int],
    progress: (_ n: Int, _ fraction: Double) -> Void = { _, _ in }
  ) -> OperationResult {
    var result = OperationResult(
      suite: suite.name, operation: operation.name, subjects: operation.subjects.map(\.name),
      competitors: Set(operation.subjects.filter { $0.origin == .competitor }.map(\.name)))
    let name = "\(suite.name)/\(operation.name)"
    var candidates = operation.subjects.map { Candidate(subject: $0) }
    let sizes = sizes.sorted()
    if let first = sizes.first {
      for index in candidates.indices { probe(&candidates[index], below: first, name) }
    }

    for (number, n) in sizes.enumerated() {
      func report(_ sample: Int) {
        progress(n, (Double(number) + Double(sample) / Double(samples + 1)) / Double(sizes.count))
      }
      report(0)
      candidates.removeAll { candidate in
        guard let sentence = excuse(candidate, operation, at: n) else { return false }
        result.notes.append(sentence)
        return true
      }
      let context = context(name, n)
      var contenders = candidates.map { Contender(trial: $0.subject.prepare(context)) }
      for index in contenders.indices { calibrate(&contenders[index], candidates[index].subject) }
      // The subjects take turns, so that all of them suffer equally from a slow moment of the machine.
      for number in 0..<samples {
        for index in contenders.indices where !contenders[index].isDone { sample(&contenders[index]) }
        report(number + 1)
      }
      // Then each subject runs alone. The memory that it reads is still in the caches.
      for index in contenders.indices where !contenders[index].isSlow { sampleWarm(&contenders[index]) }
      for (index, contender) in contenders.enumerated() {
        let whole = Statistics(contender.samples)
        candidates[index].growth.record(n: n, nanoseconds: whole.median)
        let elements = Double(contender.trial.elementsPerOperation)
        if elements > 1 { result.isPerElement = true }
        result.measurements.append(
          Measurement(
            suite: suite.name, operation: operation.name, subject: candidates[index].subject.name, n: n,
            time: Statistics(contender.samples.map { $0 / elements }),
            warm: contender.warm.map { $0 / elements },
            bytesPerElement: contender.trial.bytesPerElement))
      }
    }
    if let sentence = result.wideSpread { result.notes.append(sentence) }
    return result
  }

  private func context(_ name: String, _ n: Int) -> Context {
    Context(n: n, generator: SplitMix(seed: seed, name: name, n: n))
  }

  // MARK: Subjects that take too long

  private struct Candidate {
    let subject: Subject
    var growth = Growth()
  }

  /// Runs one operation at sizes far below the first one, so that a hopeless operation is not even begun.
  private func probe(_ candidate: inout Candidate, below n: Int, _ name: String) {
    for smaller in [n / 256, n / 16] where smaller >= 256 {
      let trial = candidate.subject.prepare(context(name, smaller))
      candidate.growth.record(n: smaller, nanoseconds: round(trial, operations: 1).measured)
    }
  }

  /// The reason why a candidate is not measured from a size on; nil where it is measured.
  private func excuse(_ candidate: Candidate, _ operation: Operation, at n: Int) -> String? {
    if n > candidate.subject.largest {
      return "\(candidate.subject.name) is not measured from n = \(Decimal.grouped(n)) on: "
        + "its time grows with the square of n"
    }
    guard let prediction = candidate.growth.prediction(at: n), prediction > 4 * longestOperation else {
      return nil
    }
    let seconds = Decimal.grouped(Int((prediction / 1e9).rounded()))
    return "\(candidate.subject.name) is not measured from n = \(Decimal.grouped(n)) on: "
      + "one \(operation.name) would take about \(seconds) s"
  }

  // MARK: Rounds and samples

  private struct Contender {
    let trial: Trial
    /// The number of operations in a round, and the number of rounds in a sample.
    var operations = 1
    var rounds = 1
    var isSlow = false
    /// A slow contender is sampled at most three times. The calibration is one of them.
    var isDone: Bool { isSlow && samples.count >= 3 }
    /// Nanoseconds for one operation.
    var samples: [Double] = []
    /// The median of the samples without other subjects between them.
    var warm: Double?

    init(trial: Trial) { self.trial = trial }
  }

  /// Runs rounds, doubled each time, until a round is long enough to time. This warms the caches, too.
  ///
  /// The criterion is the whole time of a round, even if the trial has a measure of its own.
  private func calibrate(_ contender: inout Contender, _ subject: Subject) {
    while true {
      let first = round(contender.trial, operations: contender.operations)
      if contender.operations == 1, first.elapsed > longestOperation {
        contender.isSlow = true
        contender.samples.append(first.measured)
        return
      }
      var elapsed = first.elapsed
      // The round runs again, because its first operations used memory that was never touched before.
      if elapsed >= leastSample {
        elapsed = min(elapsed, round(contender.trial, operations: contender.operations).elapsed)
      }
      if elapsed >= leastSample { return }
      if contender.operations == contender.trial.mostOperations {
        contender.rounds = max(1, Int((leastSample / max(elapsed, 1)).rounded(.up)))
        return
      }
      precondition(
        contender.operations < 1 << 40,
        "\(subject.name): 2^40 operations in \(elapsed) ns; the optimiser threw them away")
      contender.operations = min(contender.operations * 2, contender.trial.mostOperations)
    }
  }

  private func sample(_ contender: inout Contender) {
    contender.samples.append(nanoseconds(contender))
  }

  private func sampleWarm(_ contender: inout Contender) {
    _ = round(contender.trial, operations: contender.operations)
    contender.warm = Statistics((0..<samples).map { _ in nanoseconds(contender) }).median
  }

  /// The time of an operation in one more sample, in nanoseconds.
  private func nanoseconds(_ contender: Contender) -> Double {
    var elapsed = 0.0
    for _ in 0..<contender.rounds { elapsed += round(contender.trial, operations: contender.operations).measured }
    return elapsed / Double(contender.rounds * contender.operations)
  }

  /// - Returns: the nanoseconds that count, and the nanoseconds of the whole round. They differ if the trial has a
  ///   measure of its own.
  private func round(_ trial: Trial, operations: Int) -> (measured: Double, elapsed: Double) {
    let elapsed = time { blackHole(trial.run(operations)) }
    let measured = trial.ownTime?() ?? elapsed
    trial.reset(operations)
    return (measured, elapsed)
  }
}
