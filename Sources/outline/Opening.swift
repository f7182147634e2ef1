import Foundation

/// Opens the input that the options name, and reads the part that must be known before printing.
struct Opening {
  private let command: Command
  private let options: Options
  private let colors: LSColors?

  init(_ command: Command, _ options: Options) {
    self.command = command
    self.options = options
    colors = command.colors(options)
  }

  /// The result: the tree, the entries in it, and the errors of documents that are left out.
  typealias Opened = (tree: any ItemTree, entries: EntryTree?, errors: [JSONError])

  /// Opens the input of the options.
  ///
  /// - Throws: `UsageError`, or a `Command.Failure`.
  func open() throws -> Opened {
    if options.readsStandardInput {
      let data: Data
      do {
        data = try command.input()
      } catch {
        throw Command.Failure(code: 2, description: "standard input could not be read: \(error)")
      }
      return try open(data, options.input ?? recognized(data), "standard input")
    }
    let path = options.paths[0]
    if options.paths.count == 1, !options.joins {
      switch try place(path) {
      case .file: return try open(contents(path), options.input ?? .json, path.printed)
      case .pipe:
        let data = try contents(path)
        return try open(data, options.input ?? recognized(data), path.printed)
      default: break
      }
    }
    return try openDirectories()
  }

  // MARK: Directories

  private func openDirectories() throws -> Opened {
    for path in options.paths {
      if let reason = try place(path).refusal(path) { throw Command.Failure(code: 2, description: reason) }
    }
    if let input = options.input {
      throw UsageError(description: "--input \(input.rawValue) is for files and standard input, not for directories")
    }
    // Rows that are printed while directories are read would be mixed with the progress.
    let progress = options.isLazy && command.isTerminal ? nil : command.progress
    let loader = DirectoryLoader(fileSystem: command.fileSystem, order: options.nameOrder) { progress?.update($0) }
    let tree = EntryTree(directories: options.paths, loader: loader, options: options, colors: colors)
    if !options.isLazy { tree.loadAll() }
    return arranged(tree)
  }

  private func arranged(_ tree: EntryTree) -> Opened {
    if options.isFlat {
      return (FlatTree(tree, options: options, escapes: command.isTerminal && !options.isNullSeparated), tree, [])
    }
    return (options.group == nil ? tree : GroupTree(tree, options: options), tree, [])
  }

  private func place(_ path: FileName) throws -> FileSystem.Place {
    do {
      return try command.fileSystem.place(path)
    } catch {
      throw Command.Failure(code: 2, description: "this could not be read: \(path.printed): \(error)")
    }
  }

  // MARK: Files and standard input

  private func contents(_ path: FileName) throws -> Data {
    do {
      return try command.fileSystem.contents(path)
    } catch {
      throw Command.Failure(code: 2, description: "this could not be read: \(path.printed): \(error)")
    }
  }

  private func recognized(_ data: Data) -> Options.Input {
    !options.isNullSeparated && InputFormat.looksLikeJSON(data.span) ? .json : .paths
  }

  private func open(_ data: Data, _ input: Options.Input, _ title: String) throws -> Opened {
    try options.check(for: input)
    try Self.checkEncoding(data.span, title)
    switch input {
    case .paths: return openList(data)
    case .json, .ndjson:
      let tree = try openDocument(data, input, title)
      return (tree, nil, tree.document.errors)
    }
  }

  /// Refuses a text that is not in UTF-8, as far as its first bytes show this.
  static func checkEncoding(_ bytes: Span<UInt8>, _ title: String) throws(Command.Failure) {
    guard let encoding = InputFormat.foreignEncoding(bytes) else { return }
    throw Command.Failure(
      code: 65,
      description: "this is in \(encoding), and only UTF-8 is read: \(title); "
        + "iconv -f \(encoding) -t UTF-8 makes that of it")
  }

  private func openList(_ data: Data) -> Opened {
    let store = PathListReader.read(
      data.span, separator: options.isNullSeparated ? .nul : nil, excluding: options.visibility.excluded,
      order: options.nameOrder)
    return arranged(EntryTree(paths: store, options: options, colors: colors))
  }

  private func openDocument(_ data: Data, _ input: Options.Input, _ title: String) throws -> JSONTree {
    let isSaid = options.input != nil
    let isSequence = input == .ndjson || !isSaid && Self.isNamedForSequences(options.paths[0])
    do {
      return JSONTree(
        try JSONDocument(data, isSequence ? .several : isSaid ? .one : .any), options: options, colors: colors)
    } catch {
      let isNamed = !options.readsStandardInput && GroupTree.fileExtension(options.paths[0].bytes[...]) == "json"
      let hint = isSaid || isSequence || isNamed ? "" : "; --input paths reads a list of paths"
      throw Command.Failure(code: 65, description: "this is no JSON document: \(title): \(error)\(hint)")
    }
  }

  /// Whether a file's name indicates several documents.
  static func isNamedForSequences(_ path: FileName) -> Bool {
    ["ndjson", "jsonl"].contains(GroupTree.fileExtension(path.bytes[...]))
  }
}

extension Options {
  /// Refuses options that have no meaning for documents, or for lists.
  func check(for input: Input) throws {
    let what = input == .paths ? "a list of paths, which says nothing but names" : "JSON documents"
    func refuse(_ option: String, where isGiven: Bool) throws {
      if isGiven { throw UsageError(description: "\(option) is not for \(what)") }
    }
    try refuse("--sort date", where: sort == .date)
    try refuse("--disk-usage", where: showsUsage)
    try refuse("--gitignore", where: visibility.obeysGit)
    try refuse("--one-file-system", where: staysOnFileSystem)
    try refuse("--long", where: isLong)
    try refuse("--units", where: units != .decimal)
    if let option = conditions.option { try refuse(option, where: true) }
    if input == .paths {
      try refuse("--type l", where: types?.contains(.l) == true)
      try refuse("--type x", where: types?.contains(.x) == true)
      return try refuse("--sort size", where: sort == .size)
    }
    try refuse("--type", where: types != nil)
    try refuse("--flat", where: isFlat)
    try refuse("--group", where: group != nil)
    try refuse("--exclude", where: !visibility.excluded.isEmpty)
  }
}

extension FileSystem.Place {
  /// The reason why the path is not read as a directory, in one sentence; nil for a directory.
  func refusal(_ path: FileName) -> String? {
    switch self {
    case .directory: nil
    case .nothing: "there is no such path: \(path.printed)"
    case .file, .pipe: "--join takes directories, and this is none: \(path.printed)"
    case .other: "this is neither a directory nor a file: \(path.printed)"
    case .dangling(let target):
      "this is a dangling link: \(path.printed) leads to \(target.printed), which is not there"
    case .circle: "this is a looping link: \(path.printed) leads back to itself"
    }
  }
}
