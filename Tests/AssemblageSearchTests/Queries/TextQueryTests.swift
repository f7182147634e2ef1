import Assemblage
@testable import AssemblageSearch
import Foundation
import TestSupport
import Testing

@Suite struct TextQueryTests {
  @Test func theExamplesHold() {
    #expect(TextQuery.substring("strasse").matches("Lange Straße"))
    #expect(TextQuery.words("lovelace ada").matches("Ada Lovelace"))
    #expect(!TextQuery.prefix("lov").matches("Ada Lovelace"))
    #expect(TextQuery.fuzzy("adlo").matches("Ada Lovelace"))
    #expect(!TextQuery.substring("e").matches("Éva"))
    #expect(TextQuery.substring("").matches(""))
    #expect(TextQuery.words("ada love").kind == .words)
    #expect(TextQuery.words("b a") == .words("A b"))
    #expect("\(TextQuery.prefix("Ab"))" == "prefix “Ab”")

    #expect(TextQuery.fuzzy("al").score(of: "Ada Lovelace") == 45)
    #expect(TextQuery.fuzzy("al").score(of: "Alice") == 48)
    #expect(TextQuery.fuzzy("al").score(of: "Bob") == nil)

    #expect(TextQuery.substring("strass").isNarrower(than: .substring("stra")))
    #expect(TextQuery.words("ada love").isNarrower(than: .words("ada l")))
    #expect(TextQuery.prefix("ada").isNarrower(than: .substring("d")))
    #expect(!TextQuery.substring("é").isNarrower(than: .substring("e")))

    let text = "Große Straße"
    #expect(TextQuery.substring("ss").ranges(in: text).map { text[$0] } == ["ß", "ß"])
    #expect(TextQuery.words("str gro").ranges(in: text).map { text[$0] } == ["Gro", "Str"])
    #expect(TextQuery.fuzzy("gst").ranges(in: text).map { text[$0] } == ["G", "St"])
    #expect(TextQuery.prefix("str").ranges(in: text) == [])
  }

  @Test(arguments: [
    (TextQuery.substring("stras"), "Straße", true), (.substring("Straße"), "STRASSE", true),
    (.substring("οδος"), "ΟΔΟΣ", true), (.substring("e\u{301}"), "café", true), (.substring("é"), "cafe\u{301}", true),
    (.substring("cafe"), "café", false), (.prefix("cafe"), "café", false), (.fuzzy("cfe"), "café", false),
    (.fuzzy("cfé"), "cafe\u{301}", true), (.substring("가"), "각", false), (.substring("각"), "각도", true),
    (.substring("fi"), "ﬁn", true), (.substring("ı"), "i", false), (.substring("i"), "İ", false),
    (.substring("\u{301}"), "é", true), (.words("  "), "x", true), (.words("b a"), "ab", true),
    (.words("ab b"), "a", false), (.prefix(""), "", true), (.fuzzy(" a b "), "xaxb", true), (.fuzzy("ba"), "ab", false),
    (.substring("a"), "", false), (.prefix("ab"), "a", false), (.substring("a b"), "A B", true),
    (.substring("a  b"), "a b", false),
  ])
  func queriesFindCharacters(query: TextQuery, text: String, expected: Bool) {
    #expect(query.matches(text) == expected)
    #expect(NaiveText(text).matches(query) == expected)
    #expect((query.score(of: text) != nil) == expected)
  }

  @Test func theExampleOfReadingLaterHolds() {
    let index = TextIndex(of: ArrayNode(["Ada", "Adele", "Bob"]), reading: .later)
    #expect(index.count(for: .substring("ad")) == 0)
    while index.readTexts(atMost: 2) {}
    #expect(index.count(for: .substring("ad")) == 2 && index.readFraction == 1)
    #expect(TextIndex(of: ArrayNode(["Ada"]), reading: .later).readTexts(atMost: 1))
  }

  /// Parts of characters, each with a character that contains the part.
  @Test(arguments: [
    ("🇪🇸", "🇩🇪🇸🇪"), ("\u{1F1E9}", "🇩🇪"), ("👩", "👩‍👩‍👧"), ("👧", "👩‍👩‍👧"), ("👩‍👩", "👩‍👩‍👧"), ("👍", "👍🏽"),
    ("🏳️", "🏳️‍🌈"), ("🌈", "🏳️‍🌈"), ("가", "각"), ("\u{1100}", "가"), ("e", "e\u{301}"), ("क", "क्ष"), ("ष", "क्ष"),
    ("क", "कि"), ("\r", "\r\n"), ("\n", "\r\n"), ("1", "1️⃣"), ("\u{E01}", "\u{E01}\u{E33}"),
  ])
  func partsOfCharactersAreNotFound(part: String, whole: String) {
    for kind in TextQuery.Kind.allCases {
      for text in [whole, "a" + whole, whole + "b", "x \(whole) y"] {
        let query = TextQuery(kind, part)
        if query.isEmpty { continue }
        #expect(!query.matches(text), "\(query) in \(text)")
        #expect(TextIndex(of: ArrayNode([text])).count(for: query) == 0)
        #expect(query.matches(part) && query.matches(part + " " + whole))
      }
    }
  }

