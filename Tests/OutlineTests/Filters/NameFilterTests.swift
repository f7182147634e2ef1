import Foundation
import Testing

@testable import outline

@Suite struct NameFilterTests {
  @Test(arguments: [
    ("read", "README.md", true), ("README", "readme", true), ("md", "a.md", true), ("x", "", false),
    ("longer than", "short", false), ("ü", "GRÜN", true), ("é", "E", false), ("e", "É", false), ("aab", "aaab", true),
    ("K", "\u{212A}", true), (".", "a", false), ("strasse", "STRASSE", true), ("STRASSE", "Straße", true),
    ("straße", "STRASSE", true), ("ΟΔΟΣ", "οδος", true), ("fi", "ﬁn", true), ("ü", "u\u{308}", true),
    ("a", "\u{FFFD}a", true),
  ])
  func textsAreFoldedInFull(text: String, name: String, isFound: Bool) throws {
    let filter = try #require(NameFilter(try Options(["--filter", text]), hasPaths: true))
    #expect(filter.matches(FileName(name)) == isFound)
    #expect(filter.ranges(in: FileName(name)).isEmpty == !isFound)
  }

  @Test func regularExpressions() throws {
    let filter = try #require(NameFilter(try Options(["--regex", "^[A-Z].*[0-9]+$"]), hasPaths: true))
    #expect(filter.matches("File10") && !filter.matches("file10"))
    #expect(filter.ranges(in: "Äu").isEmpty && filter.ranges(in: "F1") == [0..<2])
    let folded = try #require(NameFilter(try Options(["--regex", "(?i)É"]), hasPaths: true))
    #expect(folded.ranges(in: "xéyé") == [1..<3, 4..<6])
    #expect(run("--regex", "(", "/").errors == "outline: --regex takes a regular expression, and \"(\" is none\n")
    #expect(run("--regex", "(", "/").code == 64)
    let bytes = try #require(NameFilter(try Options(["--regex", "a"]), hasPaths: true))
    #expect(bytes.matches(FileName(bytes: [0xFF, 0x61])) && bytes.ranges(in: FileName(bytes: [0xFF, 0x61])).isEmpty)
  }

  let fake = Fake.directory([
    "top": .directory([
      "a.c": .file(1), "src": .directory(["b.c": .file(2), "b.h": .file(3), "lib": .directory(["c.c": .file(4)])]),
    ])
  ])

  @Test(
    arguments: [
      (["--glob", "*.c"], ["a.c", "src", "b.c", "lib", "c.c"]), (["--glob", "src/*.c"], ["src", "b.c"]),
      (["--glob", "/src/**/*.c"], ["src", "b.c", "lib", "c.c"]), (["--glob", "*.C"], []),
      (["--glob", "?.[ch]", "--filter", "B"], ["src", "b.c", "b.h"]), (["--regex", "^c"], ["src", "lib", "c.c"]),
      (["--glob", "*.c", "--regex", "[ab]", "--filter", "a"], ["a.c"]),
    ] as [([String], [String])])
  func globs(arguments: [String], names: [String]) throws {
    let json = runCommand(arguments + ["--json", "--rows", "0..<9", "/top"], in: fake.fileSystem).output
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let rows = try #require(document["rows"] as? [[String: Any]])
    #expect(Set(rows.compactMap { $0["name"] as? String }) == Set(names) && rows.count == names.count)
  }

  @Test func summariesSayWhatIsShown() {
    let output = run("--glob", "*.c", "--filter", "b", "/top", in: fake.fileSystem).output
    #expect(output.hasSuffix("\n1 file with \"b\" in the name and like *.c in 2 directories, 2 B\n"))
    let json = run("--filter", "c", "--json", "/top/src", in: fake.fileSystem).output
    #expect(
      json.hasPrefix(#"{"paths":["/top/src"],"kind":"directory","files":2,"size":6,"directories":2,"filter":"c","#))
    let document = #"{"ab": [1, 2], "c": {"d": "ab", "e": 1}, "f": []}"#
    #expect(
      run("--filter", "AB", "-", input: document).output.hasSuffix(
        "\n3 values in 2 objects and 1 array, shown for \"AB\"\n"))
    #expect(
      run("--filter", "zz", "-", input: document).output.hasSuffix(
        "\n0 values in 0 objects and 0 arrays, shown for \"zz\"\n"))
    #expect(run("--regex", "^f$", "--rows", "0..<9", "-", input: document).output == "0\t0\tf: [0 elements]\n")
    #expect(run("--glob", "a*", "--rows", "0..<1", "-", input: document).output == "0\t0\tab: [2 elements]\n")
  }
}
