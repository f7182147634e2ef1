import AssemblageTerminal
import Testing

@Suite struct TerminalPartsTests {
  @Test(arguments: [
    ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("한", 2), ("👍", 2), ("👨‍👩‍👧", 2), ("❤\u{FE0F}", 2), ("\u{301}", 0),
    ("ﬁ", 1), ("\u{200B}", 0), ("Ａ", 2), ("🇩🇪", 2), ("\u{7}", 0), ("", 0), ("naïve 漢字", 10),
  ]) func widths(_ text: String, _ width: Int) { #expect(TerminalWidth.columns(of: text) == width) }

  @Test func fitting() {
    #expect(TerminalWidth.fitted("abcdef", to: 4) == "abc…")
    #expect(TerminalWidth.fitted("漢字漢", to: 4) == "漢…")
    #expect(TerminalWidth.fittedEnd("abcdef", to: 4) == "…def")
    #expect(TerminalWidth.fitted("abc", to: 3) == "abc")
    #expect(TerminalWidth.fitted("abc", to: 0) == "")
  }

  @Test func drawsWideAndCombiningCharacters() {
    var screen = TerminalScreen(size: TerminalSize(columns: 5, rows: 2))
    screen.draw("漢e\u{301}漢漢", row: 0, column: 0)
    #expect(screen.lines[0].map(\.text) == ["漢", "", "e\u{301}", "漢", ""])
    screen.draw("abc漢", row: 1, column: -1)
    #expect(screen.text == "漢e\u{301}漢\nbc漢")
    screen.draw("x", row: 9, column: 0)
  }

  @Test func keys() {
    func events(_ text: String) -> [TerminalEvent] {
      var input = TerminalInput()
      return input.read(text.utf8) + input.flush()
    }
    let expected: [(String, [TerminalEvent])] = [
      ("a", [.key(.character("a"))]), ("é漢", [.key(.character("é")), .key(.character("漢"))]),
      ("\u{1B}[A\u{1B}OB", [.key(.up), .key(.down)]), ("\u{1B}", [.key(.escape)]),
      ("\u{1B}\u{1B}[C", [.key(.escape), .key(.right)]), ("\u{1B}[5~\u{1B}[6~", [.key(.pageUp), .key(.pageDown)]),
      ("\u{1B}[1;2A", [.key(.shiftUp)]), ("\u{1B}[1;5D", [.key(.left)]),
      ("\r\t\u{7F}", [.key(.enter), .key(.tab), .key(.backspace)]),
      ("\u{1A}\u{3}", [.key(.control("z")), .key(.control("c"))]), ("\u{1B}x", [.key(.alt("x"))]),
      ("\u{1B}\r", [.key(.alt("\r"))]), ("\u{1B}[H\u{1B}[4~", [.key(.home), .key(.end)]),
      ("\u{1B}[Z\u{1B}[3~", [.key(.backTab), .key(.delete)]),
      ("\u{1B}OP\u{1B}[15~", [.key(.function(1)), .key(.function(5))]),
      ("\u{1B}[17~\u{1B}[21~\u{1B}[24~", [.key(.function(6)), .key(.function(10)), .key(.function(12))]),
      ("\u{1B}[<0;3;2M\u{1B}[<0;3;2m", [.mouse(.press(row: 1, column: 2))]),
      ("\u{1B}[<64;1;1M\u{1B}[<65;1;1M", [.mouse(.wheelUp(row: 0, column: 0)), .mouse(.wheelDown(row: 0, column: 0))]),
      ("\u{1B}[200~a\u{1B}[Ab\u{1B}[201~c", [.paste("a\u{1B}[Ab"), .key(.character("c"))]),
      ("\u{1B}[?1;2c", []), ("\u{1B}[<9999M", []), ("\u{FF}", [.key(.character("ÿ"))]),
    ]
    for (text, wanted) in expected {
      #expect(events(text) == wanted, "\(text.debugDescription)")
      // The same, byte by byte.
      var input = TerminalInput()
      #expect(text.utf8.flatMap { input.read([$0]) } + input.flush() == wanted, "\(text.debugDescription)")
    }
    var input = TerminalInput()
    #expect(input.read([0x1B]).isEmpty)
    #expect(input.isPending)
    #expect(input.read([0xFF, 0xC3]) == [])
    #expect(input.flush() == [])
  }

  @Test func writesOnlyLinesThatChanged() {
    var encoder = TerminalEncoder(depth: .named)
    var screen = TerminalScreen(size: TerminalSize(columns: 8, rows: 3))
    screen.draw("one", row: 0, column: 0)
    screen.draw("two", row: 1, column: 0, TerminalStyle(.named(4), .bold))
    let first = encoder.encode(screen)
    #expect(first.contains("one") && first.contains("\u{1B}[0;1;34mtwo"))
    #expect(encoder.encode(screen) == "")
    screen.draw("too", row: 1, column: 0)
    screen.cursor = (2, 4)
    let second = encoder.encode(screen)
    #expect(!second.contains("one") && second.contains("\u{1B}[2;1H\u{1B}[0mtoo\u{1B}[K"))
    #expect(second.contains("\u{1B}[3;5H\u{1B}[?25h"))
    encoder.invalidate()
    #expect(encoder.encode(screen).contains("one"))
  }

  @Test func coloursByDepth() {
    let style = TerminalStyle(.rgb(255, 0, 0), on: .palette(21), [.underlined])
    let codes = TerminalColorDepth.allCases.map { TerminalEncoder.sequence(for: style, depth: $0).dropFirst() }
    #expect(codes == ["[0;4m", "[0;4;31;44m", "[0;4;38;5;196;48;5;21m", "[0;4;38;2;255;0;0;48;5;21m"])
    #expect(TerminalEncoder.sequence(for: TerminalStyle(.named(9)), depth: .full) == "\u{1B}[0;91m")
  }
}
