import Foundation
import Testing

@testable import outline

/// The entries that are left out, because of patterns or because their names begin with a dot.
@Suite struct IgnoreTests {
  private func ignored(_ lines: String, _ path: String, isDirectory: Bool = false) -> Bool {
    var rules = IgnoreRules()
    rules.add(IgnoreFile(Array(lines.utf8)))
    let names = path.split(separator: "/").map { FileName(String($0)) }
    for (index, name) in names.enumerated() {
      if rules.ignores(name, isDirectory: isDirectory || index + 1 < names.count) { return true }
      rules = rules.below(name)
    }
    return false
  }

  /// The answers of git to the same questions (`git check-ignore`).
  @Test(arguments: [
    ("*.o", "a.o", true), ("*.o", "x/y/a.o", true), ("*.o", "a.oo", false), ("build", "x/build", true),
    ("/build", "build", true), ("/build", "x/build", false), ("docs/*.html", "docs/a.html", true),
    ("docs/*.html", "x/docs/a.html", false), ("docs/*.html", "docs/x/a.html", false), ("x/", "x", false),
    ("x/", "x/a", true), ("*.o\n!keep.o", "keep.o", false), ("*.o\n!keep.o", "a.o", true),
    ("!keep.o\n*.o", "keep.o", true),
    ("x/\n!x/a", "x/a", true), ("x/*\n!x/a", "x/a", false), ("x/*\n!x/a", "x/b", true), ("**/a", "x/y/a", true),
    ("a/**/b", "a/b", true), ("a/**/b", "a/x/y/b", true), ("a/**", "a/x", true), ("a/**", "b/a/x", false),
    ("# a\na", "# a", false), ("\\#a", "#a", true), ("\\!a", "!a", true), ("a ", "a", true), ("a\\ ", "a ", true),
    ("a\\ ", "a", false), ("a\r\nb", "a", true), ("\u{FEFF}a", "a", true), ("", "a", false), ("/", "a", false),
    ("a?c", "abc", true), ("a?c", "a/c", false), ("[a-c].o", "b.o", true), ("[!a-c].o", "b.o", false),
    ("foo**bar", "fooxbar", true), ("*", "a/b", true), ("*\n!*/\n!*.c", "x/a.c", false),
    ("*\n!*/\n!*.c", "x/a.h", true),
    ("a/b/", "a/b/c", true), ("ü*", "über", true),
  ])
  func lines(lines: String, path: String, isIgnored: Bool) {
    #expect(ignored(lines, path) == isIgnored)
  }

  @Test func directoriesAlone() {
    #expect(ignored("x/", "x", isDirectory: true) && !ignored("x/", "x"))
    #expect(ignored("/x/", "x", isDirectory: true) && !ignored("/x/", "y/x", isDirectory: true))
  }

  private let repository = Fake.directory([
    "repo": .directory([
      ".git": .directory(["info": .directory(["exclude": .text("mine\n")])]),
      ".gitignore": .text("*.o\n/build/\n"), "build": .directory(["x": .file(1)]), "a.o": .file(1), "a.c": .file(2),
      "mine": .file(3),
      "src": .directory([
        ".gitignore": .text("!keep.o\n/local\n"), "keep.o": .file(4), "b.o": .file(5), "local": .file(6),
        "deep": .directory(["local": .file(7), "c.o": .file(8), "build": .directory(["y": .file(9)])]),
      ]),
      "sub": .directory([".git": .directory([:]), "d.o": .file(10), "mine": .file(11)]),
    ])
  ])

