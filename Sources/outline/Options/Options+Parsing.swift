extension Options {
  /// Parses the arguments that follow the command's name.
  ///
  /// - Throws: `UsageError` for an unknown option or value, for options that exclude each other, and for several paths
  ///   without `--join`.
  init(_ arguments: [FileName]) throws {
    var words = arguments[...]
    while let word = words.popFirst() {
      if word == "--" {
        paths += words
        break
      }
      guard word.bytes.first == UInt8(ascii: "-"), word != "-" else {
        paths.append(word)
        continue
      }
      try parse(word, &words)
    }
    if wantsText { return }
    if paths.isEmpty { paths = [input == nil && (browses || isFlat || !isNullSeparated) ? "." : "-"] }
    try check()
  }

  /// Parses an option; its value may be the next of the following words.
  private mutating func parse(_ word: FileName, _ words: inout ArraySlice<FileName>) throws {
    let text = word.bytes
    let equals = text.starts(with: "--".utf8) ? text.firstIndex(of: UInt8(ascii: "=")) : nil
    let name = FileName(bytes: Array(text[..<(equals ?? text.endIndex)]))
    var value = equals.map { FileName(bytes: Array(text[($0 + 1)...])) }
    guard let option = OptionTable.option(name) else { throw Self.unknown(word, name) }
    switch option.value {
    case .none:
      if let value {
        throw UsageError(description: "\(name.text) takes no value, and \"\(value.printed)\" was given")
      }
    case .optionalPath: break
    default:
      value = value ?? words.popFirst()
      if value == nil { throw UsageError(description: "\(name.text) needs a value; see --help") }
    }
    try option.apply(&self, OptionValue(option: name.text, bytes: value))
  }

  private static func unknown(_ word: FileName, _ name: FileName) -> UsageError {
    let near = OptionTable.nearest(name.text).map { "; did you mean \($0)?" } ?? "; see --help"
    return UsageError(description: "there is no option \"\(word.printed)\"\(near)")
  }

  /// Finds options that do not fit together.
  private func check() throws {
    if filter == "" { throw UsageError(description: "--filter needs a text that is not empty") }
    if regex?.pattern == "" { throw UsageError(description: "--regex needs an expression that is not empty") }
    if glob?.isEmpty == true { throw UsageError(description: "--glob needs a pattern that is not empty") }
    if let glob, !Glob(glob, crossing: .directories).isSound {
      throw UsageError(
        description: "--glob takes a pattern like '*.swift', and in \"\(glob.printedPattern)\" something is not closed")
    }
    if paths.contains("") { throw UsageError(description: "an empty path names nothing") }
    if paths.contains("-"), paths.count > 1 || joins {
      throw UsageError(description: "- stands for standard input, which joins nothing; ./- is a directory")
    }
    if paths.count > 1, !joins {
      throw UsageError(description: "several paths need --join, which shows them as one list")
    }
    if expand != nil, depth != nil {
      throw UsageError(description: "--expand and --depth both say how deep to go; give one of them")
    }
    if rows != nil, limit != nil {
      throw UsageError(description: "--rows and --limit both say how many to show; give one of them")
    }
    if browses { try checkBrowsing() }
    let ofBrowsing = [
      ("--height", height != nil), ("--header", header != nil), ("--prompt", prompt != nil),
      ("--bind", !bindings.isEmpty),
    ]
    if !browses, let option = ofBrowsing.first(where: \.1) {
      throw UsageError(description: "\(option.0) is for --browse")
    }
    if let height, height < 3 { throw UsageError(description: "--height takes a number from 3 on, not \(height)") }
    if choosesOnlyMatch, !browses || filter == nil {
      throw UsageError(description: "--select-1 is for --browse with --filter, whose only match it prints")
    }
    if conditions.sizes != nil, let types, types.isDisjoint(with: [.f, .x]) {
      let names = types.map(\.rawValue).sorted().joined(separator: ",")
      throw UsageError(description: "--size is about files, and --type \(names) shows no files")
    }
    if isFlat, group != nil {
      throw UsageError(description: "--flat and --group both say how to print; give one of them")
    }
    if isNullSeparated, !readsStandardInput, input != .paths, !browses, !isFlat {
      throw UsageError(description: "--null is for a list of paths, as - or --input paths reads it")
    }
    if isNullSeparated, let input, input != .paths {
      throw UsageError(description: "--null is for a list of paths, and --input \(input.rawValue) is none")
    }
  }

  /// Finds options that have no meaning for an outline on a terminal.
  private func checkBrowsing() throws {
    let others = [
      ("--json", format == .json), ("--rows", rows != nil), ("--limit", limit != nil), ("--depth", depth != nil),
      ("--group", group != nil), ("--disk-usage", showsUsage), ("--strict", isStrict), ("--regex", regex != nil),
      ("--glob", glob != nil), ("--flat", isFlat), ("--type", types != nil),
      ("--long", isLong), (conditions.option ?? "", conditions.option != nil),
    ]
    if let other = others.first(where: \.1) {
      throw UsageError(description: "\(other.0) is about what is printed, and --browse prints what is chosen")
    }
  }
}
