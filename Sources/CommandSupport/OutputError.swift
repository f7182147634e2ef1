/// The error that ends a program whose output cannot be written.
package struct OutputError: Error, CustomStringConvertible {
  package let outcome: OutputOutcome

  /// Creates the error of an outcome; nil if all bytes were written.
  package init?(_ outcome: OutputOutcome) {
    if outcome == .written { return nil }
    self.outcome = outcome
  }

  /// The exit code: 0 if the reader has closed the output, which is no error, else the code of `sysexits.h` for output.
  package var exitCode: Int32 { outcome == .closed ? 0 : 74 }

  package var description: String {
    switch outcome {
    case .written, .closed: "the reader of the output has gone"
    case .failed(let code): "the output could not be written: \(systemWords(code))"
    }
  }
}
