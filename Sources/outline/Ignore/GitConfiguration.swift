/// Reads the value of `core.excludesFile` from a configuration of git.
///
///     [core] excludesFile = "~/my patterns"   # a comment
///
/// A value ends at a comment or at the end of its line. Inside quotation marks, comments and spaces are parts of the
/// value. A backslash escapes a character, and joins two lines at the end of the first one. Other files that the
/// configuration includes are not read.
struct GitConfiguration {
  private let scalars: [Unicode.Scalar]
  private var place = 0

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Returns the last value of `core.excludesFile`; nil if there is none.
  ///
  /// An empty value is a value: it says that there is no file.
  static func excludesFile(_ text: String) -> String? {
    var reader = GitConfiguration(text)
    return reader.read()
  }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private mutating func read() -> String? {
    var (isCore, value): (Bool, String?) = (false, nil)
    while let scalar = next {
      switch scalar {
      case " ", "\t", "\r", "\n": place += 1
      case "[":
        place += 1
        // A section with a subsection, `[core "x"]`, is another section.
        isCore = readText { $0 != "]" && $0 != "\n" }.lowercased() == "core"
        if next == "]" { place += 1 }
      default:
        let key = readText { $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" }.lowercased()
        _ = readText { $0 == " " || $0 == "\t" }
        if !key.isEmpty, next == "=" {
          place += 1
          let written = readValue()
          if isCore, key == "excludesfile" { value = written }
        } else {
          skipLine()
        }
      }
    }
    return value
  }

  private mutating func readText(while isPart: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = next, isPart(scalar) {
      text.append(scalar)
      place += 1
    }
    return String(text)
  }

  private mutating func skipLine() { _ = readText { $0 != "\n" } }

  private mutating func readValue() -> String {
    var (text, end) = (String.UnicodeScalarView(), 0)
    var isQuoted = false
    while let scalar = next, scalar != "\n" {
      place += 1
      switch scalar {
      case "\"":
        isQuoted.toggle()
        end = text.count
      case "#" where !isQuoted, ";" where !isQuoted:
        skipLine()
      case " " where !isQuoted, "\t" where !isQuoted, "\r" where !isQuoted:
        // Spaces at the beginning and at the end are no parts of the value.
        if end > 0 { text.append(scalar) }
      case "\\":
        guard let escaped = next else { break }
        place += 1
        if escaped == "\n" { break }
        text.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped == "b" ? "\u{8}" : escaped)
        end = text.count
      default:
        text.append(scalar)
        end = text.count
      }
    }
    return String(String.UnicodeScalarView(text.prefix(end)))
  }
}
