import Foundation
import TestSupport
import Testing

/// The program's output, as a user sees it.
@Suite struct OutputTests {
  @Test(arguments: [["--help"], ["--list"]])
  func aFullDeviceIsSaid(arguments: [String]) throws {
    guard let outcome = try outcomeOnFullDevice(of: "benchmark", arguments) else { return }
    #expect(outcome.code == 74)
    #expect(outcome.errors == "benchmark: the output could not be written: no space is left on the device\n")
  }
}
