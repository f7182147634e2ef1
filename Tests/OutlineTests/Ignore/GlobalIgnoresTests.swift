import Testing

@testable import outline

/// The files `.ignore`, git's file for all repositories, and the words about entries that are left out.
@Suite struct GlobalIgnoresTests {
  private func rows(_ fake: Fake, _ environment: [String: String] = [:], _ path: String = "/repo") -> [String] {
    runCommand(["--gitignore", "--flat", path], in: fake.fileSystem, environment: environment)
      .output.split(separator: "\n").map { String($0.dropFirst("/repo/".count)) }
  }

  private func repository(_ more: [String: Fake]) -> Fake {
    .directory(
      more.merging(
        [
          "repo": .directory([
            ".git": .directory([:]), "a.o": .file(1), "a.c": .file(1), "a.log": .file(1),
            "sub": .directory([".gitignore": .text("!a.o\n"), "a.o": .file(1), "a.log": .file(1)]),
          ])
        ]) { first, _ in first })
  }

  @Test func theGlobalFileIsFoundAsGitFindsIt() {
    let all = ["a.c", "a.log", "a.o", "sub/", "sub/a.log", "sub/a.o"]
    let files: [String: Fake] = [
      "home": .directory([".config": .directory(["git": .directory(["ignore": .text("*.o\n")])])]),
      "settings": .directory(["git": .directory(["ignore": .text("*.log\n")])]),
      "mine": .text("[core]\n  excludesFile = ~/own\n"),
      "other": .directory([".gitconfig": .text("[user]\nname=x\n[Core]\nexcludesfile=\"/patterns\"\n")]),
      "patterns": .text("*.c\n"),
    ]
    let fake = repository(files)
    #expect(rows(fake) == all)
    // A file in the repository precedes the global one.
    #expect(rows(fake, ["HOME": "/home"]) == ["a.c", "a.log", "sub/", "sub/a.log", "sub/a.o"])
    #expect(rows(fake, ["HOME": "/home", "XDG_CONFIG_HOME": "/settings"]) == ["a.c", "a.o", "sub/", "sub/a.o"])
    #expect(rows(fake, ["HOME": "/other"]) == all.filter { $0 != "a.c" })
    #expect(rows(fake, ["HOME": "/none", "GIT_CONFIG_GLOBAL": "/mine"]) == all)
    // An empty value means that there is no file.
    let empty = repository([
      "home": .directory([
        ".gitconfig": .text("[core]\nexcludesFile =\n"),
        ".config": .directory(["git": .directory(["ignore": .text("*.c\n")])]),
      ])
    ])
    #expect(rows(empty, ["HOME": "/home"]) == all)
  }

  @Test(arguments: [
    ("excludesFile = a\n[core]\nEXCLUDESFILE = b\n[x]\nexcludesFile = c\n", "b"), ("[core]\neditor = vi\n", nil),
    ("[core] excludesFile = a", "a"), ("[core]\n\texcludesFile = a b # c\n", "a b"),
    ("[core]\r\nexcludesFile=a;b\r\n", "a"), ("[core]\nexcludesFile = \"a # b \" ; c\n", "a # b "),
    ("[core]\nexcludesFile = \n", ""), ("[core]\nexcludesFile\n", nil), ("[core \"x\"]\nexcludesFile = a\n", nil),
    ("[core]\n# excludesFile = a\nexcludesFile = b\\\nc\n", "bc"), ("[core]\nexcludesFile = a\\\\\\\"b\n", "a\\\"b"),
    ("[core]\n = x\n?\nexcludesFile = ä", "ä"), ("[core]\nexcludesFile = a\n[Core]excludesfile = b", "b"),
    ("[core", nil), ("[core]\nexcludesFile = \"a", "a"), ("", nil),
  ]) func valuesAreReadAsGitReadsThem(_ configuration: String, _ value: String?) {
    #expect(GitConfiguration.excludesFile(configuration) == value)
  }

