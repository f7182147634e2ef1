/// A chart of one operation: time over size, both axes logarithmic, one line for each subject.
///
/// On such axes a constant cost is level, a logarithmic one rises a little and a linear one rises with the
/// grid's diagonal.
struct Chart {
  let result: OperationResult

  private let width = 720.0
  private let height = 440.0
  /// The plot's frame inside the picture.
  private let left = 70.0
  private let right = 550.0
  private let top = 50.0
  private let bottom = 390.0

  /// Okabe & Ito's colours, which people with colour blindness can tell apart.
  private static let colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]

  var fileName: String { "\(result.suite)-\(result.operation).svg" }

  /// The picture as SVG text; nil where nothing was measured.
  var svg: String? {
    let points = result.measurements.map { (Double($0.n), max($0.time.median, 0.001)) }
    guard !points.isEmpty else { return nil }
    let x = LogarithmicAxis(values: points.map(\.0), base: 2, from: left, to: right)
    let y = LogarithmicAxis(values: points.map(\.1), base: 10, from: bottom, to: top)

    var lines: [String] = []
    lines.append(
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(short(width)) \(short(height))" \
      font-family="sans-serif" font-size="12">
      <rect width="100%" height="100%" fill="white"/>
      <text x="\(short(left))" y="28" font-size="16">\(escaped("\(result.suite)/\(result.operation)")): \
      nanoseconds over n</text>
      """)
    for exponent in x.ticks {
      let place = short(x.place(exponent: exponent))
      lines.append(rule(place, short(top), place, short(bottom)))
      lines.append(label("2^\(exponent)", x: place, y: short(bottom + 18), anchor: "middle"))
    }
    for exponent in y.ticks {
      let place = y.place(exponent: exponent)
      lines.append(rule(short(left), short(place), short(right), short(place)))
      lines.append(
        label(Self.power(of: exponent), x: short(left - 8), y: short(place + 4), anchor: "end"))
    }
    for (number, subject) in result.subjects.enumerated() {
      let colour = Self.colours[number % Self.colours.count]
      let own = result.sizes.compactMap { result.measurement(subject, $0) }
      let places = own.map { (x.place(Double($0.n)), y.place(max($0.time.median, 0.001))) }
      let path = places.map { "\(short($0.0)),\(short($0.1))" }.joined(separator: " ")
      lines.append(
        #"<polyline points="\#(path)" fill="none" stroke="\#(colour)" stroke-width="2"/>"#)
      for place in places {
        lines.append(#"<circle cx="\#(short(place.0))" cy="\#(short(place.1))" r="3" fill="\#(colour)"/>"#)
      }
      let height = top + 10 + Double(number) * 20
      lines.append(
        #"<rect x="\#(short(right + 16))" y="\#(short(height - 9))" width="12" height="10" fill="\#(colour)"/>"#
      )
      lines.append(label(escaped(subject), x: short(right + 34), y: short(height), anchor: "start"))
    }
    lines.append("</svg>\n")
    return lines.joined(separator: "\n")
  }

  private func rule(_ x1: String, _ y1: String, _ x2: String, _ y2: String) -> String {
    #"<line x1="\#(x1)" y1="\#(y1)" x2="\#(x2)" y2="\#(y2)" stroke="lightgray"/>"#
  }

  private func label(_ text: String, x: String, y: String, anchor: String) -> String {
    #"<text x="\#(x)" y="\#(y)" text-anchor="\#(anchor)">\#(text)</text>"#
  }

  private func short(_ value: Double) -> String { Decimal.fixed(value, digits: 1) }

  private static func power(of exponent: Int) -> String {
    exponent < 0
      ? Decimal.fixed((exponent..<0).reduce(1.0) { value, _ in value / 10 }, digits: -exponent)
      : Decimal.grouped((0..<exponent).reduce(1) { value, _ in value * 10 })
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }
}
