import Foundation

/// Runs an executable that was built with the tests, with a device that is full as its standard output.
///
/// - Parameters:
///   - name: the executable's name.
///   - arguments: its arguments.
/// - Returns: the exit code, and what it wrote to standard error; nil where the system has no such device.
/// - Throws: an error of Foundation where it cannot be run.
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
