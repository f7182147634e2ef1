import Foundation
import TestSupport
import Testing

@testable import outline

/// The formats that the outline recognizes in a file, a pipe or standard input.
@Suite struct InputTests {
  @Test(arguments: [
    ("{}", true), (" \n{ \"a\": 1}", true), ("[", false), ("[]", true), ("[1]", true), ("[ true", true), ("[[", true),
    ("[id].tsx\n", false), ("{a}/x\n", false), ("[...slug]\n", false), ("[tests]/a\n", false), ("a", false),
    ("", false),
    ("\u{FEFF}{}", true), ("\"a\"", false), ("{\n\"", true),
  ])
  func jsonIsRecognized(text: String, isJSON: Bool) {
    #expect(InputFormat.looksLikeJSON(Array(text.utf8).span) == isJSON)
  }

  @Test func standardInput() {
    #expect(
      run("-", input: #"{"a": [1]}"#).output
        == "standard input: {1 member}\n  a: [1 element]\n    0: 1\n\n1 value in 1 object and 1 array\n")
    #expect(run("--input", "json", input: "7").output == "standard input: 7\n\n1 value in 0 objects and 0 arrays\n")
    #expect(run("--input", "paths", input: "{}").output == "standard input  1 file\n  {}\n\n1 file in 0 directories\n")
    #expect(run("-0", input: "[1]\u{0}b").output.hasPrefix("standard input  2 files\n  [1]\n  b\n"))
    let broken = run("-", input: "[1].txt\nb")
    #expect(broken.code == 65 && broken.output.isEmpty)
    #expect(
      broken.errors
        == "outline: this is no JSON document: standard input: line 1, column 4: nothing more is expected, not '.'; "
        + "--input paths reads a list of paths\n")
    #expect(run("--json", "-", input: "[1]").output.hasPrefix(#"{"paths":["-"],"kind":"array","count":1,"#))
  }

  @Test func severalDocuments() {
    let lines = "{\"a\": 1}\n[2, 3]\n\n\"x\"\n"
    let outline = """
      standard input: 3 documents
        0: {1 member}
          a: 1
        1: [2 elements]
          0: 2
          1: 3
        2: "x"

      4 values in 1 object and 1 array

      """
    #expect(run("-", input: lines).output == outline)
    #expect(run("--input", "ndjson", input: lines).output == outline)
    #expect(
      run("--input", "json", input: lines).errors.hasSuffix("line 2, column 1: nothing more is expected, not '['\n"))
    #expect(
      run("--input", "ndjson", input: "").output
        == "standard input: 0 documents\n\n0 values in 0 objects and 0 arrays\n")
    #expect(run("-", input: "{}\n}").errors.contains("line 2, column 1: nothing more is expected, not '}'"))
    #expect(run("-", input: "{}\n{\"a\" 1}").errors.contains("line 2, column 6: ':' is expected"))
    #expect(
      run("--json", "--depth", "0", "-", input: lines).output.hasPrefix(#"{"paths":["-"],"kind":"sequence","count":3,"#)
    )
    #expect(
      run("--filter", "3", "--rows", "0..<9", "-", input: lines).output == "0\t0\t1: [2 elements]\n1\t1\t  1: 3\n")
    let files = Fake.directory(["a.ndjson": .text("1\n2 3"), "a.json": .text("1\n2"), "b.jsonl": .text("{}")])
    #expect(run("/a.ndjson", in: files.fileSystem).output.hasPrefix("/a.ndjson: 3 documents\n  0: 1\n  1: 2\n  2: 3\n"))
    #expect(run("/a.json", in: files.fileSystem).output.hasPrefix("/a.json: 2 documents\n"))
    #expect(run("/b.jsonl", in: files.fileSystem).output.hasPrefix("/b.jsonl: 1 document\n  0: {0 members}\n"))
  }

  /// A wrong document is left out, and the error names its line. The other documents are shown.
  @Test(
    arguments: [
      // The fault is in the first line, in the middle of a line, at its end, or where a line was cut.
      (
        "{\"a\":1}\n{\"b\":}\n[2]\n", ["0: {1 member}", "1: [1 element]"],
        ["line 2, column 6: a value is expected, not '}'"]
      ),
      ("1\n2 x 3\n4\n", ["0: 1", "1: 2", "2: 4"], ["line 2, column 3: a value is expected, not 'x'"]),
      (
        "{\"a\":\n[1]\n\n{\"b\":2\n\"c\"\n", ["0: [1 element]", "1: \"c\""],
        [
          "line 1, column 6: the document ends here, and a value is missing",
          "line 4, column 7: the document ends here, and ',' or '}' is missing",
        ]
      ),
      ("7\n{\"a\":", ["0: 7"], ["line 2, column 6: the document ends here, and a value is missing"]),
      (
        "7\n\"\u{1}\"\n\u{FEFF}8\n9", ["0: 7", "1: 9"],
        [
          "line 2, column 2: a control character in a string has to be escaped",
          "line 3, column 1: a value is expected, not this",
        ]
      ),
      // A wrong document of several lines is one error.
      ("7\n{\n\"a\": x,\n\"b\": [\n]\n}\n8\n", ["0: 7", "1: 8"], ["line 3, column 6: a value is expected, not 'x'"]),
    ] as [(String, [String], [String])])
  func documentsThatAreNoneAreLeftOut(text: String, rows: [String], errors: [String]) {
    let run = run("--input", "ndjson", "--depth", "1", input: text)
    #expect(run.code == 65)
    let shown = run.output.split(separator: "\n").map(String.init).filter { $0.hasPrefix("  ") }
    #expect(shown == rows.map { "  " + $0 })
    let title = "outline: this is left out of standard input, because it is no JSON document:\n"
    #expect(run.errors == title + errors.map { "  \($0)\n" }.joined())
  }

  /// The good lines of a list are shown, whatever lies between them.
  @Test func randomLinesAreLeftOut() {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("outline/left out", iteration: iteration)
      var (lines, wrong): ([String], [Int]) = (["true"], [])
      for number in 2...Int.random(in: 3...30, using: &generator) {
        let bad = ["{", "[1,", "x", "\"", "{\"a\":", "1 x", "{\"a\":\"b"].randomElement(using: &generator)!
        let isWrong = generator.chance(1, in: 3)
        if isWrong { wrong.append(number) }
        lines.append(isWrong ? bad : "{\"a\": \(number)}")
      }
      let run = run("--input", "ndjson", "--json", input: lines.joined(separator: "\n"))
      #expect(run.code == (wrong.isEmpty ? 0 : 65))
      for number in 2...lines.count {
        #expect(run.output.contains("\"value\":\(number)}") == !wrong.contains(number), "\(lines)")
      }
      #expect(!run.output.contains("\"name\":\"a\",\"kind\":\"object\""))
    }
  }

  @Test func manyWrongLinesTakeTimeForTheirNumber() {
    // Time in proportion to the square of the lines would be minutes.
    let lines = "1\n" + String(repeating: "{\"a\":\n", count: 100_000)
    #expect(run("--input", "ndjson", input: lines).code == 65)
    #expect(run("--input", "ndjson", input: lines + "2\n").output.contains("  1: 2\n"))
  }

  /// A sequence of random documents has the rows of each document.
  @Test func randomSequences() throws {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("outline/sequences", iteration: iteration)
      let models = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        JSONModel.random(depth: 3, using: &generator)
      }
      let texts = models.map { $0.text(using: &generator) }
      let together = run("--input", "ndjson", "--json", input: texts.joined(separator: "\n")).output
      let document = try #require(try JSONSerialization.jsonObject(with: Data(together.utf8)) as? [String: Any])
      let rows = try #require(document["children"] as? [[String: Any]])
      #expect(rows.count == texts.count && rows.map { $0["index"] as? Int } == Array(0..<rows.count))
      for (row, text) in zip(rows, texts) {
        let alone = run("--input", "json", "--json", input: text).output
        let single = try #require(try JSONSerialization.jsonObject(with: Data(alone.utf8)) as? [String: Any])
        #expect(row["kind"] as? String == single["kind"] as? String)
        let (below, children) = (row["children"] as? NSArray, single["children"] as? NSArray)
        #expect((below ?? []).isEqual(children ?? []))
      }
    }
  }

  @Test func pipesAndLists() {
    let fake = Fake.directory([
      "p": .pipe("a/b\n"), "j": .pipe("[7]"), "list.txt": .text("x\ny\n"), "d": .directory([:]),
    ])
    #expect(run("/p", in: fake.fileSystem).output.hasPrefix("/p  1 file\n  a/  1 file\n"))
    #expect(run("/j", in: fake.fileSystem).output.hasPrefix("/j: [1 element]\n"))
    #expect(run("--input", "paths", "/list.txt", in: fake.fileSystem).output.hasPrefix("/list.txt  2 files\n"))
    #expect(run("--input", "json", "/d", in: fake.fileSystem).errors.contains("not for directories"))
    #expect(run("--join", "/p", in: fake.fileSystem).code == 2)
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x7B, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x7B], "UTF-16"), ([0x7B, 0, 0x22, 0], "UTF-16"),
      ([0, 0x5B, 0, 0x5D], "UTF-16"), ([0xFF, 0xFE, 0, 0], "UTF-32"), ([0, 0, 0xFE, 0xFF], "UTF-32"),
    ] as [([UInt8], String)])
  func otherEncodingsAreNamed(bytes: [UInt8], name: String) {
    let sentence =
      "outline: this is in \(name), and only UTF-8 is read: standard input; iconv -f \(name) -t UTF-8 makes that of it\n"
    for arguments in [["-"], ["--input", "json"], ["--input", "paths", "-"]] {
      let run = runCommand(arguments, input: bytes)
      #expect(run.code == 65 && run.errors == sentence && run.output.isEmpty)
    }
    for text in ["", "a\u{0}b", "{}"] {
      let encoding = InputFormat.foreignEncoding(Array(text.utf8).span)
      #expect(encoding == nil)
    }
  }

  @Test func brokenLinksAreNamed() {
    let fake = Fake.directory([
      "lost": .dangling, "loop": .looping, "d": .directory(["lost": .dangling, "loop": .looping, "p": .pipe("")]),
    ])
    #expect(run("/lost", in: fake.fileSystem).code == 2)
    #expect(
      run("/lost", in: fake.fileSystem).errors
        == "outline: this is a dangling link: /lost leads to none, which is not there\n")
    #expect(run("/loop", in: fake.fileSystem).errors == "outline: this is a looping link: /loop leads back to itself\n")
    #expect(
      run("--rows", "0..<9", "/d", in: fake.fileSystem).output
        == "0\t0\tloop -> loop  (looping link)\n1\t0\tlost -> none  (dangling link)\n2\t0\tp  (named pipe)\n")
    #expect(
      run("--json", "--rows", "0..<1", "/d", in: fake.fileSystem).output.contains(#""target":"loop","link":"looping"}"#)
    )
  }

  @Test func nothingGivenIsTheCurrentDirectory() throws {
    #expect(try Options([String]()).paths == ["."] && Options(["--filter", "a"]).paths == ["."])
    #expect(try Options(["--input", "ndjson"]).paths == ["-"])
    #expect(run("--version").output == Options.version + "\n")
  }
}
