import Assemblage
import AssemblageTerminal
import AssemblageTesting
import Testing

/// The ancestors of the first rows, which stay on the screen.
@MainActor @Suite struct TerminalPinningTests {
  @Test func ancestorsStayWhileRowsScroll() {
    let terminal = TestTerminal(rows: 9)
    terminal.press("E<down><down><down><down><down><down><down>")
    #expect(terminal.outline.top == 1)
    #expect(
      terminal.rows.prefix(2) == [
        "  ▾ music/                             6", "  ├   a.mp3                            5",
      ])
    let names = terminal.outline.draw().lines.map { line in line.contains { $0.style.attributes.contains(.underlined) }
    }
    #expect(names == [false, true, false, false, false, false, false, false, false])
    // The last child leaves before its folder does.
    terminal.press("<down><down>")
    #expect(terminal.outline.top == 3)
    #expect(
      terminal.rows.prefix(2) == [
        "  └   pear.mp3                         8", "  ▾ notes/                             6",
      ])
  }

  @Test func aClickGoesToAPinnedAncestor() {
    let terminal = TestTerminal(rows: 9)
    terminal.press("E<down><down><down><down><down><down><down>")
    _ = terminal.outline.handle(.mouse(.press(row: 1, column: 10)))
    #expect(terminal.current == "music/" && terminal.outline.top == 0)
    terminal.press("<down><down><down><down><down><down><down>")
    _ = terminal.outline.handle(.mouse(.press(row: 1, column: 2)))
    #expect(terminal.outline.count == 8)
  }

  /// The rows above each row of the screen are its ancestors and its predecessors, and the current row is on the
  /// screen.
  @Test func randomTreesAndMoves() {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("terminal pinning", iteration: iteration)
      var folders: [String: [String]] = ["": []]
      for number in 0..<Int.random(in: 1...60, using: &generator) {
        let name = "\(number)" + (Bool.random(using: &generator) ? "/" : "")
        folders[folders.keys.sorted().randomElement(using: &generator)!]!.append(name)
        if name.hasSuffix("/") { folders[name] = [] }
      }
      let parents = Dictionary(uniqueKeysWithValues: folders.flatMap { parent, names in names.map { ($0, parent) } })
      let terminal = TestTerminal(folders, columns: 80, rows: Int.random(in: 1...16, using: &generator))
      terminal.press("E")
      for _ in 0..<TestSeed.length(40) {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: terminal.press("h")
        case 1: terminal.press("E")
        case 2: _ = terminal.outline.handle(.mouse(.wheelDown(row: 0, column: 0)))
        case 3: _ = terminal.outline.handle(.mouse(.wheelUp(row: 0, column: 0)))
        case 4:
          let rows = Int.random(in: 0...16, using: &generator)
          _ = terminal.outline.handle(.resize(TerminalSize(columns: 80, rows: rows)))
        case 5:
          let line = Int.random(in: 0..<16, using: &generator)
          let name = Self.name(onLine: line, of: terminal.outline.draw().lines)
          _ = terminal.outline.handle(.mouse(.press(row: line, column: 79)))
          if let name { #expect(terminal.current == name) }
        default:
          terminal.press(
            ["<down>", "<up>", "<pagedown>", "<pageup>", "G", "g", "J", "P"].randomElement(using: &generator)!)
        }
        check(terminal, parents)
      }
    }
  }

  private func check(_ terminal: TestTerminal, _ parents: [String: String]) {
    let outline = terminal.outline
    let all = (0..<outline.count).map { outline.element(at: $0)! }
    let screen = outline.draw().lines
    let lines = screen.indices.map { Self.name(onLine: $0, of: screen) }
    let shown = lines.compactMap(\.self)
    let title = lines.firstIndex { $0 != nil } ?? 0
    guard let first = outline.visibleRows.first else { return #expect(shown.isEmpty) }
    let pinned = shown.count - outline.visibleRows.count
    func ancestors(_ name: String) -> [String] {
      var ancestors: [String] = []
      while let parent = parents[ancestors.last ?? name], !parent.isEmpty { ancestors.append(parent) }
      return ancestors.reversed()
    }
    #expect(Array(shown.dropFirst(pinned)) == Array(all[outline.visibleRows]))
    #expect(Array(shown.prefix(pinned)) == ancestors(all[first]).suffix(pinned))
    #expect(outline.top + pinned == first && pinned <= outline.visibleRows.count + pinned)
    // No line is left for one more ancestor, unless the row below would lose one.
    let rowLines = title + shown.count
    let limit = max(0, lines.count - (lines.count >= 4 ? 1 : 0) - (lines.count >= 2 ? 1 : 0)) / 3
    #expect(pinned <= limit && rowLines <= lines.count)
    if pinned < limit, ancestors(all[first]).count > pinned {
      #expect(first + 1 >= all.count || ancestors(all[first + 1]).count <= pinned)
    }
    #expect(shown.contains(all[outline.cursor]) && outline.visibleRows.contains(outline.cursor))
  }

  /// The name in a line of rows; nil for another line.
  private static func name(onLine line: Int, of lines: [[TerminalCell]]) -> String? {
    let isTitle = line == 0 && lines.count >= 4
    guard lines.indices.contains(line), !isTitle, lines.count < 2 || line < lines.count - 1 else { return nil }
    let words = lines[line].map(\.text).joined().split(separator: " ").map(String.init)
    return words.first { Int($0.filter { $0 != "/" }) != nil }
  }
}
