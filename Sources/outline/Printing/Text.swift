/// Escapes all characters of a name that control a terminal: `a\nb`, `\u{1B}[2J`.
///
/// - Parameters:
///   - name: any text.
///   - backslash: the output for a backslash. By default, it is doubled, to distinguish a backslash of the name from an
///     escape. In a pattern, a backslash is an escape already, and stays single.
/// - Returns: the text, without control characters.
func sanitized(_ name: String, backslash: String = #"\\"#) -> String {
  // Most names are plain ASCII, and need only a look at their bytes.
  if name.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x5C }) { return name }
  var result = ""
  for scalar in name.unicodeScalars {
    switch scalar {
    case "\\": result += backslash
    case "\n": result += #"\n"#
    case "\r": result += #"\r"#
    case "\t": result += #"\t"#
    case _ where isSteering(scalar):
      result += #"\u{\#(String(scalar.value, radix: 16, uppercase: true))}"#
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Escapes bytes in the same way; an invalid byte of UTF-8 is printed as `\xFF`.
func sanitized(_ name: Span<UInt8>, backslash: String = #"\\"#) -> String {
  var (result, start, place) = ("", 0, 0)
  while place < name.count {
    let length = name[place] < 0x80 ? 1 : sequenceLength(in: name, at: place)
    if length == 0 {
      result += sanitized(JSONText.string(name, start..<place), backslash: backslash)
      result += #"\x"# + String(name[place], radix: 16, uppercase: true)
      start = place + 1
    }
    place += max(length, 1)
  }
  return result + sanitized(JSONText.string(name, start..<name.count), backslash: backslash)
}

/// Whether a scalar is a control character, a line separator, or changes the direction of writing.
private func isSteering(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x00...0x1F, 0x7F...0x9F: true
  case 0x2028, 0x2029, 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
  default: false
  }
}

extension String {
  /// See `sanitized(_:)`.
  var printed: String { sanitized(self) }

  /// The same text for a pattern, in which backslashes are not doubled.
  var printedPattern: String { sanitized(self, backslash: #"\"#) }
}

/// Formats a time in UTC: `2024-02-29 13:05`.
///
/// - Parameter seconds: the seconds since 1970.
/// - Returns: the date and the time, without seconds.
func formattedDate(_ seconds: Int) -> String {
  let (days, second) = (Int((Double(seconds) / 86_400).rounded(.down)), ((seconds % 86_400) + 86_400) % 86_400)
  // Days are counted from March 1st of year 0. So a leap day is the last day of its year, and 400 years are 146,097
  // days.
  let day = days + 719_468
  let era = (day >= 0 ? day : day - 146_096) / 146_097
  let ofEra = day - era * 146_097
  let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
  let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let monthFromMarch = (5 * ofYear + 2) / 153
  let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  let dayOfMonth = ofYear - (153 * monthFromMarch + 2) / 5 + 1
  return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(dayOfMonth, 2) + " " + padded(second / 3_600, 2) + ":"
    + padded(second / 60 % 60, 2)
}

private func padded(_ number: Int, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Formats a number with a comma after each three digits.
func grouped(_ number: Int) -> String {
  let digits = Array(String(number))
  var result = ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
    result.append(digit)
  }
  return result
}

/// Formats a number with a noun: `1 file`, `2 files`.
func counted(_ number: Int, _ singular: String, _ plural: String) -> String {
  "\(grouped(number)) \(number == 1 ? singular : plural)"
}

/// Formats a text as a JSON string, including the quotation marks.
func jsonString(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }) { return "\"" + text + "\"" }
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += #"\""#
    case "\\": result += #"\\"#
    case "\n": result += #"\n"#
    case "\r": result += #"\r"#
    case "\t": result += #"\t"#
    case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
      let digits = String(scalar.value, radix: 16)
      result += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
