import Foundation
import Testing

@testable import outline

/// Completions are made from the table by which the command line is parsed.
@Suite struct CompletionsTests {
  @Test(arguments: Options.Shell.allCases) func everyOptionIsThere(shell: Options.Shell) {
    let script = run("--completions", shell.rawValue)
    #expect(script.code == 0 && script.errors.isEmpty)
    for option in OptionTable.options {
      let name = shell == .fish ? "-l " + option.names[0].dropFirst(2) : option.names[0]
      #expect(script.output.contains(name), "\(option.names)")
      #expect(!option.brief.isEmpty && !option.help.isEmpty || option.help.isEmpty)
      if case .words(let choices) = option.value {
        #expect(script.output.contains(choices.map(\.word).joined(separator: " ")))
      }
    }
  }

  @Test func theTableIsSound() throws {
    let names = OptionTable.options.flatMap(\.names)
    #expect(Set(names).count == names.count)
    for option in OptionTable.options {
      #expect(!option.brief.isEmpty && !option.brief.contains("'"))
      #expect(option.names.allSatisfy { run("--help").output.contains($0) })
      #expect(OptionTable.option(FileName(option.names[0]))?.names == option.names)
    }
    #expect(run("--completions", "csh").errors == "outline: --completions takes one of bash, zsh, fish, not \"csh\"\n")
  }

  /// bash completes with the script. Without bash on the machine, the test does nothing.
  @Test(
    arguments: [
      (["outline", "--so"], "--sort"), (["outline", "--sort", "na"], "name"),
      (["outline", "--sort", "=", "si"], "size"),
      (["outline", "--color", ""], "always auto never"), (["outline", "--filter", "x"], ""),
      (["outline", "--gi"], "--gitignore"),
    ] as [([String], String)])
  func bashCompletes(words: [String], expected: String) throws {
    let bash = URL(fileURLWithPath: "/bin/bash")
    guard FileManager.default.isExecutableFile(atPath: bash.path) else { return }
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script =
      Completions.script(.bash) + """

        COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _outline 2>&1
        printf '%s\\n' "${COMPREPLY[@]}" | sort | tr '\\n' ' '
        """
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = bash
    process.arguments = ["-c", script]
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespaces) == expected)
  }
}
