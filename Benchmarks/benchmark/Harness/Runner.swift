import Synchronization

/// Where results go, so that the optimiser can't throw away the work that made them.
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
  /// A subject whose single operation takes longer, in nanoseconds, is left out at larger sizes; one that
  /// is expected to take four times as long is left out beforehand.
  var longestOperation: Double = 1_000_000_000
  /// Tells the nanoseconds that `body` took. Tests put a clock of their own here.
  var time: (_ body: () -> Void) -> Double = { body in
    let elapsed = ContinuousClock().measure(body).components
    return Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9
  }

  /// Measures `operation` at each size, smallest first, all subjects side by side.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - suite: where it belongs to.
  ///   - sizes: the sizes.
  ///   - progress: receives the size at hand, and how much of the operation is done, `0...1`.
  /// - Returns: the measurements, and notes on them.
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
      func tell(_ sample: Int) {
        progress(n, (Double(number) + Double(sample) / Double(samples + 1)) / Double(sizes.count))
      }
      tell(0)
      candidates.removeAll { candidate in
        guard let sentence = excuse(candidate, operation, at: n) else { return false }
        result.notes.append(sentence)
        return true
      }
      let context = context(name, n)
      var contenders = candidates.map { Contender(trial: $0.subject.prepare(context)) }
      for index in contenders.indices { calibrate(&contenders[index], candidates[index].subject) }
      // The subjects take turns, so that a slow moment of the machine hits all of them.
      for number in 0..<samples {
        for index in contenders.indices where !contenders[index].isDone { sample(&contenders[index]) }
        tell(number + 1)
      }
      // Then each by itself, with what it reads still in the caches.
      for index in contenders.indices where !contenders[index].isSlow { sampleWarm(&contenders[index]) }
      for (index, contender) in contenders.enumerated() {
        let whole = Statistics(contender.samples)
        candidates[index].growth.record(n: n, nanoseconds: whole.median)
        let elements = Double(contender.trial.elementsPerOperation)
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

  // MARK: What takes too long

  private struct Candidate {
    let subject: Subject
    var growth = Growth()
  }

  /// Runs one operation at sizes far below the first one, so that a hopeless one is not even begun.
  private func probe(_ candidate: inout Candidate, below n: Int, _ name: String) {
    for smaller in [n / 256, n / 16] where smaller >= 256 {
      let trial = candidate.subject.prepare(context(name, smaller))
      candidate.growth.record(n: smaller, nanoseconds: round(trial, operations: 1).measured)
    }
  }

  /// Why a candidate is not measured from a size on; nil where it is.
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
    /// The operations of a round, and the rounds of a sample.
    var operations = 1
    var rounds = 1
    var isSlow = false
    /// A slow contender is sampled three times at most, the calibration included.
    var isDone: Bool { isSlow && samples.count >= 3 }
    /// Nanoseconds for one operation.
    var samples: [Double] = []
    /// The median of the samples without another subject's between them.
    var warm: Double?

    init(trial: Trial) { self.trial = trial }
  }

  /// Runs rounds, doubled each time, until one is long enough to time; this warms the caches too.
  ///
  /// What counts is how long they last, whatever a trial measures of that itself.
  private func calibrate(_ contender: inout Contender, _ subject: Subject) {
    while true {
      let first = round(contender.trial, operations: contender.operations)
      if contender.operations == 1, first.elapsed > longestOperation {
        contender.isSlow = true
        contender.samples.append(first.measured)
        return
      }
      var elapsed = first.elapsed
      // Again, because the first operations meet memory that nobody has touched yet.
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

  /// What an operation took in one more sample.
  private func nanoseconds(_ contender: Contender) -> Double {
    var elapsed = 0.0
    for _ in 0..<contender.rounds { elapsed += round(contender.trial, operations: contender.operations).measured }
    return elapsed / Double(contender.rounds * contender.operations)
  }

  /// - Returns: the nanoseconds that a round lasted, and those that count: the trial's own, if it has a measure.
  private func round(_ trial: Trial, operations: Int) -> (measured: Double, elapsed: Double) {
    let elapsed = time { blackHole(trial.run(operations)) }
    let measured = trial.ownTime?() ?? elapsed
    trial.reset(operations)
    return (measured, elapsed)
  }
}
