import Testing

@testable import outline

@Suite struct GlobTests {
  @Test(arguments: [
    ("*.swift", "main.swift", true), ("*.swift", ".swift", true), ("*.swift", "swift", false), ("*", "", true),
    ("?", "a", true), ("?", "", false), ("?", "ab", false), ("?", "ü", true), ("??", "ü", false),
    ("a*b*c", "aXbYbZc", true), ("a*b*c", "aXcYb", false), ("***", "x", true), ("[abc]", "b", true),
    ("[abc]", "d", false),
    ("[a-c]x", "bx", true), ("[!a-c]", "d", true), ("[^a-c]", "b", false), ("[]]", "]", true), ("[!]]", "a", true),
    ("[a-]", "-", true), ("[-a]", "-", true), ("[ä-ü]", "ö", true), ("[[:digit:]]", "7", true),
    ("[[:digit:]]", "x", false),
    ("[[:alpha:]_]*", "_1", true), ("[[:none:]]", "n", false), ("[ab", "a", false), ("a\\*", "a*", true),
    ("a\\*", "ab", false), ("a\\", "a", false), ("[\\]]", "]", true), ("a/b*", "a/bc/d", true), ("", "", true),
    ("", "a", false),
  ])
  func names(pattern: String, name: String, isMatch: Bool) {
    #expect(Glob(FileName(pattern)).matches(FileName(name)) == isMatch)
  }

  @Test(arguments: [
    ("src/*.c", "src/a.c", true), ("src/*.c", "src/a/b.c", false), ("src/**/*.c", "src/a.c", true),
    ("src/**/*.c", "src/x/y/a.c", true), ("**/a", "a", true), ("**/a", "x/y/a", true), ("**/a", "x/ab", false),
    ("a/**", "a/b/c", true), ("a/**", "a", false), ("**", "a/b", true), ("a/**/b/**/c", "a/b/x/b/c", true),
    ("a/**/b/**/c", "a/x/c", false), ("a**b/c", "axyb/c", true), ("a**b/c", "ax/yb/c", false), ("a/?/c", "a/b/c", true),
    ("a?b/c", "a/b/c", false), ("[a/]b/c", "ab/c", true), ("a/b", "a/b/c", false), ("a/b/c", "a/b", false),
  ])
  func paths(pattern: String, path: String, isMatch: Bool) {
    #expect(Glob(FileName(pattern), crossing: .directories).matches(FileName(path)) == isMatch)
  }

  @Test func bytesAndCharacters() {
    #expect(Glob("?", unit: .byte).matches("ü") == false && Glob("??", unit: .byte).matches("ü"))
    #expect(Glob("?").matches(FileName(bytes: [0xFF])) && Glob("[!a]").matches(FileName(bytes: [0xFF])))
    #expect(!Glob("[ÿ]").matches(FileName(bytes: [0xFF])))
  }

  /// Many stars do not make a pattern slow: the matcher goes back to the last star only.
  @Test func starsAreNotTriedAgainTogether() {
    let name = FileName(String(repeating: "a", count: 5_000))
    #expect(!Glob(FileName(String(repeating: "a*", count: 50) + "b")).matches(name))
    let path = FileName(Array(repeating: "a", count: 2_000).joined(separator: "/"))
    let pattern = FileName(String(repeating: "**/a/", count: 50) + "b")
    #expect(!Glob(pattern, crossing: .directories).matches(path))
  }
}
