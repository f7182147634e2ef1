/// Why a program has to end: its output cannot be written.
package struct OutputError: Error, CustomStringConvertible {
  package let outcome: OutputOutcome

  /// Creates the error of an outcome; nil where all was written.
  package init?(_ outcome: OutputOutcome) {
    if outcome == .written { return nil }
    self.outcome = outcome
  }

  /// The code to exit with: 0 where the reader has gone, which is no error, else that of `sysexits.h` for output.
  package var exitCode: Int32 { outcome == .closed ? 0 : 74 }

  package var description: String {
    switch outcome {
    case .written, .closed: "the reader of the output has gone"
    case .failed(let code): "the output could not be written: \(systemWords(code))"
    }
  }
}
