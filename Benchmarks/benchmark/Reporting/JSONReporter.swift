import Foundation

/// One JSON object a line for each measurement.
struct JSONReporter: Reporter {
  let header: String? = nil
  let showsNotes = false

  private struct Line: Encodable {
    let suite: String
    let operation: String
    let subject: String
    let n: Int
    let nanoseconds: Double
    let minimum: Double
    let maximum: Double
    let spread: Double
    let samples: Int
    let ratio: Double?
    let bytesPerElement: Double?
  }

  func text(_ result: OperationResult) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return result.measurements.map { measurement in
      let line = Line(
        suite: measurement.suite, operation: measurement.operation, subject: measurement.subject,
        n: measurement.n, nanoseconds: rounded(measurement.time.median),
        minimum: rounded(measurement.time.minimum), maximum: rounded(measurement.time.maximum),
        spread: rounded(measurement.time.spread), samples: measurement.time.count,
        ratio: result.ratio(measurement.subject, measurement.n).map(rounded),
        bytesPerElement: measurement.bytesPerElement.map(rounded))
      // Numbers and strings always encode; the times are finite.
      let data = (try? encoder.encode(line)) ?? Data()
      return String(decoding: data, as: UTF8.self) + "\n"
    }
    .joined()
  }

  /// To a ten-thousandth: a clock can't tell more.
  private func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
}
