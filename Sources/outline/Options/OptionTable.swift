/// An option, or another word of the command line: its names, its value, its effect and its descriptions.
struct OptionSpec: Sendable {
  /// The kind of value that follows an option.
  enum Value: Sendable {
    case none
    /// Any text; the help shows this name for the text.
    case text(String)
    /// One word of a list.
    case words([Choice])
    /// A path, which may be missing.
    case optionalPath
  }

  /// A word that an option accepts.
  ///
  /// The word has an entry of its own in the help if the option has no help for all of its words.
  struct Choice: Sendable {
    let word: String
    var help = ""
    var example = ""
  }

  enum Section: String, CaseIterable, Sendable {
    case what = "WHAT TO SHOW"
    case which = "WHICH ROWS"
    case order = "IN WHICH ORDER"
    case browsing = "ON A TERMINAL"
    case otherwise = "OTHERWISE"
  }

  /// The names, the long one first.
  ///
  /// A word that is no option has its placeholder for the help here.
  let names: [String]
  var value = Value.none
  let section: Section
  /// The description in completions: a few words.
  var brief = ""
  let help: String
  var example = ""
  /// Applies an option to the options; a word that is no option has no effect.
  var apply: @Sendable (inout Options, OptionValue) throws -> Void = { _, _ in }

  var isOption: Bool { names[0].hasPrefix("--") && names[0] != "--" }
}

/// All options.
///
/// The table is the source of the parser, the help and the completions of shells.
enum OptionTable {
  static let all = what + which + order + browsing + otherwise

  static let options = all.filter(\.isOption)

  /// The option with a name like `--all` or `-a`; nil if there is none.
  static func option(_ name: FileName) -> OptionSpec? { options.first { $0.names.contains(name.text) } }

  /// The name of the option that is nearest to a word by its letters; nil if no option is near.
  static func nearest(_ word: String) -> String? {
    guard word.hasPrefix("--"), word.count > 3 else { return nil }
    let near = options.map { (name: $0.names[0], distance: distance(Array(word.utf8), Array($0.names[0].utf8))) }
    guard let best = near.min(by: { $0.distance < $1.distance }), best.distance <= 2 else { return nil }
    return best.name
  }

  /// The number of letters to insert, remove or replace to change one word into another.
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var row = Array(0...second.count)
    for (line, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in second.enumerated() {
        let replaced = diagonal + (letter == other ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, diagonal + 1, row[column] + 1)
      }
    }
    return row[second.count]
  }
}
