import Testing

@testable import outline

@Suite struct OptionsTests {
  @Test func everyOptionIsUnderstood() throws {
    let options = try Options(["--filter", "a", "--depth=2", "--limit", "10", "--json", "dir"])
    #expect(options.paths == ["dir"] && options.filter == "a" && options.depth == 2)
    #expect(options.limit == 10 && options.format == .json)
    #expect(try Options(["--join", "a", "b", "--filter", "x", "c"]).paths == ["a", "b", "c"])
    #expect(try Options(["a", "--join=b"]).paths == ["a", "b"])
    #expect(try Options(["--join", "a"]).paths == ["a"])
    #expect(try Options(["--", "--json"]).paths == ["--json"])
    #expect(try Options(["-"]).paths == ["-"])
    #expect(try Options(["--help"]).wantsHelp)
    #expect(try Options(["--depth", "0", "."]).depth == 0)
  }

  @Test(
    arguments: [
      ([], "which directory?"),
      (["a", "b"], "several paths need --join"),
      (["--depth", "-1", "a"], #"not "-1""#),
      (["--depth", "two", "a"], #"not "two""#),
      (["--limit"], "--limit needs a value"),
      (["--filter", "", "a"], "--filter needs a text"),
      (["--json=yes", "a"], "--json takes no value"),
      (["--colour", "a"], #"there is no option "--colour""#),
      (["-l", "a"], #"there is no option "-l""#),
      (["--a\u{1B}[2J", "a"], #"there is no option "--a\u{1B}[2J""#),
      ([""], "an empty path"),
    ] as [([String], String)])
  func badOptionsAreOneSentence(words: [String], part: String) {
    let error = #expect(throws: UsageError.self) { try Options(words) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("\n") == false)
  }

  @Test func exitCodesAreAsTheHelpSays() {
    #expect(run("--bad").code == 64)
    #expect(run("--bad").errors == "outline: there is no option \"--bad\"; see --help\n")
    let help = run("--help")
    #expect(help.code == 0 && help.errors.isEmpty)
    for word in ["--join", "--filter", "--depth", "--limit", "--json", "--help", "64", "74", " 2 "] {
      #expect(help.output.contains(word))
    }
    let fake = Fake.directory(["f": .file(1)]).fileSystem
    #expect(run("/no", in: fake).code == 2)
    #expect(run("/no", in: fake).errors == "outline: there is no such path: /no\n")
    #expect(run("/f", in: fake).code == 2)
    #expect(run("/f", in: fake).errors == "outline: this is no directory: /f\n")
    #expect(run("--join", "/", "/no", in: fake).code == 2)
  }
}
