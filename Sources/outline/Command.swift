import Foundation

/// The whole run, apart from the process: what it prints and with which code it ends.
struct Command {
  var fileSystem = FileSystem.local
  /// Where the outline goes.
  let output: OutputBuffer
  /// Where sentences about errors go, a line each.
  let report: (String) -> Void
  /// Where the progress is shown; nil where standard error is no terminal.
  var progress: ScanProgress?

  /// Runs the command.
  ///
  /// - Parameter arguments: the command line without its first word.
  /// - Returns: the exit code.
  func run(_ arguments: [String]) -> Int32 {
    let options: Options
    do {
      options = try Options(arguments)
    } catch {
      report("outline: \(error)")
      return 64
    }
    if options.wantsHelp {
      output.write(Options.help + "\n")
      output.flush()
      return written()
    }
    for path in options.paths where fileSystem.isDirectory(path) != true {
      let isThere = fileSystem.isDirectory(path) != nil
      report("outline: \(isThere ? "this is no directory" : "there is no such path"): \(sanitized(path))")
      return 2
    }

    var loader = DirectoryLoader(fileSystem: fileSystem) { progress?.update($0) }
    let roots = options.paths.map { loader.load($0) }
    let outline = Outline(roots: roots, loader: loader, filter: options.filter)
    progress?.finish()
    switch options.format {
    case .text:
      let title = options.paths.joined(separator: " + ")
      TextPrinter(output: output).print(outline, title: title, options: options)
    case .json:
      JSONPrinter(output: output).print(outline, paths: options.paths, options: options)
    }
    report(loader.problems)
    return written()
  }

  private func report(_ problems: [DirectoryLoader.Problem]) {
    guard !problems.isEmpty else { return }
    report("outline: \(counted(problems.count, "entry", "entries")) could not be read:")
    for problem in problems.prefix(100) {
      report("  \(sanitized(problem.path)): \(sanitized(problem.reason))")
    }
    if problems.count > 100 { report("  … and \(grouped(problems.count - 100)) more") }
  }

  /// The exit code for what became of the output; a reader that has gone is no error.
  private func written() -> Int32 {
    switch output.outcome {
    case .written, .closed: return 0
    case .failed(let code):
      report("outline: the output could not be written: \(FileSystemError(code: code))")
      return 74
    }
  }
}
