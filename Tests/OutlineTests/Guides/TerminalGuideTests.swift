import TestSupport
import Testing

@testable import outline

/// The guide `Docs/Terminal.md` shows the real output of the command.
@Suite struct TerminalGuideTests {
  @Test func theExamplesAreReal() throws {
    let text = try GuideCode.text(of: "Docs/Terminal.md")
    let ada = Fake.directory([
      "ada.json": .text(#"{"name": "Ada", "born": 1815, "tags": ["math", "engines"]}"#)
    ])
    let document = run("ada.json", in: ada.fileSystem).output
    #expect(text.contains("```text\n" + document + "```\n"), "\(document)")
    let list = run("--group", "extension", "-", input: "README\nsrc/a/x.c\nsrc/a/y.h\nsrc/b.c\n").output
    #expect(text.contains("```text\n" + list + "```\n"), "\(list)")
  }
}
