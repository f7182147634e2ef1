import AssemblageWidgets
import Foundation

/// `outline --browse`: the outline on a terminal.
enum BrowseCommand {
  /// Whether a command line asks for it.
  ///
  /// - Parameter arguments: the command line without its first word.
  /// - Returns: whether it does.
  static func isMeant(by arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains("--browse") }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - arguments: the command line without its first word.
  ///   - environment: the variables.
  ///   - print: writes what was chosen.
  ///   - report: where sentences about errors go.
  /// - Returns: the exit code.
  @MainActor
  static func run(
    _ arguments: [String], environment: [String: String], print: ([UInt8]) throws -> Void, report: (String) -> Void
  ) async -> Int32 {
    do {
      let options = try options(arguments)
      if options.wantsHelp {
        try Self.write(Array((Options.help + "\n").utf8), print)
        return 0
      }
      let source = try open(options, FileColors(environment["LS_COLORS"]))
      guard environment["TERM"] != "dumb", let device = TerminalDevice() else {
        throw Command.Failure(
          code: 69, description: "--browse needs a terminal, and there is none; without it, it prints")
      }
      let browser = Browser(
        source, device: device, hiding: [.hidden, .ignored], environment: environment,
        isSeparatedByNull: options.isNullSeparated)
      switch await browser.run(search: options.filter, keys: keys(options)) {
      case .quit: return 0
      case .interrupted: return 130
      case .hungUp: return 129
      case .failed(let failure): throw failure
      case .chosen(let bytes):
        try Self.write(bytes, print)
        return 0
      }
    } catch {
      report("outline: \(error)")
      return (error as? Command.Failure)?.code ?? 64
    }
  }

  private static func write(_ bytes: [UInt8], _ print: ([UInt8]) throws -> Void) throws(Command.Failure) {
    do {
      try print(bytes)
    } catch {
      throw Command.Failure(code: 74, description: "the output could not be written: \(FileSystemError(error))")
    }
  }

  /// The options beside `--browse`; without a path, the current directory.
  static func options(_ arguments: [String]) throws -> Options {
    let own = arguments.prefix { $0 != "--" }.filter { $0 != "--browse" } + arguments.drop { $0 != "--" }
    var options: Options
    do {
      options = try Options(own)
    } catch {
      // What is missing may be the path.
      guard let here = try? Options(own + ["."]) else { throw error }
      options = here
    }
    if options.wantsHelp { return options }
    let others = [
      ("--json", options.format == .json), ("--rows", options.rows != nil), ("--limit", options.limit != nil),
      ("--depth", options.depth != nil), ("--group", options.group != nil),
    ]
    if let other = others.first(where: \.1) {
      throw UsageError(description: "\(other.0) is about what is printed, and --browse prints what is chosen")
    }
    return options
  }

  /// The keys that do what other options ask for.
  private static func keys(_ options: Options) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    switch options.sort {
    case nil, .name: break
    case .size: keys += [.character("s"), .character("s")]
    case .date: keys += [.character("s"), .character("d")]
    }
    if let levels = options.expand { keys.append(.character(Character("\(min(levels, 9))"))) }
    return keys
  }

  @MainActor
  private static func open(_ options: Options, _ colors: FileColors) throws -> any BrowseSource {
    if options.paths == ["-"] {
      // A document begins with a bracket, which no path does that a program would list.
      let start = PathScanner.beginning(of: STDIN_FILENO)
      let first = start.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
      guard !options.isNullSeparated, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
        return EntryBrowser(directories: [], colors: colors, start: start, isSeparatedByNull: options.isNullSeparated)
      }
      return JSONBrowser("standard input", start: Data(start))
    }
    for path in options.paths {
      let entry = DirectoryListing.entry(at: Array(path.utf8))
      if entry?.kind == .directory { continue }
      if entry?.kind == .file || entry?.kind == .program, !options.joins, options.paths.count == 1 {
        return JSONBrowser(path)
      }
      let reason =
        entry == nil
        ? "there is no such path"
        : options.joins ? "--join takes directories, and this is none" : "this is neither a directory nor a file"
      throw Command.Failure(code: 2, description: "\(reason): \(sanitized(path))")
    }
    return EntryBrowser(directories: options.paths.map { Array($0.utf8) }, colors: colors)
  }
}
