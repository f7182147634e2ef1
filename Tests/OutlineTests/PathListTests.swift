import Foundation
import TestSupport
import Testing

@testable import outline

/// Lists of paths on standard input.
@Suite struct PathListTests {
  @Test func aListIsShownAsATree() {
    let list = "src/b.c\nREADME\nsrc/a/x.c\nsrc-old/\nsrc/a/y.h\n"
    #expect(
      run("-", input: list).output == """
        standard input  4 files
          README
          src/  3 files
            a/  2 files
              x.c
              y.h
            b.c
          src-old/  0 files

        4 files in 3 directories

        """)
    #expect(
      run("--filter", "X", "-", input: list).output == """
        standard input  1 file
          src/  1 file
            a/  1 file
              x.c

        1 file with "X" in the name in 2 directories

        """)
    #expect(run("--rows", "2..<4", "-", input: list).output == "2\t1\t  a/  2 files\n3\t2\t    x.c\n")
    #expect(run("--expand", "0", "--sort", "name", "-", input: list).output.contains("  src/  3 files\n  src-old/"))
    #expect(
      run("--group", "extension", "--expand", "1", "--rows", "0..<9", "-", input: list).output == """
        0\t0\t.c  2 files
        1\t1\t  src/a/x.c
        2\t1\t  src/b.c
        3\t0\t.h  1 file
        4\t1\t  src/a/y.h
        5\t0\t(no extension)  1 file
        6\t1\t  README

        """)
    #expect(
      run("--json", "--depth", "1", "-", input: "a/b\nc").output == """
        {"paths":["-"],"kind":"directory","files":2,"directories":1,"children":[
        {"name":"a","kind":"directory","files":1},
        {"name":"c","kind":"file"}
        ],"omitted":0}

        """)
  }

  @Test(arguments: [
    ("a\nb", ["a", "b"]), ("a\n\n\nb\n", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("b\na\nb\na", ["a", "b"]),
    ("a\u{0}b\nc\u{0}", ["a", "b\\nc"]), ("./a//b/./c", ["a/", " b/", "  c"]), ("a/b\na", ["a/", " b"]),
    ("a\na/b", ["a/", " b"]), ("a/", ["a/"]), ("a/.", ["a/"]), ("/usr/x\n/usr\n/", ["/usr/", " x"]),
    ("../a", ["../", " a"]),
    ("//usr//x", ["/usr/", " x"]), ("ä/ü\nä/ß", ["ä/", " ß", " ü"]),
    ("a/b/c\na/b/d\na/e\na/b/c", ["a/", " b/", "  c", "  d", " e"]),
    ("x/a\ny/a\nx/b", ["x/", " a", " b", "y/", " a"]), ("B\na\nA", ["A", "B", "a"]),
    ("a.\n.a\n...", ["...", ".a", "a."]),
  ])
  func whatIsInAList(list: String, rows: [String]) {
    let output = run("--rows", "0..<99", "-", input: list).output
    let found = output.split(separator: "\n").map { line in
      let columns = line.split(separator: "\t")
      let name = columns[2].trimmingCharacters(in: .whitespaces).split(separator: "  ")[0]
      return String(repeating: " ", count: Int(columns[1]) ?? 0) + name
    }
    #expect(found == rows)
  }

  @Test func theSeparatorCanBeSaid() {
    #expect(run("--null", "--rows", "0..<9", "-", input: "a\nb").output == "0\t0\ta\\nb\n")
    #expect(run("-0", "--rows", "0..<9", "-", input: "a\r\u{0}").output == "0\t0\ta\\r\n")
  }

  @Test(arguments: ["", "\n\n", "/\n.\n./\n", "\u{0}\u{0}"])
  func listsOfNothingAreEmptyLists(list: String) {
    let all = run("-", input: list)
    #expect(all == Run(code: 0, output: "standard input  0 files\n\n0 files in 0 directories\n", errors: ""))
    #expect(run("--filter", "a", "-", input: list).code == 1)
    #expect(run("--json", "-", input: list).output.contains(#""files":0,"directories":0,"children":["#))
  }

  @Test func badInputIsOneSentence() {
    let bytes = runCommand(["-"], input: Array("ok\n".utf8) + [0x61, 0xFF, 0x0A])
    #expect(bytes.code == 0 && bytes.errors.isEmpty && bytes.output.contains("  a\\xFF\n  ok\n"))
    let closed = runCommand(["-"])
    #expect(closed.code == 2 && closed.output.isEmpty)
    #expect(closed.errors == "outline: standard input could not be read: it is closed\n")
    for (sort, reason) in [("size", "--sort size is not for"), ("date", "--sort date is not for")] {
      let sorted = run("--sort", sort, "-", input: "a")
      #expect(sorted.code == 64 && sorted.output.isEmpty && sorted.errors.contains(reason))
    }
  }

  /// The tree of a random list is the same as a tree of nested dictionaries.
  @Test func randomListsAgreeWithDictionaries() throws {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("outline/paths", iteration: iteration)
      var paths: [String] = []
      // In a few of the lists, enough paths for the tables to grow.
      for _ in 0..<Int.random(in: 1...(iteration % 10 == 0 ? 3_000 : 40), using: &generator) {
        let parts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          String(Int.random(in: 0...(iteration % 3 == 0 ? 200 : 3), using: &generator), radix: 36)
        }
        paths.append(parts.joined(separator: "/"))
      }
      let store = PathListReader.read(Array((paths.joined(separator: "\n")).utf8).span, order: .bytes)
      var found: Set<String> = []
      for index in 1..<store.count { found.insert(store.path(Item(index), withRoot: false).text) }
      #expect(found.count == store.count - 1, "each path is there once")
      var expected: Set<String> = []
      var directories: Set<String> = []
      for path in paths {
        let parts = path.split(separator: "/")
        for end in 1...parts.count { expected.insert(parts[..<end].joined(separator: "/")) }
        for end in 1..<parts.count { directories.insert(parts[..<end].joined(separator: "/")) }
      }
      #expect(found == expected)
      for index in 1..<store.count {
        let item = Item(index)
        #expect(store.isDirectory(item) == directories.contains(store.path(item, withRoot: false).text))
        let names = (store.children(item) ?? 0..<0).map { String(decoding: store.nameBytes(Item($0)), as: UTF8.self) }
        #expect(names == names.sorted())
      }
    }
  }

  @Test func aPathOfManyPartsIsReadWithoutRecursion() {
    let depth = 20_000
    let run = run("--rows", "\(depth)..<\(depth + 1)", "-", input: String(repeating: "d/", count: depth) + "end")
    #expect(run.output.hasPrefix("\(depth)\t\(depth)\t") && run.output.hasSuffix("(20,000) end\n"))
  }
}
