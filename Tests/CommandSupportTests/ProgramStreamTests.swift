import Foundation
import Testing

@testable import CommandSupport

@Suite struct ProgramStreamTests {
  @Test func bytesArriveWhole() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("assemblage-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    let descriptor = unsafe open(url.path, O_CREAT | O_WRONLY, 0o600)
    defer { close(descriptor) }
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(ProgramStream(descriptor).write(bytes) == .written)
    #expect(ProgramStream(descriptor).write("ä") == .written)
    #expect(try Array(Data(contentsOf: url)) == bytes + Array("ä".utf8))
  }

  @Test func whatIsClosedFails() {
    let outcome = ProgramStream(-1).write("a")
    #expect(outcome == .failed(code: EBADF))
    #expect(OutputError(outcome)?.description == "the output could not be written: it is closed")
    #expect(OutputError(outcome)?.exitCode == 74)
  }

  @Test func aFullDeviceFails() throws {
    let descriptor = unsafe open("/dev/full", O_WRONLY)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    #expect(ProgramStream(descriptor).write("a") == .failed(code: ENOSPC))
  }

  @Test func aReaderThatHasGoneIsNoError() {
    #expect(OutputError(.written) == nil)
    #expect(OutputError(.closed)?.exitCode == 0)
  }

  @Test(arguments: [
    (EACCES, "there is no permission"), (ENOENT, "it is not there"), (ELOOP, "its links lead in a circle"),
    (ENOSPC, "no space is left on the device"), (EBADF, "it is closed"),
    (ENOTDIR, "a part of the path is no directory"),
  ])
  func words(code: Int32, words: String) {
    #expect(systemWords(code) == words)
  }

  @Test func everyCodeHasWordsThatFollowAColon() {
    for code in Int32(1)..<140 {
      let words = systemWords(code)
      #expect(!words.isEmpty && words.first?.isUppercase == false && !words.hasSuffix("."))
    }
  }
}
