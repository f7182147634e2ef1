import Assemblage
import Foundation
import Testing

/// The README's example is compiled and run here, and this file is compared with the README's text.
@Suite struct ReadmeTests {
  @Test func theExamplePrintsWhatTheReadmeSays() throws {
    var printed = ""
    func print(_ items: Any...) {
      printed += items.map { "\($0)" }.joined(separator: " ") + "\n"
    }

    // example begins
    let names = ArrayNode(["Ada", "Grace", "Edsger"])
    let short = FilterNode(names) { $0.count < 5 }  // a live view
    let token = short.observe { change in print("inserted at", change.delta.insertions) }
    names.append("Alan")
    print(short.elements)
    token.cancel()
    // example ends

    let readme = try Self.text("README.md")
    let example = try #require(Self.block("swift", in: readme))
    let code = try #require(
      Self.text("Tests/AssemblageTests/Guides/ReadmeTests.swift")
        .split(separator: "    // example begins\n").last?
        .split(separator: "    // example ends\n").first)
    #expect(Self.lines(code) == Array(Self.lines(example).dropFirst()), "the first line imports")
    #expect(Self.lines(example).first == "import Assemblage")
    #expect(printed == Self.block("text", in: readme))
  }

  @Test func theReadmeHas150LinesAtMostAndItsLinksLeadSomewhere() throws {
    let readme = try Self.text("README.md")
    #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    for link in readme.matches(of: /\]\(([A-Z.][^)#]*)/) {
      let path = Self.root.appendingPathComponent(String(link.1)).path
      #expect(FileManager.default.fileExists(atPath: path), "\(link.1)")
    }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Returns the contents of the first code block in a language.
  private static func block(_ language: String, in text: String) -> String? {
    guard let start = text.range(of: "```\(language)\n"),
      let end = text[start.upperBound...].range(of: "```")
    else { return nil }
    return String(text[start.upperBound..<end.lowerBound])
  }

  /// Returns the lines that are not empty, without indentation, and with two spaces before each comment. The formatter
  /// sets this white space.
  private static func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { line in
      line.trimmingCharacters(in: .whitespaces).replacing(#/\s+///#, with: "  //")
    }
    .filter { !$0.isEmpty }
  }
}
