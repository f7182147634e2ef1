import Foundation

// A reader that goes away, as `head` does, is then an error of `write` and ends the run quietly.
signal(SIGPIPE, SIG_IGN)

func writeToStandardError(_ text: String) {
  try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
}

let arguments = Array(CommandLine.arguments.dropFirst())
if BrowseCommand.isMeant(by: arguments) {
  exit(
    await BrowseCommand.run(
      arguments, environment: ProcessInfo.processInfo.environment,
      print: { try FileHandle.standardOutput.write(contentsOf: Data($0)) },
      report: { writeToStandardError($0 + "\n") }))
}

let command = Command(
  input: { try FileHandle.standardInput.readToEnd() ?? Data() },
  output: .descriptor(STDOUT_FILENO),
  report: { writeToStandardError($0 + "\n") },
  progress: isatty(STDERR_FILENO) == 1 ? ScanProgress(write: writeToStandardError) : nil)
exit(command.run(arguments))
