// Cuts a script that fails, as long as it fails in the same way. The algorithm is from Zeller & Hildebrandt,
// "Simplifying and isolating failure-inducing input" (2002): first over operations, then over their numbers.
extension PipelineFuzzer {
  func shrunk(_ script: PipelineScript, number: Int, length: Int, _ fault: PipelineFault) -> PipelineFailure {
    var shrinker = ScriptShrinker(script, kind: fault.kind) { script in
      newRun(script, recordsCode: false).run().fault?.kind
    }
    shrinker.shrink(length: length)
    let short = shrinker.script
    let run = newRun(short, recordsCode: true)
    // The same script makes the same operations, so this is the last fault that the shrinker found.
    let last = run.run().fault ?? fault
    return failure(short, number: number, originalCount: script.count, run, last)
  }
}

/// Cuts one script.
struct ScriptShrinker {
  private(set) var script: PipelineScript
  private let kind: PipelineFault.Kind
  private let run: (PipelineScript) -> PipelineFault.Kind?
  /// The scripts that were run. The same script fails in the same way again.
  private var tried: Set<PipelineScript>
  /// The number of further runs that are allowed. Cutting has to end while the reader still waits.
  private var budget = 5_000

  init(
    _ script: PipelineScript, kind: PipelineFault.Kind, run: @escaping (PipelineScript) -> PipelineFault.Kind?
  ) {
    self.script = script
    tried = [script]
    self.kind = kind
    self.run = run
  }

  /// Cuts the script. Its first `length` operations fail.
  mutating func shrink(length: Int) {
    var shorter = script
    shorter.operations.removeSubrange(length...)
    accept(shorter)
    var size = -1
    while size != script.weight, budget > 0 {
      size = script.weight
      removeOperations(at: [])
      openBodies(at: [])
      simplifyNumbers(at: [])
    }
    renumber()
    var plain = script
    plain.allowsDuplicates = false
    accept(plain)
  }

  /// Adopts a script if it is a new one and fails in the same way.
  @discardableResult
  private mutating func accept(_ candidate: PipelineScript) -> Bool {
    guard budget > 0, tried.insert(candidate).inserted else { return false }
    budget -= 1
    guard run(candidate) == kind else { return false }
    script = candidate
    return true
  }

  /// Removes runs of operations from the body at a path: halves first, then shorter and shorter runs. Then it does the
  /// same inside the operations of that body.
  private mutating func removeOperations(at path: [Int]) {
    var length = max(1, script[body: path].count / 2)
    while true {
      var start = script[body: path].count - length
      while start > -length {
        let lower = max(0, start)
        var candidate = script
        let count = candidate[body: path].count
        candidate[body: path].removeSubrange(min(lower, count)..<min(lower + length, count))
        accept(candidate)
        start -= length
      }
      if length == 1 { break }
      length /= 2
    }
    for index in script[body: path].indices where !script[body: path][index].body.isEmpty {
      removeOperations(at: path + [index])
    }
  }

  /// Replaces transactions and observers by the operations of their bodies.
  private mutating func openBodies(at path: [Int]) {
    for index in script[body: path].indices.reversed() where !script[body: path][index].body.isEmpty {
      var candidate = script
      let body = candidate[body: path][index].body
      candidate[body: path].replaceSubrange(index...index, with: body)
      if !accept(candidate) { openBodies(at: path + [index]) }
    }
  }

  /// Removes numbers from the end on, which makes them 0. Then makes the other numbers 0 or small.
  private mutating func simplifyNumbers(at path: [Int]) {
    for index in script[body: path].indices {
      change(path, index) { $0.numbers = [] }
      var length = script[body: path][index].numbers.count / 2
      while length > 0 {
        let isShorter = change(path, index) { $0.numbers.removeLast(min(length, $0.numbers.count)) }
        if !isShorter { length /= 2 }
      }
      for place in script[body: path][index].numbers.indices {
        if change(path, index, { $0.numbers[place] = 0 }) { continue }
        for small in 1..<12 where script[body: path][index].numbers[place] > small {
          if change(path, index, { $0.numbers[place] = small }) { break }
        }
      }
      simplifyNumbers(at: path + [index])
    }
  }

  @discardableResult
  private mutating func change(_ path: [Int], _ index: Int, _ body: (inout PipelineOperation) -> Void) -> Bool {
    var candidate = script
    body(&candidate[body: path][index])
    return accept(candidate)
  }

  /// Numbers the operations again, from 1.
  private mutating func renumber() {
    var serial = 0
    func renumber(_ operations: inout [PipelineOperation]) {
      for index in operations.indices {
        serial += 1
        operations[index].serial = serial
        renumber(&operations[index].body)
      }
    }
    var candidate = script
    renumber(&candidate.operations)
    // Nodes are chosen by a hash of their numbers. So the script with the simplest numbers may not fail, but one with
    // others will.
    for shift in 0..<20 where !accept(candidate) {
      candidate = script
      serial = shift
      renumber(&candidate.operations)
    }
  }
}

extension PipelineScript {
  /// The operations at a path: the operations of the script itself, or of an operation's body.
  fileprivate subscript(body path: [Int]) -> [PipelineOperation] {
    get { path.reduce(operations) { $0[$1].body } }
    set { Self.replace(&operations, at: path[...], with: newValue) }
  }

  private static func replace(
    _ operations: inout [PipelineOperation], at path: ArraySlice<Int>, with new: [PipelineOperation]
  ) {
    guard let first = path.first else { return operations = new }
    replace(&operations[first].body, at: path.dropFirst(), with: new)
  }

  /// A measure of how long a reader needs for the script.
  fileprivate var weight: Int {
    func weight(_ operations: [PipelineOperation]) -> Int {
      operations.reduce(0) { $0 + 1_000_000 + $1.numbers.count + $1.numbers.reduce(0, +) + weight($1.body) }
    }
    return weight(operations)
  }
}
