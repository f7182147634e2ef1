/// A key for which a user has chosen a command of the shell.
package struct TerminalBinding: Hashable, Sendable {
  package let key: TerminalKey
  /// The name of the key, as the user has written it.
  package let name: String
  package let command: String

  /// Creates the binding of a key with a name like `ctrl-o`; nil if no key has this name.
  package init?(_ name: String, _ command: String) {
    guard let key = TerminalKey(name: name) else { return nil }
    (self.key, self.name, self.command) = (key, name, command)
  }
}

extension TerminalKey {
  private static let named: [String: TerminalKey] = [
    "up": .up, "down": .down, "left": .left, "right": .right, "home": .home, "end": .end, "page-up": .pageUp,
    "page-down": .pageDown, "shift-up": .shiftUp, "shift-down": .shiftDown, "enter": .enter, "tab": .tab,
    "shift-tab": .backTab, "esc": .escape, "backspace": .backspace, "delete": .delete, "insert": .insert,
    "space": .character(" "),
  ]

  /// Creates a key from its name: `x`, `ctrl-x`, `alt-x`, `f2`, `page-up`.
  ///
  /// - Returns: nil for other names, and for keys that a terminal does not distinguish from keys with own names:
  ///   `ctrl-i` is Tab.
  package init?(name: String) {
    let parts = name.split(separator: "-", maxSplits: 1)
    if let key = Self.named[name] {
      self = key
    } else if name.count == 1 {
      self = .character(name[name.startIndex])
    } else if name.first == "f", let number = Int(name.dropFirst()), 1...12 ~= number, !name.contains("+") {
      self = .function(number)
    } else if parts.count == 2, parts[0] == "ctrl", "abcdefgklnopqrstuvwxyz".contains(parts[1]), parts[1].count == 1 {
      self = .control(Character(String(parts[1])))
    } else if parts.count == 2, parts[0] == "alt", parts[1].count == 1 {
      self = .alt(Character(String(parts[1])))
    } else {
      return nil
    }
  }

  /// Whether the key adds a character to a text that is typed.
  var isText: Bool { if case .character = self { true } else { false } }
}
