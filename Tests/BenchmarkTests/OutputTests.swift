import Foundation
import TestSupport
import Testing

/// The program's output, as a user has it.
@Suite struct OutputTests {
  @Test(arguments: [["--help"], ["--list"]])
  func aFullDeviceIsSaid(arguments: [String]) throws {
    guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
    let (process, errors) = (Process(), Pipe())
    process.executableURL = builtProduct("benchmark")
    process.arguments = arguments
    process.standardOutput = full
    process.standardError = errors
    try process.run()
    let data = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    #expect(
      String(decoding: data, as: UTF8.self)
        == "benchmark: the output could not be written: no space is left on the device\n")
  }
}
