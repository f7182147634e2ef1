/// Comma-separated values with one line of names (RFC 4180). No field here needs quotes.
struct CSVReporter: Reporter {
  let header: String? =
    "suite,operation,subject,n,nanoseconds,minimum,maximum,spread,samples,ratio,bytesPerElement,warm\n"
  let showsNotes = false

  func text(_ result: OperationResult) -> String {
    result.measurements.map { measurement in
      let time = measurement.time
      let ratio = result.ratio(measurement.subject, measurement.n)
      let numbers = [time.median, time.minimum, time.maximum, time.spread].map(number)
      let fields =
        [measurement.suite, measurement.operation, measurement.subject, "\(measurement.n)"] + numbers
        + [
          "\(time.count)", ratio.map(number) ?? "", measurement.bytesPerElement.map(number) ?? "",
          measurement.warm.map(number) ?? "",
        ]
      return fields.joined(separator: ",") + "\n"
    }
    .joined()
  }

  private func number(_ value: Double) -> String { Decimal.fixed(value, digits: 4) }
}
