import AssemblageWidgets

/// The colours of names by `LS_COLORS`, as `ls` has them.
///
///     di=01;34:ln=01;36:ex=01;32:*.tar=01;31
struct FileColors: Sendable {
  private var kinds: [BrowseKind: TerminalStyle] = [
    .directory: TerminalStyle(.named(4), .bold), .link: TerminalStyle(.named(6), .bold),
    .program: TerminalStyle(.named(2), .bold), .special: TerminalStyle(.named(3), .bold),
  ]
  /// By what a name ends with, in small letters.
  private var suffixes: [String: TerminalStyle] = [:]

  /// Reads the variable; what it does not name looks as `ls` has it without.
  init(_ variable: String? = nil) {
    for part in (variable ?? "").split(separator: ":") {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2, let style = Self.style(sides[1]) else { continue }
      switch sides[0] {
      case "di": kinds[.directory] = style
      case "ln": kinds[.link] = style
      case "ex": kinds[.program] = style
      case "fi": kinds[.file] = style
      case "pi", "so", "bd", "cd": kinds[.special] = style
      default: if sides[0].hasPrefix("*") { suffixes[sides[0].dropFirst().lowercased()] = style }
      }
    }
  }

  /// The style of a name.
  func style(of name: String, _ kind: BrowseKind) -> TerminalStyle {
    if kind == .file || kind == .program, !suffixes.isEmpty {
      let name = name.lowercased()
      // The longest suffix decides: `.tar.gz` before `.gz`.
      for dot in name.indices where name[dot] == "." {
        if let style = suffixes[String(name[dot...])] { return style }
      }
    }
    return kinds[kind] ?? .plain
  }

  /// The style of codes like `01;34` or `38;5;208`; nil where one is unknown.
  static func style(_ codes: Substring) -> TerminalStyle? {
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
        guard let color = color(&rest) else { return nil }
        if code == 38 { style.foreground = color } else { style.background = color }
      default: return nil
      }
    }
    return style
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
