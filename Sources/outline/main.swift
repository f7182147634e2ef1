import Foundation

// A reader that goes away, as `head` does, is then an error of `write` and ends the run quietly.
signal(SIGPIPE, SIG_IGN)

func writeToStandardError(_ text: String) {
  try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
}

let command = Command(
  input: { try FileHandle.standardInput.readToEnd() ?? Data() },
  output: .descriptor(STDOUT_FILENO),
  report: { writeToStandardError($0 + "\n") },
  progress: isatty(STDERR_FILENO) == 1 ? ScanProgress(write: writeToStandardError) : nil)
exit(command.run(Array(CommandLine.arguments.dropFirst())))
