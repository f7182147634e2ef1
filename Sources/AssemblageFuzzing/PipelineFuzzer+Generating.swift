import AssemblageTesting

extension PipelineFuzzer {
  /// Makes the script with a number, from 0. The script depends on the seed and the kinds only.
  ///
  /// - Parameter number: at least 0.
  /// - Returns: the script, which `check(_:)` runs.
  package func script(_ number: Int) -> PipelineScript {
    var mixer = SeededGenerator(seed: seed)
    var generator = SeededGenerator(seed: mixer.next() &+ UInt64(number))
    return ScriptGenerator(kinds: kinds, actions: actions, generator: SeededGenerator(seed: generator.next()))
      .script(length: length)
  }
}

extension PipelineOperation.Action {
  /// All actions in a pipeline of some kinds.
  static func all(of kinds: [NodeKind]) -> [Self] {
    kinds.map { .make($0.name) } + edits(of: kinds) + PipelineOperation.Write.allCases.map { .write($0) }
      + [.transaction, .rollback, .undo, .look, .observe, .react, .show, .use, .cancel, .release]
      + begins(of: kinds) + [.read, .advance, .giveUp]
  }

  static func begins(of kinds: [NodeKind]) -> [Self] {
    kinds.flatMap { kind in kind.backgroundNames.map { .begin(kind: kind.name, name: $0) } }
  }

  static func edits(of kinds: [NodeKind]) -> [Self] {
    kinds.flatMap { kind in kind.editNames.map { .edit(kind: kind.name, name: $0) } }
  }
}

/// Makes one script.
private struct ScriptGenerator {
  let kinds: [NodeKind]
  let edits: [PipelineOperation.Action]
  /// The edits of nodes that hold children of their own.
  let quietEdits: [PipelineOperation.Action]
  let begins: [PipelineOperation.Action]
  var generator: SeededGenerator
  private var serial = 0
  /// The edits that are made most often, if the script is about trees.
  private var favored: [PipelineOperation.Action] = []

  /// The greatest depth of transactions and observers inside each other.
  private static let depthLimit = 2
  /// More numbers than most operations need. An operation that needs more of them draws 0.
  private static let numberCount = 16

  init(kinds: [NodeKind], actions: [PipelineOperation.Action], generator: SeededGenerator) {
    self.kinds = kinds
    edits = PipelineOperation.Action.edits(of: kinds)
    quietEdits = PipelineOperation.Action.edits(of: kinds.filter(\.holdsChildren))
    begins = PipelineOperation.Action.begins(of: kinds)
    self.generator = generator
  }

  consuming func script(length: Int) -> PipelineScript {
    // Among sources of all kinds, a view of a tree rarely has a deep source. The node of a child needs a branch.
    let trees = generator.chance(1, in: 3) ? kinds.filter(\.isOfTrees) : []
    let isOfTrees = trees.contains(where: \.isSource)
    if isOfTrees {
      favored = PipelineOperation.Action.edits(of: trees.filter(\.isSource))
    }
    let sources = (isOfTrees ? trees : kinds).filter(\.isSource)
    let derived = (isOfTrees ? trees + trees + trees + kinds : kinds).filter { !$0.isSource }
    var operations: [PipelineOperation] = []
    for _ in 0..<random(isOfTrees ? 1...2 : 3...5) { operations.append(make(sources)) }
    for _ in 0..<random(isOfTrees ? 5...9 : 3...6) where !derived.isEmpty { operations.append(make(derived)) }
    for _ in 0..<random(isOfTrees ? 6...10 : 4...8) { operations.append(operation(.observe)) }
    for _ in 0..<random(0...2) { operations.append(show(depth: 0)) }
    for _ in 0..<length { operations.append(anyOperation(depth: 0)) }
    return PipelineScript(operations: operations, allowsDuplicates: generator.chance(1, in: 4))
  }

  private mutating func random(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func make(_ kinds: [NodeKind]) -> PipelineOperation {
    operation(.make(kinds[random(0...kinds.count - 1)].name))
  }

  private mutating func operation(_ action: PipelineOperation.Action) -> PipelineOperation {
    serial += 1
    let numbers = (0..<Self.numberCount).map { _ in Int(generator.next() & 0xFFFF) }
    return PipelineOperation(serial: serial, action: action, numbers: numbers)
  }

  private mutating func anyOperation(depth: Int) -> PipelineOperation {
    switch random(0...99) {
    case 0..<4: return make(kinds)
    case 4..<20:
      let writes = PipelineOperation.Write.allCases
      return operation(.write(writes[random(0...writes.count - 1)]))
    case 20..<23: return operation(.observe)
    case 23..<26: return operation(.cancel)
    case 26..<28: return operation(.release)
    case 28..<31 where depth < Self.depthLimit: return operation(.react, bodyOf: 1...3, depth: depth)
    case 31..<37 where depth < Self.depthLimit: return operation(.transaction, bodyOf: 1...7, depth: depth)
    case 37..<40 where depth < Self.depthLimit: return operation(.rollback, bodyOf: 1...7, depth: depth)
    case 40..<43 where depth < Self.depthLimit: return operation(.undo, bodyOf: 1...7, depth: depth)
    case 43..<44: return show(depth: depth)
    case 44..<48: return operation(.use)
    case 48..<51 where depth == 0 && !begins.isEmpty: return operation(begins[random(0...begins.count - 1)])
    case 51..<52 where depth == 0: return operation(.read)
    case 52..<60 where depth == 0: return operation(.advance)
    case 60..<61 where depth == 0: return operation(.giveUp)
    case 48..<58 where depth > 0: return operation(.look)
    default: return edit(edits)
    }
  }

  /// An operation of a transaction that settles only at its end.
  private mutating func quietOperation(depth: Int) -> PipelineOperation {
    switch random(0...99) {
    case 0..<25: return operation(.write(.move))
    case 25..<35:
      let writes = PipelineOperation.Write.allCases
      return operation(.write(writes[random(0...writes.count - 1)]))
    case 35..<40 where depth < Self.depthLimit:
      return operation(.transaction, bodyOf: 1...5, depth: depth, isQuiet: true)
    case 40..<45 where depth < Self.depthLimit:
      return operation(.rollback, bodyOf: 1...5, depth: depth, isQuiet: true)
    default: return edit(quietEdits)
    }
  }

  /// Shows a node. The operations of the body happen while the widget asks for rows, and after the user has selected.
  private mutating func show(depth: Int) -> PipelineOperation {
    depth < Self.depthLimit && generator.chance(1, in: 2)
      ? operation(.show, bodyOf: 1...3, depth: depth, isQuiet: false) : operation(.show)
  }

  private mutating func edit(_ edits: [PipelineOperation.Action]) -> PipelineOperation {
    let edits = !favored.isEmpty && generator.chance(2, in: 3) ? favored : edits
    return operation(edits[random(0...edits.count - 1)])
  }

  private mutating func operation(
    _ action: PipelineOperation.Action, bodyOf counts: ClosedRange<Int>, depth: Int, isQuiet: Bool? = nil
  ) -> PipelineOperation {
    var operation = operation(action)
    operation.isQuiet = isQuiet ?? (action != .react && generator.chance(1, in: 2))
    operation.body = (0..<random(counts)).map { _ in
      operation.isQuiet ? quietOperation(depth: depth + 1) : anyOperation(depth: depth + 1)
    }
    return operation
  }
}
