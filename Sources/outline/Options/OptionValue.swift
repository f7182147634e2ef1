import AssemblageTerminal

/// The value of an option on the command line.
struct OptionValue {
  let option: String
  /// The bytes; nil if no value was given.
  let bytes: FileName?

  /// The unchanged value.
  var name: FileName { bytes ?? "" }

  /// The value as a text.
  func text() throws -> String {
    if firstInvalidUTF8(in: name.bytes.span) != nil {
      throw UsageError(description: "\(option) takes a text in UTF-8, not \"\(name.printed)\"")
    }
    return name.text
  }

  /// Returns a number from 0 on.
  func count() throws -> Int {
    guard let number = Self.number(name.text[...]) else {
      throw UsageError(description: "\(option) takes a number from 0 on, not \"\(name.printed)\"")
    }
    return number
  }

  /// Parses a number from 0 on.
  ///
  /// A number that is too large counts as the largest integer.
  static func number(_ digits: Substring) -> Int? {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return Int(digits) ?? .max
  }

  /// Returns one word of a list.
  func word<Word: CaseIterable & RawRepresentable<String>>() throws -> Word {
    guard let word = Word(rawValue: name.text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      let number = Word.allCases.count == 1 ? "only" : "one of"
      throw UsageError(description: "\(option) takes \(number) \(words), not \"\(name.printed)\"")
    }
    return word
  }

  /// Returns some words of one list, with commas between them.
  func words<Word: CaseIterable & RawRepresentable<String> & Hashable>() throws -> Set<Word> {
    let parts = name.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    return Set(try parts.map { try OptionValue(option: option, bytes: FileName(bytes: Array($0))).word() })
  }

  /// Returns a range like `10..<20`.
  func range() throws -> Range<Int> {
    let wrong = UsageError(description: "\(option) takes a range like 10..<20, not \"\(name.printed)\"")
    let text = name.text
    guard let dots = text.firstRange(of: "..<") else { throw wrong }
    guard let first = Self.number(text[..<dots.lowerBound]), let end = Self.number(text[dots.upperBound...]) else {
      throw wrong
    }
    guard first <= end else {
      throw UsageError(description: "\(option) takes a range that does not end before it begins, not \(text)")
    }
    return first..<end
  }

  /// Returns a key and its command: `ctrl-o=vim {+}`.
  func binding() throws -> TerminalBinding {
    let text = try text()
    // The key itself may be `=`.
    let end = text.dropFirst().firstIndex(of: "=") ?? text.endIndex
    let (name, command) = (String(text[..<end]), text[end...].dropFirst())
    guard !command.allSatisfy(\.isWhitespace) else {
      throw UsageError(description: "\(option) takes KEY=COMMAND, like 'ctrl-o=vim {+}', not \"\(self.name.printed)\"")
    }
    if name == "ctrl-c" { throw UsageError(description: "\(option) cannot use ctrl-c, which always ends the program") }
    guard let binding = TerminalBinding(name, String(command)) else {
      throw UsageError(
        description: "\(option) takes a key like x, ctrl-x, alt-x, f2 or page-up, not \"\(name.printed)\"")
    }
    return binding
  }

  /// Returns a pattern like the patterns of `.gitignore`.
  func ignorePattern() throws -> IgnorePattern {
    guard let pattern = IgnorePattern(line: name.bytes[...]) else {
      throw UsageError(description: "\(option) takes a pattern like '*.o' or build/, not \"\(name.printedPattern)\"")
    }
    return pattern
  }
}
