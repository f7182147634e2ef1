import AssemblageTesting
import Foundation
import Testing

@testable import outline

/// Commands of the shell with places for paths.
@Suite struct ShellCommandTests {
  @Test(arguments: [
    ("vim {+}", "vim \"$@\""), ("diff {} {}", "diff \"$current\" \"$current\""), ("ls", "ls"), ("{", "{"),
    ("{}}", "\"$current\"}"),
    (#"find \{} \{+} {+}"#, "find {} {+} \"$@\""), (#"a\ b\\"#, #"a\ b\\"#), ("{ x; }", "{ x; }"), ("{+", "{+"),
  ]) func places(_ command: String, _ line: String) {
    #expect(ShellCommand(command, .afterFailure).script.split(separator: "\n")[1] == line)
  }

  @Test(arguments: [
    ("ls -l", "ls -l \"$@\""), ("cp \"$1\" x", "cp \"$1\" x"), ("wc {}", "wc \"$current\""),
    ("echo ${1%.c}", "echo ${1%.c}"),
  ]) func aTypedCommandGetsThePaths(_ command: String, _ line: String) {
    #expect(ShellCommand(command, .always).script.split(separator: "\n")[1] == line)
  }

  /// Any byte except NUL may be in a name, and no name is taken for a part of the command.
  @Test func randomNamesArriveByteByByte() throws {
    let command = "{ printf '<%s>' {+}; printf '<%s>' {}; }"
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("shell command", iteration: iteration)
      let names = (0..<Int.random(in: 2...6, using: &generator)).map { _ in
        (0..<Int.random(in: 1...12, using: &generator)).map { _ in
          Bool.random(using: &generator)
            ? UInt8.random(in: 1...255, using: &generator)
            : Array("'\"$`\\!{}+;& \n*-".utf8).randomElement(using: &generator)!
        }
      }
      let (pipe, script) = (Pipe(), ShellCommand(command, .afterFailure).script)
      #expect(ChildProcess.run(script, names, pipe.fileHandleForWriting.fileDescriptor) == 0)
      try pipe.fileHandleForWriting.close()
      let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
      let expected = (names.dropFirst() + names.prefix(1)).flatMap { Array("<".utf8) + $0 + Array(">".utf8) }
      #expect(Array(bytes) == expected)
    }
  }
}
