import Foundation

/// Runs an executable that was built with the tests, with a full device as its standard output.
///
/// - Parameters:
///   - name: the executable's name.
///   - arguments: its arguments.
/// - Returns: the exit code, and the text that the executable wrote to standard error; nil where the system has no full
///   device.
/// - Throws: an error of Foundation where the executable cannot be run.
public func outcomeOnFullDevice(of name: String, _ arguments: [String]) throws -> (code: Int32, errors: String)? {
  guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return nil }
  let (process, errors) = (Process(), Pipe())
  process.executableURL = builtProduct(name)
  process.arguments = arguments
  process.standardOutput = full
  process.standardError = errors
  try process.run()
  let data = try errors.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}
