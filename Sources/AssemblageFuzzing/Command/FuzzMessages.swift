/// A script in the form that is sent between processes.
struct FuzzScript: Codable {
  let operations: [PipelineOperation]
  let allowsDuplicates: Bool

  init(_ script: PipelineScript) {
    operations = script.operations
    allowsDuplicates = script.allowsDuplicates
  }

  var script: PipelineScript { PipelineScript(operations: operations, allowsDuplicates: allowsDuplicates) }
}

/// A request to a worker.
enum FuzzRequest: Codable {
  /// Run the scripts of a seed with the numbers from `first` on. The answers are `began` for each script, `found` for
  /// each script that fails, and then `made`.
  case scripts(seed: UInt64, first: Int, count: Int)
  /// Make the script with a number. The answer is `script`.
  case script(seed: UInt64, number: Int)
  /// Run a script. The answer is `outcome`.
  case outcome(FuzzScript)
  /// Run a script and print it. The answers are `code` after each new line of code, and then `outcome`.
  case code(FuzzScript)
  /// Run moving worlds, from the given one on. The answers are `began` for each world, `code` before each transaction,
  /// `outcomes` for each world, and then `ended`.
  case worlds(WorldCase, count: Int)
}

/// An answer of a worker.
enum FuzzAnswer: Codable {
  /// The script or the world with a number is about to run.
  case began(Int)
  /// The script under way failed after `length` of its operations.
  case found(FuzzOutcome, script: FuzzScript, length: Int)
  /// All requested scripts have been run. The numbers are the counts of a tally.
  case made([String: Int])
  case script(FuzzScript)
  /// The fault that the script found; nil where it found none.
  case outcome(FuzzOutcome?)
  case code(String)
  /// The outcomes of the world under way.
  case outcomes([WorldOutcome])
  /// All requested worlds have been run.
  case ended
}

/// A fault that a script found.
struct FuzzOutcome: Codable {
  let kind: PipelineFault.Kind
  let finding: String
}
