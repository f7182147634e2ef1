import Assemblage
import AssemblageTerminal
import Testing

@MainActor @Suite struct TerminalOutlineTests {
  @Test func drawsTreeLines() {
    let terminal = TestTerminal()
    terminal.press("E")
    #expect(
      terminal.screen == """
        home: music/
          ▾ music/                             6
          ├   b.mp3                            5
          ├   a.mp3                            5
          └   pear.mp3                         8
          ▾ notes/                             6
          ├   apple.md                         8
          ├ ▾ old/                             4
          │ ├   pear.txt                       8
          │ └   .secret                        7
          └   pear.md                          7
         a home                          ? help
        """)
  }

  @Test func theCurrentRowIsReversed() {
    let terminal = TestTerminal()
    terminal.press("j")
    let lines = terminal.outline.draw().lines
    #expect(lines[2].allSatisfy { $0.style.attributes.contains(.reversed) })
    #expect(!lines[1].contains { $0.style.attributes.contains(.reversed) })
  }

  @Test(arguments: [
    ("j", "notes/"), ("jj", "todo.txt"), ("jjj", "todo.txt"), ("k", "music/"), ("G", "todo.txt"), ("Gg", "music/"),
    ("<down><up>", "music/"), ("<end>", "todo.txt"), ("<right>", "music/"), ("<right><right>", "b.mp3"),
    ("ll<left>", "music/"), ("ll<back>", "music/"), ("llP", "music/"), ("jlljh", "notes/"), ("jlljhh", "notes/"),
    ("lJ", "notes/"),
    ("lJJ", "todo.txt"), ("lJK", "music/"), ("K", "music/"), ("jlG", "todo.txt"), ("<pagedown>", "todo.txt"),
    ("<pagedown><pageup>", "music/"), ("E<pagedown>", "pear.md"), ("E<^d>", "apple.md"), ("E<^d><^u>", "music/"),
  ]) func keysMoveTheCurrentRow(_ keys: String, _ name: String) {
    let terminal = TestTerminal()
    terminal.press(keys)
    #expect(terminal.current == name)
  }

  @Test(arguments: [
    ("l", 6), ("lh", 3), ("<tab>", 6), ("<tab><tab>", 3), ("E", 11), ("EC", 3), ("1", 9), ("2", 11), ("10", 3),
    ("jjl", 3), ("lhl", 6),
  ]) func keysExpand(_ keys: String, _ count: Int) {
    let terminal = TestTerminal()
    terminal.press(keys)
    #expect(terminal.outline.count == count)
  }

  @Test func collapsingAllGoesToTheAncestor() {
    let terminal = TestTerminal()
    terminal.press("E")
    terminal.press("GkkkC")
    #expect(terminal.current == "notes/")
  }

  @Test func scrollsWithTheCurrentRow() {
    let terminal = TestTerminal(rows: 6)
    terminal.press("EG")
    #expect(terminal.outline.top == 7)
    terminal.press("k")
    #expect(terminal.outline.top == 7)
    terminal.press("g")
    #expect(terminal.outline.top == 0)
  }

  @Test func theLinesOfAncestorsAboveTheScreenAreDrawn() {
    let terminal = TestTerminal(rows: 4)
    terminal.press("EGkk")
    #expect(terminal.rows.first == "  │ └   .secret                        7")
  }

  @Test func theCurrentRowStaysWhereItIsWhileRowsCome() {
    let terminal = TestTerminal(rows: 7)
    terminal.press("EGk")
    let (line, name) = (terminal.outline.cursor - terminal.outline.top, terminal.current)
    terminal.tree.insert("aardvark", at: 0)
    #expect(terminal.current == name)
    #expect(terminal.outline.cursor - terminal.outline.top == line)
    terminal.tree.insert(contentsOf: (0..<5_000).map { "x\($0)" }, at: 0)
    #expect(terminal.current == name)
    #expect(terminal.outline.cursor - terminal.outline.top == line)
  }

  @Test func theNextRowBecomesCurrentWhenARowLeaves() {
    let terminal = TestTerminal()
    terminal.press("j")
    terminal.tree.removeSubrange(1..<2)
    #expect(terminal.current == "todo.txt")
    #expect(terminal.outline.cursor == 1)
    terminal.tree.removeAll()
    #expect(terminal.current == nil)
    #expect(terminal.rows == ["  there is nothing here"])
    #expect(terminal.press("<enter>jkhlE<tab>p ") == nil)
    terminal.tree.append("new")
    #expect(terminal.current == "new")
  }

  @Test(arguments: [(80, 24), (20, 5), (12, 4), (10, 3), (8, 2), (5, 1), (1, 1), (1, 9), (0, 0), (0, 3), (3, 0)])
  func everySizeWorks(_ columns: Int, _ rows: Int) {
    let terminal = TestTerminal()
    for keys in ["", "E", "/pear", "<esc>", "s", "a", "?", "q", "G", " "] {
      terminal.press(keys)
      terminal.resize(columns, rows)
      let screen = terminal.outline.draw()
      #expect(screen.lines.count == rows)
      #expect(screen.lines.allSatisfy { $0.count == columns })
      if terminal.outline.count > 0, rows > 0 {
        #expect(terminal.outline.visibleRows.contains(terminal.outline.cursor) || terminal.outline.visibleRows.isEmpty)
      }
      terminal.resize(40, 12)
    }
  }

  @Test func deepTreesLeaveSpaceForNames() {
    var folders: [String: [String]] = ["": ["0/"]]
    for depth in 0..<100 { folders["\(depth)/"] = ["\(depth + 1)/"] }
    let terminal = TestTerminal(folders, columns: 30, rows: 8)
    terminal.press("E")
    terminal.press("G")
    #expect(terminal.rows.last?.contains("▸ 100/") == true)
    #expect(terminal.rows.last?.hasPrefix("  … ") == true)
  }

  @Test func longNamesAreCut() {
    let name = String(repeating: "long ", count: 20)
    let terminal = TestTerminal(["": [name, "漢字漢字漢字漢字漢字漢字漢字"]], columns: 22, rows: 5)
    #expect(terminal.rows[0] == "    long long lo…  100")
    #expect(terminal.rows[1] == "    漢字漢字漢字…   14")
  }

  @Test func sortsLive() {
    let terminal = TestTerminal()
    terminal.press("l")
    terminal.press("s")
    #expect(terminal.screen.contains(" sort by  n name · s size · a letters"))
    terminal.press("a")
    #expect(terminal.rows.map { $0.split(separator: " ")[1] }[0..<4] == ["music/", "a.mp3", "b.mp3", "pear.mp3"])
    #expect(terminal.current == "music/")
    terminal.press("S")
    #expect(terminal.rows.first?.contains("todo.txt") == true)
    #expect(terminal.current == "music/")
    terminal.press("sn")
    #expect(terminal.rows[1].contains("b.mp3"))
    terminal.press("sr")
    #expect(terminal.rows.last?.contains("b.mp3") == false)
    terminal.press("s<esc>")
    #expect(terminal.outline.count == 6)
  }

  @Test func hiddenEntriesComeAndGo() {
    let terminal = TestTerminal(hiding: .hidden)
    terminal.press("E")
    #expect(terminal.outline.count == 10)
    terminal.press(".")
    #expect(terminal.outline.count == 11)
    #expect(terminal.screen.contains("hidden entries are shown"))
    terminal.press("/secret")
    #expect(terminal.current == ".secret")
    terminal.press("<^o>.")
    #expect(terminal.outline.count == 0)
    terminal.press("<esc>")
    #expect(terminal.outline.count == 10)
  }

  @Test func marksStayWithTheirRows() {
    let terminal = TestTerminal()
    terminal.press("l<space>")
    #expect(terminal.current == "b.mp3")
    terminal.press("jj<space>")
    #expect(terminal.rows.filter { $0.hasPrefix("●") }.count == 2)
    #expect(terminal.press("<enter>") == .choose(["music/", "pear.mp3"], .path))
    // Also where the marked elements have no row.
    terminal.press("gh")
    #expect(terminal.rows.filter { $0.hasPrefix("●") }.count == 1)
    #expect(terminal.screen.contains("2 marked"))
    #expect(terminal.press("v") == .choose(["music/", "pear.mp3"], .value))
    terminal.press("<space>")
    #expect(terminal.press("y") == .copy(["pear.mp3"], .path))
    terminal.press("u")
    #expect(terminal.press("e") == .edit(["notes/"]))
  }

  @Test func markedElementsWithoutARowAreInTheOrderOfTheSource() {
    let terminal = TestTerminal()
    terminal.press("E" + String(repeating: "<space>", count: 11))
    let hidden = [
      "music/", "a.mp3", "b.mp3", "pear.mp3", "notes/", "apple.md", "old/", ".secret", "pear.txt", "pear.md",
    ]
    #expect(terminal.press("/todo<enter>") == .choose(["todo.txt"] + hidden, .path))
  }

  @Test func keysAskTheOwner() {
    let terminal = TestTerminal()
    #expect(terminal.press("<enter>") == .choose(["music/"], .path))
    #expect(terminal.press("v") == .choose(["music/"], .value))
    #expect(terminal.press("Y") == .copy(["music/"], .value))
    #expect(terminal.press("o") == .page("music/"))
    #expect(terminal.press("r") == .reload)
    #expect(terminal.press("q") == .quit)
    #expect(terminal.press("<^c>") == .interrupt)
  }

  @Test func aCommandIsForWhatIsMarked() {
    let terminal = TestTerminal(columns: 60)
    terminal.press("!ls -l")
    #expect(terminal.screen.contains("!ls -l") && terminal.screen.contains("on this row · Enter runs it"))
    #expect(terminal.outline.draw().cursor?.column == 6)
    #expect(terminal.press("<enter>") == .run("ls -l", ["music/"]))
    terminal.press("<space><space>!")
    _ = terminal.outline.handle(.paste("wc"))
    #expect(terminal.screen.contains("!wc") && terminal.screen.contains("on 2 marked"))
    #expect(terminal.press("<enter>") == .run("wc", ["music/", "notes/"]))
    // The command removes all marks, because the marked rows may have gone too.
    #expect(terminal.press("!<up><up><enter>") == .run("ls -l", ["todo.txt"]))
    #expect(terminal.press("!x<^p><^p><^n><^n><enter>") == .run("x", ["todo.txt"]))
    for keys in ["!<enter>", "! <enter>", "!rm<esc>", "!rm<^c>"] {
      #expect(terminal.press(keys) == nil)
      #expect(terminal.screen.contains("a home"))
    }
    terminal.tree.removeAll()
    #expect(terminal.press("!ls<enter>") == nil)
  }

  @Test func keysRunOwnCommands() {
    let terminal = TestTerminal(columns: 80, rows: 100)
    func press(_ key: TerminalKey) -> TerminalAction<String>? { terminal.outline.handle(.key(key)) }
    #expect(press(.control("y")) == .runBound("sum {+}", ["music/"]))
    terminal.press("<space><space>")
    #expect(press(.control("y")) == .runBound("sum {+}", ["music/", "notes/"]))
    // While a search is typed, a letter belongs to the text.
    #expect(press(.character("X")) == .runBound("last {}", ["todo.txt"]))
    terminal.press("/pear")
    #expect(press(.character("X")) == nil)
    terminal.press("<back>")
    #expect(press(.control("y")) == .runBound("sum {+}", ["pear.mp3"]))
    terminal.press("<esc>?")
    #expect(terminal.screen.contains("sum {+}") && terminal.screen.contains("Own commands:"))
    terminal.press("x")
    terminal.tree.removeAll()
    #expect(press(.control("y")) == nil)
  }

  @Test func keysHaveNames() {
    let names: [(String, TerminalKey?)] = [
      ("x", .character("x")), ("=", .character("=")), ("é", .character("é")), ("space", .character(" ")),
      ("ctrl-o", .control("o")), ("alt-x", .alt("x")), ("alt--", .alt("-")), ("f1", .function(1)),
      ("f12", .function(12)), ("page-up", .pageUp), ("shift-tab", .backTab), ("f", .character("f")),
      ("-", .character("-")),
      ("f0", nil), ("f13", nil), ("f+1", nil), ("ctrl-i", nil), ("ctrl-m", nil), ("ctrl-oo", nil), ("ctrl-", nil),
      ("alt-", nil), ("", nil), ("meta-x", nil), ("ctrl-O", nil),
    ]
    for (name, key) in names { #expect(TerminalKey(name: name) == key, "\(name)") }
  }

  @Test func helpNamesEveryKey() {
    let terminal = TestTerminal(columns: 80, rows: 100)
    terminal.press("?")
    for binding in TerminalCommand.bindings where binding.command != .ignored {
      #expect(terminal.screen.contains("\(binding.label) "), "\(binding.words)")
      for key in binding.keys { #expect(TerminalCommand(key) == binding.command) }
    }
    #expect(terminal.screen.contains("any key: back"))
    #expect(terminal.screen.contains("end without a choice, with exit code 130"))
    terminal.press("x")
    #expect(terminal.screen.contains("todo.txt"))
    // A page that is cut says so.
    let small = TestTerminal(columns: 60, rows: 6)
    small.press("?")
    #expect(small.screen.contains("lines 1–4 of ") && small.screen.contains("↑ ↓ scroll · other keys: back"))
    small.press("<pagedown>")
    #expect(!small.screen.contains("one row up"))
    #expect(small.screen.contains("lines 5–8 of "))
    small.press("<pageup>")
    #expect(small.screen.contains("one row up"))
  }

  @Test func theMouseClicksAndScrolls() {
    let terminal = TestTerminal(rows: 6)
    terminal.point(.press(row: 2, column: 10))
    #expect(terminal.current == "notes/")
    #expect(terminal.outline.count == 3)
    terminal.point(.press(row: 2, column: 2))
    #expect(terminal.outline.count == 6)
    terminal.point(.wheelDown(row: 2, column: 2))
    #expect(terminal.outline.top == 2)
    // The pinned folder covers the first row.
    #expect(terminal.current == "old/")
    terminal.point(.wheelUp(row: 2, column: 2))
    #expect(terminal.outline.top == 0)
    // Outside of all rows.
    terminal.point(.press(row: 0, column: 2))
    terminal.point(.press(row: 5, column: 2))
    #expect(terminal.outline.count == 6)
  }
}
