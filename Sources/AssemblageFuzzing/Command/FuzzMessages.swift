/// A script as it travels between processes.
struct FuzzScript: Codable {
  let operations: [PipelineOperation]
  let allowsDuplicates: Bool

  init(_ script: PipelineScript) {
    operations = script.operations
    allowsDuplicates = script.allowsDuplicates
  }

  var script: PipelineScript { PipelineScript(operations: operations, allowsDuplicates: allowsDuplicates) }
}

/// What a worker is asked for.
enum FuzzRequest: Codable {
  /// Run the scripts of a seed with the numbers from `first` on; answers `began` for each, `found` for some, then `made`.
  case scripts(seed: UInt64, first: Int, count: Int)
  /// Say what the script with a number is; answers `script`.
  case script(seed: UInt64, number: Int)
  /// Run a script; answers `outcome`.
  case outcome(FuzzScript)
  /// Run a script and print it; answers `code` whenever there is more of it, then `outcome`.
  case code(FuzzScript)
  /// Run moving worlds from one on; answers `began`, `code` before each transaction and `outcomes` for each, then `ended`.
  case worlds(WorldCase, count: Int)
}

/// What a worker answers.
enum FuzzAnswer: Codable {
  /// A script is going to be run.
  case began(Int)
  /// The script under way failed after `length` of its operations.
  case found(FuzzOutcome, script: FuzzScript, length: Int)
  /// All scripts that were asked for have been run; the numbers are a tally's.
  case made([String: Int])
  case script(FuzzScript)
  /// What the script found; nil where it found nothing.
  case outcome(FuzzOutcome?)
  case code(String)
  /// What was observed in the world under way.
  case outcomes([WorldOutcome])
  /// All worlds that were asked for have been run.
  case ended
}

/// What a script found.
struct FuzzOutcome: Codable {
  let kind: PipelineFault.Kind
  let finding: String
}
