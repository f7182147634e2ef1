import AssemblageTerminal

/// A model of a terminal that understands only the sequences of the outline, and keeps the visible text.
struct ScreenModel {
  private(set) var size: TerminalSize
  private var cells: [[String]]
  private var place = (row: 0, column: 0)
  private var savedPlace = (row: 0, column: 0)
  private var pending: [UInt8] = []
  /// Whether the alternate screen is shown, which full-screen programs use.
  private(set) var isAlternate = false
  private(set) var isCursorShown = true
  private(set) var sendsMouse = false
  /// Whether a row that is too long is continued in the next row.
  private(set) var wraps = true
  /// All texts that were written for the clipboard, and all styles that were selected.
  private(set) var clipboard: [String] = []
  private(set) var styles: Set<String> = []

  init(size: TerminalSize) {
    self.size = size
    cells = Self.blank(size)
  }

  private static func blank(_ size: TerminalSize) -> [[String]] {
    Array(repeating: Array(repeating: " ", count: size.columns), count: size.rows)
  }

  /// The visible text.
  var text: String {
    cells.map { line in
      var text = line.joined()
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }

  mutating func resize(to size: TerminalSize) {
    self.size = size
    cells = Self.blank(size)
    place = (0, 0)
  }

  /// Processes bytes that a program has written.
  mutating func write(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let length = length(of: pending[...]) {
      let sequence = Array(pending.prefix(length))
      pending.removeFirst(length)
      take(sequence)
    }
  }

  /// Returns the length of the first sequence or character; nil where it is not complete.
  private func length(of bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    if first != 0x1B {
      let count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      return bytes.count >= count ? count : nil
    }
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "["): return bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }.map { $0 + 1 }
    case UInt8(ascii: "]"): return bytes.firstIndex(of: 0x07).map { $0 + 1 }
    default: return 2
    }
  }

  private mutating func take(_ bytes: [UInt8]) {
    if bytes[0] != 0x1B { return type(String(decoding: bytes, as: UTF8.self)) }
    let text = String(decoding: bytes.dropFirst(2), as: UTF8.self)
    if bytes[1] == UInt8(ascii: "]") {
      if text.hasPrefix("52;c;") { clipboard.append(String(text.dropFirst(5).dropLast())) }
      return
    }
    if bytes[1] == UInt8(ascii: "7") { savedPlace = place }
    if bytes[1] == UInt8(ascii: "8") { place = savedPlace }
    guard bytes[1] == UInt8(ascii: "["), let final = text.last else { return }
    let parameters = String(text.dropLast())
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch (final, parameters) {
    case ("H", _): place = ((numbers.first ?? 1) - 1, (numbers.count > 1 ? numbers[1] : 1) - 1)
    case ("A", _): place.row = max(0, place.row - (numbers.first ?? 1))
    case ("B", _): place.row = min(size.rows - 1, place.row + (numbers.first ?? 1))
    case ("C", _): place.column = min(size.columns - 1, place.column + (numbers.first ?? 1))
    case ("J", ""):
      for row in place.row..<size.rows {
        for column in (row == place.row ? place.column : 0)..<size.columns { cells[row][column] = " " }
      }
    case ("J", "2"): cells = Self.blank(size)
    case ("K", ""):
      guard place.row < size.rows else { return }
      for column in place.column..<max(place.column, size.columns) { cells[place.row][column] = " " }
    case ("m", _): styles.insert(parameters)
    case ("h", "?1049"), ("l", "?1049"):
      isAlternate = final == "h"
      cells = Self.blank(size)
      place = (0, 0)
    case ("h", "?25"), ("l", "?25"): isCursorShown = final == "h"
    case ("h", "?7"), ("l", "?7"): wraps = final == "h"
    case ("h", "?1000"), ("l", "?1000"): sendsMouse = final == "h"
    default: break
    }
  }

  private mutating func type(_ character: String) {
    switch character {
    case "\r": place.column = 0
    case "\n":
      place.row += 1
      if place.row >= size.rows {
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: size.columns))
        place.row = size.rows - 1
      }
    case "\u{8}": place.column = max(0, place.column - 1)
    default:
      let width = TerminalWidth.columns(of: character)
      guard place.row < size.rows else { return }
      if width == 0 {
        if place.column > 0, character.utf8.first! > 0x7F { cells[place.row][place.column - 1] += character }
        return
      }
      guard place.column + width <= size.columns else { return }
      cells[place.row][place.column] = character
      if width == 2 { cells[place.row][place.column + 1] = "" }
      place.column += width
    }
  }
}
