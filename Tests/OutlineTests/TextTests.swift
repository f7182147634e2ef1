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
    #expect(formattedSize(bytes) == text)
  }

  @Test func counts() {
    #expect([0, 999, 1_000, 1_234_567].map(grouped) == ["0", "999", "1,000", "1,234,567"])
    #expect(counted(1, "file", "files") == "1 file" && counted(0, "file", "files") == "0 files")
  }

  @Test(arguments: [
    ("read", "README.md", true), ("README", "readme", true), ("md", "a.md", true), ("x", "", false),
    ("longer than", "short", false), ("ü", "GRÜN", true), ("é", "E", false), ("aab", "aaab", true),
    ("K", "\u{212A}", false), (".", "a", false),
  ])
  func patterns(text: String, name: String, isContained: Bool) {
    #expect(Pattern(text).isContained(in: name) == isContained)
  }
}
