import CommandSupport
import Foundation

/// Whether the optimiser is off. The condition of an assertion runs in debug builds only.
var isDebugBuild: Bool {
  var isDebug = false
  assert(
    {
      isDebug = true
      return true
    }())
  return isDebug
}

/// One run. It measures the operations of the options, and writes each operation's results at once.
struct Session {
  let options: Options
  let catalogue: [Suite]
  /// Writes the results.
  var output: (String) -> Void = { ProgramStream.standardOutput.write($0) }
  /// Writes the notes, if the format of the results has no place for them.
  var report: (String) -> Void = { ProgramStream.standardError.write($0) }
  /// Shows the progress; nil where standard error is no terminal.
  var progress: ((String) -> Void)?

  /// - Throws: `Failure` where a chart can't be written, an earlier run can't be read, or a figure is worse than the
  ///   baseline's.
  func run() throws(Failure) {
    let reporter = options.format.reporter
    let runner = Runner(samples: options.samples, seed: options.seed)
    // This is before the first measurement, so that a bad directory or file costs no minutes.
    if let directory = options.chartDirectory { try makeDirectory(directory) }
    var comparison = try options.comparedRun.map { path throws(Failure) in Comparison(with: try EarlierRun(path: path))
    }
    var baseline = try options.baseline.map { path throws(Failure) in Baseline(try EarlierRun(path: path)) }
    if let header = reporter.header { output(header) }

    let progress = progress.map { RunProgress(of: chosen.reduce(0) { $0 + $1.operations.count }, write: $0) }
    for suite in chosen {
      for operation in suite.operations {
        let result = runner.measure(operation, of: suite, sizes: options.sizes) {
          progress?.update("\(suite.name)/\(operation.name)", n: $0, fraction: $1)
        }
        progress?.finishOperation()
        output(reporter.text(result) + (reporter.showsNotes ? "\n" : ""))
        if !reporter.showsNotes {
          for note in result.notes {
            report("\(result.suite)/\(result.operation): \(note)\n")
          }
        }
        if let directory = options.chartDirectory { try writeChart(of: result, in: directory) }
        comparison?.add(result)
        baseline?.check(result)
      }
    }
    baseline?.checkAgain(chosen) { runner.measure($0, of: $1, sizes: options.sizes) }
    if let comparison { (reporter.showsNotes ? output : report)(comparison.text) }
    if let baseline { (reporter.showsNotes ? output : report)(baseline.text) }
    try baseline?.finish()
  }

  /// Makes a directory, and the missing directories above it.
  private func makeDirectory(_ path: String) throws(Failure) {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
      if unsafe mkdir(String(path[..<end]), 0o777) != 0, errno != EEXIST, errno != EISDIR {
        throw unwritable(path, errno)
      }
    }
    let directory = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory < 0 { throw unwritable(path, errno) }
    close(directory)
    if unsafe access(path, W_OK) != 0 { throw unwritable(path, errno) }
  }

  private func unwritable(_ path: String, _ code: Int32) -> Failure {
    Failure(sentence: "the chart could not be written: \(path): \(systemWords(code))", code: 73)
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

  private func writeChart(of result: OperationResult, in directory: String) throws(Failure) {
    let chart = Chart(result: result)
    guard let svg = chart.svg else { return }
    let path = directory + "/" + chart.fileName
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw unwritable(path, errno) }
    defer { close(file) }
    if case .failed(let code) = ProgramStream(file).write(svg) { throw unwritable(path, code) }
  }
}

extension Suite {
  /// The suites with their operations and subjects, with an operation on each line.
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
