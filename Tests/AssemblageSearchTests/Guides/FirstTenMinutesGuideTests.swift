import Assemblage
import AssemblageSearch
import Foundation
import TestSupport
import Testing

/// The program of Docs/FirstTenMinutes.md. The guide shows its real output.
@Suite struct FirstTenMinutesGuideTests {
  @Test func theProgramPrintsTheOutputOfTheGuide() throws {
    var outputs = [""]
    func print(_ items: Any...) {
      outputs[outputs.count - 1] += items.map { "\($0)" }.joined(separator: " ") + "\n"
    }

    let tasks = ArrayNode(["Buy milk", "Pay rent!", "Call Ada!"])
    print(tasks.elements)
    outputs.append("")

    let urgent = FilterNode(tasks) { $0.hasSuffix("!") }
    let sorted = SortNode(urgent)
    print(sorted.elements)
    tasks.append("Book a train!")
    tasks[0] = "Buy milk today!"
    print(sorted.elements)
    outputs.append("")

    let token = sorted.observe { change in print("changed:", change) }
    tasks.append("Answer Bob!")
    tasks.remove(at: 1)
    token.cancel()
    outputs.append("")

    let projects = try ForestNode(rows: [
      (0, "Home"), (1, "Buy milk"), (1, "Garden"), (2, "Plant apples"), (2, "Paint the fence"),
      (0, "Work"), (1, "Write the report"), (1, "Call Ada"),
    ])
    let outline = OutlineNode(projects, id: { $0 })
    outline.expand(row: 0)
    print(lines(of: outline))
    outputs.append("")

    let index = TextIndex(of: projects)
    let found = TreeFilterNode(projects) { _ in true }
    let matches = OutlineNode(found, id: { $0 })
    found.setSearch(.words("the"), in: index)
    matches.beginTemporaryExpansion()
    print(lines(of: matches))
    found.setSearch(.words(""), in: index)
    matches.endTemporaryExpansion()
    outputs.append("")

    // The terminal of the test: the keys of a user, up to the next screen that the guide shows.
    var presses = ["\u{1B}[C\u{1B}[B\u{1B}[B+Feed the birds\n", "/the", "\n\u{1B}[Bx/\n", "\u{4}"]
    func readKeys() -> String {
      if presses.count > 1 { outputs.append("") }
      return presses.removeFirst()
    }
    var modes: [termios] = []
    func tcgetattr(_ descriptor: Int32, _ mode: inout termios) { mode.c_lflag = tcflag_t(ICANON | ECHO | ISIG) }
    func tcsetattr(_ descriptor: Int32, _ action: Int32, _ mode: inout termios) { modes.append(mode) }

    var browser = Browser(
      tree: projects, index: index, found: found, outline: matches, current: NodeAnchor(of: matches, at: [0]))
    var mode = termios()
    tcgetattr(STDIN_FILENO, &mode)
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    var keys = ""
    repeat {
      print("\u{1B}[2J\u{1B}[H" + browser.screen)
      keys = readKeys()
      for key in keys { browser.press(key) }
    } while !keys.isEmpty && keys != "\u{4}"
    mode.c_lflag |= tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)

