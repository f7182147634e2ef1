import AssemblageTesting
import Foundation
import TestSupport
import Testing

@testable import AssemblageFuzzing

@Suite struct FuzzCommandTests {
  /// A script that ends its process is found, cut and printed; the scripts after it still run.
  @Test func aTrapIsFoundCutAndReported() throws {
    var options = FuzzOptions()
    (options.seeds, options.scripts, options.jobs, options.findings) = (5...6, 4, 2, 100)
    options.settings.usesFragileKind = true
    let report = try FuzzRun(options, executable: builtProduct("fuzz")) { _ in }.run()
    #expect(report.count == 8)
    #expect(report.exitCode == 1)
    #expect(report.failures.count > 1)
    // If the process ends while the node is made, the printed code ends before that line.
    #expect(report.failures.contains { $0.code.contains(") { fragile($0) }\n") })
    for failure in report.failures {
      let trap = try #require(failure.trap)
      #expect(trap.wholeMatch(of: /Row \d+ was changed\./) != nil, "\(failure)")
      #expect(failure.law == nil && failure.finding == trap)
      // A source, a fragile node over the source, and the edit; or two edits.
      #expect(3...4 ~= failure.script.count, "\(failure)")
      #expect(failure.originalCount > failure.script.count)
      #expect(failure.code.hasSuffix("\n  // The process ended: \(trap)\n}\n"), "\(failure)")
    }
  }

  /// The run ends when it has as many findings as the options ask for.
  @Test func aRunEndsWithTheFindingsAskedFor() throws {
    var options = FuzzOptions()
    (options.scripts, options.findings, options.jobs) = (100, 2, 1)
    options.settings.usesFragileKind = true
    let report = try FuzzRun(options, executable: builtProduct("fuzz")) { _ in }.run()
    #expect(report.failures.count == 2 && report.count < 100)
  }

  /// Runs the package's own program, as a user does.
  @Test(arguments: [
    (["--seeds", "1-2", "--scripts", "2", "--jobs", "2", "--small"], 0, "4 graphs, 0 findings\n"),
    (["--help"], 0, FuzzOptions.help + "\n"), (["--scripts"], 64, ""),
  ])
  func theProgramSaysWhatItDid(arguments: [String], code: Int32, output: String) throws {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = builtProduct("fuzz")
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == code)
    #expect(String(decoding: data, as: UTF8.self) == output)
  }

  /// A run whose report cannot be written ends with a sentence.
  @Test(arguments: [["--help"], ["--scripts", "2"]])
  func aFullDeviceIsSaid(arguments: [String]) throws {
    guard let outcome = try outcomeOnFullDevice(of: "fuzz", arguments) else { return }
    #expect(outcome.code == 74)
    #expect(outcome.errors == "fuzz: the output could not be written: no space is left on the device\n")
  }
}

@Suite struct FuzzOptionsTests {
  @Test func argumentsAreRead() throws {
    var options = try FuzzOptions([
      "--seeds", "3-7", "--scripts", "20", "--from", "4", "--length", "9", "--small", "--jobs", "2", "--findings", "1",
    ])
    #expect(options.seeds == 3...7 && options.scripts == 20 && options.first == 4)
    #expect(options.settings.length == 9 && options.settings.usesSmallStorage)
    #expect(options.jobs == 2 && options.findings == 1 && !options.wantsHelp)
    #expect(FuzzSettings(arguments: options.settings.arguments[...]) == options.settings)
    options.settings.usesFragileKind = true
    #expect(FuzzSettings(arguments: options.settings.arguments[...]) == options.settings)
    #expect(try FuzzOptions(["--seeds", "18446744073709551615"]).seeds == UInt64.max...UInt64.max)
    #expect(try FuzzOptions(["-h"]).wantsHelp)
    #expect(try FuzzOptions([]) == FuzzOptions())
    let worlds = try FuzzOptions(["--worlds", "9", "--looks"])
    #expect(worlds.worlds == 9 && worlds.looks)
  }

  @Test(arguments: [
    (["--seed"], "\"--seed\" is not an option."), (["--seeds"], "--seeds needs a value."),
    (["--seeds", "7-3"], "--seeds is \"7-3\", which is neither a seed nor a range of seeds like 1-50."),
    (["--seeds", "1-2-3"], "--seeds is \"1-2-3\", which is neither a seed nor a range of seeds like 1-50."),
    (["--seeds", ""], "--seeds is \"\", which is neither a seed nor a range of seeds like 1-50."),
    (["--worlds", "0"], "--worlds is \"0\", which is no number from 1 to 1000000000."),
    (["--jobs", "0"], "--jobs is \"0\", which is no number from 1 to 1000000000."),
    (["--scripts", "0"], "--scripts is \"0\", which is no number from 1 to 1000000000."),
  ])
  func whatMakesNoSenseIsSaid(arguments: [String], sentence: String) {
    let error = #expect(throws: FuzzUsageError.self) { try FuzzOptions(arguments) }
    #expect(error?.description == sentence)
  }
}
