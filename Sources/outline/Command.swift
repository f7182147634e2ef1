import CommandSupport
import Foundation

/// Runs the command, separate from the process: writes the output and returns the exit code.
struct Command {
  var fileSystem = FileSystem.local
  /// Reads all of standard input.
  var input: () throws -> Data = { Data() }
  /// Receives the outline.
  let output: OutputBuffer
  /// Receives sentences about errors, one line for each.
  let report: (String) -> Void
  /// Shows the progress; nil if standard error is no terminal.
  var progress: ScanProgress?
  /// The variables of the process.
  var environment: [String: String] = [:]
  /// Whether the outline goes to a terminal.
  var isTerminal = false

  /// Runs the command.
  ///
  /// - Parameter arguments: the command line without its first word.
  /// - Returns: the exit code.
  func run(_ arguments: [FileName]) -> Int32 {
    do {
      let options = try Options(arguments).completed(environment, fileSystem)
      if let text = Self.text(options) {
        output.write(text + "\n")
        output.flush()
        return written()
      }
      let (tree, entries, errors) = try Opening(self, options).open()
      progress?.finish()
      let rows = Rows(tree: tree, levels: options.levels)
      try print(rows, options)
      progress?.finish()
      let problems = entries?.problems ?? []
      let roots = problems.filter { options.paths.contains($0.path) }
      report(roots, problems.filter { !options.paths.contains($0.path) })
      report(errors, options)
      let code = written()
      if code != 0 { return code }
      if !errors.isEmpty { return 65 }
      if !roots.isEmpty { return 2 }
      return !tree.hasMatches || options.isStrict && !problems.isEmpty ? 1 : 0
    } catch {
      progress?.finish()
      report("outline: \(error)")
      return (error as? Failure)?.code ?? 64
    }
  }

  /// The reason why nothing is printed, in one sentence, and the exit code.
  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    let description: String
  }

  /// The text that is printed in place of an outline; nil for an outline.
  private static func text(_ options: Options) -> String? {
    if options.wantsHelp { return Options.help }
    if options.wantsVersion { return Options.version }
    return options.completions.map { Completions.script($0) } ?? options.shell.map { ShellFunction.script($0) }
  }

  /// The colours of names; nil for none.
  func colors(_ options: Options) -> LSColors? {
    guard options.format == .text, options.color.isOn(isTerminal: isTerminal, environment: environment) else {
      return nil
    }
    return LSColors(environment["LS_COLORS"])
  }

  // MARK: Printing

  private func print(_ all: Rows, _ options: Options) throws {
    let text = TextPrinter(output: output, tree: all.tree, options: options)
    let json = JSONPrinter(output: output, tree: all.tree, options: options)
    guard let rows = options.rows else {
      switch options.format {
      case .text where options.isFlat: text.printLines(all)
      case .text: text.print(all, title: options.title)
      case .json: json.print(all)
      }
      return
    }
    let count = options.format == .text ? text.print(all, in: rows) : json.print(all, in: rows)
    if rows.lowerBound >= count, rows.lowerBound > 0, !rows.isEmpty {
      let there = count == 1 ? "is 1 row" : "are \(grouped(count)) rows"
      throw UsageError(description: "--rows \(rows) begins behind the last row: there \(there)")
    }
  }

  /// Reports the paths that could not be read: a sentence for each given path, and a list of the entries below.
  private func report(_ roots: [DirectoryLoader.Problem], _ below: [DirectoryLoader.Problem]) {
    for problem in roots {
      report("outline: this could not be read: \(problem.path.printed): \(sanitized(problem.reason))")
    }
    report(
      below.map { "\($0.path.printed): \(sanitized($0.reason))" },
      as: "\(counted(below.count, "entry", "entries")) could not be read")
  }

  /// Reports the documents that are left out of a list.
  private func report(_ errors: [JSONError], _ options: Options) {
    report(
      errors.map(\.description),
      as: "this is left out of \(options.title), because it is no JSON document")
  }

  /// Reports a list, up to its first 100 lines.
  private func report(_ lines: [String], as title: String) {
    if lines.isEmpty { return }
    report("outline: \(title):")
    for line in lines.prefix(100) { report("  \(line)") }
    if lines.count > 100 { report("  … and \(grouped(lines.count - 100)) more") }
  }

  /// Returns the exit code for the outcome of the output.
  ///
  /// An output that its reader has closed is no error.
  private func written() -> Int32 {
    guard let error = OutputError(output.outcome) else { return 0 }
    if error.exitCode != 0 { report("outline: \(error)") }
    return error.exitCode
  }
}

extension Options {
  /// Returns the options with the user's own patterns, which apply to all repositories.
  func completed(_ environment: [String: String], _ fileSystem: FileSystem) -> Options {
    var options = self
    if visibility.obeysGit {
      options.visibility.globalPatterns = GlobalIgnores.patterns(environment, fileSystem)
      options.visibility.home = GlobalIgnores.home(environment)
    }
    return options
  }

  /// The text at the top of the outline.
  fileprivate var title: String {
    readsStandardInput ? "standard input" : paths.map(\.printed).joined(separator: " + ")
  }
}
