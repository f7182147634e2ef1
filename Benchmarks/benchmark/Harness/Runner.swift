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
  /// A subject whose single operation takes longer, in nanoseconds, is left out at larger sizes.
  var longestOperation: Double = 1_000_000_000
  /// Tells the nanoseconds that `body` took. Tests put a clock of their own here.
  var time: (_ body: () -> Void) -> Double = { body in
    let elapsed = ContinuousClock().measure(body).components
    return Double(elapsed.seconds) * 1e9 + Double(elapsed.attoseconds) / 1e9
  }

  /// Measures `operation` at each size, smallest first, all subjects side by side.
  func measure(_ operation: Operation, of suite: Suite, sizes: [Int]) -> OperationResult {
    var result = OperationResult(
      suite: suite.name, operation: operation.name, subjects: operation.subjects.map(\.name))
    var candidates = operation.subjects
    let sizes = sizes.sorted()

    for n in sizes {
      let name = "\(suite.name)/\(operation.name)"
      let context = Context(n: n, generator: SplitMix(seed: seed, name: name, n: n))
      var contenders = candidates.map { Contender(subject: $0, trial: $0.prepare(context)) }
      for index in contenders.indices { calibrate(&contenders[index]) }
      // The subjects take turns, so that a slow moment of the machine hits all of them.
      for _ in 0..<samples {
        for index in contenders.indices where !contenders[index].isDone { sample(&contenders[index]) }
      }
      for contender in contenders {
        let operations = contender.samples.map { $0 / Double(contender.trial.elementsPerOperation) }
        result.measurements.append(
          Measurement(
            suite: suite.name, operation: operation.name, subject: contender.subject.name, n: n,
            time: Statistics(operations), bytesPerElement: contender.trial.bytesPerElement))
        guard contender.isSlow, let larger = sizes.first(where: { $0 > n }) else { continue }
        candidates.removeAll { $0.name == contender.subject.name }
        result.notes.append(
          "\(contender.subject.name) is not measured from n = \(larger) on: "
            + "one \(operation.name) at n = \(n) took over a second")
      }
    }
    return result
  }

  private struct Contender {
    let subject: Subject
    let trial: Trial
    /// The operations of a round, and the rounds of a sample.
    var operations = 1
    var rounds = 1
    var isSlow = false
    /// A slow contender is sampled three times at most, the calibration included.
    var isDone: Bool { isSlow && samples.count >= 3 }
    var samples: [Double] = []
  }

  /// Runs rounds, doubled each time, until one is long enough to time; this warms the caches too.
  private func calibrate(_ contender: inout Contender) {
    while true {
      let elapsed = round(contender)
      if contender.operations == 1, elapsed > longestOperation {
        contender.isSlow = true
        contender.samples.append(elapsed)
        return
      }
      if elapsed >= leastSample { return }
      if contender.operations == contender.trial.mostOperations {
        contender.rounds = max(1, Int((leastSample / max(elapsed, 1)).rounded(.up)))
        return
      }
      contender.operations = min(contender.operations * 2, contender.trial.mostOperations)
    }
  }

  private func sample(_ contender: inout Contender) {
    var elapsed = 0.0
    for _ in 0..<contender.rounds { elapsed += round(contender) }
    contender.samples.append(elapsed / Double(contender.rounds * contender.operations))
  }

  private func round(_ contender: Contender) -> Double {
    let elapsed = time { blackHole(contender.trial.run(contender.operations)) }
    contender.trial.reset(contender.operations)
    return elapsed
  }
}
