import AssemblageTerminal
import CommandSupport
import Foundation

/// Runs `outline --browse`: the outline on a terminal.
enum BrowseCommand {
  /// Runs the command.
  ///
  /// - Parameters:
  ///   - options: the options of the command line.
  ///   - environment: the variables of the process.
  ///   - output: receives the chosen paths or values.
  ///   - report: receives sentences about errors.
  /// - Returns: the exit code.
  @MainActor
  static func run(
    _ options: Options, environment: [String: String], output: ProgramStream, report: (String) -> Void
  ) async -> Int32 {
    do {
      let options = options.completed(environment, .local)
      let source = try open(options, LSColors(environment["LS_COLORS"]))
      if environment["TERM"] == "dumb" {
        throw Command.Failure(
          code: 69,
          description: "--browse needs a terminal that can move its cursor, and TERM is \"dumb\"; without it, it prints"
        )
      }
      guard let device = TerminalDevice(height: options.height) else {
        throw Command.Failure(
          code: 69, description: "--browse needs a terminal, and there is none; without it, it prints")
      }
      let browser = Browser(
        source, device: device, hiding: hiding(options, source), environment: variables(options, environment),
        isSeparatedByNull: options.isNullSeparated, header: options.header ?? "", prompt: options.prompt,
        bindings: options.bindings)
      switch await browser.run(
        search: options.filter, keys: keys(options, source), choosesOnlyMatch: options.choosesOnlyMatch)
      {
      // No entry was chosen: a shell must not continue with an empty name.
      case .quit, .interrupted: return 130
      case .hungUp: return 129
      case .failed(let failure): throw failure
      case .chosen(let bytes):
        guard let error = OutputError(output.write(bytes)) else { return 0 }
        if error.exitCode != 0 { report("outline: \(error)") }
        return error.exitCode
      }
    } catch {
      report("outline: \(error)")
      return (error as? Command.Failure)?.code ?? 64
    }
  }

  /// Returns the kinds of entries that are left out at first.
  ///
  /// A list of paths is shown as it is, except for patterns.
  @MainActor
  private static func hiding(_ options: Options, _ source: any BrowseSource) -> TerminalHiding {
    options.visibility.showsHidden || isList(source) ? .ignored : [.hidden, .ignored]
  }

  @MainActor
  private static func isList(_ source: any BrowseSource) -> Bool { (source as? EntryBrowser)?.isList == true }

  /// Returns the variables of the process, in which `--color` replaces `NO_COLOR`.
  private static func variables(_ options: Options, _ environment: [String: String]) -> [String: String] {
    var variables = environment
    switch options.color {
    case .auto: break
    case .always: variables["NO_COLOR"] = nil
    case .never: variables["NO_COLOR"] = "1"
    }
    return variables
  }

  /// Returns the keys that have the effect of other options.
  @MainActor
  private static func keys(_ options: Options, _ source: any BrowseSource) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    switch options.sort {
    case nil: break
    case .name, .bytes:
      // Directories already have this order.
      if source is JSONBrowser { keys += [.character("s"), .character("k")] }
      if isList(source) { keys += [.character("s"), .character("n")] }
    case .size: keys += [.character("s"), .character("s")]
    case .date: keys += [.character("s"), .character("d")]
    }
    if let levels = options.expand { keys.append(.character(Character("\(min(levels, 9))"))) }
    return keys
  }

  // MARK: Opening

  @MainActor
  private static func open(_ options: Options, _ colors: LSColors) throws -> any BrowseSource {
    if options.readsStandardInput { return try open(STDIN_FILENO, "standard input", options, colors) }
    for path in options.paths {
      let place: FileSystem.Place
      do {
        place = try FileSystem.local.place(path)
      } catch {
        throw Command.Failure(code: 2, description: "this could not be read: \(path.printed): \(error)")
      }
      if place == .file || place == .pipe, !options.joins { return try open(path, place, options, colors) }
      if let reason = place.refusal(path) { throw Command.Failure(code: 2, description: reason) }
    }
    if let input = options.input {
      throw UsageError(description: "--input \(input.rawValue) is for files and standard input, not for directories")
    }
    return EntryBrowser(
      directories: options.paths, colors: colors, visibility: options.visibility, order: options.nameOrder,
      units: options.units)
  }

  /// Opens a file, or a named pipe.
  @MainActor
  private static func open(
    _ path: FileName, _ place: FileSystem.Place, _ options: Options, _ colors: LSColors
  ) throws -> any BrowseSource {
    if place == .file, options.input != .paths {
      let isSequence = options.input == .ndjson || options.input == nil && Opening.isNamedForSequences(path)
      try options.check(for: .json)
      return JSONBrowser(path, extent: isSequence ? .several : options.input == .json ? .one : .any)
    }
    // The file stays open as long as the process reads.
    let descriptor = path.open()
    guard descriptor >= 0 else {
      throw Command.Failure(
        code: 2, description: "this could not be read: \(path.printed): \(FileSystemError(code: errno))")
    }
    return try open(descriptor, path.printed, options, colors)
  }

  /// Opens the contents of an open file: a document, or a list of paths.
  @MainActor
  private static func open(
    _ descriptor: Int32, _ title: String, _ options: Options, _ colors: LSColors
  ) throws -> any BrowseSource {
    let start: [UInt8]
    do {
      start = try PathScanner.beginning(of: descriptor)
    } catch {
      throw Command.Failure(code: 2, description: "\(title) could not be read: \(error)")
    }
    let looksLikeJSON = !options.isNullSeparated && InputFormat.looksLikeJSON(start.span)
    let input = options.input ?? (looksLikeJSON ? .json : .paths)
    try options.check(for: input)
    try Opening.checkEncoding(start.span, title)
    guard input == .paths else {
      let extent: JSONDocument.Extent = input == .ndjson ? .several : options.input == nil ? .any : .one
      return JSONBrowser("-", name: title, extent: extent, stream: (descriptor, start))
    }
    let list = BrowsedList(
      title: title, descriptor: descriptor, start: start, isSeparatedByNull: options.isNullSeparated)
    return EntryBrowser(
      directories: [], colors: colors, visibility: options.visibility, order: options.nameOrder, list: list)
  }
}
