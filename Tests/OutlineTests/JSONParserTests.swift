import Foundation
import TestSupport
import Testing

@testable import outline

@Suite struct JSONParserTests {
  private func parse(_ text: String) throws -> JSONDocument { try JSONDocument(Data(text.utf8)) }

  private func failure(_ bytes: [UInt8]) -> JSONError? {
    #expect(throws: JSONError.self) { try JSONDocument(Data(bytes)) }
  }

  @Test(arguments: [
    "0", "-0", "1.5", "1e5", "1E+5", "-1.0e-05", "true", "false", "null", "\"\"", "[]", "{}", " [ ] ", "{ }",
    "[1,2]", "\t\n\r 1", "\"\\u0000\"", "\"\\ud800\"", "\"\\/\\b\\f\\n\\r\\t\\\"\\\\\"", "{\"a\":1,\"a\":2}",
    "\u{FEFF}[]",
    "\"\u{7F}\"", "\"\u{10FFFF}\"", "[[[[]]]]", "1e999", "123456789012345678901234567890",
  ])
  func whatIsJSON(text: String) throws {
    #expect(throws: Never.self) { try parse(text) }
  }

  @Test(arguments: [
    ("", 1, 1, "the document ends here, and a value is missing"),
    (" \n ", 2, 2, "a value is missing"),
    ("[1,]", 1, 4, "a value is expected, not ']'"),
    ("[1 2]", 1, 4, "',' or ']' is expected, not '2'"),
    ("{\"a\" 1}", 1, 6, "':' is expected, not '1'"),
    ("{\"a\":1,}", 1, 8, "a name is expected, not '}'"),
    ("{a:1}", 1, 2, "a name or '}' is expected, not 'a'"),
    ("{\"a\":1]", 1, 7, "',' or '}' is expected, not ']'"),
    ("[1}", 1, 3, "',' or ']' is expected, not '}'"),
    ("[1", 1, 3, "',' or ']' is missing"),
    ("{\"a\":1", 1, 7, "',' or '}' is missing"),
    ("{", 1, 2, "a name or '}' is missing"), ("[", 1, 2, "a value is missing"), ("{\"a\"", 1, 5, "':' is missing"),
    ("1 1", 1, 3, "nothing more is expected, not '1'"), ("[] ]", 1, 4, "nothing more is expected, not ']'"),
    ("01", 1, 2, "nothing more"), ("-", 1, 2, "a digit is missing"), ("+1", 1, 1, "a value"), (".5", 1, 1, "a value"),
    ("1.", 1, 3, "a digit"), ("1.e2", 1, 3, "a digit is expected, not 'e'"), ("1e", 1, 3, "a digit"),
    ("1e+", 1, 4, "a digit"), ("-a", 1, 2, "a digit is expected, not 'a'"), ("0x1", 1, 2, "nothing more"),
    ("tru", 1, 4, "'true' is missing"), ("True", 1, 1, "a value"), ("nul1", 1, 4, "'null' is expected, not '1'"),
    ("NaN", 1, 1, "a value"), ("'a'", 1, 1, "a value"), ("[1] // x", 1, 5, "nothing more is expected, not '/'"),
    ("\"a", 1, 3, "'\"' is missing"), ("\"\\", 1, 3, "an escape is missing"), ("\"\\x\"", 1, 3, "one of"),
    ("\"\\u12g4\"", 1, 6, "a code of four hexadecimal digits is expected, not 'g'"),
    ("\"\\u12", 1, 6, "four hexadecimal digits"),
    ("\"a\nb\"", 1, 3, "a control character in a string has to be escaped"), ("\"\t\"", 1, 2, "a control character"),
    ("[\u{0}]", 1, 2, "a value is expected, not a control character"), ("[é]", 1, 2, "a value is expected, not this"),
    ("[\n\"é漢🎼\", x]", 2, 8, "a value is expected, not 'x'"), ("[\r\n 1 2]", 2, 4, "',' or ']'"),
    ("\u{A0}1", 1, 1, "a value"), ("[1,\u{FEFF}2]", 1, 4, "a value"),
  ])
  func whatIsNotJSONIsReportedWithItsPlace(text: String, line: Int, column: Int, reason: String) throws {
    let error = try #require(failure(Array(text.utf8)))
    #expect(error.line == line && error.column == column && error.reason.contains(reason), "\(error)")
    #expect(!error.description.contains("\n"))
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], 2), ([0x22, 0xC0, 0x80, 0x22], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 2),
      ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 2), ([0x22, 0xC3, 0x22], 2), ([0x22, 0x61, 0xE2, 0x82], 3),
      ([0xFF, 0xFE, 0x5B, 0x00], 1), ([0x5B, 0x80, 0x5D], 2), ([0x22, 0xF0, 0x8F, 0x80, 0x80, 0x22], 2),
      ([0x22, 0xE0, 0x9F, 0x80, 0x22], 2),
    ] as [([UInt8], Int)])
  func whatIsNotUTF8IsToldWithItsPlace(bytes: [UInt8], column: Int) throws {
    let error = try #require(failure(bytes))
    #expect(error == JSONError(line: 1, column: column, reason: "this is not UTF-8"))
  }

  /// Documents need no space between them, except numbers and words.
  @Test(arguments: ["12-3", "01", "truefalse", "1null", "null0"])
  func aNumberOrAWordIsNotDirectlyBehindAnother(line: String) throws {
    let document = try JSONDocument(Data("1\n\(line)\n[2]\n".utf8), .several)
    #expect(document.tape.count(0) == 2 && document.errors.count == 1)
    let others = try JSONDocument(Data("1\"a\"2[]3{}true".utf8), .several)
    #expect(others.tape.count(0) == 7 && others.errors.isEmpty)
  }

  /// In a string, every sequence that begins with one or two given bytes is refused exactly where Swift finds no UTF-8.
  @Test func shortSequencesAreJudgedAsSwiftDoes() {
    for first in UInt8(0x80)...0xFF {
      for second in UInt8.min...0xFF {
        for rest in [[], [0x80], [0x80, 0xBF], [0xC0]] as [[UInt8]] {
          let bytes = [first, second] + rest
          let isText = String(validating: bytes, as: UTF8.self) != nil
          if (firstInvalidUTF8(in: bytes.span) == nil) != isText { Issue.record("\(bytes)") }
        }
      }
    }
  }

  @Test func halvesOfPairsAreDecoded() throws {
    for (text, decoded) in [
      (#""\ud834\udd1e""#, "𝄞"), (#""\ud834""#, "\u{FFFD}"), (#""\udd1ex""#, "\u{FFFD}x"),
      (#""\ud834\ud834\udd1e""#, "\u{FFFD}𝄞"), (#""\ud834\n""#, "\u{FFFD}\n"), (#""\uD834\u0041""#, "\u{FFFD}A"),
      (#""\u00e9\\\"\/""#, "é\\\"/"),
    ] {
      #expect(try parse(text).text(0).text == decoded)
    }
  }

  @Test func keysAreFoundBeforeTheirValues() throws {
    let text = #"{"a" : {"\\" :1, "\"":2,"\\\"" : 3, "": [4], "\u0022\\\\":"5:"}, "x\"y:z" : "\":", ":" : ":"}"#
    let document = try parse(text)
    guard case .object(let members) = document.model(), case .object(let inner)? = members.first?.value else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.key) == ["a", "x\"y:z", ":"])
    #expect(inner.map(\.key) == ["\\", "\"", "\\\"", "", "\"\\\\"])
    #expect(try parse(#"["a:", "b"]"#).key(3) == nil && parse("\"a\"").key(0) == nil)
  }

  @Test func aLimitCutsBetweenCharacters() throws {
    let document = try parse(#"["aé漢🎼b", "\u00e9\u00e9xy", 12345]"#)
    let whole = document.text(3).text
    for limit in 0...12 {
      let (text, isWhole) = document.text(3, limit: limit)
      #expect(whole.hasPrefix(text) && isWhole == (text == whole) && text.utf8.count <= limit)
    }
    #expect(document.text(4, limit: 1) == ("é", false))
    #expect(document.text(4, limit: 13) == ("ééx", false) && document.text(4, limit: 14) == ("ééxy", true))
    #expect(document.text(5, limit: 5) == ("12345", true) && document.text(5, limit: 4) == ("1234", false))
  }

  @Test func randomDocumentsAreReadAsFoundationReadsThem() throws {
    for iteration in 0..<TestSeed.iterations(300) {
      var generator = TestSeed.generator("outline/json", iteration: iteration)
      let model = JSONModel.random(depth: 4, using: &generator)
      let text = model.text(using: &generator)
      let document = try JSONDocument(Data(text.utf8))
      #expect(document.model() == model, "\(text)")
      let foundation = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      // Both are written in the same way, so that numbers and truth values are compared by their kinds, too.
      let written = try [document.model().foundation, foundation].map {
        try JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys, .fragmentsAllowed])
      }
      #expect(written[0] == written[1], "\(text)")
    }
  }

  /// Both parsers refuse a text with a random fault, or both read it.
  @Test func faultsAreJudgedAsFoundationDoes() {
    var (good, bad) = (0, 0)
    for iteration in 0..<TestSeed.iterations(2_000) {
      var generator = TestSeed.generator("outline/json-faults", iteration: iteration)
      var bytes = Array(JSONModel.random(depth: 2, using: &generator).text(using: &generator).utf8)
      let faults = Array("{}[]\",:0-1.e tfn\\\n".utf8)
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        if generator.chance(1, in: 2), place < bytes.count {
          bytes.remove(at: place)
        } else {
          bytes.insert(faults.randomElement(using: &generator) ?? 0, at: place)
        }
      }
      guard String(validating: bytes, as: UTF8.self) != nil, !Self.hasHalfPair(bytes) else { continue }
      var reason: String?
      do {
        _ = try JSONDocument(Data(bytes))
      } catch {
        reason = error.reason
      }
      // Foundation allows a comma before the end of an array or an object.
      if reason == "a value is expected, not ']'" || reason == "a name is expected, not '}'" { continue }
      // Foundation refuses numbers that are too large for a Double.
      let numbers = String(decoding: bytes, as: UTF8.self).split { !"+-.eE0123456789".contains($0) }
      if reason == nil, numbers.contains(where: { Double($0)?.isInfinite ?? false }) { continue }
      let isOurs = reason == nil
      let isTheirs = (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      #expect(isOurs == isTheirs, "\(String(decoding: bytes, as: UTF8.self))")
      if isOurs { good += 1 } else { bad += 1 }
    }
    #expect(TestSeed.isResized || good > 0 && bad > 0)
  }

  /// Whether a fault has divided a surrogate pair, which Foundation refuses.
  private static func hasHalfPair(_ bytes: [UInt8]) -> Bool {
    guard let document = try? JSONDocument(Data(bytes)) else { return false }
    func texts(_ model: JSONModel) -> [String] {
      switch model {
      case .object(let members): members.map(\.key) + members.flatMap { texts($0.value) }
      case .array(let elements): elements.flatMap(texts)
      case .string(let text): [text]
      default: []
      }
    }
    return texts(document.model()).contains { $0.unicodeScalars.contains("\u{FFFD}") }
  }

  @Test(.smallStack) func aTallChainIsRead() throws {
    let depth = TallTree.depth
    let chain = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let document = try parse(chain)
    #expect(document.tape.arrayCount == depth && document.tape.words.count == 3 * depth - 2)
    let objects = try parse(String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth))
    #expect(objects.tape.objectCount == depth && objects.key(3 * depth) == "a")
    let error = try #require(failure(Array((chain.dropLast()).utf8)))
    #expect(error.column == 2 * depth)
    var rows = 0
    let tree = JSONTree(objects, options: try Options(["chain"]))
    let count = Rows(tree: tree).forEach(in: 0..<Int.max) { row in
      rows += 1
      return row.depth == row.number
    }
    #expect(rows == depth && count == depth)
  }
}
