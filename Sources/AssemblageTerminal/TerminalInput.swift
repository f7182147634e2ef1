/// Reads keys and the mouse from the bytes that a terminal sends.
///
/// A sequence may arrive in pieces. An escape without following bytes is the escape key. The caller knows that no bytes
/// follow when nothing has arrived for a moment; then the caller calls `flush()`.
package struct TerminalInput: Sendable {
  private var pending: [UInt8] = []
  private var pasted: [UInt8]?

  package init() {}

  /// Whether some bytes form no complete sequence yet.
  package var isPending: Bool { !pending.isEmpty }

  /// Reads bytes.
  ///
  /// - Parameter bytes: the bytes from the terminal.
  /// - Returns: the events that are complete.
  package mutating func read(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    pending += bytes
    return parse(isEnd: false)
  }

  /// Reports that nothing has arrived for a moment.
  ///
  /// - Returns: the events of the waiting bytes.
  package mutating func flush() -> [TerminalEvent] { parse(isEnd: true) }

  private mutating func parse(isEnd: Bool) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    var rest = pending[...]
    while !rest.isEmpty {
      if pasted != nil {
        guard readPasted(&rest, &events) else { break }
        continue
      }
      guard let length = Self.length(rest, isEnd: isEnd) else { break }
      let sequence = rest.prefix(length)
      rest = rest.dropFirst(length)
      if sequence.elementsEqual(Self.pasteBegin) {
        pasted = []
      } else if let event = Self.event(Array(sequence)) {
        events.append(event)
      }
    }
    pending = Array(rest)
    return events
  }

  private static let pasteBegin = Array("\u{1B}[200~".utf8)
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Reads bytes of a pasted text up to its end.
  ///
  /// - Returns: whether the end was found, and more can be read.
  private mutating func readPasted(_ rest: inout ArraySlice<UInt8>, _ events: inout [TerminalEvent]) -> Bool {
    var text = (pasted ?? []) + rest
    rest = []
    if let end = text.indices.first(where: { text[$0...].starts(with: Self.pasteEnd) }) {
      rest = text[(end + Self.pasteEnd.count)...]
      events.append(.paste(String(decoding: text[..<end], as: UTF8.self)))
      pasted = nil
      return true
    }
    // A part of the end may have arrived; the next bytes complete it.
    let kept = text.suffix(Self.pasteEnd.count - 1)
    text.removeLast(kept.count)
    pasted = text
    rest = kept
    return false
  }

  /// The number of bytes of the first sequence; nil if more bytes must arrive.
  private static func length(_ bytes: ArraySlice<UInt8>, isEnd: Bool) -> Int? {
    let first = bytes[bytes.startIndex]
    if first != 0x1B {
      let count = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      return bytes.count >= count || isEnd ? min(count, bytes.count) : nil
    }
    guard bytes.count > 1 else { return isEnd ? 1 : nil }
    let second = bytes[bytes.startIndex + 1]
    switch second {
    case UInt8(ascii: "["):
      let end = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
      if let end { return end - bytes.startIndex + 1 }
    case UInt8(ascii: "O"): if bytes.count >= 3 { return 3 }
    case 0x1B: return 1
    default:
      let length = length(bytes.dropFirst(), isEnd: isEnd)
      return length.map { $0 + 1 }
    }
    return isEnd ? bytes.count : nil
  }

  private static func event(_ bytes: [UInt8]) -> TerminalEvent? {
    guard bytes[0] == 0x1B else { return key(bytes).map { .key($0) } }
    if bytes.count == 1 { return .key(.escape) }
    if bytes[1] == UInt8(ascii: "["), bytes.count > 2 {
      return control(bytes.dropFirst(2).dropLast(), bytes[bytes.count - 1])
    }
    if bytes[1] == UInt8(ascii: "O"), bytes.count == 3 { return letter(bytes[2], modifiers: 1).map { .key($0) } }
    if case .character(let character)? = key(Array(bytes.dropFirst())) { return .key(.alt(character)) }
    return bytes[1] == 0x0D ? .key(.alt("\r")) : nil
  }

  /// The key of a byte or a character.
  private static func key(_ bytes: [UInt8]) -> TerminalKey? {
    switch bytes[0] {
    case 0x0D, 0x0A: return .enter
    case 0x09: return .tab
    case 0x7F, 0x08: return .backspace
    case 0x00: return .control(" ")
    case 0x01...0x1A: return .control(Character(Unicode.Scalar(bytes[0] + 0x60)))
    case 0x1C...0x1F: return nil
    default:
      let text = String(decoding: bytes, as: UTF8.self)
      return text.count == 1 && text != "\u{FFFD}" ? .character(text[text.startIndex]) : nil
    }
  }

  /// The event of a control sequence: `ESC [ 1 ; 5 A`.
  private static func control(_ parameters: ArraySlice<UInt8>, _ final: UInt8) -> TerminalEvent? {
    if parameters.first == UInt8(ascii: "<") {
      return mouse(parameters.dropFirst(), isPress: final == UInt8(ascii: "M"))
    }
    let numbers = numbers(parameters)
    if final != UInt8(ascii: "~") {
      return letter(final, modifiers: numbers.count > 1 ? numbers[1] : 1).map { .key($0) }
    }
    switch numbers.first {
    case 1, 7: return .key(.home)
    case 2: return .key(.insert)
    case 3: return .key(.delete)
    case 4, 8: return .key(.end)
    case 5: return .key(.pageUp)
    case 6: return .key(.pageDown)
    case let number? where (11...15).contains(number): return .key(.function(number - 10))
    case let number? where (17...21).contains(number): return .key(.function(number - 11))
    case let number? where (23...24).contains(number): return .key(.function(number - 12))
    default: return nil
    }
  }

  private static func letter(_ letter: UInt8, modifiers: Int) -> TerminalKey? {
    let isShifted = modifiers == 2
    return switch letter {
    case UInt8(ascii: "A"): isShifted ? .shiftUp : .up
    case UInt8(ascii: "B"): isShifted ? .shiftDown : .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "Z"): .backTab
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter) - 0x4F)
    default: nil
    }
  }

  /// The event of `ESC [ < button ; column ; row M`.
  private static func mouse(_ parameters: ArraySlice<UInt8>, isPress: Bool) -> TerminalEvent? {
    let numbers = numbers(parameters)
    guard numbers.count == 3, isPress, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let (row, column) = (numbers[2] - 1, numbers[1] - 1)
    // The modifier keys are bits of the button: 4, 8 and 16.
    return switch numbers[0] & ~0x1C {
    case 0: .mouse(.press(row: row, column: column))
    case 64: .mouse(.wheelUp(row: row, column: column))
    case 65: .mouse(.wheelDown(row: row, column: column))
    default: nil
    }
  }

  private static func numbers(_ parameters: ArraySlice<UInt8>) -> [Int] {
    parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
  }
}
