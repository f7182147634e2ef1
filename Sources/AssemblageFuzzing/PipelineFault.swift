package import AssemblageTesting

/// A fault that a run found.
struct PipelineFault: Error {
  /// The kind of the fault. A script is cut as long as its fault is of the same kind.
  enum Kind: Hashable, Codable, Sendable {
    /// A node breaks a law.
    case law(NodeLaw)
    /// A node shows other contents than its model.
    case contents
    /// A node was not released.
    case release
    /// A transaction that threw has left a change, or has notified an observer.
    case rollback
    /// A widget shows other rows than its node, or a behavior received a wrong position.
    case widget
    /// The process ended. The text is the trap's sentence without its numbers.
    case ended(String)
  }

  let kind: Kind
  let finding: String
  /// The code that shows the fault, behind the code of the run.
  let code: String
}

/// A fault that a pipeline fuzzer found, with a short script.
///
/// ```swift
/// // One of the kinds reports insertions at a wrong position.
/// do {
///   try fuzzer.check(scripts: 1_000)
/// } catch {
///   error.law       // .replayAgrees
///   print(error)    // the fault, its script and seed, and a Swift function that fails in the same way
/// }
/// ```
package struct PipelineFailure: Error, CustomStringConvertible {
  /// The seed of the fuzzer.
  package let seed: UInt64

  /// The number of the script that failed.
  package let scriptNumber: Int

  /// The law that was broken; nil where a node had other contents than its model, or was not released, or where the
  /// script failed in another way.
  package let law: NodeLaw?

  /// The sentence of the trap, or other knowledge about the end of the process; nil where the script does not end the
  /// process.
  ///
  /// Only a `FuzzCommand` finds scripts that end the process.
  package let trap: String?

  /// The fault that the short script finds, in one sentence.
  package let finding: String

  /// The short script.
  package let script: PipelineScript

  /// The number of operations in the script before the fuzzer cut the script.
  package let originalCount: Int

  /// The short script as a Swift function that compiles, and fails in the same way.
  package let code: String

  /// The fault, the way to find the fault again, and the code.
  package var description: String {
    """
    \(finding)
    Found by script \(scriptNumber) of the seed \(seed), cut from \(originalCount) operations to \(script.count):

    \(code)
    """
  }
}
