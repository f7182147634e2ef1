package import AssemblageTesting

/// What a run found.
struct PipelineFault: Error {
  /// What is wrong; a script is cut as long as this stays the same.
  enum Kind: Hashable, Codable, Sendable {
    /// A node breaks a law.
    case law(NodeLaw)
    /// A node does not show what its model does.
    case contents
    /// A node was not released.
    case release
    /// A transaction that threw left something changed, or told an observer.
    case rollback
    /// A widget does not show what its node does, or a behavior got a wrong place.
    case widget
    /// The process ended; the text is the trap's sentence without its numbers.
    case ended(String)
  }

  let kind: Kind
  let finding: String
  /// The code that shows it, behind that of the run.
  let code: String
}

/// What a pipeline fuzzer found, cut to a short script.
///
/// ```swift
/// // One of the kinds tells of insertions at a wrong place.
/// do {
///   try fuzzer.check(scripts: 1_000)
/// } catch {
///   error.law       // .replayAgrees
///   print(error)    // what was found, by which script of which seed, and a Swift function that fails in the same way
/// }
/// ```
package struct PipelineFailure: Error, CustomStringConvertible {
  /// The seed of the fuzzer.
  package let seed: UInt64

  /// The number of the script that failed.
  package let scriptNumber: Int

  /// The law that was broken; nil where a node showed something else than its model, or was not released.
  package let law: NodeLaw?

  /// The sentence of the trap, or what else is known, where the script ends the process; nil where it does not.
  ///
  /// Only a `FuzzCommand` finds such scripts.
  package let trap: String?

  /// What was found when the short script was run, in one sentence.
  package let finding: String

  /// The short script.
  package let script: PipelineScript

  /// How many operations the script had before it was cut.
  package let originalCount: Int

  /// The short script as a Swift function that compiles, and fails in the same way.
  package let code: String

  /// What was found, how to find it again, and the code.
  package var description: String {
    """
    \(finding)
    Found by script \(scriptNumber) of the seed \(seed), cut from \(originalCount) operations to \(script.count):

    \(code)
    """
  }
}
