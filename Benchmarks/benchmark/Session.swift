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

  /// - Throws: an error of the file system where a chart can't be written.
  func run() throws {
    let reporter = options.format.reporter
    let runner = Runner(samples: options.samples, seed: options.seed)
    // Before the first measurement, so that a bad directory costs no minutes.
    if let directory = options.chartDirectory {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }
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
        if let directory = options.chartDirectory { try writeChart(of: result, in: directory) }
      }
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