    #expect(modes.map(\.c_lflag) == [tcflag_t(ISIG), tcflag_t(ICANON | ECHO | ISIG)])
    let guide = try GuideCode.text(of: "Docs/FirstTenMinutes.md")
    let shown = guide.components(separatedBy: "```text\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(outputs.map { $0.replacing("\u{1B}[2J\u{1B}[H", with: "") } == shown)
  }

  @Test func theProgramHasFewerThan100LinesOfCode() throws {
    let guide = try GuideCode.text(of: "Docs/FirstTenMinutes.md")
    let blocks = guide.components(separatedBy: "```swift\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    #expect(blocks.joined().split(separator: "\n").count < 100)
  }

  @Test func escapeEndsAPromptAndBackspaceDeletesALetter() {
    let tree = ForestNode(leaves: ["pear", "apple"])
    var browser = Self.browser(of: tree)
    for key in "+fig\u{1B}" { browser.press(key) }
    #expect(browser.screen == "> \u{20} pear\n  \u{20} apple\n2 of 2 tasks")
    for key in "/ax\u{7F}p" { browser.press(key) }
    #expect(browser.screen == "> \u{20} apple\n/ap")
    browser.press("\u{1B}")
    #expect(browser.screen == "  \u{20} pear\n> \u{20} apple\n2 of 2 tasks")
  }

  @Test func anEmptyTreeReceivesATask() {
    let tree = ForestNode(leaves: ["pear"])
    var browser = Self.browser(of: tree)
    for key in "xxABCD" { browser.press(key) }
    #expect(browser.screen == "\n0 of 0 tasks")
    for key in "+fig\n" { browser.press(key) }
    #expect(browser.screen == "> \u{20} fig\n1 of 1 tasks")
  }

  private static func browser(of tree: ForestNode<String>) -> Browser {
    let found = TreeFilterNode(tree) { _ in true }
    let outline = OutlineNode(found, id: { $0 })
    return Browser(
      tree: tree, index: TextIndex(of: tree), found: found, outline: outline,
      current: NodeAnchor(of: outline, at: [0]))
  }
}

private func lines(of outline: OutlineNode<String, String>, current: Int? = nil) -> String {
  let first = max(0, (current ?? 0) - 10)
  return outline.rows(in: first..<min(first + 20, outline.count)).enumerated().map { number, row in
    (first + number == current ? "> " : "  ") + String(repeating: "  ", count: row.depth)
      + (row.isExpanded ? "- " : row.hasChildren ? "+ " : "  ") + (row.value ?? "")
  }.joined(separator: "\n")
}

private struct Browser {
  let tree: ForestNode<String>, index: TextIndex<String>
  let found: TreeFilterNode<String>, outline: OutlineNode<String, String>
  var current: NodeAnchor<String>
  var prompt: Character?  // "/" during a search, "+" while a new task is typed
  var text = ""
  var row: Int { current.nearest.first ?? 0 }

  var screen: String {
    let status = "\(found.matchCount) of \(tree.descendantCount) tasks"
    return lines(of: outline, current: row) + "\n" + (prompt.map { "\($0)\(text)" } ?? status)
  }

  mutating func press(_ key: Character) {
    if let prompt { return type(key, prompt) }
    switch key {
    case "/", "+": (prompt, text) = (key, "")
    case _ where outline.isEmpty: break
    case "A": current = NodeAnchor(of: outline, at: [max(row - 1, 0)])  // ↑ sends Esc [ A
    case "B": current = NodeAnchor(of: outline, at: [min(row + 1, outline.count - 1)])
    case "C": outline.expand(row: row)
    case "D": outline.collapse(row: row)
    case "x": outline.remove(at: [row])
    default: break
    }
  }

  mutating func type(_ key: Character, _ prompt: Character) {
    switch key {
    case "\n": self.prompt = nil
    case "\u{1B}": (self.prompt, text) = (nil, "")  // Esc
    case "\u{7F}": text = String(text.dropLast())  // Backspace
    default: text.append(key)
    }
    var path = outline.isEmpty ? [] : found.sourcePath(of: outline.path(ofRow: row)) ?? []
    if prompt == "/" {
      found.setSearch(.words(text), in: index)
      if text.isEmpty { outline.endTemporaryExpansion() } else { outline.beginTemporaryExpansion() }
    } else if key == "\n", !text.isEmpty {
      path += [0]
      tree.insert(text, at: path)
    }
    guard let shown = found.path(ofSource: path), !shown.isEmpty else { return }
    current = NodeAnchor(of: outline, at: [outline.reveal(shown)])
  }
}

private func readKeys() -> String { String(decoding: FileHandle.standardInput.availableData, as: UTF8.self) }