  /// Whole characters are found, whatever lies beside them. Of several flags, only the flags that are there are found.
  @Test(arguments: ["🇩🇪", "👩‍👩‍👧", "❤️", "❤", "👍🏽", "각", "क्ष", "कि", "1️⃣", "🏳️‍🌈", "\u{E01}\u{E33}", "ﬁ", "ẞ"])
  func wholeCharactersAreFound(character: String) {
    for kind in TextQuery.Kind.allCases {
      let query = TextQuery(kind, character)
      for text in ["", "a", "🇪🇸", "x "].map({ (kind == .prefix ? "" : $0) + character + $0 + character }) {
        #expect(query.matches(text), "\(query) in \(text)")
        #expect(query.ranges(in: text).first.map { text[$0].hasPrefix(character) } == true)
        #expect(TextIndex(of: ArrayNode([text])).count(for: query) == 1)
      }
    }
  }

  @Test func variationSelectorsDoNotCount() {
    for (query, text) in [("❤", "I ❤️ you"), ("❤️", "I ❤ you"), ("❤️", "I ❤\u{FE0E} you"), ("葛", "葛\u{E0100}")] {
      #expect(TextQuery.substring(query).matches(text))
    }
    #expect(TextQuery.substring("\u{FE0F}").isEmpty)
    let text = "I ❤️"
    #expect(TextQuery.fuzzy("❤").ranges(in: text).map { text[$0] } == ["❤️"])
  }

  @Test func marksCanBeIgnored() {
    let folding = TextFolding(marks: .ignored)
    #expect(TextQuery.substring("cafe", folding: folding).matches("Café"))
    #expect(TextQuery.substring("café", folding: folding).matches("CAFE"))
    #expect(TextQuery.substring("\u{301}", folding: folding).isEmpty)
    #expect(TextQuery.substring("a", folding: folding) != .substring("a"))
    #expect(!TextQuery.substring("ab", folding: folding).isNarrower(than: .substring("a")))
    let text = "Un café e\u{301}troit"
    #expect(TextQuery.substring("fe e", folding: folding).ranges(in: text).map { text[$0] } == ["fé e\u{301}"])
  }

  @Test func needlesAreFoundWhereverTheyStand() {
    // Every needle of up to 3 of two letters, in every text of up to 7. The text also lies far from the start, across
    // the width of vectors.
    func words(_ length: Int) -> [[UInt8]] {
      (0..<(1 << length)).map { bits in (0..<length).map { bits >> $0 & 1 == 0 ? 97 : 98 } }
    }
    let needles = (1...3).flatMap(words).map(ByteNeedle.init)
    let texts = (0...7).flatMap(words)
    for lead in [0, 1, 25, 30, 31, 32, 33, 63] {
      for text in texts {
        var chunk = TextChunk()
        chunk.append(folded: [UInt8](repeating: 99, count: lead) + text)
        chunk.seal()
        for needle in needles {
          let expected = text.indices.first { text[$0...].starts(with: needle.bytes) }.map { $0 + lead + 1 }
          let place = chunk.place(of: 0)
          let found = unsafe chunk.bytes.withUnsafeBufferPointer {
            unsafe needle.find(in: $0.baseAddress!, from: place.lowerBound, to: place.upperBound)
          }
          if found != expected { Issue.record("\(needle.bytes) in \(lead) + \(text): \(String(describing: found))") }
        }
      }
    }
  }

  @Test func whatIsFoundIsWhatTheModelFinds() {
    var found = [TextQuery.Kind: Int]()
    for iteration in 0..<TestSeed.iterations(400) {
      var generator = TestSeed.generator("text query", iteration: iteration)
      let query = NaiveTexts.query(using: &generator)
      for _ in 0..<10 {
        let text = NaiveTexts.text(0..<10, using: &generator)
        let ignoresMarks = query.folding.marks == .ignored
        let model = NaiveText(text, ignoresMarks: ignoresMarks)
        let matches = query.matches(text)
        #expect(matches == model.matches(query), "\(query) \(query.folding) in \(text.debugDescription)")
        if query.kind == .fuzzy, matches {
          #expect(query.score(of: text) == model.score(query), "\(query) in \(text.debugDescription)")
        }
        if matches { found[query.kind, default: 0] += 1 }
        check(query.ranges(in: text), of: query, in: text, matches)
      }
    }
    #expect(found.count == 4 || TestSeed.isResized)
  }

