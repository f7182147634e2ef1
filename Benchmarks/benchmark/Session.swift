import CommandSupport
import Foundation

/// Whether the optimiser is off, which an assertion's condition tells: it runs in debug builds only.
var isDebugBuild: Bool {
  var isDebug = false
  assert(
    {
      isDebug = true
      return true
    }())
  return isDebug
}

/// One run: measures what the options ask for and writes each operation's results as soon as they are there.
struct Session {
  let options: Options
  let catalogue: [Suite]
  /// Where the results go.
  var output: (String) -> Void = { ProgramStream.standardOutput.write($0) }
  /// Where notes go, if the results' format has no place for them.
  var report: (String) -> Void = { ProgramStream.standardError.write($0) }

  /// - Throws: `Failure` where a chart can't be written, an earlier run can't be read, or a figure is worse than the baseline's.
  func run() throws(Failure) {
    let reporter = options.format.reporter
    let runner = Runner(samples: options.samples, seed: options.seed)
    // Before the first measurement, so that a bad directory or file costs no minutes.
    if let directory = options.chartDirectory {
      try writing { try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true) }
    }
    var comparison = try options.comparedRun.map { path throws(Failure) in Comparison(with: try EarlierRun(path: path))
    }
    var baseline = try options.baseline.map { path throws(Failure) in Baseline(try EarlierRun(path: path)) }
    if let header = reporter.header { output(header) }

    for suite in chosen {
      for operation in suite.operations {
        let result = runner.measure(operation, of: suite, sizes: options.sizes)
        output(reporter.text(result) + (reporter.showsNotes ? "\n" : ""))
        if !reporter.showsNotes {
          for note in result.notes {
            report("\(result.suite)/\(result.operation): \(note)\n")
          }
        }
        if let directory = options.chartDirectory { try writing { try writeChart(of: result, in: directory) } }
        comparison?.add(result)
        baseline?.check(result) { runner.measure(operation, of: suite, sizes: options.sizes) }
      }
    }
    if let comparison { (reporter.showsNotes ? output : report)(comparison.text) }
    if let baseline { (reporter.showsNotes ? output : report)(baseline.text) }
    try baseline?.finish()
  }

  private func writing(_ body: () throws -> Void) throws(Failure) {
    do {
      try body()
    } catch {
      throw Failure(sentence: "the chart could not be written: \(error.localizedDescription)", code: 73)
    }
  }

  /// The suites and operations that the options name, in the order of the catalogue.
  var chosen: [Suite] {
    catalogue
      .filter { options.suites.isEmpty || options.suites.contains($0.name) }
      .map { suite in
        Suite(
          name: suite.name,
          operations: suite.operations.filter {
            options.operations.isEmpty || options.operations.contains($0.name)
          })
      }
  }

  private func writeChart(of result: OperationResult, in directory: String) throws {
    let chart = Chart(result: result)
    guard let svg = chart.svg else { return }
    let file = URL(fileURLWithPath: directory).appendingPathComponent(chart.fileName)
    try svg.write(to: file, atomically: true, encoding: .utf8)
  }
}

extension Suite {
  /// The suites with their operations and subjects, a line each.
  static func listing(_ catalogue: [Suite]) -> String {
    catalogue.map { suite in
      let operations = suite.operations.map { operation in
        "  \(operation.name): \(operation.subjects.map(\.name).joined(separator: ", "))"
      }
      return ([suite.name] + operations).joined(separator: "\n")
    }
    .joined(separator: "\n")
  }
}
