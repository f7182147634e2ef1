import AssemblageTerminal

// `LSColors` has the text of an escape sequence; a terminal outline has styles.
extension TerminalStyle {
  /// Parses codes like `01;34` or `38;5;208`, the text between `ESC [` and `m`; nil if a code is unknown.
  init?(codes: String) {
    var style = TerminalStyle.plain
    var rest = codes.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }[...]
    while let code = rest.popFirst() {
      switch code {
      case 0: style = .plain
      case 1: style.attributes.formUnion(.bold)
      case 2: style.attributes.formUnion(.dim)
      case 3: style.attributes.formUnion(.italic)
      case 4: style.attributes.formUnion(.underlined)
      case 5: break
      case 7: style.attributes.formUnion(.reversed)
      case 9: style.attributes.formUnion(.struckOut)
      case (30...37)?: style.foreground = .named(UInt8(code! - 30))
      case (40...47)?: style.background = .named(UInt8(code! - 40))
      case (90...97)?: style.foreground = .named(UInt8(code! - 82))
      case (100...107)?: style.background = .named(UInt8(code! - 92))
      case 38, 48:
        guard let color = Self.color(&rest) else { return nil }
        if code == 38 { style.foreground = color } else { style.background = color }
      default: return nil
      }
    }
    self = style
  }

  private static func color(_ rest: inout ArraySlice<Int?>) -> TerminalColor? {
    func level() -> UInt8? { rest.popFirst().flatMap { $0 }.flatMap { UInt8(exactly: $0) } }
    switch rest.popFirst() {
    case 5: return level().map { .palette($0) }
    case 2:
      guard let red = level(), let green = level(), let blue = level() else { return nil }
      return .rgb(red, green, blue)
    default: return nil
    }
  }
}
