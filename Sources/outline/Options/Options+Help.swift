extension Options {
  /// The output of `--version`.
  static let version = "outline (Assemblage) 0.1.0-dev"

  /// The output of `--help`: an introduction, the table of options and a conclusion.
  static var help: String {
    let sections = OptionSpec.Section.allCases.map { section in
      let entries = OptionTable.all.filter { $0.section == section }.flatMap(helpEntries)
      return section.rawValue + "\n" + entries.joined(separator: "\n")
    }
    return ([introduction] + sections + [conclusion]).joined(separator: "\n\n")
  }

  private static let introduction = """
    Prints the outline of a directory: its files with their sizes, its directories with the number and total
    size of the files below. Or that of a JSON document, or of a list of paths.

    USAGE: swift run -c release outline [options] [DIRECTORY]
           swift run -c release outline [options] --join DIRECTORY…
           swift run -c release outline [options] FILE.json
           git ls-files | swift run -c release outline [options] -
           swift run -c release outline --browse [options] [DIRECTORY | FILE.json | -]
    """

  private static let conclusion = """
    Control characters in names and texts are printed as escapes, and so are bytes that are no UTF-8: \\xFF. Rows
    deeper than 500 levels are indented as those, and say their depth. LS_COLORS and NO_COLOR say how names are coloured.

    EXIT CODES: 0 done, even if entries below could not be read; 1 nothing matches --filter, or with --strict, entries
    could not be read; 2 there is nothing at a PATH, or it can't be opened; 64 bad option; 65 the input is no JSON
    document, or a part of it is none and is left out; 69 there is no terminal for --browse; 74 the output could not be
    written; 130 it was ended with ^C, or --browse was ended without a choice.
    """

  /// Returns the lines about an option: one entry, or one for each word that the option accepts.
  private static func helpEntries(_ option: OptionSpec) -> [String] {
    let name = option.names.joined(separator: ", ")
    switch option.value {
    case .none, .optionalPath: return [entry(name, option.help, option.example)]
    case .text(let value): return [entry("\(name) \(value)", option.help, option.example)]
    case .words(let choices):
      guard option.help.isEmpty else { return [entry("\(name) WORD", option.help, option.example)] }
      return choices.map { entry("\(name) \($0.word)", $0.help, $0.example) }
    }
  }

  /// Formats a name in the left column, with its help and an example beside it.
  private static func entry(_ name: String, _ help: String, _ example: String) -> String {
    let margin = String(repeating: " ", count: 17)
    var lines = wrapped(help, to: 95).map { margin + $0 }
    if name.count < 14 {
      lines[0] = "  " + name + lines[0].dropFirst(2 + name.count)
    } else {
      lines.insert("  " + name, at: 0)
    }
    return (lines + [margin + "  " + example]).joined(separator: "\n")
  }

  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      if !lines[lines.count - 1].isEmpty, lines[lines.count - 1].count + 1 + word.count > width { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines
  }
}
