import Foundation
import Testing

@testable import outline

@Suite struct TextTests {
  @Test(arguments: [
    ("plain.txt", "plain.txt"), ("größe 漢字 🎼", "größe 漢字 🎼"), ("a\nb", #"a\nb"#),
    ("\u{1B}[2J", #"\u{1B}[2J"#), ("tab\tcr\r", #"tab\tcr\r"#), (#"a\nb"#, #"a\\nb"#), ("\u{0}", #"\u{0}"#),
    ("\u{202E}fdp", #"\u{202E}fdp"#), ("\u{9B}31m", #"\u{9B}31m"#), ("", ""),
  ])
  func namesCanNotSteerATerminal(name: String, printed: String) {
    #expect(sanitized(name) == printed)
    var text = OutputText()
    text.write(name: Array(name.utf8).span)
    text.write(jsonName: Array(name.utf8).span)
    #expect(String(decoding: text.bytes, as: UTF8.self) == printed + jsonString(name))
  }

  @Test(arguments: ["", "a\"b\\c", "\u{0}\u{1F}\n\r\t\u{7F}\u{9F}", "\u{2028}é漢🎼", "a/b"])
  func jsonStringsAreReadBack(text: String) throws {
    let data = Data("[\(jsonString(text))]".utf8)
    #expect(try JSONSerialization.jsonObject(with: data) as? [String] == [text])
    #expect(jsonString(text).utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
  }

  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_250, "1.3 kB"), (999_949, "999.9 kB"),
    (999_950, "1.0 MB"), (4_200_000_000, "4.2 GB"), (Int.max, "9.2 EB"),
  ])
  func sizes(bytes: Int, text: String) {
    #expect(SizeUnits.decimal.format(bytes) == text)
  }

  @Test(arguments: [
    (0, "0 B", "0 B"), (1_023, "1023 B", "1,023 B"), (1_024, "1.0 KiB", "1,024 B"), (1_536, "1.5 KiB", "1,536 B"),
    (1_048_575, "1.0 MiB", "1,048,575 B"), (Int.max, "8.0 EiB", "9,223,372,036,854,775,807 B"),
  ])
  func otherUnits(bytes: Int, binary: String, single: String) {
    #expect(SizeUnits.binary.format(bytes) == binary && SizeUnits.bytes.format(bytes) == single)
  }

  @Test func datesAgreeWithFoundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    // The step is a prime number of seconds, so that all times of day and all days of leap years occur, from 1900 to
    // 2150.
    for seconds in stride(from: -2_208_988_800, to: 5_680_281_600, by: 1_234_577) {
      let date = Date(timeIntervalSince1970: TimeInterval(seconds))
      let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
      let values = [parts.year, parts.month, parts.day, parts.hour, parts.minute].map { $0 ?? 0 }
      let text = formattedDate(seconds)
      #expect(text.split { "- :".contains($0) }.compactMap { Int($0) } == values, "\(seconds): \(text)")
    }
    #expect(formattedDate(0) == "1970-01-01 00:00")
    #expect(formattedDate(951_782_399) == "2000-02-28 23:59")
  }

  @Test func counts() {
    #expect([0, 999, 1_000, 1_234_567].map(grouped) == ["0", "999", "1,000", "1,234,567"])
    for number in [-1, 0, 7, 999, 1_000, 12_345, 1_234_567, Int.max] {
      var text = OutputText()
      text.write(number)
      text.write(" ")
      text.write(number, isGrouped: true)
      let words = String(decoding: text.bytes, as: UTF8.self).split(separator: " ")
      #expect(words == ["\(number)", number < 0 ? "-1" : "\(grouped(number))"])
    }
    #expect(counted(1, "file", "files") == "1 file" && counted(0, "file", "files") == "0 files")
  }

  @Test(
    arguments: [
      ([0x61, 0xFF, 0x62], #"a\xFFb"#), ([0xC3], #"\xC3"#), ([0xC3, 0xA4, 0xE2, 0x82], #"ä\xE2\x82"#),
      ([0x0A, 0x80], #"\n\x80"#), ([0x5C, 0x78, 0x80], #"\\x\x80"#),
    ] as [([UInt8], String)])
  func bytesThatAreNoTextAreEscaped(name: [UInt8], printed: String) {
    #expect(sanitized(name.span) == printed && FileName(bytes: name).printed == printed)
    var text = OutputText()
    text.write(name: name.span)
    #expect(String(decoding: text.bytes, as: UTF8.self) == printed)
  }
}
