/// The colours of names by the kind of entry, in the form of `LS_COLORS` of `ls`.
///
///     di=01;34:ln=01;36:*.tar=01;31:*README=04
///
/// A style is the text between `ESC [` and `m`. An empty value, `0` and `00` are no style. Invalid pairs and pairs with
/// unknown keys are skipped; a `*` with an ending is a valid key.
struct LSColors: Equatable, Sendable {
  /// The kinds of entries, by the keys of `LS_COLORS`.
  private enum Key: String, CaseIterable {
    case normal = "no"
    case file = "fi"
    case directory = "di"
    case link = "ln"
    case pipe = "pi"
    case socket = "so"
    case blockDevice = "bd"
    case characterDevice = "cd"
    case orphan = "or"
    case executable = "ex"
    case setsUser = "su"
    case setsGroup = "sg"
    case sticky = "st"
    case otherWritable = "ow"
    case stickyOtherWritable = "tw"
    case multipleLinks = "mh"
  }

  private var styles: [Key: String] = [:]
  private var endings: [(ending: [UInt8], style: String)] = []
  /// Whether a link has the style of its target: `ln=target`.
  private var linksHaveTargetStyle = false

  /// The default colours of `ls`.
  static let standard = LSColors(
    "di=01;34:ln=01;36:pi=33:so=01;35:bd=01;33:cd=01;33:or=40;31;01:su=37;41:sg=30;43:st=37;44:ow=34;42:tw=30;42:ex=01;32",
    over: nil)

  /// Parses the value of `LS_COLORS`.
  ///
  /// - Parameter text: the value; nil or an empty text means the colours of `ls`.
  init(_ text: String?) {
    self = LSColors.standard
    if let text, !text.isEmpty { self = LSColors(text, over: self) }
  }

  private init(_ text: String, over base: LSColors?) {
    if let base { self = base } else { (styles, endings) = ([:], []) }
    for pair in text.split(separator: ":") {
      guard let equals = pair.firstIndex(of: "=") else { continue }
      let (key, value) = (pair[..<equals], String(pair[pair.index(after: equals)...]))
      guard value == "target" || value.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 == 0x3B || $0 == 0x3A }) else {
        continue
      }
      let isNone = value.utf8.allSatisfy { $0 == 0x30 }
      if key.first == "*" {
        // Of several matching endings, the last one counts.
        endings.append((Array(key.dropFirst().utf8), isNone ? "" : value))
      } else if let key = Key(rawValue: String(key)) {
        if key == .link { linksHaveTargetStyle = value == "target" }
        styles[key] = isNone || value == "target" ? nil : value
      }
    }
  }

  static func == (first: LSColors, second: LSColors) -> Bool {
    first.styles == second.styles && first.linksHaveTargetStyle == second.linksHaveTargetStyle
      && first.endings.elementsEqual(second.endings) { $0 == $1 }
  }

  /// The style of a name.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - mode: the bits of type and permission, in the form of the system.
  ///   - linkEnd: the end of a link.
  ///   - hasOtherNames: whether the entry is a file with several names.
  /// - Returns: the style; nil for none.
  func style(
    of name: Span<UInt8>, mode: UInt16, linkEnd: Entry.LinkEnd? = nil, hasOtherNames: Bool = false
  ) -> String? {
    let key = key(mode, linkEnd, hasOtherNames)
    if key == .link, linksHaveTargetStyle, case .mode(let target) = linkEnd {
      return style(of: name, mode: target)
    }
    if key == .file, let (_, style) = endings.last(where: { Self.ends(name, with: $0.ending) }) {
      return style.isEmpty ? nil : style
    }
    return styles[key] ?? (key == .orphan ? styles[.link] : key == .file ? styles[.normal] : nil)
  }

  private func key(_ mode: UInt16, _ linkEnd: Entry.LinkEnd?, _ hasOtherNames: Bool) -> Key {
    switch mode & 0o170000 {
    case 0o040000:
      let (isSticky, isWritable) = (mode & 0o1000 != 0, mode & 0o002 != 0)
      if isSticky, isWritable, styles[.stickyOtherWritable] != nil { return .stickyOtherWritable }
      if isWritable, styles[.otherWritable] != nil { return .otherWritable }
      return isSticky && styles[.sticky] != nil ? .sticky : .directory
    case 0o120000: return linkEnd == .nothing || linkEnd == .circle ? .orphan : .link
    case 0o010000: return .pipe
    case 0o140000: return .socket
    case 0o060000: return .blockDevice
    case 0o020000: return .characterDevice
    default:
      if mode & 0o4000 != 0, styles[.setsUser] != nil { return .setsUser }
      if mode & 0o2000 != 0, styles[.setsGroup] != nil { return .setsGroup }
      if mode & 0o111 != 0, styles[.executable] != nil { return .executable }
      return hasOtherNames && styles[.multipleLinks] != nil ? .multipleLinks : .file
    }
  }

  /// Endings are compared without regard to the case of ASCII letters, as in `ls` if no two endings differ only in
  /// case.
  private static func ends(_ name: Span<UInt8>, with ending: [UInt8]) -> Bool {
    let start = name.count - ending.count
    guard start >= 0 else { return false }
    for index in ending.indices where lowered(name[start + index]) != lowered(ending[index]) { return false }
    return true
  }

  private static func lowered(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
