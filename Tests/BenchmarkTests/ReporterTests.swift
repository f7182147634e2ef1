import Foundation
import Testing

@testable import benchmark

@Suite struct ReporterTests {
  let result: OperationResult = {
    var result = OperationResult(suite: "offset-index", operation: "build", subjects: ["Main", "Naive"])
    result.isPerElement = true
    for (n, main, naive) in [(1_024, 2.0, 3.0), (16_384, 2.5, 1_000.0)] {
      result.measurements.append(
        Measurement(
          suite: "offset-index", operation: "build", subject: "Main", n: n,
          time: Statistics([main, main, main]), warm: main / 2, bytesPerElement: 5.5))
      result.measurements.append(
        Measurement(
          suite: "offset-index", operation: "build", subject: "Naive", n: n,
          time: Statistics([naive * 0.9, naive, naive * 1.1]), bytesPerElement: nil))
    }
    result.measurements.removeLast()
    result.notes = ["Naive is not measured from n = 16,384 on: one build would take about 9 s"]
    return result
  }()

  @Test func tableShowsRatiosMemoryAndNotes() {
    #expect(
      TableReporter().text(result) == """
        offset-index/build: nanoseconds an element ± spread, × the time of Main
               n      Main  warm             Naive  warm
           1,024  2.00 ±0%  1.00  3.00 ±5%  × 1.50     –
          16,384  2.50 ±0%  1.25                 –     –
          bytes an element at n = 16,384: Main 5.50
          Naive is not measured from n = 16,384 on: one build would take about 9 s

        """)
  }

  @Test func jsonIsOneObjectALine() throws {
    let lines = JSONReporter().text(result).split(separator: "\n")
    #expect(lines.count == 3)
    let objects = try lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    for object in objects {
      for key in ["suite", "operation", "subject"] { #expect(object[key] is String) }
      for key in ["n", "nanoseconds", "minimum", "maximum", "samples"] { #expect(object[key] is NSNumber) }
    }
    let naive = objects[1]
    #expect(naive["subject"] as? String == "Naive" && naive["nanoseconds"] as? Double == 3)
    #expect(naive["minimum"] as? Double == 2.7 && naive["samples"] as? Int == 3)
    #expect(naive["ratio"] as? Double == 1.5)
    #expect(objects[0]["warm"] as? Double == 1 && naive["warm"] == nil)
    #expect(objects[0]["bytesPerElement"] as? Double == 5.5 && naive["bytesPerElement"] == nil)
  }

  @Test func csvHasAHeaderAndAsManyFields() {
    let reporter = CSVReporter()
    let header = (reporter.header ?? "").split(separator: ",", omittingEmptySubsequences: false)
    let lines = reporter.text(result).split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines {
      #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == header.count)
    }
    #expect(lines[1] == "offset-index,build,Naive,1024,3.0000,2.7000,3.3000,0.1500,3,1.5000,,")
  }

  @Test func markdownIsATableBelowAHeading() {
    let reporter = MarkdownReporter()
    let page = (reporter.header ?? "") + reporter.text(result)
    #expect(page.hasPrefix("# Performance tables\n\n"))
    #expect(page.contains("\n\n## offset-index/build\n\n```text\n\(TableReporter().text(result))```\n"))
  }

  @Test func chartIsWellFormedAndInsideItsFrame() throws {
    let svg = try #require(Chart(result: result).svg)
    #expect(Chart(result: result).fileName == "offset-index-build.svg")
    let grid = svg.matches(of: /class="grid" x1="([0-9.]+)" y1="([0-9.]+)" x2="([0-9.]+)" y2="([0-9.]+)"/)
    let (left, right) = (grid.compactMap { Double($0.1) }.min() ?? 0, grid.compactMap { Double($0.3) }.max() ?? 0)
    let (top, bottom) = (grid.compactMap { Double($0.2) }.min() ?? 0, grid.compactMap { Double($0.4) }.max() ?? 0)
    #expect(left > 0 && left < right && top > 0 && top < bottom)
    for point in svg.matches(of: /cx="([0-9.-]+)" cy="([0-9.-]+)"/) {
      let (x, y) = (Double(point.1) ?? -1, Double(point.2) ?? -1)
      #expect((left...right).contains(x) && (top...bottom).contains(y))
    }
    #expect(svg.matches(of: /<circle/).count == 3)
    #expect(svg.matches(of: /<polyline/).count == 2)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains(">Main</text>") && svg.contains(">2^10</text>"))
    #expect(svg.contains(">size n</text>") && svg.contains(">nanoseconds an element</text>"))
    #expect(svg.contains("<title>Naive at n = 1,024: 3.00 ±5%</title>"))
    #expect(svg.contains("@media (prefers-color-scheme: dark)"))
    // Every element is closed. Elements that do not close themselves are counted.
    for name in ["svg", "style", "text", "title", "circle"] {
      let pieces = [svg.components(separatedBy: "<" + name), svg.components(separatedBy: "</" + name + ">")]
      #expect(pieces[0].count == pieces[1].count && pieces[0].count > 1)
    }
    for element in svg.matches(of: /<(rect|line|polyline|path)[^>]*>/) {
      #expect(element.0.hasSuffix("/>"))
    }
  }

  /// At a point, the bar extends from the median to both sides by half the distance between the quartiles.
  @Test func chartDrawsTheSpread() throws {
    let svg = try #require(Chart(result: result).svg)
    let bars = svg.matches(of: /<path class="s[01] line" d="M[0-9.]+,([0-9.]+)h10m-5,0V([0-9.]+)m-5,0h10"/)
    let heights = bars.map { (Double($0.1) ?? 0) - (Double($0.2) ?? 0) }
    #expect(heights.count == 3 && heights[0] == 0 && heights[1] == 0 && heights[2] > 1)
  }

  @Test(arguments: [3, 20, 60]) func chartHasRoomForLabelsOfAnyLength(length: Int) throws {
    let name = String(repeating: "n", count: length)
    var wide = OperationResult(suite: "suite", operation: name, subjects: [name])
    wide.measurements = [1.0, 1e9].map { time in
      Measurement(
        suite: "suite", operation: name, subject: name, n: Int(time), time: Statistics([time]), bytesPerElement: nil)
    }
    let svg = try #require(Chart(result: wide).svg)
    let width = try #require(svg.firstMatch(of: /viewBox="0 0 ([0-9.]+)/).flatMap { Double($0.1) })
    let texts = svg.matches(
      of: #/<text x="([0-9.]+)" y="[0-9.]+" text-anchor="(start|end)"( font-size="16")?>([^<]*)</text>/#)
    #expect(texts.contains { $0.4 == "1,000,000,000" } && texts.contains { $0.4 == name })
    for text in texts {
      // The mean width of a character in a wide font, DejaVu Sans, is 0.6 of the font's size.
      let extent = Double(text.4.count) * 0.6 * (text.3 == nil ? 12 : 16)
      let x = Double(text.1) ?? 0
      #expect(text.2 == "start" ? x + extent <= width : x - extent >= 24, "\(text.4)")
    }
  }

  @Test func oneSizeAndEqualTimesStillMakeAChart() throws {
    var single = OperationResult(suite: "a & b", operation: "x", subjects: ["<S>"])
    #expect(Chart(result: single).svg == nil)
    single.measurements = [
      Measurement(
        suite: "a", operation: "x", subject: "<S>", n: 1_000, time: Statistics([10]), bytesPerElement: nil)
    ]
    let svg = try #require(Chart(result: single).svg)
    #expect(svg.contains("a &amp; b") && svg.contains("&lt;S&gt;"))
    #expect(svg.matches(of: /[",](-?nan|-?inf)/).isEmpty)
  }

  @Test func axisEnclosesItsValues() {
    let axis = LogarithmicAxis(values: [1_000, 1_000_000], base: 10, from: 0, to: 300)
    #expect(axis.exponents == 3...6)
    #expect(abs(axis.place(10_000) - 100) < 1e-6 && axis.place(exponent: 6) == 300)
    #expect(LogarithmicAxis(values: [7], base: 2, from: 0, to: 1).exponents == 2...3)
    #expect(LogarithmicAxis(values: [1, 1e30], base: 2, from: 0, to: 1).ticks.count <= 11)
  }
}
