import Foundation

/// A measurement in the form that `--format json` writes, and `--compare` and `--baseline` read.
struct ResultLine: Codable, Equatable {
  let suite: String
  let operation: String
  let subject: String
  let n: Int
  let nanoseconds: Double
  let minimum: Double
  let maximum: Double
  let spread: Double
  let samples: Int
  let warm: Double?
  let ratio: Double?
  let bytesPerElement: Double?
}

/// A JSON object for each measurement, each on a line.
struct JSONReporter: Reporter {
  let header: String? = nil
  let showsNotes = false

  func text(_ result: OperationResult) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return result.measurements.map { measurement in
      let line = ResultLine(
        suite: measurement.suite, operation: measurement.operation, subject: measurement.subject,
        n: measurement.n, nanoseconds: rounded(measurement.time.median),
        minimum: rounded(measurement.time.minimum), maximum: rounded(measurement.time.maximum),
        spread: rounded(measurement.time.spread), samples: measurement.time.count,
        warm: measurement.warm.map(rounded), ratio: result.ratio(measurement.subject, measurement.n).map(rounded),
        bytesPerElement: measurement.bytesPerElement.map(rounded))
      // Numbers and strings can always be encoded, and the times are finite.
      let data = (try? encoder.encode(line)) ?? Data()
      return String(decoding: data, as: UTF8.self) + "\n"
    }
    .joined()
  }

  /// Rounds to a ten-thousandth, because a clock is not more precise.
  private func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
