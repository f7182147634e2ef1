import Assemblage
import AssemblageTerminal
import Testing

@MainActor @Suite struct TerminalSearchTests {
  @Test func showsWhatMatchesAndItsAncestors() {
    let terminal = TestTerminal()
    terminal.press("/pear")
    #expect(
      terminal.screen == """
        home: pear.mp3
          ▾ music/                             6
          └   pear.mp3                         8
          ▾ notes/                             6
          ├ ▾ old/                             4
          │ └   pear.txt                       8
          └   pear.md                          7




        /pear                   3 of 11 · words
        """)
    #expect(terminal.outline.draw().cursor?.column == 5)
  }

  @Test func highlightsMatches() {
    let terminal = TestTerminal()
    terminal.press("/ea")
    let line = terminal.outline.draw().lines[6]
    let marked = line.filter { $0.style.background == .named(11) }.map(\.text)
    #expect(marked == ["e", "a"])
    // A row that only leads to a match is dimmed.
    #expect(terminal.outline.draw().lines[3][4].style.attributes.contains(.dim))
  }

  @Test func escapeRestoresExpansionAndPlace() {
    let terminal = TestTerminal(rows: 7)
    terminal.press("jll")
    let (screen, current) = (terminal.screen, terminal.current)
    for keys in ["/pear<esc>", "/p<back><esc>", "/nothing<esc>", "/pear<^o>hhG<esc>", "/ear<tab><tab><esc>"] {
      terminal.press(keys)
      #expect(terminal.screen == screen)
      #expect(terminal.current == current)
    }
  }

  @Test func escapeRestoresThePlaceAmongRowsThatCame() {
    let terminal = TestTerminal(rows: 7)
    terminal.press("jll/pear")
    terminal.tree.insert(contentsOf: ["new 1", "new pear"], at: 0)
    #expect(terminal.screen.contains("4 of 13"))
    #expect(terminal.current == "pear.md")
    terminal.press("<esc>")
    #expect(terminal.current == "apple.md")
  }

  @Test func whatIsOnTheScreenIsMatchedFirst() {
    let terminal = TestTerminal(["": ["a/", "data/", "docs/"], "a/": ["deep"], "docs/": ["d"]])
    terminal.press("/d")
    #expect(terminal.current == "data/")
    terminal.press("o")
    #expect(terminal.current == "docs/")
    // The search starts at the current row.
    terminal.press("<esc>G/d")
    #expect(terminal.current == "docs/")
  }

  @Test func inLargeTreesTheRestFollowsWithTheNextTurn() async {
    let terminal = TestTerminal(["": ["a/", "data/", "docs/", "x"], "a/": ["deep"], "docs/": ["d"]])
    terminal.outline.promptElements = 0
    terminal.press("/do")
    #expect(terminal.screen.contains("making the index · 0 %"))
    // A match on the screen is found at once, and the other rows are still shown.
    #expect(terminal.current == "docs/")
    #expect(terminal.rows.count == 4)
    #expect(terminal.press("<enter>") == .choose(["docs/"], .path))
    await terminal.outline.searchEnd()
    #expect(terminal.rows.count == 1)
    #expect(terminal.screen.contains("1 of 6"))
    terminal.press("<back><back>dee")
    #expect(terminal.rows.count == 4)
    await terminal.outline.searchEnd()
    #expect(terminal.current == "deep")
    terminal.press("p<esc>")
    await terminal.outline.searchEnd()
    #expect(terminal.rows.count == 4)
    #expect(terminal.current == "a/")
  }

  /// In a very large tree, the other rows follow when the user pauses.
  @Test func inVeryLargeTreesTheRestFollowsAfterAPause() async {
    let terminal = TestTerminal(["": ["a/", "data/", "docs/", "x"], "a/": ["deep"], "docs/": ["d"]])
    terminal.outline.promptElements = 0
    terminal.outline.pauselessElements = 0
    terminal.outline.typingPause = .seconds(3_600)
    terminal.press("/do")
    for _ in 0..<20 { await Task.yield() }
    #expect(terminal.current == "docs/" && terminal.rows.count == 4)
    terminal.outline.typingPause = .milliseconds(1)
    terminal.press("<back><back>dee")
    await terminal.outline.searchEnd()
    #expect(terminal.current == "deep" && terminal.screen.contains("1 of 6"))
  }

  /// While a search asks about the elements one by one, only the elements found so far count, and the progress is
  /// drawn.
  @Test func theProgressOfASearchIsDrawn() async {
    let terminal = TestTerminal(columns: 60)
    var drawings = 0
    terminal.outline.needsDrawing = { drawings += 1 }
    terminal.press("<^t><^t><^t>/pear")
    #expect(terminal.screen.contains("0 so far · 0 %"))
    await terminal.outline.searchEnd()
    #expect(drawings > 0 && terminal.screen.contains("3 of 11"))
  }

  /// Where matches are read after the search was typed, one of them becomes the current row, unless the user has moved
  /// to another row.
  @Test func matchesThatAreReadLaterBecomeCurrent() throws {
    let terminal = TestTerminal(["": ["a/", "b/"], "a/": ["x"], "b/": ["y"]])
    terminal.press("/zz")
    #expect(terminal.rows == ["  nothing is found"])
    try #require(terminal.tree.child(at: [1])).append("zz1")
    terminal.outline.followMatches()
    #expect(terminal.current == "zz1")
    // A match stays current, and so does a row that a user has chosen.
    try #require(terminal.tree.child(at: [0])).append("zz2")
    terminal.outline.followMatches()
    #expect(terminal.current == "zz1")
    terminal.press("<up>")
    #expect(terminal.current == "b/")
    try #require(terminal.tree.child(at: [0])).append("zz3")
    terminal.outline.followMatches()
    #expect(terminal.current == "b/")
  }

  @Test func nextAndPreviousGoRound() {
    let terminal = TestTerminal()
    terminal.press("/pear<tab>")
    #expect(terminal.current == "pear.txt")
    terminal.press("<^o>n")
    #expect(terminal.current == "pear.md")
    terminal.press("n")
    #expect(terminal.current == "pear.mp3")
    terminal.press("N")
    #expect(terminal.current == "pear.md")
    terminal.press("<esc>n")
    #expect(terminal.screen.contains("there is no search"))
  }

  @Test(arguments: [
    ("pear", "", 3), ("md pe", "", 1), ("PEAR", "", 3), ("prmd", "<^t>", 1), ("r.m", "<^t><^t>", 2),
    ("^pear", "<^t><^t><^t>", 3), ("p3$", "<^t><^t><^t>", 3), ("xyz", "", 0), (" ", "", 11),
  ]) func kindsOfSearch(_ text: String, _ keys: String, _ count: Int) async {
    let terminal = TestTerminal()
    terminal.press("/" + keys + text)
    await terminal.outline.searchEnd()
    let found = text == " " ? "/ " : "\(count) of 11"
    #expect(terminal.screen.contains(found))
    if count == 0 { #expect(terminal.rows == ["  nothing is found"]) }
  }

  /// Terms in the syntax of fzf match the names on the way to a row. The row's own name must match one of them.
  @Test(
    arguments: [
      // Several words, in any order and at any level. Matching one folder alone is not enough.
      ("notes pear", ["pear.txt", "pear.md"]), ("pear notes", ["pear.txt", "pear.md"]), ("old pear", ["pear.txt"]),
      ("notes", ["notes/"]), ("notes old", ["old/"]), ("notes old txt", ["pear.txt"]), ("music old", []),
      // With a slash: one level below the other.
      ("notes/pear", ["pear.md"]), ("es/old/p", ["pear.txt"]), ("notes/pear.txt", []), ("/pear.md", ["pear.md"]),
      // Signs.
      ("^pear", ["pear.mp3", "pear.txt", "pear.md"]), ("mp3$", ["b.mp3", "a.mp3", "pear.mp3"]),
      ("^a .md$", ["apple.md"]),
      ("^pear.md$", ["pear.md"]), ("^ear", []), ("pea$", []), ("'pear 'md", ["pear.md"]),
      ("pear !notes", ["pear.mp3"]), ("pear !txt$ !^music", ["pear.md"]), ("!notes !music", ["todo.txt"]),
      ("md | mp3", ["b.mp3", "a.mp3", "pear.mp3", "apple.md", "pear.md"]), ("pear md | txt", ["pear.txt", "pear.md"]),
      ("| pear !", ["pear.mp3", "pear.txt", "pear.md"]), ("md |", ["apple.md", "pear.md"]),
      ("todo | !e", ["music/", "b.mp3", "a.mp3", "todo.txt"]), ("PEAR NOTES", ["pear.txt", "pear.md"]),
      // Signs alone look for nothing, as an empty text does.
      ("!", nil), ("^ $ '", nil),
    ] as [(String, [String]?)])
  func terms(_ text: String, _ found: [String]?) async {
    let terminal = TestTerminal(columns: 60)
    terminal.press("/" + text)
    await terminal.outline.searchEnd()
    guard let found else {
      #expect(terminal.outline.count == 3)
      return
    }
    #expect(terminal.screen.contains("\(found.count) of 11"))
    #expect(
      (0..<terminal.outline.count).filter { terminal.outline.isMatch(row: $0) }
        .compactMap { terminal.outline.element(at: $0) } == found)
    #expect(found.isEmpty || terminal.current.map { found.contains($0) } == true)
  }

  @Test func fuzzyTermsAreFoundOnTheWay() async {
    let terminal = TestTerminal()
    for (text, count) in [("nts prmd", 1), ("nts/prmd", 1), ("nts 'prmd", 0), ("prmd | prxt", 2), ("nts !x", 1)] {
      terminal.press("<esc><^t>/" + text)
      if text.hasPrefix("nts prmd") == false { terminal.press("<^t><^t><^t>") }
      await terminal.outline.searchEnd()
      #expect(terminal.screen.contains("\(count) of 11"), "\(text)")
    }
  }

  @Test func spacesWithABackslashBelongToTheTerm() async {
    let terminal = TestTerminal(["": ["a b", "b a", "a\\b"]])
    for (text, names) in [("a\\ b", ["a b"]), ("a b", ["a b", "b a", "a\\b"]), ("a\\b", ["a\\b"]), ("b\\", [])] {
      terminal.press("/" + text)
      await terminal.outline.searchEnd()
      #expect((0..<terminal.outline.count).compactMap { terminal.outline.element(at: $0) } == names, "\(text)")
      terminal.press("<esc>")
    }
  }

  @Test func highlightsTheTermsOfTheOwnName() async {
    let terminal = TestTerminal()
    terminal.press("/notes pe | ear ^p .md$")
    await terminal.outline.searchEnd()
    terminal.press("<up>")
    let line = terminal.outline.draw().lines[2]
    #expect(line.filter { $0.style.background == .named(11) }.map(\.text).joined() == "pear.md")
  }

  /// A row that arrives later is also matched by its way.
  @Test func rowsThatComeAreAskedAboutTheirWay() async throws {
    let terminal = TestTerminal()
    terminal.press("/music mp3")
    await terminal.outline.searchEnd()
    #expect(terminal.screen.contains("3 of 11"))
    terminal.tree.append("new.mp3")
    #expect(terminal.screen.contains("3 of 12"))
  }

  // MARK: Among all rows

  @Test func jumpsFromMatchToMatchAndHidesNothing() {
    let terminal = TestTerminal()
    terminal.press("fpear")
    #expect(terminal.current == "pear.mp3")
    #expect(terminal.rows.count == 6)
    #expect(terminal.screen.contains("?pear") && terminal.screen.contains("among all rows"))
    // Matches are highlighted, and the other rows are unchanged.
    let lines = terminal.outline.draw().lines
    #expect(lines[4].filter { $0.style.attributes.contains(.underlined) }.map(\.text).joined() == "pear")
    #expect(!lines[1].contains { $0.style.attributes.contains(.dim) && $0.text == "m" })
    terminal.press("<tab>")
    #expect(terminal.current == "pear.txt")
    terminal.press("<^o>n")
    #expect(terminal.current == "pear.md")
    terminal.press("n")
    #expect(terminal.current == "pear.mp3")
    terminal.press("NN")
    #expect(terminal.current == "pear.txt")
    #expect(terminal.outline.count == 11)
    // The end of the search shows the rows that were expanded before it.
    terminal.press("<esc>")
    #expect(terminal.current == "music/")
    #expect(terminal.outline.count == 3)
  }

  @Test func theOnlyMatchIsTheNextOne() {
    let terminal = TestTerminal()
    terminal.press("ftodo<tab>")
    #expect(terminal.current == "todo.txt")
    terminal.press("<backtab>")
    #expect(terminal.current == "todo.txt" && !terminal.screen.contains("nothing is found"))
    terminal.press("x")
    #expect(terminal.screen.contains("nothing is found"))
    #expect(terminal.outline.count == 3)
    terminal.press("<back><^r>")
    #expect(terminal.rows.count == 1 && terminal.screen.contains("1 of 11"))
  }

  @Test func theRestComesAndGoes() {
    let terminal = TestTerminal()
    terminal.press("/pear.t")
    #expect(terminal.rows.count == 3)
    terminal.press("<^r>")
    #expect(terminal.current == "pear.txt")
    #expect(terminal.outline.count == 8)
    terminal.press("<^r>")
    #expect(terminal.current == "pear.txt")
    #expect(terminal.rows.count == 3)
    terminal.press("<^o>f<^u>")
    #expect(terminal.outline.count == 3)
    terminal.press("<esc><^r>")
    #expect(terminal.screen.contains("there is no search"))
  }

  /// A match that is near is found while the index is being made, and other elements are being read.
  @Test func jumpsBeforeTheIndexIsMade() async {
    let terminal = TestTerminal()
    terminal.outline.promptElements = 0
    terminal.press("fpear")
    #expect(terminal.current == "pear.mp3" && terminal.screen.contains("among all rows"))
    terminal.tree.insert("pear.new", at: 0)
    terminal.press("<tab>")
    #expect(terminal.current == "pear.txt")
    await terminal.outline.searchEnd()
    terminal.press("<tab><tab>")
    #expect(terminal.current == "pear.new")
  }

  /// Matches follow in the order of the rows, however the rows are sorted.
  @Test func jumpsInTheOrderOfTheRows() {
    let terminal = TestTerminal()
    terminal.press("saSfpear")
    var names = [terminal.current ?? ""]
    for _ in 0..<3 {
      terminal.press("<tab>")
      names.append(terminal.current ?? "")
    }
    #expect(names == ["pear.mp3", "pear.md", "pear.txt", "pear.mp3"])
    for _ in 0..<3 {
      terminal.press("<backtab>")
      #expect(terminal.current == names.popLast().flatMap { _ in names.last })
    }
  }

  /// The same rows follow each other by the index, along all elements, and before the index is made.
  @Test(arguments: ["pear", "notes p | mp3", "!old", "^p", "es/p"], ["", "sa", "saS", "sr"])
  func everyWayLeadsToTheSameMatches(_ text: String, _ order: String) async {
    func names(_ keys: String, _ prompt: Int) async -> [String?] {
      let terminal = TestTerminal()
      terminal.outline.promptElements = prompt
      terminal.press(order + "f" + text)
      await terminal.outline.searchEnd()
      var names: [String?] = []
      for _ in 0..<8 {
        terminal.press(keys)
        await terminal.outline.searchEnd()
        await terminal.outline.searchEnd()
        names.append(terminal.current)
      }
      return names
    }
    let shown = TestTerminal()
    shown.press(order + "E/" + text)
    await shown.outline.searchEnd()
    let found = (0..<shown.outline.count).filter { shown.outline.isMatch(row: $0) }
      .compactMap { shown.outline.element(at: $0) }
    for prompt in [100_000, 0] {
      let forth = await names("<tab>", prompt)
      #expect(Set(forth) == Set(found.prefix(8).isEmpty ? [] : found.count > 8 ? forth.compactMap(\.self) : found))
      for (former, next) in zip(forth, forth.dropFirst()) {
        let place = found.firstIndex { $0 == former }
        #expect(place.map { found[($0 + 1) % found.count] } == next)
      }
      let back = await names("<backtab>", prompt)
      for (former, next) in zip(back, back.dropFirst()) {
        let place = found.firstIndex { $0 == former }
        #expect(place.map { found[($0 + found.count - 1) % found.count] } == next)
      }
    }
  }

  @Test func aFarMatchIsFoundBetweenKeys() async {
    var folders: [String: [String]] = ["": (0..<200).map { "folder\($0)/" } + ["goal 2"]]
    for folder in 0..<200 { folders["folder\(folder)/"] = (0..<100).map { "file \(folder) \($0)" } }
    folders["folder199/"]?.append("goal 1")
    let terminal = TestTerminal(folders)
    terminal.press("fgoal")
    await terminal.outline.searchEnd()
    #expect(terminal.current == "goal 1")
    terminal.press("<tab>")
    await terminal.outline.searchEnd()
    #expect(terminal.current == "goal 2")
    // The tree may change before the search has found a match.
    terminal.press("<home><^u>gol")
    terminal.tree.removeSubrange(10..<190)
    await terminal.outline.searchEnd()
    #expect(terminal.screen.contains("nothing is found"))
  }

  @Test func formerSearchesComeBack() {
    let terminal = TestTerminal()
    terminal.press("/pear<esc>/todo<^o>=/pear<esc>/ap<^p>")
    #expect(terminal.screen.contains("/pear "))
    terminal.press("<^p>")
    #expect(terminal.current == "todo.txt")
    terminal.press("<^p><^p>")
    #expect(terminal.screen.contains("/todo "))
    terminal.press("<^n><^n><^n>")
    #expect(terminal.screen.contains("/ap "))
    #expect(terminal.current == "apple.md")
  }

  @Test func theBestOfAFuzzySearchBecomesCurrent() {
    let terminal = TestTerminal(["": ["x/"], "x/": ["a-l-p-h-a", "alpha", "xalxpha"]])
    terminal.press("<^t>/alpha")
    #expect(terminal.current == "alpha")
  }

  @Test func anIncompleteExpressionKeepsTheResult() async {
    let terminal = TestTerminal()
    terminal.press("<^t><^t><^t>/pear")
    await terminal.outline.searchEnd()
    terminal.press("(")
    #expect(terminal.screen.contains("no regular expression yet"))
    #expect(terminal.rows.count == 6)
    terminal.press("<back>")
    await terminal.outline.searchEnd()
    #expect(terminal.rows.count == 6)
  }

  @Test func showsTheRowInTheWholeTree() {
    let terminal = TestTerminal()
    terminal.press("/txt<tab><^o>=")
    #expect(terminal.current == "todo.txt" || terminal.current == "pear.txt")
    terminal.press("/pear.t<^o>=")
    #expect(terminal.current == "pear.txt")
    #expect(terminal.outline.count == 8)
  }

  @Test func enterChoosesWhileTyping() {
    let terminal = TestTerminal()
    #expect(terminal.press("/pear.md<enter>") == .choose(["pear.md"], .path))
  }

  @Test func marksAreKeptThroughSearches() {
    let terminal = TestTerminal()
    terminal.press("<space>/apple")
    terminal.press("<^o><space><esc>")
    #expect(terminal.press("<enter>") == .choose(["music/", "apple.md"], .path))
  }

  @Test func veryManyMatchesAreExpandedAsFarAsTheyAreSeen() async {
    var folders: [String: [String]] = ["": (0..<300).map { "folder\($0)/" }]
    for folder in 0..<300 { folders["folder\(folder)/"] = (0..<100).map { "file \(folder) \($0)" } }
    let terminal = TestTerminal(folders)
    terminal.press("/file")
    #expect(terminal.screen.contains("30,000 of 30,300"))
    #expect(terminal.rows.count == 10)
    #expect(terminal.current == "file 0 0")
    #expect(terminal.outline.count < 1_000)
    terminal.press(" 17")
    await terminal.outline.searchEnd()
    #expect(terminal.outline.count > 1_000)
    terminal.press("<back><back><back>")
    #expect(terminal.outline.count < 1_000)
    terminal.press("<esc>")
    #expect(terminal.outline.count == 300)
  }

  @Test func theLineIsEdited() {
    let terminal = TestTerminal()
    func line() -> String {
      String(terminal.screen.split(separator: "\n").last?.dropFirst().prefix { $0 != " " } ?? "")
    }
    terminal.press("/pear<left><left>x")
    #expect(line() == "pexar")
    terminal.press("<back><home>y<end>z")
    #expect(line() == "ypearz")
    terminal.press("<^w>é漢")
    #expect(line() == "é漢")
    #expect(terminal.outline.draw().cursor?.column == 4)
    terminal.press("<^u>")
    #expect(line() == "")
    _ = terminal.outline.handle(.paste("pe\nar"))
    #expect(line() == "pear")
  }
}
