import AssemblageSearch
import Foundation
import TestSupport

/// Searches as the documentation describes it, on lists of scalars: slow and plain.
struct NaiveText {
  let scalars: [Unicode.Scalar]
  /// The offsets of the scalars at which a character begins, and the end.
  private let boundaries: Set<Int>

  init(_ text: String, ignoresMarks: Bool = false) {
    let drawn = String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isVariationSelector }))
    let counted = drawn.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
      let rank = $0.properties.canonicalCombiningClass.rawValue
      return !ignoresMarks || rank == 0 || 7...9 ~= rank
    }
    let folded = counted.map { scalar -> String in
      if scalar == "ı" { return "ı" }
      var result = ""
      for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        for upper in lower.properties.uppercaseMapping.unicodeScalars { result += upper.properties.lowercaseMapping }
      }
      return result
    }
    scalars = Array(folded.joined().decomposedStringWithCanonicalMapping.unicodeScalars)
    var starts: Set = [0]
    var start = 0
    for character in String(String.UnicodeScalarView(scalars)) {
      start += character.unicodeScalars.count
      starts.insert(start)
    }
    boundaries = starts
  }

  private static func continues(_ scalar: Unicode.Scalar) -> Bool {
    "a\(scalar)".count == 1 || 0x1160...0x11FF ~= scalar.value
  }

  /// Whether the piece lies at a place as whole characters. Only a mark may begin inside a character.
  private func has(_ piece: [Unicode.Scalar], at place: Int) -> Bool {
    let end = place + piece.count
    return end <= scalars.count && Array(scalars[place..<end]) == piece && boundaries.contains(end)
      && (boundaries.contains(place) || Self.continues(piece[0]))
  }

  private func contains(_ piece: [Unicode.Scalar]) -> Bool {
    piece.isEmpty || scalars.indices.contains { has(piece, at: $0) }
  }

  /// Returns the characters without white space, as a fuzzy query has them.
  private static func characters(_ text: NaiveText) -> [[Unicode.Scalar]] {
    String(String.UnicodeScalarView(text.scalars)).map { character in
      Array(character.unicodeScalars.drop { $0.properties.isWhitespace })
    }
    .filter { !$0.isEmpty }
  }

  func matches(_ query: TextQuery) -> Bool {
    let ignoresMarks = query.folding.marks == .ignored
    let wanted = NaiveText(query.text, ignoresMarks: ignoresMarks)
    switch query.kind {
    case .substring: return contains(wanted.scalars)
    case .prefix: return wanted.scalars.isEmpty || has(wanted.scalars, at: 0)
    case .words:
      return query.text.split(whereSeparator: \.isWhitespace).allSatisfy {
        contains(NaiveText(String($0), ignoresMarks: ignoresMarks).scalars)
      }
    case .fuzzy:
      var next = 0
      return Self.characters(wanted).allSatisfy { character in
        guard let place = (next..<max(next, scalars.count)).first(where: { has(character, at: $0) }) else {
          return false
        }
        next = place + character.count
        return true
      }
    }
  }

  /// Returns the best score of all ways to find the characters.
  func score(_ query: TextQuery) -> Int? {
    let characters = Self.characters(NaiveText(query.text, ignoresMarks: query.folding.marks == .ignored))
    func best(_ number: Int, _ end: Int?) -> Int? {
      if number == characters.count { return 0 }
      var result: Int?
      for place in (end ?? 0)..<max(end ?? 0, scalars.count) where has(characters[number], at: place) {
        guard let rest = best(number + 1, place + characters[number].count) else { continue }
        var score = 16 + rest
        if let end { score += place == end ? 8 : end - place }
        if place == 0
          || (scalars[place - 1].isASCII && !Character(scalars[place - 1]).isLetter
            && !Character(scalars[place - 1]).isNumber)
        {
          score += 8
        }
        result = max(result ?? .min, score)
      }
      return result
    }
    return best(0, nil)
  }
}

/// Texts and queries of few characters, so that a query often matches a text.
enum NaiveTexts {
  static let pieces = [
    "a", "A", "b", "e", "E", "é", "e\u{301}", "É", "ß", "s", "S", "ẞ", "σ", "ς", "Σ", "ﬁ", "f", "i", "İ", "ı", " ", "-",
    "가", "각", "\u{1100}", "\u{301}", "\u{323}", "\u{345}", "ᾴ", "7", "👍", "中", "👍🏽", "\u{1F1E9}", "\u{1F1EA}", "👧",
    "👩‍👧", "\u{200D}", "❤", "❤️", "1️⃣", "क", "क्ष", "कि", "\r", "\n",
  ]

  static func text(_ pieces: Range<Int>, using generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: pieces, using: &generator)).map { _ in Self.pieces.randomElement(using: &generator)! }.joined()
  }

  static func query(using generator: inout SeededGenerator) -> TextQuery {
    let kind = TextQuery.Kind.allCases.randomElement(using: &generator)!
    let marks = TextFolding.Marks.allCases.randomElement(using: &generator)!
    return TextQuery(kind, text(0..<4, using: &generator), folding: TextFolding(marks: marks))
  }
}
