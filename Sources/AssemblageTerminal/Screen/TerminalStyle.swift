/// A colour of a terminal.
package enum TerminalColor: Hashable, Sendable {
  /// One of the 16 colours with a name: 0 is black, 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan, 7 white.
  ///
  /// The colours from 8 on are the same, brighter.
  case named(UInt8)
  /// One colour of the palette of 256.
  case palette(UInt8)
  /// Red, green and blue.
  case rgb(UInt8, UInt8, UInt8)

  /// The colour as red, green and blue.
  ///
  /// A colour with a name has the values of a usual terminal.
  package var components: (red: Int, green: Int, blue: Int) {
    switch self {
    case .named(let number): return Self.named[Int(number) & 15]
    case .palette(let number) where number < 16: return Self.named[Int(number)]
    case .palette(let number) where number < 232:
      let cube = Int(number) - 16
      func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + step * 40 }
      return (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
    case .palette(let number):
      let grey = 8 + (Int(number) - 232) * 10
      return (grey, grey, grey)
    case .rgb(let red, let green, let blue): return (Int(red), Int(green), Int(blue))
    }
  }

  private static let named: [(red: Int, green: Int, blue: Int)] = [
    (0, 0, 0), (205, 49, 49), (13, 188, 121), (204, 167, 0), (36, 114, 200), (188, 63, 188), (17, 168, 205),
    (204, 204, 204),
    (102, 102, 102), (241, 76, 76), (35, 209, 139), (245, 245, 67), (59, 142, 234), (214, 112, 214), (41, 184, 219),
    (255, 255, 255),
  ]

  /// The nearest of the 16 colours with a name.
  package var nearestNamed: TerminalColor {
    if case .named = self { return self }
    let own = components
    func distance(_ number: Int) -> Int {
      let other = Self.named[number]
      let (red, green, blue) = (own.red - other.red, own.green - other.green, own.blue - other.blue)
      return red * red + green * green + blue * blue
    }
    return .named(UInt8((0..<16).min { distance($0) < distance($1) } ?? 7))
  }

  /// The nearest colour of the palette's cube of 6 × 6 × 6.
  package var nearestInPalette: TerminalColor {
    guard case .rgb(let red, let green, let blue) = self else { return self }
    func step(_ level: UInt8) -> Int { level < 48 ? 0 : level < 115 ? 1 : (Int(level) - 35) / 40 }
    return .palette(UInt8(16 + 36 * step(red) + 6 * step(green) + step(blue)))
  }
}

/// The number of colours that a terminal shows.
package enum TerminalColorDepth: Hashable, Sendable, CaseIterable {
  case none, named, palette, full
}

/// How a cell looks.
package struct TerminalStyle: Hashable, Sendable {
  /// The attributes except colours.
  package struct Attributes: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let italic = Attributes(rawValue: 4)
    package static let underlined = Attributes(rawValue: 8)
    package static let reversed = Attributes(rawValue: 16)
    package static let struckOut = Attributes(rawValue: 32)
  }

  package var foreground: TerminalColor?
  package var background: TerminalColor?
  package var attributes: Attributes

  package init(_ foreground: TerminalColor? = nil, on background: TerminalColor? = nil, _ attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The usual look of the terminal's text.
  package static let plain = TerminalStyle()

  /// The style with more attributes.
  package func adding(_ attributes: Attributes) -> TerminalStyle {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }
}

/// A text of one style.
package struct TerminalSpan: Hashable, Sendable {
  package var text: String
  package var style: TerminalStyle

  package init(_ text: String, _ style: TerminalStyle = .plain) {
    self.text = text
    self.style = style
  }
}