  @Test func nestedFilesOfARepository() {
    #expect(
      run("--gitignore", "/repo", in: repository.fileSystem).output == """
        /repo  6 files, 43 B
          a.c  2 B
          src/  3 files, 20 B
            deep/  2 files, 16 B
              build/  1 file, 9 B
                y  9 B
              local  7 B
            keep.o  4 B
          sub/  2 files, 21 B
            d.o  10 B
            mine  11 B

        6 files in 5 directories, 43 B

        """)
    let all = run("--gitignore", "--all", "/repo", in: repository.fileSystem).output
    #expect(all.contains("  .gitignore  ") && !all.contains(".git/"))
    #expect(run("--all", "/repo", in: repository.fileSystem).output.contains("  .git/  1 file"))
  }

  /// The rules of folders above the given directory count, too.
  @Test func rulesFromAbove() {
    #expect(
      run("--gitignore", "/repo/src/deep", in: repository.fileSystem).output == """
        /repo/src/deep  2 files, 16 B
          build/  1 file, 9 B
            y  9 B
          local  7 B

        2 files in 2 directories, 16 B

        """)
    let lazy = run("--gitignore", "--expand", "1", "/repo/src", in: repository.fileSystem).output
    #expect(
      lazy == "/repo/src  2 entries\n  deep/  2 entries\n    build/\n    local  7 B\n  keep.o  4 B\n\n4 entries shown\n"
    )
  }

  @Test func aWorktreeSaysWhereItsDirectoryIs() {
    let fake = Fake.directory([
      "main": .directory([
        ".git": .directory([
          "info": .directory(["exclude": .text("x\n")]),
          "worktrees": .directory(["w": .directory(["commondir": .text("../..\n")])]),
        ])
      ]),
      "w": .directory([".git": .text("gitdir: /main/.git/worktrees/w\n"), "x": .file(1), "y": .file(2)]),
    ])
    var fileSystem = fake.fileSystem
    let contents = fileSystem.contents
    fileSystem.contents = { try contents(FileName(Self.resolved($0.text))) }
    let place = fileSystem.place
    fileSystem.place = { try place(FileName(Self.resolved($0.text))) }
    #expect(run("--gitignore", "--rows", "0..<9", "/w", in: fileSystem).output == "0\t0\ty  2 B\n")
  }

  private static func resolved(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") { if part == ".." { parts.removeLast() } else { parts.append(part) } }
    return "/" + parts.joined(separator: "/")
  }

  @Test func hiddenEntriesAndExcludedOnes() {
    let fake = Fake.directory([
      ".top": .directory([".hidden": .directory(["a": .file(1)]), ".f": .file(2), "b.o": .file(3), "c": .file(4)])
    ])
    #expect(run("--rows", "0..<9", "/.top", in: fake.fileSystem).output == "0\t0\tb.o  3 B\n1\t0\tc  4 B\n")
    #expect(run("-a", "--rows", "0..<1", "/.top", in: fake.fileSystem).output == "0\t0\t.f  2 B\n")
    #expect(
      run("-a", "--exclude", "*.o", "--exclude=.hidden/", "/.top", in: fake.fileSystem).output == """
        /.top  2 files, 6 B
          .f  2 B
          c  4 B

        2 files in 1 directory, 6 B

        """)
    let anchored = run("--all", "--exclude", "/.hidden/a", "--join", "/.top", "/.top/.hidden", in: fake.fileSystem)
      .output
    #expect(anchored.contains("  .hidden/  0 files, 0 B  (1 hidden or ignored)\n") && anchored.contains("  a  1 B\n"))
  }

  @Test func listsAreShownWithoutWhatIsExcluded() {
    let list = ".hidden\nsrc/a.o\nsrc/a.c\nbuild/x\nbuild/y/z\n"
    #expect(
      run("--exclude", "build/", "--exclude", "*.o", "-", input: list).output == """
        standard input  2 files
          .hidden
          src/  1 file
            a.c

        2 files in 1 directory

        """)
    // A later path shows that an entry is a directory.
    #expect(run("--flat", "--exclude", "build/", "-", input: "./build\n./build/x\n./a\n").output == "a\n")
    #expect(
      run("--flat", "--exclude", "/usr/lib", "-", input: "/usr/lib\n/usr/lib/x\n/usr/bin\n").output
        == "/usr/\n/usr/bin\n")
    #expect(run("--exclude", "*", "-", input: list).output == "standard input  0 files\n\n0 files in 0 directories\n")
    #expect(run("--gitignore", "-", input: list).code == 64)
    #expect(run("--exclude", "#", "/", input: list).errors.contains("--exclude takes a pattern"))
  }

  /// The rules agree with git's own, on a real repository.
  @Test func aRealRepository() throws {
    try withTemporaryDirectory { path in
      let files = [
        ".git/info/exclude": "secret\n", ".gitignore": "*.log\n!a/keep.log\n", "a/keep.log": "1", "a/b.log": "1",
      ]
      for (name, text) in files.merging(["a/secret": "1", "c": "1", "a/.x": "1"], uniquingKeysWith: { $1 }) {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
      #expect(
        run("--gitignore", "--all", path).output == """
          \(path)  4 files, 21 B
            .gitignore  18 B
            a/  2 files, 2 B
              .x  1 B
              keep.log  1 B
            c  1 B

          4 files in 2 directories, 21 B

          """)
      #expect(run("--gitignore", "--rows", "0..<9", path + "/a").output == "0\t0\tkeep.log  1 B\n")
    }
  }
}
