import Foundation

/// The colours of a terminal, for pictures.
package struct TerminalTheme: Sendable {
  /// A colour as red, green and blue, from 0 to 255.
  struct Color: Hashable, Sendable {
    let red, green, blue: Int

    init(_ code: Int) { (red, green, blue) = (code >> 16, code >> 8 & 0xFF, code & 0xFF) }

    init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// The colour as it is written in SVG: `#79c0ff`.
    var code: String {
      let digits = String(red << 16 | green << 8 | blue, radix: 16)
      return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// A mixture of three parts of this colour and one of another.
    func mixed(with other: Color) -> Color {
      Color((3 * red + other.red) / 4, (3 * green + other.green) / 4, (3 * blue + other.blue) / 4)
    }

    /// The contrast in lightness between this colour and another, from 1 to 21, by WCAG 2.
    func contrast(to other: Color) -> Double {
      let (first, second) = (luminance, other.luminance)
      return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private var luminance: Double {
      func linear(_ level: Int) -> Double {
        let share = Double(level) / 255
        return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
  }

  let background: Color
  let foreground: Color
  /// The edge of the window.
  let border: Color
  /// The 16 colours with a name.
  private let named: [Color]

  /// A dark window.
  package static let dark = TerminalTheme(
    background: 0x0D1117, foreground: 0xE6EDF3, border: 0x3D444D,
    named: [
      0x0D1117, 0xFF7B72, 0x56D364, 0xE3B341, 0x79C0FF, 0xD2A8FF, 0x56D4DD, 0xE6EDF3,
      0x9198A1, 0xFFA198, 0x7EE787, 0xF2CC60, 0xA5D6FF, 0xE2C5FF, 0xB3F0FF, 0xFFFFFF,
    ])

  /// A light window.
  package static let light = TerminalTheme(
    background: 0xFFFFFF, foreground: 0x1F2328, border: 0xD1D9E0,
    named: [
      0x1F2328, 0xB31D28, 0x116329, 0x7D4E00, 0x0747A6, 0x6639BA, 0x1B6570, 0x59636E,
      0x59636E, 0xA40E26, 0x1A6B35, 0xFFE083, 0x0A5DC2, 0x7A4BD0, 0x2A6F78, 0x1F2328,
    ])

  private init(background: Int, foreground: Int, border: Int, named: [Int]) {
    self.background = Color(background)
    self.foreground = Color(foreground)
    self.border = Color(border)
    self.named = named.map { Color($0) }
  }

  /// Returns the colours of a text and of its background.
  func colors(_ style: TerminalStyle) -> (foreground: Color, background: Color) {
    let text = style.foreground.map(color) ?? foreground
    let behind = style.background.map(color) ?? background
    let (front, back) = style.attributes.contains(.reversed) ? (behind, text) : (text, behind)
    return (style.attributes.contains(.dim) ? front.mixed(with: back) : front, back)
  }

  private func color(_ color: TerminalColor) -> Color {
    if case .named(let number) = color { return named[Int(number) & 15] }
    let (red, green, blue) = color.components
    return Color(red, green, blue)
  }
}
