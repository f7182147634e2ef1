import Foundation

/// The diagnostics of the compiler for a program that imports modules of this package.
public struct CompiledCode {
  /// Whether the program can be compiled.
  public let succeeded: Bool

  /// The lines with an error or a warning: the file, the place, and the message without the name of its group.
  public let diagnostics: [String]

  /// Compiles a program in the language mode of Swift 6, as far as its diagnostics need.
  ///
  /// - Parameter code: the program.
  /// - Throws: an error where the compiler cannot be run.
  public init(_ code: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).swift")
    try code.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let compiler = Process()
    let output = Pipe()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = [
      "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-I", builtProduct("Modules").path, file.path,
    ]
    compiler.standardError = output
    try compiler.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    compiler.waitUntilExit()
    succeeded = compiler.terminationStatus == 0
    diagnostics = text.split(separator: "\n").filter { $0.contains(": error: ") || $0.contains(": warning: ") }
      .map { String($0).replacing(#/ \[#[A-Za-z-]+\]$/#, with: "") }
  }
}
