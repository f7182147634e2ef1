import AssemblageTerminal
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
    let more = try Options(["--sort=size", "--group", "extension", "--expand", "2", "--rows", "3..<7", "dir"])
    #expect(more.sort == .size && more.group == .byExtension && more.expand == 2 && more.rows == 3..<7)
    #expect(more.levels == 3)
    #expect(try Options(["--sort", "name", "d"]).sort == .name)
    #expect(try Options(["--sort", "date", "d"]).sort == .date)
    #expect(try Options(["--rows", "5..<5", "d"]).rows == 5..<5)
    #expect(try Options(["--expand", "\(Int.max)", "d"]).levels == Int.max)
    // A number that is too large means the largest number.
    let huge = "99999999999999999999"
    #expect(try Options(["--expand", huge]).expand == .max && Options(["--depth", huge]).depth == .max)
    #expect(try Options(["--limit", huge]).limit == .max && Options(["--rows", "1..<\(huge)"]).rows == 1..<Int.max)
    #expect(try Options(["--browse"]).isBrowsing && Options(["--browse", "--null"]).paths == ["."])
    #expect(try !Options(["--browse", "--help"]).isBrowsing && !Options(["--", "--browse"]).isBrowsing)
    let bound = try Options(["--browse", "--bind", "ctrl-o=vim {+}", "--bind===a=b", "--bind=f2= x"]).bindings
    #expect(bound.map(\.key) == [.control("o"), .character("="), .function(2)])
    #expect(bound.map(\.command) == ["vim {+}", "a=b", " x"])
    #expect(try Options(["-0", "-"]).isNullSeparated && Options(["--null", "-"]).isNullSeparated)
  }

  @Test(
    arguments: [
      (["a", "b"], "several paths need --join"),
      (["--depth", "-1", "a"], #"not "-1""#),
      (["--depth", "two", "a"], #"not "two""#),
      (["--limit", "+5", "a"], #"not "+5""#),
      (["--regex", "\\d(", "a"], #""\d(" is none"#),
      (["--limit"], "--limit needs a value"),
      (["--bind", "x=ls", "a"], "--bind is for --browse"),
      (["--browse", "--bind", "x"], #"KEY=COMMAND, like 'ctrl-o=vim {+}', not "x""#),
      (["--browse", "--bind", "x= "], "--bind takes KEY=COMMAND"),
      (["--browse", "--bind", "ctrl-i=ls"], #"a key like x, ctrl-x, alt-x, f2 or page-up, not "ctrl-i""#),
      (["--browse", "--bind", "ctrl-c=ls"], "ctrl-c, which always ends the program"),
      (["--filter", "", "a"], "--filter needs a text"),
      (["--regex", "", "a"], "--regex needs an expression"),
      (["--glob", "", "a"], "--glob needs a pattern"),
      (["--glob", "src/[a", "a"], #"in "src/[a" something is not closed"#),
      (["--glob", "a\\", "a"], "something is not closed"),
      (["--filer", "a"], "did you mean --filter?"),
      (["--color", "a"], "--color takes one of auto, always, never"),
      (["--null", "--input", "json"], "--input json is none"),
      (["--json=yes", "a"], "--json takes no value"),
      (["--colour", "a"], #"there is no option "--colour""#),
      (["-z", "a"], #"there is no option "-z""#),
      (["--a\u{1B}[2J", "a"], #"there is no option "--a\u{1B}[2J""#),
      ([""], "an empty path"),
      (["--sort", "x", "a"], #"--sort takes one of name, bytes, size, date, not "x""#),
      (["--group", "x", "a"], #"--group takes only extension, not "x""#),
      (["--sort", "", "a"], "--sort takes one of"),
      (["--sort"], "--sort needs a value"),
      (["--expand", "all", "a"], "--expand takes a number from 0 on"),
      (["--rows", "5..<2", "a"], "that does not end before it begins, not 5..<2"),
      (["--rows", "5", "a"], #"a range like 10..<20, not "5""#),
      (["--rows", "-1..<2", "a"], "a range like 10..<20"),
      (["--rows", "1...2", "a"], "a range like 10..<20"),
      (["--rows", "..<2", "a"], "a range like 10..<20"),
      (["--rows", "1..<", "a"], "a range like 10..<20"),
      (["--rows", "1..<2", "--limit", "3", "a"], "--rows and --limit"),
      (["--expand", "1", "--depth", "3", "a"], "--expand and --depth"),
      (["--null", "a"], "--null is for a list of paths, as - or"),
      (["--browse", "--glob", "x"], "--glob is about what is printed, and --browse prints what is chosen"),
      (["--height", "9"], "--height is for --browse"),
      (["--prompt", "> "], "--prompt is for --browse"),
      (["--browse", "--height", "2"], "--height takes a number from 3 on, not 2"),
      (["--join", "-", "a"], "- stands for standard input"),
    ] as [([String], String)])
  func badOptionsAreOneSentence(words: [String], part: String) {
    let error = #expect(throws: UsageError.self) { try Options(words) }
    #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains("\n") == false)
  }

  @Test func exitCodesAreAsTheHelpSays() {
    #expect(run("--unknown").code == 64)
    #expect(run("--unknown").errors == "outline: there is no option \"--unknown\"; see --help\n")
    let help = run("--help")
    #expect(help.code == 0 && help.errors.isEmpty)
    for word in ["64", "65", "74", " 2 "] { #expect(help.output.contains(word)) }
    // Each option has an example of its use.
    let examples = help.output.split(separator: "\n").filter { $0.hasPrefix("     ") && $0.contains("outline ") }
    for option in [
      "--join", "--filter", "--depth", "--limit", "--json", "--help", "--sort name", "--sort size", "--sort date",
      "--group extension", "--expand", "--rows", "--null", " -- ",
    ] {
      #expect(examples.contains { $0.contains(option) }, "\(option)")
    }
    let fake = Fake.directory(["f": .file(1)]).fileSystem
    #expect(run("/no", in: fake).code == 2)
    #expect(run("/no", in: fake).errors == "outline: there is no such path: /no\n")
    #expect(run("--join", "/", "/f", in: fake).errors == "outline: --join takes directories, and this is none: /f\n")
    #expect(run("--join", "/f", in: fake).code == 2)
    #expect(run("--join", "/", "/no", in: fake).code == 2)
  }
}
