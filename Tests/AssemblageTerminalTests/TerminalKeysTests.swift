import Assemblage
import AssemblageTesting
import AssemblageTerminal
import Testing

/// Random keys in every state of the browser, while the tree and the size of the terminal change.
@MainActor @Suite struct TerminalKeysTests {
  private static let special: [TerminalKey] =
    TerminalCommand.bindings.flatMap(\.keys) + [
      .backTab, .delete, .insert, .backspace, .escape, .alt("x"), .control("y"), .character("X"),
    ]

  @Test func anyKeysInAnyOrder() async {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("terminal keys", iteration: iteration)
      let terminal = TestTerminal()
      // Half of the iterations search as if there were very many elements.
      if iteration.isMultiple(of: 2) { terminal.outline.promptElements = 0 }
      var size = TerminalSize(columns: 40, rows: 12)
      for _ in 0..<TestSeed.length(80) {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0:
          size = TerminalSize(
            columns: Int.random(in: 1...50, using: &generator), rows: Int.random(in: 1...14, using: &generator))
          terminal.resize(size.columns, size.rows)
        case 1:
          let (row, column) = (Int.random(in: 0..<15, using: &generator), Int.random(in: 0..<50, using: &generator))
          terminal.point(.press(row: row, column: column))
        case 2: edit(terminal.tree, &generator)
        case 3: _ = terminal.outline.handle(.paste("pear"))
        case 4:
          await terminal.outline.searchEnd()
          terminal.outline.followMatches()
        case 5...9:
          // Few letters, so that many searches find a row, and as many find none.
          _ = terminal.outline.handle(.key(.character("aepxz/".randomElement(using: &generator)!)))
        case 10: _ = terminal.outline.handle(.key(.character("/")))
        default: _ = terminal.outline.handle(.key(Self.special.randomElement(using: &generator)!))
        }
        #expect(terminal.outline.draw().lines.count == size.rows)
        #expect((0..<max(1, terminal.outline.count)).contains(terminal.outline.cursor))
        let rows = terminal.outline.visibleRows
        #expect(rows.isEmpty || rows.contains(terminal.outline.cursor))
      }
      await terminal.outline.searchEnd()
    }
  }

  private func edit(_ tree: ForestNode<String>, _ generator: inout SeededGenerator) {
    if tree.count > 0, Bool.random(using: &generator) {
      tree.remove(at: Int.random(in: 0..<tree.count, using: &generator))
    } else {
      let name = ["pear.new", "x", ".pear", "zebra/"].randomElement(using: &generator)!
      tree.insert(name, at: Int.random(in: 0...tree.count, using: &generator))
    }
  }

  /// Tab, ⇧Tab, `n` and `N` divide by the number of rows, which may be zero.
  @Test(arguments: ["/zzz<tab>", "/zzz<backtab>", "/zzz<^o>n", "/zzz<^o>N"])
  func nothingIsFound(_ keys: String) {
    let terminal = TestTerminal()
    terminal.press(keys)
    #expect(terminal.rows == ["  nothing is found"])
    #expect(terminal.outline.cursor == 0)
  }
}