  /// The configuration of a repository precedes the user's one, also in its worktrees.
  @Test func aRepositoryNamesItsOwnFile() {
    func fake(_ configuration: String) -> Fake {
      .directory([
        "home": .directory([
          "own": .text("*.o\n"), ".config": .directory(["git": .directory(["ignore": .text("*.c\n")])]),
        ]),
        "repo": .directory([
          ".git": .directory([
            "config": .text(configuration),

            "worktrees": .directory(["w": .directory(["commondir": .text("/repo/.git\n")])]),
          ]), "a.o": .file(1), "a.c": .file(1),
        ]),
        "tree": .directory([".git": .text("gitdir: /repo/.git/worktrees/w\n"), "b.o": .file(1), "b.c": .file(1)]),
      ])
    }
    let environment = ["HOME": "/home"]
    #expect(rows(fake("[core]\nbare = false\n"), environment) == ["a.o"])
    #expect(rows(fake("[core]\nexcludesFile = ~/own\n"), environment) == ["a.c"])
    #expect(rows(fake("[core]\nexcludesFile =\n"), environment) == ["a.c", "a.o"])
    let tree = runCommand(
      ["--gitignore", "--flat", "/tree"], in: fake("[core] excludesFile = ~/own").fileSystem, environment: environment)
    #expect(tree.output == "/tree/b.c\n")
  }

  /// Only a repository has the global patterns.
  @Test func outsideOfARepositoryTheGlobalFileSaysNothing() {
    let fake = Fake.directory([
      "home": .directory([".config": .directory(["git": .directory(["ignore": .text("*.o\n")])])]),
      "repo": .directory(["a.o": .file(1)]),
    ])
    #expect(rows(fake, ["HOME": "/home"]) == ["a.o"])
  }

  @Test func filesForOtherProgramsPrecedeThoseOfGit() {
    let fake = Fake.directory([
      ".ignore": .text("top.log\n"),
      "repo": .directory([
        ".git": .directory([:]), ".gitignore": .text("*.o\n"), ".ignore": .text("!a.o\n/sub/x\n"),
        "a.o": .file(1), "b.o": .file(1), "top.log": .file(1),
        "sub": .directory([
          ".gitignore": .text("a.o\n"), "a.o": .file(1), "x": .file(1),
          "nested": .directory([".git": .directory([:]), "top.log": .file(1), "b.o": .file(1)]),
        ]),
      ]),
    ])
    #expect(rows(fake) == ["a.o", "sub/", "sub/a.o", "sub/nested/", "sub/nested/b.o"])
    #expect(
      runCommand(["--gitignore", "--flat", "/repo/sub"], in: fake.fileSystem).output
        == "/repo/sub/a.o\n/repo/sub/nested/\n/repo/sub/nested/b.o\n")
    #expect(run("--flat", "/repo/sub", in: fake.fileSystem).output.contains("/repo/sub/x\n"))
  }

  @Test func wordsWhereNothingElseIsShown() {
    let fake = Fake.directory([
      "top": .directory([
        ".git": .directory([:]), ".gitignore": .text("*.o\n"), "a": .directory([".x": .file(1), "b.o": .file(1)]),
        "b": .directory([".x": .file(1), "c": .file(1)]), "c": .directory([:]),
      ])
    ])
    #expect(
      run("--gitignore", "/top", in: fake.fileSystem).output == """
        /top  1 file, 1 B
          a/  0 files, 0 B  (2 hidden or ignored)
          b/  1 file, 1 B
            c  1 B
          c/  0 files, 0 B

        1 file in 4 directories, 1 B

        """)
    #expect(
      run("--gitignore", "/top/a", in: fake.fileSystem).output
        == "/top/a  0 files, 0 B  (2 hidden or ignored)\n\n0 files in 1 directory, 0 B\n")
    #expect(
      run("--gitignore", "--expand", "0", "/top/a", in: fake.fileSystem).output
        == "/top/a  0 entries  (2 hidden or ignored)\n\n0 entries shown\n")
    #expect(run("--all", "/top/a", in: fake.fileSystem).output.hasPrefix("/top/a  2 files, 2 B\n"))
  }
}
