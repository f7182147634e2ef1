import Assemblage
import AssemblageSearch
import AssemblageTerminal

/// A tree of names on a terminal of a test.
@MainActor struct TestTerminal {
  let tree: ForestNode<String>
  let outline: TerminalOutline<String, String>

  /// A home with folders, whose names end with a slash.
  static let home: [String: [String]] = [
    "": ["music/", "notes/", "todo.txt"],
    "music/": ["b.mp3", "a.mp3", "pear.mp3"],
    "notes/": ["apple.md", "old/", "pear.md"],
    "old/": ["pear.txt", ".secret"],
  ]

  init(
    _ folders: [String: [String]] = home, columns: Int = 40, rows: Int = 12, hiding: TerminalHiding = []
  ) {
    tree = ForestNode(folders[""] ?? []) { folders[$0] }
    let filter = TreeFilterNode(tree) { _ in true }
    let sort = TreeSortNode(filter, by: nil)
    var contents = TerminalContents<String, String>(
      filter: filter, sort: sort, rows: OutlineNode(sort, id: { $0 }), id: { $0 }, text: { $0 },
      row: {
        TerminalRow(
          label: [TerminalSpan($0)], detail: [TerminalSpan("\($0.count)")], mayHaveChildren: $0.hasSuffix("/"))
      },
      makeIndex: { [tree] hiding in TextIndex(of: tree, reading: .later, text: { Self.isShown($0, hiding) ? $0 : "" }) }
    )
    contents.isShown = Self.isShown
    let parents = Dictionary(folders.flatMap { folder, names in names.map { ($0, folder) } }) { first, _ in first }
    contents.parent = { parents[$0].flatMap { $0.isEmpty ? nil : $0 } }
    contents.hidings = [.hidden]
    contents.hasValues = true
    contents.element = { parents[$0] == nil ? nil : $0 }
    contents.hasFiles = true
    contents.bindings = [("ctrl-y", "sum {+}"), ("X", "first {}"), ("X", "last {}")].compactMap {
      TerminalBinding($0, $1)
    }
    contents.preview = { name, place in
      TerminalPreview("about \(name)", (0..<place.rows + 5).map { [TerminalSpan("line \($0) of \(name)")] })
    }
    contents.orders = [
      TerminalOrder("n", "name", nil), TerminalOrder("s", "size") { $0.count > $1.count },
      TerminalOrder("a", "letters") { $0 < $1 },
    ]
    contents.sourceOrder = { $0 < $1 }
    contents.title = { "home: \($0 ?? "nothing")" }
    contents.summary = { "a home" }
    contents.total = { [tree] in tree.descendantCount }
    outline = TerminalOutline(contents, size: TerminalSize(columns: columns, rows: rows), hiding: hiding)
  }

  private static func isShown(_ name: String, _ hiding: TerminalHiding) -> Bool {
    !hiding.contains(.hidden) || !name.hasPrefix(".")
  }

  /// Presses keys: letters, and keys with names in angle brackets, for example `/pear<enter>`.
  @discardableResult
  func press(_ keys: String) -> TerminalAction<String>? {
    var action: TerminalAction<String>?
    var rest = keys[...]
    while let character = rest.popFirst() {
      var key = TerminalKey.character(character)
      if character == "<", let end = rest.firstIndex(of: ">") {
        key = Self.keys[String(rest[..<end])] ?? .escape
        rest = rest[rest.index(after: end)...]
      }
      action = outline.handle(.key(key)) ?? action
    }
    return action
  }

  private static let keys: [String: TerminalKey] = [
    "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "end": .end, "pageup": .pageUp,
    "pagedown": .pageDown, "enter": .enter, "tab": .tab, "backtab": .backTab, "esc": .escape, "back": .backspace,
    "space": .character(" "),
    "^t": .control("t"), "^o": .control("o"), "^u": .control("u"), "^d": .control("d"), "^c": .control("c"),
    "^w": .control("w"), "^r": .control("r"), "^p": .control("p"), "^n": .control("n"),
  ]

  /// Changes the size of the terminal.
  func resize(_ columns: Int, _ rows: Int) {
    _ = outline.handle(.resize(TerminalSize(columns: columns, rows: rows)))
  }

  /// Presses a button of the mouse, or turns its wheel.
  func point(_ event: TerminalMouse) { _ = outline.handle(.mouse(event)) }

  /// The screen as text.
  var screen: String { outline.draw().text }

  /// The rows of the screen, without title and last line.
  var rows: [String] {
    outline.draw().text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map(String.init)
      .filter { !$0.isEmpty }
  }

  /// The current row's name.
  var current: String? { outline.element(at: outline.cursor) }
}
