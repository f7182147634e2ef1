#if canImport(Glibc)
  import AssemblageTerminal
  import Foundation
  import TestSupport
  import Testing

  @testable import outline

  /// The outline in some lines below the cursor, with the texts of a script.
  @MainActor @Suite struct InlineTests {
    @Test func linesBelowTheCursor() async throws {
      let home = try BrowseTests.Home()
      let terminal = try PseudoTerminal(
        "cd \(home.path); echo before; outline --browse --height 6 --header 'Choose one' --prompt 'file> ' > .chosen; "
          + "echo after", size: TerminalSize(columns: 60, rows: 9))
      #expect(await terminal.shows("4 files, 29 B"))
      var lines = terminal.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[0] == "before" && lines[1] == "./docs" && lines[2] == "Choose one")
      #expect(lines[3].hasPrefix("  ▸ docs/") && lines[6].hasPrefix(" 4 files") && lines[7].isEmpty)
      #expect(!terminal.screen.isAlternate && !terminal.screen.sendsMouse && !terminal.screen.wraps)
      terminal.press("/main")
      #expect(await terminal.shows("file> main"))
      #expect(await terminal.shows("1 of "))
      terminal.press("\r")
      #expect(await terminal.shows("after"))
      #expect(await terminal.exitCode() == 0)
      lines = terminal.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[0] == "before" && lines[1] == "after" && lines[2...].allSatisfy(\.isEmpty))
      #expect(home.text(of: ".chosen") == "src/main.swift\n")
      #expect(terminal.isRestored)
    }

    /// At the bottom of the screen the terminal scrolls.
    @Test func tooFewLinesBelow() async throws {
      let home = try BrowseTests.Home()
      let terminal = try PseudoTerminal(
        "cd \(home.path); seq 1 8; exec outline --browse --height 5", size: TerminalSize(columns: 60, rows: 9))
      #expect(await terminal.shows("4 files, 29 B"))
      let lines = terminal.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines[3] == "8" && lines[4] == "./docs" && lines[8].hasPrefix(" 4 files"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
      #expect(terminal.screen.text.hasPrefix("5\n6\n7\n8\n") && !terminal.screen.text.contains("docs"))
      #expect(terminal.isRestored)
    }
  }
#endif
