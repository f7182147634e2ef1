/// What the command line asks for.
struct Options: Equatable {
  enum Format: Equatable { case text, json }

  /// The directories to show, as given; several of them as one list.
  var paths: [String] = []
  /// Shows only files whose names contain this; nil shows all.
  var filter: String?
  /// The number of levels shown below the top; nil shows all.
  var depth: Int?
  /// The number of entries shown; nil shows all.
  var limit: Int?
  var format = Format.text
  var wantsHelp = false

  static let help = """
    Prints the tree of a directory: its files with their sizes, its directories with the number and total
    size of the files below.

    USAGE: swift run -c release outline [options] PATH
           swift run -c release outline [options] --join PATH…

      --join PATH…   show the entries of several directories as one list
      --filter TEXT  show only the files whose names contain TEXT, in whatever case, and the directories
                     that lead to them; counts and sizes are those of the files shown
      --depth N      show N levels of entries; directories below are counted, not opened
      --limit N      show the first N entries, and tell how many were left out
      --json         print one JSON document: an object with name, kind, size, files and children
      --help         print this
      --             everything that follows is a path

    Entries are sorted by name. Symbolic links below PATH are shown, not followed. Control characters in
    names are printed as escapes. A directory that can't be read is reported at the end, on standard error,
    and does not stop the rest.

    EXIT CODES: 0 done, also where directories could not be read; 2 there is no directory at a PATH;
    64 bad option; 74 the output could not be written.
    """
}

/// A command line that is not understood, in one sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String
}

extension Options {
  /// Parses the arguments that follow the command's name.
  ///
  /// - Throws: `UsageError` for an option or a value that is not known, and for no path or several
  ///   without `--join`.
  init(_ arguments: [String]) throws {
    var words = arguments[...]
    var joins = false

    while let word = words.popFirst() {
      if word == "--" {
        paths += words
        break
      }
      guard word.hasPrefix("-"), word != "-" else {
        paths.append(word)
        continue
      }
      var (option, value) = (word, String?.none)
      if word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
        option = String(word[..<equals])
        value = String(word[word.index(after: equals)...])
      }
      func argument() throws -> String {
        guard let text = value ?? words.popFirst() else {
          throw UsageError(description: "\(option) needs a value; see --help")
        }
        value = nil
        return text
      }

      switch option {
      case "--help", "-h": wantsHelp = true
      case "--json": format = .json
      case "--filter": filter = try argument()
      case "--depth": depth = try Self.count(try argument(), option)
      case "--limit": limit = try Self.count(try argument(), option)
      case "--join":
        joins = true
        // `--join=A B` and `--join A B` are the same.
        if let path = value {
          paths.append(path)
          value = nil
        }
      default: throw UsageError(description: "there is no option \"\(sanitized(word))\"; see --help")
      }
      if let value {
        throw UsageError(description: "\(option) takes no value, and \"\(sanitized(value))\" was given")
      }
    }

    if wantsHelp { return }
    if filter == "" { throw UsageError(description: "--filter needs a text that is not empty") }
    if paths.isEmpty { throw UsageError(description: "which directory? give its path; see --help") }
    if paths.contains("") { throw UsageError(description: "an empty path names no directory") }
    if paths.count > 1, !joins {
      throw UsageError(description: "several paths need --join, which shows them as one list")
    }
  }

  private static func count(_ text: String, _ option: String) throws -> Int {
    guard let number = Int(text), number >= 0 else {
      throw UsageError(
        description: "\(option) takes a number from 0 on, not \"\(sanitized(text))\"")
    }
    return number
  }
}
