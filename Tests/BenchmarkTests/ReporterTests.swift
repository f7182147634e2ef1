import Foundation
import Testing

@testable import benchmark

@Suite struct ReporterTests {
  let result: OperationResult = {
    var result = OperationResult(suite: "offset-index", operation: "build", subjects: ["Main", "Naive"])
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

  @Test func chartIsWellFormedAndInsideItsFrame() throws {
    let svg = try #require(Chart(result: result).svg)
    #expect(Chart(result: result).fileName == "offset-index-build.svg")
    for point in svg.matches(of: /cx="([0-9.-]+)" cy="([0-9.-]+)"/) {
      let (x, y) = (Double(point.1) ?? -1, Double(point.2) ?? -1)
      #expect((70...550).contains(x) && (50...390).contains(y))
    }
    #expect(svg.matches(of: /<circle/).count == 3)
    #expect(svg.matches(of: /<polyline/).count == 2)
    #expect(svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n"))
    #expect(svg.contains(">Main</text>") && svg.contains(">2^10</text>"))
    // Every element is closed: what opens is an svg or a text, all others close themselves.
    #expect(svg.matches(of: /<text/).count == svg.matches(of: /<\/text>/).count)
    for element in svg.matches(of: /<(rect|line|circle|polyline)[^>]*>/) {
      #expect(element.0.hasSuffix("/>"))
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
