import AssemblageTerminal
import Foundation
import TestSupport
import Testing

@testable import outline

/// The screen of `Docs/Terminal.md`, as a text and as a picture of the same cells.
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

  /// Returns the screen, with a short name in place of the folder's. The folder has a new name in each run.
  private func screen() async throws -> TerminalScreen {
    let home = FileManager.default.temporaryDirectory.appending(path: "picture-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    for (name, size) in Self.files {
      let file = home.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(count: size).write(to: file)
    }
    let source = EntryBrowser(directories: [FileName(home.path)], colors: LSColors(nil))
    let outline = TerminalOutline(source.contents, size: TerminalSize(columns: 80, rows: 15), hiding: .hidden)
    source.start()
    #expect(await eventually { source.store.count() > Self.files.count && source.contents.progress() == nil })
    source.stop()
    outline.search(for: "node !join")
    await outline.searchEnd()
    let drawn = outline.draw()
    let current = try #require(outline.element(at: outline.cursor))
    let title = "assemblage/" + source.store.path(current, withRoot: false).text
    var shown = TerminalScreen(size: drawn.size)
    shown.draw(title, row: 0, column: 0, TerminalStyle.plain.adding(.bold))
    shown.replaceLines(1..<drawn.size.rows, from: drawn)
    return shown
  }

  @Test func theGuideShowsTheScreen() async throws {
    let screen = try await screen()
    let pictures = [("terminal.svg", TerminalTheme.light), ("terminal-dark.svg", .dark)].map { name, theme in
      (file: Self.docs.appending(path: "Pictures/\(name)"), picture: TerminalPicture(screen, theme: theme))
    }
    let guide = Self.docs.appending(path: "Terminal.md")
    if ProcessInfo.processInfo.environment["ASSEMBLAGE_PICTURES"] == "1" {
      for (file, picture) in pictures { try Data(picture.svg.utf8).write(to: file) }
      let parts = try String(contentsOf: guide, encoding: .utf8).components(separatedBy: "```text\n")
      let rest = parts[1].components(separatedBy: "\n```")
      let changed = ([screen.text] + rest.dropFirst()).joined(separator: "\n```")
      try Data(([parts[0], changed] + parts.dropFirst(2)).joined(separator: "```text\n").utf8).write(to: guide)
    }
    for (file, picture) in pictures {
      #expect(try String(contentsOf: file, encoding: .utf8) == picture.svg)
      // Dim text is easy to read, too.
      #expect(picture.leastContrast >= 4.5)
    }
    #expect(try String(contentsOf: guide, encoding: .utf8).contains("```text\n" + screen.text + "\n```"))
    // The first line is about the highlighted row, and this row is one bar.
    let bars = screen.lines.indices.filter { row in
      screen.lines[row].contains { $0.style.attributes.contains(.reversed) }
    }
    #expect(bars.count == 1)
    let bar = screen.lines[bars[0]]
    #expect(bar.allSatisfy { $0.style.foreground == nil && $0.style.background == nil })
    #expect(bar.allSatisfy { $0.style.attributes.contains(.reversed) && !$0.style.attributes.contains(.dim) })
    let name = screen.text.prefix { $0 != "\n" }.split(separator: "/").last ?? "?"
    #expect(bar.map(\.text).joined().contains(name))
  }
}
