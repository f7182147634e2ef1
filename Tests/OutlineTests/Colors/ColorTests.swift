import Foundation
import Testing

@testable import outline

@Suite struct ColorTests {
  private func style(_ colors: String?, _ name: String, _ mode: UInt16, _ end: Entry.LinkEnd? = nil) -> String? {
    LSColors(colors).style(of: Array(name.utf8).span, mode: mode, linkEnd: end)
  }

  @Test(
    arguments: [
      ("d", 0o040755, "01;34"), ("f", 0o100644, nil), ("x", 0o100755, "01;32"), ("l", 0o120777, "01;36"),
      ("p", 0o010644, "33"), ("s", 0o140644, "01;35"), ("b", 0o060644, "01;33"), ("c", 0o020644, "01;33"),
      ("t", 0o041777, "30;42"), ("o", 0o040777, "34;42"), ("st", 0o041755, "37;44"), ("su", 0o104755, "37;41"),
      ("sg", 0o102755, "30;43"),
    ] as [(String, UInt16, String?)])
  func theColorsOfLS(name: String, mode: UInt16, expected: String?) {
    #expect(style(nil, name, mode) == expected && style("", name, mode) == expected)
  }

  @Test func whatLSColorsSays() {
    #expect(style("di=35:*.md=4;31", "a", 0o040755) == "35")
    #expect(style("di=35:*.md=4;31", "a.MD", 0o100644) == "4;31")
    #expect(style("*.md=1:*README.md=2", "README.md", 0o100644) == "2")
    #expect(style("*README.md=2:*.md=1", "README.md", 0o100644) == "1", "the last ending that fits counts")
    #expect(style("di=0:ex=00", "a", 0o040755) == nil && style("ex=00", "a", 0o100755) == nil)
    #expect(style("*.md=0", "a.md", 0o100644) == nil)
    #expect(style("fi=33", "a", 0o100644) == "33" && style("no=37", "a", 0o100644) == "37")
    #expect(style("ln=target:di=35", "a", 0o120777, .mode(0o040755)) == "35")
    #expect(style("ln=36:or=31", "a", 0o120777, .nothing) == "31" && style("or=31", "a", 0o120777, .circle) == "31")
    #expect(style("or=00:ln=36", "a", 0o120777, .nothing) == "36")
    #expect(style("di=\u{1B}[2J:di", "a", 0o040755) == "01;34", "what is no style is passed over")
    #expect(style("::=:x=1:*=5", "a", 0o100644) == "5")
  }

  @Test func whenColorsAreWritten() {
    #expect(ColorChoice.auto.isOn(isTerminal: true, environment: [:]))
    #expect(ColorChoice.auto.isOn(isTerminal: true, environment: ["NO_COLOR": ""]))
    #expect(!ColorChoice.auto.isOn(isTerminal: true, environment: ["NO_COLOR": "1"]))
    #expect(!ColorChoice.auto.isOn(isTerminal: true, environment: ["TERM": "dumb"]))
    #expect(!ColorChoice.auto.isOn(isTerminal: false, environment: [:]))
    #expect(ColorChoice.always.isOn(isTerminal: false, environment: ["NO_COLOR": "1"]))
    #expect(!ColorChoice.never.isOn(isTerminal: true, environment: [:]))
  }

  let fake = Fake.directory([
    "top": .directory(["Straße": .directory(["strasse.md": .file(1)]), "a.md": .file(2), "lost": .dangling])
  ])

  @Test func namesAndMatchesAreColored() {
    let colored = runCommand(["--color", "always", "/top"], in: fake.fileSystem, environment: ["LS_COLORS": "*.md=32"])
    #expect(
      colored.output == """
        /top  3 files, 3 B
          \u{1B}[01;34mStraße\u{1B}[0m/  1 file, 1 B
            \u{1B}[32mstrasse.md\u{1B}[0m  1 B
          \u{1B}[32ma.md\u{1B}[0m  2 B
          \u{1B}[40;31;01mlost\u{1B}[0m -> none  (dangling link)

        3 files in 2 directories, 3 B

        """)
    let found = runCommand(["--filter", "SS", "--rows", "0..<9", "/top"], in: fake.fileSystem, isTerminal: true)
    let rows = "0\t0\t\u{1B}[01;34mStra\u{1B}[0m\u{1B}[01;31mß\u{1B}[0m\u{1B}[01;34me\u{1B}[0m/  1 file, 1 B\n"
    #expect(found.output == rows + "1\t1\t  stra\u{1B}[01;31mss\u{1B}[0me.md  1 B\n")
    let plain = runCommand(["/top"], in: fake.fileSystem, environment: ["NO_COLOR": "1"], isTerminal: true)
    #expect(plain == run("/top", in: fake.fileSystem) && !plain.output.contains("\u{1B}"))
    #expect(!run("--color=always", "--json", "/top", in: fake.fileSystem).output.contains("\u{1B}"))
    let grouped = run("--color=always", "--group", "extension", "/top/Straße", in: fake.fileSystem)
    #expect(grouped.output.contains("  .md  1 file, 1 B\n    strasse.md  1 B\n"))
  }

  /// Without its escapes, colored output is the same as plain output.
  @Test func colorsChangeNothingElse() {
    let document = #"{"a\"b": "x\"y é\n", "": null, "n": [1, true, "\#(String(repeating: "z", count: 250))"], "e": {}}"#
    for arguments in [["-"], ["--filter", "x", "-"], ["--regex", "[a-z]+", "-"]] {
      let plain = runCommand(arguments, input: Array(document.utf8)).output
      let colored = runCommand(["--color", "always"] + arguments, input: Array(document.utf8)).output
      #expect(colored.contains("\u{1B}[") && colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    }
    let list = runCommand(["--color", "always", "-"], input: Array("a/b\nc\u{1B}[2J\n".utf8)).output
    #expect(list.contains(#"  c\u{1B}[2J"#) && list.contains("\u{1B}[01;34ma\u{1B}[0m/"))
  }
}
