/// An option, or another word of the command line: what it is called, what it takes, what it does, and what is told of it.
struct OptionSpec: Sendable {
  /// What follows an option.
  enum Value: Sendable {
    case none
    /// Anything; the name stands in the help.
    case text(String)
    /// One of some words.
    case words([Choice])
    /// A path, which may follow.
    case optionalPath
  }

  /// A word that an option takes, with a help of its own where that is not empty.
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

  /// The names, the long one first; of a word that is no option, what stands for it in the help.
  let names: [String]
  var value = Value.none
  let section: Section
  /// What completions say: a few words.
  var brief = ""
  let help: String
  var example = ""
  /// Takes an option in; of a word that is no option, nothing.
  var apply: @Sendable (inout Options, OptionValue) throws -> Void = { _, _ in }

  var isOption: Bool { names[0].hasPrefix("--") && names[0] != "--" }
}

/// All options, from which the command line is parsed, the help is written and the completions of shells are made.
enum OptionTable {
  static let all = what + which + order + browsing + otherwise

  static let options = all.filter(\.isOption)

  /// The option of a name, such as `--all` or `-a`; nil where there is none.
  static func option(_ name: FileName) -> OptionSpec? { options.first { $0.names.contains(name.text) } }

  /// The name of the option that is nearest to a word by its letters; nil where none is near.
  static func nearest(_ word: String) -> String? {
    guard word.hasPrefix("--"), word.count > 3 else { return nil }
    let near = options.map { (name: $0.names[0], distance: distance(Array(word.utf8), Array($0.names[0].utf8))) }
    guard let best = near.min(by: { $0.distance < $1.distance }), best.distance <= 2 else { return nil }
    return best.name
  }

  /// The letters to insert, remove or replace to make one word of another.
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
