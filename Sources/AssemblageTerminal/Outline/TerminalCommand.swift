/// A command that a user of a terminal outline gives with a key.
package enum TerminalCommand: Hashable, Sendable {
  case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
  case unfold, fold, toggle, parent, nextSibling, previousSibling
  case expandAll, collapseAll, level(Int)
  case sort, reverse, hidden, ignored
  case search, find, showRest, nextMatch, previousMatch, nextKind, keepFound, showInTree, formerSearch, laterSearch
  case preview, rename, newFolder, delete
  case mark, markUp, unmarkAll, choose, chooseValues, copyPath, copyValue, edit, page, run
  case reload, redraw, suspend, help, cancel, quit, interrupt

  /// The keys of a command, and a description of the command in words.
  package struct Binding: Sendable {
    package let command: TerminalCommand
    package let keys: [TerminalKey]
    package let label: String
    package let words: String
  }

  /// All keys except the keys for levels, in the order of the help screen.
  package static let bindings: [Binding] = [
    Binding(.up, [.up, .character("k"), .control("p")], "↑ k", "one row up"),
    Binding(.down, [.down, .character("j"), .control("n")], "↓ j", "one row down"),
    Binding(.pageUp, [.pageUp, .control("b")], "PgUp ^B", "one page up"),
    Binding(.pageDown, [.pageDown, .control("f")], "PgDn ^F", "one page down"),
    Binding(.halfPageUp, [.control("u")], "^U", "half a page up"),
    Binding(.halfPageDown, [.control("d")], "^D", "half a page down"),
    Binding(.first, [.home, .character("g")], "Home g", "first row"),
    Binding(.last, [.end, .character("G")], "End G", "last row"),
    Binding(.unfold, [.right, .character("l")], "→ l", "expand, then go to the first child"),
    Binding(.fold, [.left, .character("h")], "← h", "collapse, then go to the parent"),
    Binding(.toggle, [.tab], "Tab", "expand or collapse"),
    Binding(.parent, [.backspace, .character("P")], "⌫ P", "go to the parent"),
    Binding(.nextSibling, [.character("J"), .character("]")], "J ]", "next sibling"),
    Binding(.previousSibling, [.character("K"), .character("[")], "K [", "previous sibling"),
    Binding(.expandAll, [.character("E"), .character("*")], "E *", "expand all"),
    Binding(.collapseAll, [.character("C"), .character("-")], "C -", "collapse all"),
    Binding(.search, [.character("/"), .control("s")], "/", "search as you type"),
    Binding(.find, [.character("f")], "f", "the same, among all rows: the rest stays"),
    Binding(.showRest, [.control("r")], "^R", "show or hide what is not found"),
    Binding(.nextMatch, [.character("n")], "n", "next match"),
    Binding(.previousMatch, [.character("N")], "N", "previous match"),
    Binding(.nextKind, [.control("t")], "^T", "words, fuzzy, substring, regular expression"),
    Binding(.showInTree, [.character("=")], "=", "end the search, stay at this row"),
    Binding(.preview, [.character("p")], "p", "show or hide the contents of this row"),
    Binding(.sort, [.character("s")], "s", "sort by …"),
    Binding(.reverse, [.character("S")], "S", "the other way round"),
    Binding(.hidden, [.character(".")], ".", "show or hide hidden entries"),
    Binding(.ignored, [.character("i")], "i", "show or hide ignored entries"),
    Binding(.mark, [.character(" "), .shiftDown], "Space", "mark, and go down"),
    Binding(.markUp, [.shiftUp], "⇧↑", "mark, and go up"),
    Binding(.unmarkAll, [.character("u")], "u", "unmark all"),
    Binding(.choose, [.enter], "Enter", "print what is marked, or this row, and end"),
    Binding(.chooseValues, [.character("v"), .alt("\r")], "v", "print the values, and end"),
    Binding(.copyPath, [.character("y")], "y", "copy the path"),
    Binding(.copyValue, [.character("Y")], "Y", "copy the value"),
    Binding(.edit, [.character("e")], "e", "open in $EDITOR"),
    Binding(.page, [.character("o")], "o", "open in $PAGER"),
    Binding(.run, [.character("!")], "!", "run a command of the shell on what is marked, or this row"),
    Binding(.rename, [.character("R")], "R", "give this row another name"),
    Binding(.newFolder, [.character("+")], "+", "make a folder here"),
    Binding(.delete, [.character("D"), .delete], "D Del", "put what is marked, or this row, into the trash"),
    Binding(.reload, [.character("r"), .function(5)], "r F5", "read again what is shown"),
    Binding(.redraw, [.control("l")], "^L", "draw the screen again"),
    Binding(.suspend, [.control("z")], "^Z", "suspend; fg resumes"),
    Binding(.help, [.character("?"), .function(1)], "? F1", "this page"),
    Binding(.cancel, [.escape, .control("g")], "Esc", "end the search, as it was before"),
    Binding(.quit, [.character("q")], "q", "end without a choice, with exit code 130"),
    Binding(.interrupt, [.control("c")], "^C", "the same, also while a search is typed"),
  ]

  private static let commands: [TerminalKey: TerminalCommand] = {
    var commands: [TerminalKey: TerminalCommand] = [:]
    for binding in bindings { for key in binding.keys { commands[key] = binding.command } }
    for level in 0...9 { commands[.character(Character("\(level)"))] = .level(level) }
    return commands
  }()

  /// Creates the command of a key; nil if the key has no command.
  package init?(_ key: TerminalKey) {
    guard let command = Self.commands[key] else { return nil }
    self = command
  }

  /// Creates the command of a key while a search is typed; nil if the key belongs to the text.
  package init?(whileTyping key: TerminalKey) {
    switch key {
    case .up, .down, .pageUp, .pageDown, .enter, .escape, .shiftUp, .shiftDown, .control("c"), .control("g"),
      .control("l"), .control("r"), .control("t"), .control("z"), .function(1), .alt("\r"):
      self.init(key)
    case .control("p"): self = .formerSearch
    case .control("n"): self = .laterSearch
    case .tab: self = .nextMatch
    case .control("o"): self = .keepFound
    case .backTab: self = .previousMatch
    default: return nil
    }
  }
}

extension TerminalCommand.Binding {
  init(_ command: TerminalCommand, _ keys: [TerminalKey], _ label: String, _ words: String) {
    self.command = command
    self.keys = keys
    self.label = label
    self.words = words
  }
}
