public import Testing

/// A suite of programmer errors.
///
/// Each error ends the process with one sentence.
///
///     @Suite struct SliceNodeTests: MisuseSuite {
///       static let misuses = [
///         Misuse("SliceNode: the window -1..<3 begins below 0.") { _ = SliceNode(ArrayNode([1]), -1..<3) }
///       ]
///       @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
///     }
public protocol MisuseSuite {
  /// The errors, as a list in one file.
  static var misuses: [Misuse] { get }
}

/// A programmer error, and the sentence with which it ends the process.
public struct Misuse: Sendable, CustomTestStringConvertible {
  fileprivate let sentence: String
  fileprivate let sourceLocation: SourceLocation
  fileprivate let commit: @Sendable () -> Void

  /// Creates an error that ends the process with `sentence`, or with a longer one that contains it.
  public init(
    _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation, _ commit: @escaping @Sendable () -> Void
  ) {
    self.sentence = sentence
    self.sourceLocation = sourceLocation
    self.commit = commit
  }

  /// The sentence.
  public var testDescription: String { sentence }
}

/// Checks that `misuse` ends a process with its sentence, in debug and in release.
///
/// The new process finds the error again by its suite and its line.
public func expectTrap(_ misuse: Misuse, of suite: any MisuseSuite.Type) async {
  let result = await #expect(
    processExitsWith: .failure, observing: [\.standardErrorContent], sourceLocation: misuse.sourceLocation
  ) { [suite = _mangledTypeName(suite) as String?, line = misuse.sourceLocation.line as Int] in
    let suite = suite.flatMap { _typeByName($0) } as? any MisuseSuite.Type
    suite?.misuses.first { $0.sourceLocation.line == line }?.commit()
  }
  expect(result, says: misuse.sentence, sourceLocation: misuse.sourceLocation)
}

/// Checks that a process wrote `sentence` before it ended.
///
/// - Parameters:
///   - result: the result of an exit test that observes `\.standardErrorContent`.
///   - sentence: a part of the message.
///   - sourceLocation: the place at which a failure is reported.
public func expect(
  _ result: ExitTest.Result?, says sentence: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  let line = text.split(separator: "\n").first { $0.contains("Fatal error") } ?? text[...]
  #expect(text.contains(sentence), "\(line)", sourceLocation: sourceLocation)
}
