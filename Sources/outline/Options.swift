import Foundation

/// What the command line asks for.
struct Options: Equatable {
  enum Format: Equatable { case text, json }
  enum Sort: String, Equatable, CaseIterable { case name, size, date }
  enum Group: String, Equatable, CaseIterable { case byExtension = "extension" }

  /// What to show, as given: a JSON document, `-` for a list of paths, or directories; several of them as one list.
  var paths: [String] = []
  /// Whether several directories are shown as one list.
  var joins = false
  /// Shows only what contains this; nil shows all.
  var filter: String?
  /// What rows are sorted by; nil: files by name, and the members of objects as they stand.
  var sort: Sort?
  /// What files are grouped by; nil for directories as they are.
  var group: Group?
  /// The number of levels whose branches are expanded; nil expands all.
  var expand: Int?
  /// The rows shown; nil shows all, with a title and a summary.
  var rows: Range<Int>?
  /// Whether a list of paths is separated by NUL, whatever is in it.
  var isNullSeparated = false
  /// The number of levels shown below the top; nil shows all.
  var depth: Int?
  /// The number of entries shown; nil shows all.
  var limit: Int?
  var format = Format.text
  var wantsHelp = false

  /// The number of levels shown; nil shows all.
  var levels: Int? { depth ?? expand.map { $0 < .max ? $0 + 1 : $0 } }
}

/// A command line that is not understood, in one sentence.
struct UsageError: Error, Equatable, CustomStringConvertible {
  let description: String
}

extension Options {
  /// Parses the arguments that follow the command's name.
  ///
  /// - Throws: `UsageError` for an option or a value that is not known, for options that exclude each other, and for no
  ///   path or several without `--join`.
  init(_ arguments: [String]) throws {
    var words = arguments[...]

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
      case "--sort": sort = try Self.word(try argument(), option)
      case "--group": group = try Self.word(try argument(), option)
      case "--expand": expand = try Self.count(try argument(), option)
      case "--rows": rows = try Self.range(try argument())
      case "--null", "-0": isNullSeparated = true
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

    if !wantsHelp { try check() }
  }

  /// Finds what does not go together.
  private func check() throws {
    if filter == "" { throw UsageError(description: "--filter needs a text that is not empty") }
    if paths.isEmpty { throw UsageError(description: "which directory, document or list? see --help") }
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
    if isNullSeparated, paths != ["-"] {
      throw UsageError(description: "--null is for a list of paths on standard input, which - stands for")
    }
  }

  private static func count(_ text: String, _ option: String) throws -> Int {
    guard let number = Int(text), number >= 0 else {
      throw UsageError(
        description: "\(option) takes a number from 0 on, not \"\(sanitized(text))\"")
    }
    return number
  }

  private static func word<Word: CaseIterable & RawRepresentable<String>>(
    _ text: String, _ option: String
  ) throws -> Word {
    guard let word = Word(rawValue: text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      let number = Word.allCases.count == 1 ? "only" : "one of"
      throw UsageError(description: "\(option) takes \(number) \(words), not \"\(sanitized(text))\"")
    }
    return word
  }

  /// Reads a range like `10..<20`.
  private static func range(_ text: String) throws -> Range<Int> {
    let wrong = UsageError(description: "--rows takes a range like 10..<20, not \"\(sanitized(text))\"")
    guard let dots = text.range(of: "..<") else { throw wrong }
    guard let first = Int(text[..<dots.lowerBound]), let end = Int(text[dots.upperBound...]), first >= 0 else {
      throw wrong
    }
    guard first <= end else {
      throw UsageError(description: "--rows takes a range that does not end before it begins, not \(text)")
    }
    return first..<end
  }
}
