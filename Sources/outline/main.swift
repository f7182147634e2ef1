import CommandSupport
import Foundation

// If the reader ends early, as `head` does, then `write` reports an error, which ends the run quietly.
signal(SIGPIPE, SIG_IGN)

let arguments = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
  unsafe CommandLine.unsafeArgv[index].map { unsafe FileName(cString: $0) }
}

// The command below reports the faults of the command line.
if let options = try? Options(arguments), options.isBrowsing {
  exit(
    await BrowseCommand.run(
      options, environment: ProcessInfo.processInfo.environment, output: .standardOutput,
      report: { ProgramStream.standardError.write($0 + "\n") }))
}

let command = Command(
  input: { try FileContents.read(STDIN_FILENO) },
  output: .descriptor(STDOUT_FILENO),
  report: { ProgramStream.standardError.write($0 + "\n") },
  progress: isatty(STDERR_FILENO) == 1 ? ScanProgress { ProgramStream.standardError.write($0) } : nil,
  environment: ProcessInfo.processInfo.environment,
  isTerminal: isatty(STDOUT_FILENO) == 1)
exit(command.run(arguments))
