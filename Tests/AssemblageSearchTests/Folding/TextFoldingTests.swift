import AssemblageSearch
import Foundation
import TestSupport
import Testing

@Suite struct TextFoldingTests {
  @Test func theExampleHolds() {
    #expect(TextFolding.standard.folded("Straße") == "strasse")
    #expect(TextFolding.standard.folded("ΟΔΟΣ") == TextFolding.standard.folded("οδος"))
    #expect(TextFolding.standard.folded("Résumé") != "resume")
    #expect(TextFolding(marks: .ignored).folded("Résumé") == "resume")
    #expect(TextQuery.prefix("e", folding: TextFolding(marks: .ignored)).matches("Éva"))
    #expect(TextFolding() == .standard && TextFolding.standard.marks == .kept)
  }

  /// The folded scalars, by their values. As strings, canonically equivalent texts would be equal.
  private func folded(_ text: String, _ marks: TextFolding.Marks = .kept) -> [UInt32] {
    TextFolding(marks: marks).folded(text).unicodeScalars.map(\.value)
  }

  private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

  @Test(arguments: [
    ("", ""), ("Ada LOVELACE 7", "ada lovelace 7"), ("Straße", "strasse"), ("STRASSE", "strasse"), ("ẞ", "ss"),
    ("ΟΔΟΣ", "οδοσ"), ("οδος", "οδοσ"), ("é", "e\u{301}"), ("É", "e\u{301}"), ("e\u{301}", "e\u{301}"), ("ﬁ", "fi"),
    ("ﬃ", "ffi"), ("İ", "i\u{307}"), ("I", "i"), ("ı", "ı"), ("ſ", "s"), ("K", "k"), ("Å", "a\u{30A}"),
    ("가", "\u{1100}\u{1161}"), ("각", "\u{1100}\u{1161}\u{11A8}"), ("힣", "\u{1112}\u{1175}\u{11C2}"),
    ("a\u{301}\u{323}", "a\u{323}\u{301}"), ("a\u{323}\u{301}", "a\u{323}\u{301}"), ("ậ", "a\u{323}\u{302}"),
    ("ᾴ", "α\u{301}ι"), ("α\u{345}\u{301}", "α\u{301}ι"), ("ΐ", "ι\u{308}\u{301}"), ("ŉ", "ʼn"), ("ǰ", "j\u{30C}"),
    ("𐐀", "𐐨"), ("👍", "👍"), ("①", "①"), ("が", "か\u{3099}"), ("\u{0}\u{7F}", "\u{0}\u{7F}"), ("և", "եւ"),
  ])
  func foldingIsThatOfUnicode(text: String, expected: String) {
    #expect(folded(text) == scalars(expected))
    // A folded text is folded to itself.
    #expect(folded(expected) == scalars(expected))
  }

  @Test func marksAreIgnoredThatDoNotMakeAnotherLetter() {
    #expect(folded("Ấ ñ ø", .ignored) == scalars("a n ø"))
    #expect(folded("שָׁלוֹם", .ignored) == scalars("שלום"))
    #expect(folded("ガ", .ignored) == scalars("カ\u{3099}"))
    #expect(folded("क़्", .ignored) == scalars("क\u{93C}\u{94D}"))
    #expect(folded("\u{301}", .ignored).isEmpty)
  }

  @Test func manyMarksKeepTheirOrderWithinAClass() {
    let text = "a" + String(repeating: "\u{301}\u{323}\u{300}", count: 50)
    let expected = "a" + String(repeating: "\u{323}", count: 50) + String(repeating: "\u{301}\u{300}", count: 50)
    #expect(folded(text) == scalars(expected))
  }

  @Test func allScalarsAreFoldedAsTheirDecompositionsAre() {
    for value in UInt32(0)..<0x11_0000 {
      // Every scalar of the planes that have cases and marks, and every 16th beyond them.
      guard value < 0x3_0000 || value % 16 == 0, let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      if folded(text) != NaiveText(text).scalars.map(\.value) {
        Issue.record("U+\(String(value, radix: 16)) is folded to \(folded(text))")
      }
    }
  }

  @Test func randomTextsAreFoldedAsTheModelSays() {
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("text folding", iteration: iteration)
      let text = NaiveTexts.text(0..<12, using: &generator)
      #expect(folded(text) == NaiveText(text).scalars.map(\.value), "\(text.debugDescription)")
      #expect(
        folded(text, .ignored) == NaiveText(text, ignoresMarks: true).scalars.map(\.value),
        "\(text.debugDescription)")
    }
  }

  @Test func aPieceOfAStringIsFolded() {
    #expect(folded(String("xGRÜSSEx".dropFirst().dropLast())) == scalars("gru\u{308}sse"))
    #expect(folded(String("xABCx".dropFirst().dropLast())) == scalars("abc"))
  }
}
