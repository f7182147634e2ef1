import CommandSupport
import Foundation

/// Writes a sentence to standard error and ends the process.
func fail(_ sentence: String, code: Int32) -> Never {
  ProgramStream.standardError.write("benchmark: \(sentence)\n")
  exit(code)
}

/// Writes to standard output, and ends the process where the write fails.
func writeOrFail(_ text: String) {
  guard let error = OutputError(ProgramStream.standardOutput.write(text)) else { return }
  if error.exitCode == 0 { exit(0) }
  fail("\(error)", code: error.exitCode)
}

// If the reader of the output ends early, as `head` does, that is then an error of `write`.
signal(SIGPIPE, SIG_IGN)

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()), catalogue: Suite.catalogue)
} catch {
  fail("\(error)", code: 64)
}

switch options.action {
case .help:
  writeOrFail(Options.help + "\n")
case .list:
  writeOrFail(Suite.listing(options.input == nil ? Suite.catalogue : [.input(InputData.none)]) + "\n")
case .measure:
  if isDebugBuild {
    fail("times of a debug build mean nothing; run it with `swift run -c release benchmark`", code: 1)
  }
  do {
    let showsProgress = isatty(STDERR_FILENO) == 1
    var (chosen, catalogue) = (options, Suite.catalogue)
    if let path = options.input {
      let data = try InputData(path: path)
      let count = data.elements.count
      (chosen.sizes, catalogue) = ([count], [.input(data)])
      if let other = options.operations.first(where: { name in !catalogue[0].operations.contains { $0.name == name } })
      {
        fail("\(other) needs data with branches, and there are none: \(path)", code: 65)
      }
      ProgramStream.standardError.write("\(path): \(Decimal.grouped(count)) elements, \(data.kind.rawValue)\n")
    }
    try Session(
      options: chosen, catalogue: catalogue, output: writeOrFail,
      progress: showsProgress ? { ProgramStream.standardError.write($0) } : nil
    ).run()
  } catch {
    fail(error.sentence, code: error.code)
  }
}
