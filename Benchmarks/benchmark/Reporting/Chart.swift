/// A chart of one operation: time over size, both axes logarithmic, one line for each subject.
///
/// On such axes, a constant cost is a level line, a logarithmic cost rises a little, and a linear cost rises with the
/// grid's diagonal. A vertical bar with ends at each median shows the spread. The picture follows the reader's colour
/// scheme. It is as wide as its labels need.
struct Chart {
  let result: OperationResult

  private let plotWidth = 480.0
  private let height = 456.0
  private let top = 66.0
  private let bottom = 396.0

  /// Okabe & Ito's colours, on white and on black. People with colour blindness can distinguish them. The seventh
  /// colour is the colour of the text.
  private static let colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]

  /// A viewer without colour schemes draws the light one, with white paper.
  private static let style: String = {
    let lines = colours.enumerated().map { ".s\($0) { stroke: \($1); fill: \($1) }" }.joined(separator: "\n")
    return """
      .paper { fill: #ffffff } text, .s6 { fill: #1f2328 } .s6 { stroke: #1f2328 } .grid { stroke: #d1d5da }
      \(lines)
      polyline.line { fill: none; stroke-width: 2 } path.line { fill: none; stroke-width: 1.2 }
      @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117 } text, .s6 { fill: #e6edf3 } .s6 { stroke: #e6edf3 } .grid { stroke: #3d444d }
      .s0 { stroke: #3d9fe0; fill: #3d9fe0 }
      }
      """
  }()

  var fileName: String { "\(result.suite)-\(result.operation).svg" }

  /// The picture as SVG text; nil where nothing was measured.
  var svg: String? {
    let measured = result.measurements
    guard !measured.isEmpty else { return nil }
    let bounds = measured.flatMap { [Self.low($0), Self.high($0)] }
    let y = LogarithmicAxis(values: bounds, base: 10, from: bottom, to: top)
    let powers = y.ticks.map { Self.power(of: $0) }
    let left = 44 + Self.width(ofLongest: powers)
    let right = left + plotWidth
    let x = LogarithmicAxis(values: measured.map { Double($0.n) }, base: 2, from: left, to: right)
    let title = "\(result.suite)/\(result.operation)"
    let method = "medians, with bars of ± half the distance between the quartiles; logarithmic axes"
    let width =
      max(
        right + 34 + Self.width(ofLongest: result.subjects), left + Self.width(ofLongest: [title], fontSize: 16),
        left + Self.width(ofLongest: [method])
      ).rounded(.up) + 16

    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(short(width)) \(short(height))" \
      font-family="sans-serif" font-size="12">
      <style>
      \(Self.style)
      </style>
      <rect class="paper" width="100%" height="100%"/>
      """,
      text(title, left, 26, "start", #" font-size="16""#), text(method, left, 46, "start"),
      text("size n", (left + right) / 2, bottom + 44, "middle"),
      text(result.unit, 0, 0, "middle", #" transform="translate(20 \#(short((top + bottom) / 2))) rotate(-90)""#),
    ]
    for exponent in x.ticks {
      let place = x.place(exponent: exponent)
      lines.append(line("grid", place, top, place, bottom))
      lines.append(text("2^\(exponent)", place, bottom + 18, "middle"))
    }
    for (exponent, power) in zip(y.ticks, powers) {
      let place = y.place(exponent: exponent)
      lines.append(line("grid", left, place, right, place))
      lines.append(text(power, left - 8, place + 4, "end"))
    }
    for (number, subject) in result.subjects.enumerated() {
      let colour = "s\(number % (Self.colours.count + 1))"
      let own = result.sizes.compactMap { result.measurement(subject, $0) }
      let path = own.map { "\(short(x.place(Double($0.n)))),\(short(y.place(Self.median($0))))" }
      lines.append(#"<polyline class="\#(colour) line" points="\#(path.joined(separator: " "))"/>"#)
      for one in own {
        let place = x.place(Double(one.n))
        let (low, high) = (short(y.place(Self.low(one))), short(y.place(Self.high(one))))
        lines.append(#"<path class="\#(colour) line" d="M\#(short(place - 5)),\#(low)h10m-5,0V\#(high)m-5,0h10"/>"#)
        let (cx, cy) = (short(place), short(y.place(Self.median(one))))
        let tip = "\(subject) at n = \(Decimal.grouped(one.n)): \(TableReporter.time(one))"
        lines.append(
          #"<circle class="\#(colour)" cx="\#(cx)" cy="\#(cy)" r="2.5"><title>\#(Self.escaped(tip))</title></circle>"#)
      }
      let height = top + 10 + Double(number) * 20
      let corner = #"x="\#(short(right + 16))" y="\#(short(height - 9))""#
      lines.append(#"<rect class="\#(colour)" \#(corner) width="12" height="10"/>"#)
      lines.append(text(subject, right + 34, height, "start"))
    }
    lines.append("</svg>\n")
    return lines.joined(separator: "\n")
  }

  // MARK: Figures

  /// The least time that is drawn, because zero has no place on a logarithmic axis.
  private static let least = 0.001

  private static func median(_ one: Measurement) -> Double { max(one.time.median, least) }
  private static func low(_ one: Measurement) -> Double { max(one.time.median - one.time.spread, least) }
  private static func high(_ one: Measurement) -> Double { max(one.time.median + one.time.spread, least) }

  // MARK: Elements

  /// The width of the longest of these words in a wide font, because a picture does not know the width of the viewer's
  /// font.
  private static func width(ofLongest words: [String], fontSize: Double = 12) -> Double {
    Double(words.map(\.count).max() ?? 0) * 0.62 * fontSize
  }

  private func line(_ kind: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    #"<line class="\#(kind)" x1="\#(short(x1))" y1="\#(short(y1))" x2="\#(short(x2))" y2="\#(short(y2))"/>"#
  }

  private func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String, _ more: String = "") -> String {
    #"<text x="\#(short(x))" y="\#(short(y))" text-anchor="\#(anchor)"\#(more)>\#(Self.escaped(text))</text>"#
  }

  private func short(_ value: Double) -> String { Decimal.fixed(value, digits: 1) }

  private static func power(of exponent: Int) -> String {
    exponent < 0
      ? Decimal.fixed((exponent..<0).reduce(1.0) { value, _ in value / 10 }, digits: -exponent)
      : Decimal.grouped((0..<exponent).reduce(1) { value, _ in value * 10 })
  }

  private static func escaped(_ text: String) -> String {
    let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
    return text.map { entities[$0] ?? String($0) }.joined()
  }
}
