import Foundation
import TestSupport
import Testing

@testable import outline

/// JSON documents as outlines.
@Suite struct JSONDocumentTests {
  let fake = Fake.directory([
    "p.json": .text(
      #"""
      {
        "name": "Ada \"Countess\" L.",
        "born": 1815, "tags": ["math", "engines", []], "\ttab": {},
        "notes": [{"page": 1, "text": "G\u00e9"}, {"page": -2.50e+3}],
        "address": {"city": "London", "zip": null}, "": true
      }
      """#),
    "list.json": .text("[[], 1, \"two\"]"), "word.json": .text(" \"all\" "),
    "bad.json": .text("{\"a\": 1,\n \"é\": tru }"),
    "long.json": .text("[\"\(String(repeating: "é", count: 200))\", \(String(repeating: "1", count: 300))]"),
    "sealed.json": .sealed, "dir": .directory([:]),
  ])

  private func run(_ arguments: String...) -> Run { runCommand(arguments, in: fake.fileSystem) }

  @Test func objectsAndArraysAreBranches() {
    #expect(
      run("/p.json").output == #"""
        /p.json: {7 members}
          name: "Ada \"Countess\" L."
          born: 1815
          tags: [3 elements]
            0: "math"
            1: "engines"
            2: [0 elements]
          \ttab: {0 members}
          notes: [2 elements]
            0: {2 members}
              page: 1
              text: "Gé"
            1: {1 member}
              page: -2.50e+3
          address: {2 members}
            city: "London"
            zip: null
          "": true

        10 values in 5 objects and 3 arrays

        """#)
    #expect(run("/word.json").output == "/word.json: \"all\"\n\n1 value in 0 objects and 0 arrays\n")
    #expect(run("/list.json").output.hasPrefix("/list.json: [3 elements]\n  0: [0 elements]\n  1: 1\n  2: \"two\"\n"))
  }

  @Test func rowsExpansionAndLimits() {
    #expect(
      run("--rows", "8..<11", "/p.json").output == """
        8\t1\t  0: {2 members}
        9\t2\t    page: 1
        10\t2\t    text: "Gé"

        """)
    #expect(
      run("--expand", "0", "--sort", "name", "/p.json").output == #"""
        /p.json: {7 members}
          "": true
          \ttab: {0 members}
          address: {2 members}
          born: 1815
          name: "Ada \"Countess\" L."
          notes: [2 elements]
          tags: [3 elements]

        10 values in 5 objects and 3 arrays

        """#)
    let sorted = run("--sort", "size", "--depth", "1", "--limit", "3", "/p.json").output
    #expect(
      sorted.contains(
        "}\n  notes: [2 elements]\n  tags: [3 elements]\n  address: {2 members}\n  … and 4 more entries\n"))
    #expect(run("--rows", "99..<100", "/p.json").errors.hasSuffix("begins behind the last row: there are 17 rows\n"))
    #expect(run("--rows", "0..<1", "/word.json") == Run(code: 0, output: "", errors: ""))
    #expect(run("--rows", "1..<2", "/word.json").errors.hasSuffix("begins behind the last row: there are 0 rows\n"))
  }

  @Test func aFilterShowsWhatLeadsToAMatchAndWhatIsInIt() {
    #expect(
      run("--filter", "PAGE", "/p.json").output == """
        /p.json: {7 members}
          notes: [2 elements]
            0: {2 members}
              page: 1
            1: {1 member}
              page: -2.50e+3

        2 values in 3 objects and 1 array, shown for "PAGE"

        """)
    #expect(
      run("--filter", "addr", "--rows", "0..<9", "/p.json").output == """
        0\t0\taddress: {2 members}
        1\t1\t  city: "London"
        2\t1\t  zip: null

        """)
    #expect(run("--filter", "gé", "--rows", "2..<9", "/p.json").output == "2\t2\t    text: \"Gé\"\n")
  }

  @Test func jsonOfADocumentIsItsOutline() throws {
    let json = run("--json", "--depth", "2", "/p.json").output
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    #expect(document["kind"] as? String == "object" && document["count"] as? Int == 7)
    let children = try #require(document["children"] as? [[String: Any]])
    #expect(children.map { $0["name"] as? String } == ["name", "born", "tags", "\ttab", "notes", "address", ""])
    #expect(children[0]["value"] as? String == #"Ada "Countess" L."# && children[1]["value"] as? Int == 1_815)
    let tags = try #require(children[2]["children"] as? [[String: Any]])
    #expect(tags.map { $0["index"] as? Int } == [0, 1, 2] && tags[2]["kind"] as? String == "array")
    #expect(
      run("--json", "--rows", "0..<1", "/list.json").output == """
        {"paths":["/list.json"],"kind":"array","count":3,"rows":[
        {"row":0,"depth":0,"index":0,"kind":"array","count":0}
        ]}

        """)
  }

  /// Names and texts without an escape are printed as in the document. The others are decoded first.
  @Test(arguments: [
    ("", #""""#), ("a", "a"), (#"\\"#, #"\\"#), (#"\""#, "\""), (#"a\"b"#, #"a"b"#), (#"a\\\""#, #"a\\""#),
    (#"\u0041"#, "A"), ("é", "é"), ("x\u{7F}", #"x\u{7F}"#),
  ])
  func namesAreDecodedWhereTheyNeedIt(name: String, printed: String) {
    let fake = Fake.directory(["a.json": .text("{ \"\(name)\" : \"\(name)\" }")])
    let lines = runCommand(["/a.json"], in: fake.fileSystem).output.split(separator: "\n")
    let value = (name.isEmpty ? "" : printed).replacing("\"", with: "\\\"")
    #expect(lines[1] == "  \(printed): \"\(value)\"")
    let json = runCommand(["--json", "/a.json"], in: fake.fileSystem).output
    let document = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let child = (document?["children"] as? [[String: Any]])?.first
    #expect(child?["name"] as? String == child?["value"] as? String && child?["name"] != nil)
  }

  @Test func longTextsAreCutInTextOnly() {
    let text = run("/long.json").output
    #expect(text.contains("  0: \"\(String(repeating: "é", count: 100))…\n"))
    #expect(text.contains("  1: \(String(repeating: "1", count: 200))…\n"))
    let json = run("--json", "/long.json").output
    #expect(json.contains(String(repeating: "é", count: 200)) && json.contains(String(repeating: "1", count: 300)))
  }

  @Test func longNamesAreCutInTextOnly() {
    for name in [String(repeating: "k", count: 1_000_000), String(repeating: "\\u00e9", count: 100_000)] {
      let text = "{\"\(name)\": 1}"
      for color in ["never", "always"] {
        let printed = runCommand(["--input", "json", "--color", color], input: Array(text.utf8))
        #expect(printed.output.contains("…") && printed.output.utf8.count < 2_000)
      }
      #expect(runCommand(["--input", "json", "--json"], input: Array(text.utf8)).output.utf8.count > 100_000)
    }
  }

  @Test(
    arguments: [
      ([], "/bad.json", 65, "this is no JSON document: /bad.json: line 2, column 10: 'true' is expected, not a space"),
      ([], "/sealed.json", 2, "this could not be read: /sealed.json: there is no permission"),
      (["--group", "extension"], "/p.json", 64, "--group is not for JSON documents"),
      (["--sort", "date"], "/p.json", 64, "--sort date is not for JSON documents"),
      (["--join"], "/p.json", 2, "--join takes directories, and this is none: /p.json"),
      ([], "/none.json", 2, "there is no such path: /none.json"),
    ] as [([String], String, Int32, String)])
  func badInputIsOneSentence(arguments: [String], path: String, code: Int32, sentence: String) {
    for format in [[], ["--json"]] {
      let run = runCommand(arguments + [path] + format, in: fake.fileSystem)
      #expect(run.code == code && run.output.isEmpty)
      #expect(run.errors == "outline: \(sentence)\n")
    }
  }
}
