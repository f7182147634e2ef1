import Foundation

/// Writes a sentence to standard error and ends the process.
func fail(_ sentence: String, code: Int32) -> Never {
  FileHandle.standardError.write(Data("benchmark: \(sentence)\n".utf8))
  exit(code)
}

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()), catalogue: Suite.catalogue)
} catch {
  fail("\(error)", code: 64)
}

switch options.action {
case .help:
  print(Options.help)
case .list:
  print(Suite.listing(Suite.catalogue))
case .measure:
  if isDebugBuild {
    fail("times of a debug build mean nothing; run it with `swift run -c release benchmark`", code: 1)
  }
  do {
    try Session(options: options, catalogue: Suite.catalogue).run()
  } catch {
    fail("the chart could not be written: \(error.localizedDescription)", code: 73)
  }
}
