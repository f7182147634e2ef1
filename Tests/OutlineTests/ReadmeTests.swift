import Foundation
import Testing

@testable import outline

/// What the README shows is what is printed.
@Suite struct ReadmeTests {
  @Test func theExamplesAreReal() throws {
    let readme = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    let ada = Fake.directory([
      "ada.json": .text(#"{"name": "Ada", "born": 1815, "tags": ["math", "engines"]}"#)
    ])
    let document = run("ada.json", in: ada.fileSystem).output
    #expect(text.contains("```text\n" + document + "```\n"), "\(document)")
    let list = run("--group", "extension", "-", input: "README\nsrc/a/x.c\nsrc/a/y.h\nsrc/b.c\n").output
    #expect(text.contains("```text\n" + list + "```\n"), "\(list)")
  }
}
