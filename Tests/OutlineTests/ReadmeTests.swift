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
    let left = run("ada.json", in: ada.fileSystem).output.split(separator: "\n", omittingEmptySubsequences: false)
    let list = "README\nsrc/a/x.c\nsrc/a/y.h\nsrc/b.c\n"
    let right = run("--group", "extension", "-", input: list).output
      .split(separator: "\n", omittingEmptySubsequences: false)
    #expect(right.count >= left.count)
    // Side by side.
    for (index, line) in right.dropLast().enumerated() {
      let first = index < left.count ? String(left[index]) : ""
      let space = line.isEmpty ? "" : String(repeating: " ", count: 42 - first.count)
      #expect(text.contains("\n" + first + space + line + "\n"), "\(first) | \(line)")
    }
  }
}
