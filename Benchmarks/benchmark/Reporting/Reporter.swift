/// Turns results into text.
protocol Reporter {
  /// The text before the first result; nil where there is none.
  var header: String? { get }
  /// The text of one operation's results.
  func text(_ result: OperationResult) -> String
  /// Whether the text contains the notes, too. If not, they go to standard error.
  var showsNotes: Bool { get }
}

extension Options.Format {
  var reporter: any Reporter {
    switch self {
    case .table: TableReporter()
    case .json: JSONReporter()
    case .csv: CSVReporter()
    case .markdown: MarkdownReporter()
    }
  }
}

/// Formats numbers without regard to the user's locale, so that outputs can be compared.
enum Decimal {
  /// Two or three significant digits up to 999, and then whole numbers: 0.0051, 0.51, 5.12, 12.3, 1,234,567.
  static func short(_ value: Double) -> String {
    switch value {
    case ..<0: "-" + short(-value)
    case 0: "0"
    case ..<0.000_01: "< 0.00001"
    case ..<0.000_995: fixed(value, digits: 5)
    case ..<0.009_95: fixed(value, digits: 4)
    case ..<0.0995: fixed(value, digits: 3)
    case ..<9.995: fixed(value, digits: 2)
    case ..<99.95: fixed(value, digits: 1)
    default: grouped(Int(value.rounded()))
    }
  }

  /// The number with the given count of digits after the point.
  static func fixed(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % scale)
    return "\(sign)\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }

  /// The number with a comma between groups of three digits.
  static func grouped(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (value < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }
}
