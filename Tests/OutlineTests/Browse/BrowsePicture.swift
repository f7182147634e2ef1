import AssemblageTerminal
import Foundation
import TestSupport
import Testing

@testable import outline

/// The screen of `Docs/Terminal.md`, as text and as a picture, made from the same cells.
///
/// `ASSEMBLAGE_PICTURES=1 swift test --filter BrowsePicture` writes both anew.
@MainActor @Suite struct BrowsePicture {
  private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Docs").standardizedFileURL

  /// A small package, with files of known sizes.
  private static let files: [(name: String, size: Int)] = [
    ("Package.swift", 5_700), ("README.md", 8_800), ("Docs/Architecture.md", 19_500), ("Docs/Coordinates.md", 7_300),
    ("Docs/Outlines.md", 6_200), ("Docs/Decisions/0001-the-layers.md", 2_100),
    ("Sources/Assemblage/Nodes/FilterNode.swift", 9_400), ("Sources/Assemblage/Nodes/JoinNode.swift", 8_100),
    ("Sources/Assemblage/Nodes/OutlineNode.swift", 12_800), ("Sources/Assemblage/Nodes/SortNode.swift", 10_200),
    ("Sources/Assemblage/Changes/Delta.swift", 11_300), ("Sources/OffsetIndexing/TreeIndex.swift", 14_600),
    ("Sources/outline/main.swift", 900), ("Tests/FilterNodeTests.swift", 7_700),
    ("Tests/OutlineNodeTests.swift", 9_900),
    ("Tests/TestSupport/NodeModel.swift", 4_400),
  ]

  private func screen() async throws -> TerminalScreen {
    let home = FileManager.default.temporaryDirectory.appending(path: "picture-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    for (name, size) in Self.files {
      let file = home.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(count: size).write(to: file)
    }
    let source = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    let outline = TerminalOutline(source.contents, size: TerminalSize(columns: 80, rows: 20), hiding: .hidden)
    source.start()
    #expect(await eventually { source.store.count() > Self.files.count && source.contents.progress() == nil })
    source.stop()
    outline.search(for: "node")
    return outline.draw()
  }

  @Test func theGuideShowsTheScreen() async throws {
    let screen = try await screen()
    // The folder of the test has another name each time.
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
    let text = "assemblage/Sources/Assemblage/Nodes/FilterNode.swift\n" + lines.joined(separator: "\n")
    var shown = TerminalScreen(size: screen.size)
    shown.draw(
      "assemblage/Sources/Assemblage/Nodes/FilterNode.swift", row: 0, column: 0, TerminalStyle.plain.adding(.bold))
    shown.replaceLines(1..<screen.size.rows, from: screen)
    let picture = Self.docs.appending(path: "Pictures/terminal.svg")
    let guide = Self.docs.appending(path: "Terminal.md")
    if ProcessInfo.processInfo.environment["ASSEMBLAGE_PICTURES"] == "1" {
      try FileManager.default.createDirectory(
        at: picture.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(TerminalPicture(shown).svg.utf8).write(to: picture)
      let parts = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```text\n")
      let rest = parts[1].components(separatedBy: "\n```")
      let changed = ([text] + rest.dropFirst()).joined(separator: "\n```")
      try Data(([parts[0], changed] + parts.dropFirst(2)).joined(separator: "```text\n").utf8).write(to: guide)
    }
    #expect(try String(contentsOf: picture, encoding: .utf8) == TerminalPicture(shown).svg)
    #expect(try String(contentsOf: guide, encoding: .utf8).contains("```text\n" + text + "\n```"))
  }
}
