#if canImport(Glibc)
  import AssemblageTerminal
  import Foundation
  import TestSupport
  import Testing

  @testable import outline

  /// The outline on a pseudo-terminal: the screen, the keys that a user presses, and the result.
  @MainActor @Suite(.serialized) struct BrowseTests {
    /// A directory with some files. It is removed with the test.
    final class Home {
      let url = FileManager.default.temporaryDirectory.appending(path: "browse-\(UUID().uuidString)")
      var path: String { url.path }

      init() throws {
        let files = [
          "docs/guide.md": "# Guide\n", "docs/old/notes.txt": "old\n", "src/main.swift": "print(1)\n", ".hidden": "",
          "readme.txt": "read me\n",
        ]
        for (name, text) in files { try write(text, to: name) }
      }

      func write(_ text: String, to name: String) throws {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
      }

      func text(of name: String) -> String? { try? String(contentsOf: url.appending(path: name), encoding: .utf8) }

      deinit { try? FileManager.default.removeItem(at: url) }
    }

    @Test func showsADirectoryAndEnds() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("cd \(home.path) && exec outline --browse")
      #expect(await terminal.shows("4 files, 29 B"))
      // Not even before the directory was read.
      #expect(!String(decoding: terminal.written, as: UTF8.self).contains("there is nothing here"))
      #expect(terminal.screen.isAlternate && terminal.screen.sendsMouse && !terminal.screen.isCursorShown)
      #expect(!terminal.screen.wraps)
      let lines = terminal.screen.text.split(separator: "\n")
      #expect(lines[0] == "./docs")
      #expect(lines[1].hasPrefix("  ▸ docs/") && lines[1].hasSuffix("2 files     12 B"))
      #expect(lines[2].hasPrefix("    readme.txt") && lines[2].hasSuffix("8 B"))
      terminal.press("l")
      #expect(await terminal.shows("guide.md"))
      terminal.press(".")
      #expect(await terminal.shows(".hidden"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
      #expect(terminal.isRestored)
    }

    @Test func keysShowWhatIsLeftOut() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("exec outline --browse --all --exclude 'read*' \(home.path)")
      #expect(await terminal.shows(".hidden"))
      #expect(await terminal.shows("4 files"))
      #expect(!terminal.screen.text.contains("readme.txt"))
      terminal.press("i")
      #expect(await terminal.shows("ignored entries are shown"))
      #expect(await terminal.shows("readme.txt"))
      // Hidden entries are not counted.
      terminal.press("j")
      #expect(await terminal.shows("5 files, 29 B"))
      terminal.press("i.")
      #expect(await terminal.hides("readme.txt"))
      #expect(await terminal.hides(".hidden"))
      terminal.press("j")
      #expect(await terminal.shows("3 files, 21 B"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test func namesThatAreNoTextArePrintedAsTheyAre() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal(
        "cd \(home.path); d=$(printf 'x\\377'); mkdir $d; : > $d/a.c; outline --browse $d > .chosen")
      #expect(await terminal.shows("x\\xFF/a.c"))
      terminal.press("\r")
      #expect(await terminal.exitCode() == 0)
      let bytes = try Data(contentsOf: home.url.appending(path: ".chosen"))
      #expect(bytes == Data([0x78, 0xFF]) + Data("/a.c\n".utf8))
    }

    @Test func aListInAFileLeavesOutWhatPatternsSay() async throws {
      let home = try Home()
      try home.write("src/a.c\nsrc/a.o\n.config\nout/x\n", to: "list")
      let terminal = try PseudoTerminal(
        "cd \(home.path); exec outline --browse --input paths --exclude '*.o' --exclude out/ --expand 1 list")
      #expect(await terminal.shows("a.c"))
      #expect(await terminal.shows(".config"))
      #expect(!terminal.screen.text.contains("a.o") && !terminal.screen.text.contains("out/"))
      terminal.press("i")
      #expect(await terminal.shows("a.o"))
      #expect(await terminal.shows("out/"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test func enterPrintsThePathOnStandardOutput() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("cd \(home.path) && cd \"$(outline --browse)\" && pwd > \(home.path)/where")
      #expect(await terminal.shows("docs/"))
      terminal.press("/old")
      #expect(await terminal.shows("1 of "))
      terminal.press("\r")
      #expect(await terminal.exitCode() == 0)
      #expect(home.text(of: "where")?.hasSuffix("/docs/old\n") == true)
      #expect(terminal.isRestored)
    }

    @Test func printsWhatIsMarked() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("cd \(home.path) && outline --browse . > .chosen")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("  ")
      #expect(await terminal.shows("2 marked"))
      terminal.press("\r")
      #expect(await terminal.exitCode() == 0)
      #expect(home.text(of: ".chosen") == "docs\nreadme.txt\n")
    }

    /// Where only one entry matches, the entry is printed and no screen is shown.
    @Test func theOnlyMatchIsChosenAtOnce() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("cd \(home.path) && outline --browse -1 --filter 'old note' > .chosen")
      #expect(await terminal.exitCode() == 0)
      #expect(home.text(of: ".chosen") == "docs/old/notes.txt\n")
      #expect(terminal.isRestored && terminal.screen.text.allSatisfy { $0 == "\n" })
      let several = try PseudoTerminal("cd \(home.path) && outline --browse --select-1 --filter .txt > .chosen")
      #expect(await several.shows("2 of "))
      several.press("\r")
      #expect(await several.exitCode() == 0)
      #expect(home.text(of: ".chosen") == "readme.txt\n")
      let list = try PseudoTerminal(
        "cd \(home.path) && printf 'a/b\\na/c\\n' | outline --browse -1 --filter c - > .chosen")
      #expect(await list.exitCode() == 0)
      #expect(home.text(of: ".chosen") == "a/c\n")
      let none = try PseudoTerminal("exec outline --browse -1 --filter x /nowhere")
      #expect(await none.exitCode() == 2)
    }

    @Test func whatIsLeftOutIsCounted() async throws {
      let home = try Home()
      try home.write("", to: "empty/.a")
      try home.write("", to: "empty/.b/c")
      let terminal = try PseudoTerminal("cd \(home.path) && exec outline --browse empty")
      #expect(await terminal.shows("3 entries are left out; . shows them"))
      terminal.press(".")
      #expect(await terminal.shows(".a"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test func searchesAndRestores() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("exec outline --browse \(home.path)")
      #expect(await terminal.shows("4 files"))
      terminal.press("/note")
      #expect(await terminal.shows("notes.txt"))
      #expect(await terminal.hides("readme.txt"))
      #expect(terminal.screen.isCursorShown)
      terminal.press("\u{1B}")
      #expect(await terminal.shows("readme.txt"))
      #expect(await terminal.hides("notes.txt"))
      terminal.press("\u{3}")
      #expect(await terminal.exitCode() == 130)
      #expect(terminal.isRestored)
    }

    @Test func followsTheSizeOfTheTerminal() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("exec outline --browse \(home.path)")
      #expect(await terminal.shows("? help"))
      for size in [(100, 30), (20, 5), (10, 1), (60, 12)] {
        let size = TerminalSize(columns: size.0, rows: size.1)
        terminal.resize(to: size)
        #expect(await terminal.shows("docs"))
        let lines = terminal.screen.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == size.rows)
      }
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS])
    func everySignalThatEndsItRestoresTheTerminal(_ signal: Int32) async throws {
      let home = try Home()
      let terminal = try PseudoTerminal(
        "ulimit -c 0; exec outline --browse \(home.path)", environment: ["SWIFT_BACKTRACE": "enable=no"])
      #expect(await terminal.shows("readme.txt"))
      kill(terminal.process, signal)
      #expect(await terminal.exitCode() == 128 + signal)
      #expect(terminal.isRestored)
    }

    @Test(arguments: ["key", "signal"])
    func suspendsAndResumes(by way: String) async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("exec sh -i")
      #expect(await terminal.shows("ready>"))
      for _ in 0..<3 {
        try await suspend(by: way, home, terminal)
        terminal.press("fg\r")
        #expect(await terminal.shows("guide.md"))
        #expect(terminal.screen.isAlternate && terminal.screen.sendsMouse)
        terminal.press("q")
        #expect(await terminal.shows("ready>"))
        #expect(!terminal.screen.isAlternate)
      }
      terminal.press("exit 0\r")
      #expect(await terminal.exitCode() == 0)
    }

    /// Starts an outline from a shell, and suspends the outline.
    private func suspend(by way: String, _ home: Home, _ terminal: PseudoTerminal) async throws {
      terminal.press("outline --browse \(home.path)\r")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("l")
      #expect(await terminal.shows("guide.md"))
      if way == "key" {
        terminal.press("\u{1A}")
      } else {
        // The signal, as another program would send it.
        kill(try #require(childProcess(of: terminal.process)), SIGTSTP)
      }
      // From the moment that the outline's screen has gone, the shell reads the keys.
      #expect(await terminal.isLeft())
      #expect(!terminal.screen.sendsMouse)
    }

    @Test func inTheBackgroundItStaysStopped() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("exec sh -i", size: TerminalSize(columns: 100, rows: 12))
      #expect(await terminal.shows("ready>"))
      try await suspend(by: "key", home, terminal)
      terminal.press("bg\r")
      #expect(await waitsForTheTerminal(terminal))
      #expect(terminal.isRestored)
      terminal.press("fg\r")
      #expect(await terminal.shows("guide.md"))
      terminal.press("q")
      #expect(await terminal.isLeft())
      terminal.press("exit 0\r")
      #expect(await terminal.exitCode() == 0)
      #expect(terminal.isRestored)
    }

    /// Asks a shell for its jobs until the shell reports a job that was stopped because it uses the terminal.
    private func waitsForTheTerminal(_ terminal: PseudoTerminal) async -> Bool {
      for question in 1... {
        // One question at a time: the shell keeps only a few lines that it has not read.
        terminal.press("jobs; echo asked $((\(question)))\r")
        if await !terminal.shows("asked \(question)\n") { return false }
        if terminal.screen.text.contains("Stopped (tty output)") { return true }
      }
      return false
    }

    @Test func startedInTheBackgroundItWaitsForTheTerminal() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("exec sh -i", size: TerminalSize(columns: 100, rows: 12))
      #expect(await terminal.shows("ready>"))
      terminal.press("outline --browse \(home.path) &\r")
      #expect(await waitsForTheTerminal(terminal))
      #expect(terminal.isRestored)
      terminal.press("stty -echo; fg\r")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("q")
      #expect(await terminal.isLeft())
      // The outline does not revert a setting that the user has changed in the meantime.
      terminal.press("stty echo; exit\r")
      #expect(await terminal.exitCode() == 0)
      #expect(!terminal.screen.text.contains("stty echo"))
    }

    @Test func signalsThatWaitAreJoined() {
      #expect(TerminalSignals.joined([]) == [])
      #expect(TerminalSignals.joined([SIGTSTP, SIGTSTP]) == [SIGTSTP])
      #expect(TerminalSignals.joined([SIGTSTP, SIGWINCH, SIGCONT]) == [SIGWINCH, SIGCONT])
      #expect(TerminalSignals.joined([SIGCONT, SIGTSTP, SIGCONT]) == [SIGCONT])
      #expect(TerminalSignals.joined([SIGCONT, SIGTSTP]) == [SIGCONT, SIGTSTP])
      #expect(TerminalSignals.joined([SIGTSTP, SIGCONT, SIGTSTP]) == [SIGCONT, SIGTSTP])
    }

    /// Returns the process that a shell has started.
    private func childProcess(of process: pid_t) -> pid_t? {
      let file = "/proc/\(process)/task/\(process)/children"
      return (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: " ").last.flatMap { pid_t($0) }
    }

    @Test func withoutAShellASuspendedOneGoesOn() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("exec outline --browse \(home.path)")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("\u{1A}l")
      #expect(await terminal.shows("guide.md"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test func refusesWhereThereIsNoTerminal() throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
      process.arguments = ["-w", builtProduct("outline").path, "--browse", "/"]
      let (output, errors) = (Pipe(), Pipe())
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = output
      process.standardError = errors
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 69)
      #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
      let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(text == "outline: --browse needs a terminal, and there is none; without it, it prints\n")
    }

    @Test(arguments: [
      ("--browse /nowhere/at/all", "outline: there is no such path: /nowhere/at/all", 2),
      ("--browse --json .", "outline: --json is about what is printed, and --browse prints what is chosen", 64),
      ("-1 --filter x", "outline: --select-1 is for --browse with --filter, whose only match it prints", 64),
      ("--browse --nonsense", "outline: there is no option \"--nonsense\"; see --help", 64),
    ]) func saysWhatIsWrong(_ arguments: String, _ sentence: String, _ code: Int32) async throws {
      let terminal = try PseudoTerminal("exec outline \(arguments)", size: TerminalSize(columns: 120, rows: 5))
      #expect(await terminal.exitCode() == code)
      #expect(terminal.screen.text.contains(sentence))
      #expect(terminal.isRestored)
    }

    @Test func aListIsBrowsedWhileItComes() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal(
        """
        cd \(home.path); (printf 'src/a.c\\nsrc/b.c\\nREADME\\n'; while [ ! -e go ]; do sleep 0.01; done; \
        printf 'src/c.c\\nlast') | outline --browse - > .chosen
        """)
      #expect(await terminal.shows("README"))
      terminal.press("l")
      #expect(await terminal.shows("b.c"))
      #expect(await terminal.shows("reading 4"))
      #expect(!terminal.screen.text.contains("c.c\n"))
      try home.write("", to: "go")
      #expect(await terminal.shows("last"))
      #expect(await terminal.shows("5 files"))
      terminal.press("/c.c")
      #expect(await terminal.shows("1 of 6"))
      terminal.press("\r")
      #expect(await terminal.exitCode() == 0)
      #expect(home.text(of: ".chosen") == "src/c.c\n")
    }

    @Test func documentsArePrintedByPointerOrValue() async throws {
      let home = try Home()
      try home.write(#"{"name": "Ada", "a/b": {"x~y": [1, {"deep": "tr\u00fce", "l": []}]}}"#, to: "ada.json")
      for (key, chosen) in [("\r", "/a~1b/x~0y/1/deep\n"), ("v", "trüe\n")] {
        let terminal = try PseudoTerminal("cd \(home.path); outline --browse ada.json > .chosen")
        #expect(await terminal.shows("name: \"Ada\""))
        terminal.press("/deep")
        #expect(await terminal.shows("deep: \"trüe\""))
        #expect(terminal.screen.text.hasPrefix("ada.json  /a~1b/x~0y/1/deep"))
        terminal.press(key == "v" ? "\u{F}v" : key)
        #expect(await terminal.exitCode() == 0)
        #expect(home.text(of: ".chosen") == chosen)
      }
      let terminal = try PseudoTerminal("cd \(home.path); outline --browse ada.json > .chosen")
      #expect(await terminal.shows("name: \"Ada\""))
      terminal.press("jv")
      #expect(await terminal.exitCode() == 0)
      #expect(home.text(of: ".chosen") == "{\"x~y\": [1, {\"deep\": \"tr\\u00fce\", \"l\": []}]}\n")
    }

    @Test func aDocumentMayBeCutWhileItIsShown() async throws {
      let home = try Home()
      let texts = (0..<2_000).map { "\"text \($0) \(String(repeating: "x", count: 90))\"" }
      try home.write("[" + texts.joined(separator: ",") + "]", to: "long.json")
      let terminal = try PseudoTerminal("cd \(home.path); exec outline --browse long.json")
      #expect(await terminal.shows("text 0 x"))
      let file = try FileHandle(forWritingTo: home.url.appending(path: "long.json"))
      try file.truncate(atOffset: 0)
      try file.close()
      terminal.press("G")
      #expect(await terminal.shows("text 1999 x"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test func aDocumentThatIsNoneEndsWithASentence() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal(
        "cd \(home.path); exec outline --browse readme.txt", size: TerminalSize(columns: 120, rows: 5))
      #expect(await terminal.exitCode() == 65)
      #expect(terminal.screen.text.contains("outline: this is no JSON document: readme.txt"))
      #expect(terminal.isRestored)
    }

    @Test func directoriesAreReadAgainByThemselves() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("exec outline --browse \(home.path)")
      #expect(await terminal.shows("4 files"))
      terminal.press("l")
      #expect(await terminal.shows("guide.md"))
      terminal.press("jj")
      try home.write("new", to: "docs/another.md")
      #expect(await terminal.shows("another.md"))
      try FileManager.default.removeItem(at: home.url.appending(path: "docs/guide.md"))
      #expect(await terminal.hides("guide.md"))
      try home.write("", to: "zoo/animal")
      #expect(await terminal.shows("zoo/"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test func joinsDirectories() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("cd \(home.path); outline --browse --join docs src > .chosen")
      #expect(await terminal.shows("main.swift"))
      #expect(await terminal.shows("guide.md"))
      terminal.press("G\r")
      #expect(await terminal.exitCode() == 0)
      #expect(home.text(of: ".chosen") == "src/main.swift\n")
    }

    @Test func colours() async throws {
      let home = try Home()
      for (variables, style) in [
        ([:], "0;1;34"), (["NO_COLOR": "1"], nil),
        (["LS_COLORS": "di=38;2;1;2;3", "COLORTERM": "truecolor"], "0;38;2;1;2;3"),
        (["LS_COLORS": "di=38;2;255;0;0"], "0;38;5;196"), (["LS_COLORS": "di=38;2;255;0;0", "TERM": "xterm"], "0;31"),
      ] as [([String: String], String?)] {
        let terminal = try PseudoTerminal("exec outline --browse \(home.path)", environment: variables)
        #expect(await terminal.shows("readme.txt"))
        terminal.press("G")
        #expect(await terminal.shows("readme.txt"))
        if let style {
          #expect(
            await eventually {
              terminal.read(); return terminal.screen.styles.contains(style)
            })
        } else {
          #expect(terminal.screen.styles.allSatisfy { !$0.contains("3") })
        }
        terminal.press("q")
        #expect(await terminal.exitCode() == 130)
      }
    }

    @Test func copiesAndOpens() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal(
        "cd \(home.path); exec outline --browse", environment: ["EDITOR": "printf '%s\\n' > edited", "PAGER": "false"])
      #expect(await terminal.shows("readme.txt"))
      terminal.press("jy")
      #expect(await terminal.shows("copied readme.txt"))
      #expect(terminal.screen.clipboard == [Data("readme.txt".utf8).base64EncodedString()])
      terminal.press("e")
      #expect(await eventually { home.text(of: "edited") == "readme.txt\n" })
      #expect(await terminal.shows("edited"))
      #expect(terminal.screen.isAlternate)
      terminal.press("o?")
      #expect(await terminal.shows("one row up"))
      terminal.press("xq")
      #expect(await terminal.exitCode() == 130)
      #expect(terminal.isRestored)
    }

    @Test func keysRunOwnCommands() async throws {
      let home = try Home()
      try home.write("", to: "it's \"new\"")
      let terminal = try PseudoTerminal(
        "cd \(home.path); exec outline --browse --bind 'ctrl-y=printf \"<%s>\" {+} {} > .said' --bind 'x=ls {}x'")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("/new\u{F} \u{19}")
      // The browser returns at once, and no mark is left.
      #expect(await terminal.shows("{} > .said is done"))
      #expect(home.text(of: ".said") == "<it's \"new\"><it's \"new\">")
      // After a failure, the words of the command stay on the screen.
      terminal.press("\u{1B}")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("x")
      #expect(await terminal.shows("[exit code 2] Enter goes back"))
      terminal.press("\r")
      #expect(await terminal.shows("ls {}x failed"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
      // A list is a list of texts.
      let list = try PseudoTerminal(
        "cd \(home.path); printf 'a\\nb/c\\n' | outline --browse --bind 'ctrl-y=echo {} >> .said' -")
      #expect(await list.shows("2 files"))
      list.press("\u{19}q")
      #expect(await list.exitCode() == 130)
      #expect(home.text(of: ".said")?.hasSuffix(">a\n") == true)
    }

    @Test func runsACommand() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal(
        "cd \(home.path); exec outline --browse", size: TerminalSize(columns: 80, rows: 12))
      #expect(await terminal.shows("readme.txt"))
      terminal.press("l  !printf '<%s>'\r")
      #expect(await terminal.shows("<docs><docs/guide.md>"))
      #expect(await terminal.shows("[exit code 0] Enter goes back"))
      #expect(!terminal.screen.isAlternate)
      terminal.press("\r")
      #expect(await terminal.shows("printf '<%s>' is done"))
      // The browser shows the change that the command has made.
      terminal.press("/guide\u{F}!mv \"$1\" docs/manual.md; false\r")
      #expect(await terminal.shows("[exit code 1]"))
      terminal.press("\r\u{1B}")
      #expect(await terminal.shows("manual.md"))
      #expect(await terminal.hides("guide.md"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
      #expect(terminal.isRestored)
    }

    @Test func anInterruptEndsTheCommandOnly() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("cd \(home.path); exec outline --browse")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("!sh -c 'echo $((6 * 7)); exec sleep 60'\r")
      #expect(await terminal.shows("42"))
      terminal.press("\u{3}")
      #expect(await terminal.shows("[exit code 130] Enter goes back"))
      terminal.press("\r")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
      #expect(terminal.isRestored)
    }

    @Test func aCommandIsSuspendedWithTheOutline() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("cd \(home.path); exec sh -i")
      #expect(await terminal.shows("ready>"))
      terminal.press("outline --browse\r")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("!sh -c 'echo $((6 * 7)); until [ -e go ]; do sleep 0.1; done'\r")
      #expect(await terminal.shows("42"))
      terminal.press("\u{1A}")
      #expect(await terminal.shows("Stopped"))
      terminal.press("fg\r")
      try home.write("", to: "go")
      #expect(await terminal.shows("[exit code 0] Enter goes back"))
      terminal.press("\r")
      #expect(await terminal.shows("readme.txt"))
      terminal.press("q")
      #expect(await terminal.isLeft())
      terminal.press("exit 0\r")
      #expect(await terminal.exitCode() == 0)
    }

    @Test(arguments: ["", " "]) func anEmptyVariableDoesNotRunTheFile(_ value: String) async throws {
      let home = try Home()
      try home.write("#!/bin/sh\ntouch ran\n", to: "a.sh")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: home.url.appending(path: "a.sh").path)
      let variables = ["VISUAL": value, "EDITOR": "printf '%s\\n' > edited"]
      let terminal = try PseudoTerminal("cd \(home.path); exec outline --browse", environment: variables)
      #expect(await terminal.shows("a.sh"))
      terminal.press("/a.sh\u{F}e")
      #expect(await eventually { home.text(of: "edited") == "a.sh\n" })
      #expect(home.text(of: "ran") == nil)
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test(arguments: [("/no/such/editor", "could not be started"), ("exit 3;", "failed with exit code 3")])
    func anEditorThatFailsSaysSo(_ editor: String, _ sentence: String) async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("cd \(home.path); exec outline --browse", environment: ["VISUAL": editor])
      #expect(await terminal.shows("readme.txt"))
      terminal.press("je")
      #expect(await terminal.shows(sentence))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test func theMouseExpands() async throws {
      let home = try Home()
      let terminal = try PseudoTerminal("exec outline --browse \(home.path)")
      #expect(await terminal.shows("4 files"))
      terminal.press("\u{1B}[<0;3;2M")
      #expect(await terminal.shows("guide.md"))
      terminal.press("q")
      #expect(await terminal.exitCode() == 130)
    }

    @Test func aTerminalThatGoesEndsIt() async throws {
      let home = try Home()
      var terminal: PseudoTerminal? = try PseudoTerminal("outline --browse \(home.path); echo $? > \(home.path)/code")
      #expect(await terminal?.shows("readme.txt") == true)
      terminal?.press("\u{4}")
      let shell = try #require(terminal).process
      let process = try #require(childProcess(of: shell))
      terminal = nil
      #expect(await eventually { kill(process, 0) != 0 })
    }
  }
#endif
