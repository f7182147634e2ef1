import CommandSupport
import Foundation

/// The whole run, apart from the process: what it prints and with which code it ends.
struct Command {
  var fileSystem = FileSystem.local
  /// Reads all of standard input.
  var input: () throws -> Data = { Data() }
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
    do {
      let options = try Options(arguments)
      if options.wantsHelp {
        output.write(Options.help + "\n")
        output.flush()
        return written()
      }
      let (tree, entries) = try open(options)
      progress?.finish()
      try print(tree, options)
      progress?.finish()
      let problems = entries?.problems ?? []
      report(problems)
      let code = written()
      if code != 0 || problems.isEmpty { return code }
      return problems.contains { options.paths.contains($0.path) } ? 2 : 1
    } catch {
      progress?.finish()
      report("outline: \(error)")
      return (error as? Failure)?.code ?? 64
    }
  }

  /// Why nothing is printed, in one sentence, and the exit code for it.
  struct Failure: Error, CustomStringConvertible {
    let code: Int32
    let description: String
  }

  // MARK: What is shown

  /// Opens what the options name, and reads as much of it as has to be known beforehand.
  private func open(_ options: Options) throws -> (tree: any ItemTree, entries: EntryTree?) {
    if options.paths == ["-"] { return try arranged(openList(options), options) }
    if options.paths.count == 1, try kind(options.paths[0]) == .file, !options.joins {
      return (try openDocument(options), nil)
    }
    for path in options.paths {
      let kind = try kind(path)
      if kind == .directory { continue }
      let reason =
        switch kind {
        case nil: "there is no such path"
        case .file: "--join takes directories, and this is none"
        default: "this is neither a directory nor a file"
        }
      throw Failure(code: 2, description: "\(reason): \(sanitized(path))")
    }
    let loader = DirectoryLoader(fileSystem: fileSystem) { progress?.update($0) }
    let tree = EntryTree(directories: options.paths, loader: loader, options: options)
    if !options.isLazy { tree.loadAll() }
    return arranged(tree, options)
  }

  /// What there is at a path that was given.
  private func kind(_ path: String) throws -> Entry.Kind? {
    do {
      return try fileSystem.kind(path)
    } catch {
      throw Failure(code: 2, description: "this could not be read: \(sanitized(path)): \(error)")
    }
  }

  private func arranged(_ tree: EntryTree, _ options: Options) -> (any ItemTree, EntryTree?) {
    (options.group == nil ? tree : GroupTree(tree, options: options), tree)
  }

  private func openList(_ options: Options) throws -> EntryTree {
    if let sort = options.sort, sort != .name {
      throw UsageError(description: "--sort \(sort.rawValue) is not for a list of paths, which says nothing but names")
    }
    let data: Data
    do {
      data = try input()
    } catch {
      throw Failure(code: 2, description: "standard input could not be read: \(FileSystemError(error))")
    }
    do {
      return EntryTree(
        paths: try PathListReader.read(data.span, separator: options.isNullSeparated ? .nul : nil), options: options)
    } catch {
      throw Failure(code: 65, description: "standard input is no list of paths: \(error)")
    }
  }

  private func openDocument(_ options: Options) throws -> any ItemTree {
    if options.group != nil { throw UsageError(description: "--group is not for JSON documents") }
    if options.sort == .date { throw UsageError(description: "--sort date is not for JSON documents") }
    let path = options.paths[0]
    let data: Data
    do {
      data = try fileSystem.contents(path)
    } catch {
      throw Failure(code: 2, description: "this could not be read: \(sanitized(path)): \(error)")
    }
    do {
      return JSONTree(try JSONDocument(data), options: options)
    } catch {
      throw Failure(code: 65, description: "this is no JSON document: \(sanitized(path)): \(error)")
    }
  }

  // MARK: Printing

  private func print(_ tree: any ItemTree, _ options: Options) throws {
    let all = Rows(tree: tree, levels: options.levels)
    let text = TextPrinter(output: output, tree: tree, options: options)
    let json = JSONPrinter(output: output, tree: tree, options: options)
    guard let rows = options.rows else {
      switch options.format {
      case .text:
        let title = options.paths == ["-"] ? "standard input" : options.paths.joined(separator: " + ")
        text.print(all, title: title)
      case .json: json.print(all)
      }
      return
    }
    let count = options.format == .text ? text.print(all, in: rows) : json.print(all, in: rows)
    if rows.lowerBound >= count, !rows.isEmpty {
      let there = count == 1 ? "is 1 row" : "are \(grouped(count)) rows"
      throw UsageError(description: "--rows \(rows) begins behind the last row: there \(there)")
    }
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
    guard let error = OutputError(output.outcome) else { return 0 }
    if error.exitCode != 0 { report("outline: \(error)") }
    return error.exitCode
  }
}

extension Options {
  /// Whether directories are read only as far as they are shown.
  fileprivate var isLazy: Bool {
    (expand != nil || rows != nil) && filter == nil && sort != .size && group == nil
  }
}
