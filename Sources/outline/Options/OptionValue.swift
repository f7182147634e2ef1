/// The value of an option on the command line.
struct OptionValue {
  let option: String
  /// The bytes; nil where none was given.
  let bytes: FileName?

  /// The value as it is.
  var name: FileName { bytes ?? "" }

  /// The value as a text.
  func text() throws -> String {
    if firstInvalidUTF8(in: name.bytes.span) != nil {
      throw UsageError(description: "\(option) takes a text in UTF-8, not \"\(name.printed)\"")
    }
    return name.text
  }

  /// A number from 0 on.
  func count() throws -> Int {
    guard let number = Int(name.text), number >= 0 else {
      throw UsageError(description: "\(option) takes a number from 0 on, not \"\(name.printed)\"")
    }
    return number
  }

  /// One of some words.
  func word<Word: CaseIterable & RawRepresentable<String>>() throws -> Word {
    guard let word = Word(rawValue: name.text) else {
      let words = Word.allCases.map(\.rawValue).joined(separator: ", ")
      let number = Word.allCases.count == 1 ? "only" : "one of"
      throw UsageError(description: "\(option) takes \(number) \(words), not \"\(name.printed)\"")
    }
    return word
  }

  /// A range like `10..<20`.
  func range() throws -> Range<Int> {
    let wrong = UsageError(description: "\(option) takes a range like 10..<20, not \"\(name.printed)\"")
    let text = name.text
    guard let dots = text.firstRange(of: "..<") else { throw wrong }
    guard let first = Int(text[..<dots.lowerBound]), let end = Int(text[dots.upperBound...]), first >= 0 else {
      throw wrong
    }
    guard first <= end else {
      throw UsageError(description: "\(option) takes a range that does not end before it begins, not \(text)")
    }
    return first..<end
  }

  /// A pattern like those of `.gitignore`.
  func ignorePattern() throws -> IgnorePattern {
    guard let pattern = IgnorePattern(line: name.bytes[...]) else {
      throw UsageError(description: "\(option) takes a pattern like '*.o' or build/, not \"\(name.printed)\"")
    }
    return pattern
  }
}