  /// Checks that ranges are ascending, apart and made of whole characters, and that a match needs no text outside of
  /// them.
  private func check(_ ranges: [Range<String.Index>], of query: TextQuery, in text: String, _ matches: Bool) {
    #expect(ranges.isEmpty == (!matches || query.isEmpty))
    let boundaries = Set(text.indices).union([text.endIndex])
    for (index, range) in ranges.enumerated() {
      #expect(!range.isEmpty && boundaries.contains(range.lowerBound) && boundaries.contains(range.upperBound))
      if index > 0 { #expect(ranges[index - 1].upperBound < range.lowerBound) }
      if query.kind == .substring || query.kind == .prefix {
        #expect(query.matches(String(text[range])), "\(query) in \(text.debugDescription)")
      }
    }
    if query.kind == .prefix, let first = ranges.first {
      // An ignored mark may lie before the range.
      #expect(ranges.count == 1 && query.folding.folded(String(text[..<first.lowerBound])).isEmpty)
    }
    if query.kind == .fuzzy {
      #expect(query.isEmpty || !matches || query.matches(ranges.map { String(text[$0]) }.joined(separator: " ")))
    }
  }

  @Test func narrowerQueriesMatchNoMore() {
    var count = 0
    for iteration in 0..<TestSeed.iterations(3000) {
      var generator = TestSeed.generator("narrower", iteration: iteration)
      let folding = TextFolding(marks: generator.chance(1, in: 2) ? .kept : .ignored)
      let text = NaiveTexts.text(1..<4, using: &generator)
      let longer =
        generator.chance(1, in: 2)
        ? text + NaiveTexts.text(0..<2, using: &generator) : NaiveTexts.text(0..<3, using: &generator) + text
      let other = TextQuery(TextQuery.Kind.allCases.randomElement(using: &generator)!, text, folding: folding)
      let query = TextQuery(TextQuery.Kind.allCases.randomElement(using: &generator)!, longer, folding: folding)
      guard query.isNarrower(than: other) else { continue }
      count += 1
      for _ in 0..<5 {
        let tried =
          NaiveTexts.text(0..<3, using: &generator) + longer + NaiveTexts.text(0..<3, using: &generator)
        if query.matches(tried) {
          #expect(other.matches(tried), "\(query) is not narrower than \(other), by \(tried.debugDescription)")
        }
      }
    }
    #expect(count > 100 || TestSeed.isResized)
  }

  @Test func aLetterTypedNarrowsEveryKind() {
    for kind in TextQuery.Kind.allCases {
      #expect(TextQuery(kind, "stras").isNarrower(than: TextQuery(kind, "stra")), "\(kind)")
      #expect(!TextQuery(kind, "stra").isNarrower(than: TextQuery(kind, "stras")), "\(kind)")
      #expect(TextQuery(kind, "x").isNarrower(than: TextQuery(kind, "")), "\(kind)")
      #expect(TextQuery(kind, "x").isNarrower(than: TextQuery(kind, "x")), "\(kind)")
    }
    #expect(TextQuery.substring("lovelace").isNarrower(than: .fuzzy("lvc")))
    #expect(TextQuery.substring("a b").isNarrower(than: .words("b a")))
    #expect(!TextQuery.words("a b").isNarrower(than: .substring("a b")))
    #expect(!TextQuery.fuzzy("ab").isNarrower(than: .substring("ab")))
    #expect(!TextQuery.substring("ab").isNarrower(than: .prefix("ab")))
  }

  /// One matcher gives the same answer for many texts as the query for each.
  @Test func aMatcherAgreesWithItsQuery() {
    let texts = ["", "Lange Straße 7", "straSSE", "ΟΔΟΣ", "e\u{301}", "é", "각", "a", "plain", "ﬁn", "\u{FFFD}"]
    let words = ["", "ss", "stras", "οδος", "e", "é", "가", "fi", "N", "la 7"]
    for kind in TextQuery.Kind.allCases {
      for word in words {
        let query = TextQuery(kind, word)
        var matcher = TextMatcher(query)
        for text in texts {
          #expect(matcher.matches(Array(text.utf8).span) == query.matches(text), "\(query) in \(text)")
        }
      }
    }
    var matcher = TextMatcher(.substring("a"))
    #expect(matcher.matches([0xFF, 0x41, 0xC3].span) == true)
  }
}
