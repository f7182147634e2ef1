import Assemblage
import AssemblageTerminal
import Testing

/// The contents of the current row, beside the rows or below them.
@MainActor @Suite struct TerminalPreviewTests {
  @Test func besideTheRowsOfAWideTerminal() {
    let terminal = TestTerminal(columns: 90, rows: 6)
    let former = terminal.screen
    terminal.press("p")
    let lines = terminal.screen.split(separator: "\n").map(String.init)
    #expect(lines[0] == "home: music/")
    #expect(lines[1] == "  ▸ music/" + String(repeating: " ", count: 32) + "6│ about music/")
    #expect(lines[2] == "  ▸ notes/" + String(repeating: " ", count: 32) + "6│ line 0 of music/")
    #expect(lines[4] == String(repeating: " ", count: 43) + "│ line 2 of music/")
    #expect(lines[5].hasPrefix(" a home") && lines.count == 6)
    // The bar of the current row ends before the line.
    let cells = terminal.outline.draw().lines[1]
    #expect(cells.prefix(43).allSatisfy { $0.style.attributes.contains(.reversed) })
    #expect(!cells.dropFirst(43).contains { $0.style.attributes.contains(.reversed) })
    terminal.press("j")
    #expect(terminal.screen.contains("about notes/"))
    // A click on the preview goes nowhere.
    terminal.point(.press(row: 1, column: 60))
    #expect(terminal.current == "notes/")
    terminal.point(.press(row: 1, column: 20))
    #expect(terminal.current == "music/")
    terminal.press("p")
    #expect(terminal.screen == former)
  }

  @Test func belowTheRowsOfANarrowTerminal() {
    let terminal = TestTerminal(columns: 40, rows: 13)
    terminal.press("Ep")
    #expect(
      terminal.screen == """
        home: music/
          ▾ music/                             6
          ├   b.mp3                            5
          ├   a.mp3                            5
          └   pear.mp3                         8
          ▾ notes/                             6
        ────────────────────────────────────────
        about music/
        line 0 of music/
        line 1 of music/
        line 2 of music/
        line 3 of music/
         a home                          ? help
        """)
    // The current row stays on the screen.
    terminal.press("G")
    #expect(terminal.rows.contains { $0.contains("todo.txt") } && terminal.screen.contains("about todo.txt"))
    terminal.press("pGp")
    #expect(terminal.outline.visibleRows.contains(terminal.outline.cursor))
    terminal.press("?")
    #expect(!terminal.screen.contains("about"))
  }

  @Test func tooLittleSpaceIsSaid() {
    let terminal = TestTerminal(columns: 60, rows: 8)
    terminal.press("p")
    #expect(terminal.screen.contains("there is too little space for a preview"))
    #expect(!terminal.screen.contains("about"))
    // With more space, it is shown.
    terminal.resize(60, 20)
    #expect(terminal.screen.contains("about music/"))
    for size in [(0, 0), (1, 1), (90, 1), (90, 2), (91, 3), (10, 11), (1, 40)] {
      terminal.resize(size.0, size.1)
      #expect(terminal.outline.draw().lines.count == size.1)
    }
  }

  @Test func anEmptyTreeHasNone() {
    let terminal = TestTerminal([:], columns: 100)
    terminal.press("p")
    #expect(!terminal.screen.contains("about"))
  }
}
