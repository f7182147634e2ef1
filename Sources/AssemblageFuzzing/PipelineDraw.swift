package import Assemblage
package import AssemblageTesting

/// Gives an operation of a fuzzed pipeline its numbers, rows and nodes.
///
/// Everything that a draw gives depends only on the operation's own numbers and on the pipeline. So a script makes the
/// same operations in each run.
package struct PipelineDraw {
  /// The number of the node that is made or edited.
  package let number: NodeNumber

  let run: PipelineRun
  let numbers: [Int]
  private var next = 0
  /// The id of the next row.
  private var rowID: Int

  init(_ run: PipelineRun, _ operation: PipelineOperation, for number: NodeNumber? = nil) {
    self.run = run
    self.number = number ?? NodeNumber(serial: operation.serial)
    numbers = operation.numbers
    // An observer may run its body several times; each time, its rows are other rows.
    rowID = operation.serial * 100 + run.reaction * 1_000_000
  }

  /// Whether nodes should keep few elements together, for tests inside the package.
  var usesSmallStorage: Bool { run.usesSmallStorage }

  /// Whether a draw may give a row that is in the pipeline already.
  package var allowsDuplicates: Bool { run.script.allowsDuplicates }

  /// The name in Swift code of the node that is made or edited.
  package var name: String { run.name(of: number) }

  private mutating func nextNumber() -> Int {
    defer { next += 1 }
    return next < numbers.count ? numbers[next] : 0
  }

  /// Leaves out some numbers.
  mutating func skip(_ count: Int) { next += count }

  /// Draws a number from `0..<limit`, or 0 where the limit is less than 1.
  package mutating func number(below limit: Int) -> Int {
    let number = nextNumber()
    return limit < 1 ? 0 : number % limit
  }

  /// Draws true in about `numerator` of `denominator` cases. A script that was cut short draws false.
  package mutating func chance(_ numerator: Int, in denominator: Int) -> Bool {
    number(below: denominator) >= denominator - numerator
  }

  /// Draws a range within `0..<count`. The range may be empty, and may touch an end.
  package mutating func range(in count: Int) -> Range<Int> {
    let length = number(below: count + 1)
    let start = number(below: count - length + 1)
    return start..<start + length
  }

  /// Draws a generator, for an edit that needs many numbers.
  package mutating func generator() -> SeededGenerator { SeededGenerator(seed: UInt64(nextNumber())) }

  /// Draws a row that is not in the pipeline yet. In some scripts the row may be in the pipeline already.
  package mutating func row() -> PipelineRow {
    if run.script.allowsDuplicates, chance(1, in: 4) {
      let row = PipelineRow(number(below: 12))
      // If a row with this id was or is in the pipeline, the drawn row is another one.
      run.passage.replaced.insert(row.id)
      return row
    }
    defer { rowID += 1 }
    return PipelineRow(rowID)
  }

  /// Draws rows, fewer than `limit` of them.
  package mutating func rows(below limit: Int) -> [PipelineRow] {
    let count = number(below: limit)
    return (0..<count).map { _ in row() }
  }

  /// Draws a predicate. The predicate may pass all rows, or none.
  package mutating func predicate() -> RowPredicate {
    let modulus = 1 + number(below: 3)
    return RowPredicate(remainder: number(below: modulus + (chance(1, in: 8) ? 1 : 0)), modulus: modulus)
  }

  /// Draws a node that does not derive from the node that is made or edited; nil where there is none.
  package mutating func source() -> NodeNumber? {
    let (run, number) = (run, number)
    return pick { !run.reaches($0.number, number) }
  }

  /// Draws fewer than `limit` nodes as `source()` does. The same node may be drawn several times.
  package mutating func sources(below limit: Int) -> [NodeNumber] {
    let count = number(below: limit)
    return (0..<count).compactMap { _ in source() }
  }

  /// Returns the node with a number that `source()` gave.
  ///
  /// - Precondition: the pipeline holds it.
  package func node(_ number: NodeNumber) -> any TreeNode<PipelineRow> {
    guard let node = run.specimens[number]?.node else {
      preconditionFailure("The pipeline holds no node \(number.serial); ask for nodes that `source()` gave.")
    }
    return node
  }

  /// The name of a node in Swift code.
  package func name(_ number: NodeNumber) -> String { run.name(of: number) }

  /// The contents that a node should show now.
  package func contents(_ number: NodeNumber) -> NaiveTree<PipelineRow> { run.contents(of: number) }

  /// Draws one of the nodes that the pipeline holds and `isSuitable` accepts.
  ///
  /// The method is rendezvous hashing: each node gets a hash of its own number and the drawn number, and the highest
  /// hash wins. Where a node is missing, only the choices of that node change.
  mutating func pick(_ isSuitable: (Specimen) -> Bool) -> NodeNumber? {
    let salt = nextNumber()
    var best: (hash: UInt64, number: NodeNumber)?
    for number in run.held {
      guard let specimen = run.specimens[number], isSuitable(specimen) else { continue }
      let hash = Self.hash(number.serial, salt)
      if let best, best.hash >= hash { continue }
      best = (hash, number)
    }
    return best?.number
  }

  static func hash(_ serial: Int, _ salt: Int) -> UInt64 {
    var mixer = SeededGenerator(seed: UInt64(serial) << 32 ^ UInt64(salt))
    return mixer.next()
  }
}
