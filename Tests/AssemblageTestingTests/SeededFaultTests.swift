import Assemblage
import AssemblageTesting
import TestSupport
import Testing

/// The kit finds faults: for each law there are nodes that break it by one.
@Suite struct SeededFaultTests {
  private enum Edit: CaseIterable { case insert, remove, move, update, replace }

  @Test func everyLawHasAFault() {
    #expect(Set(SeededFault.allCases.map(\.law)) == Set(NodeLaw.allCases))
  }

  @Test(arguments: SeededFault.allCases)
  func aFaultIsFoundWithinAThousandScripts(_ fault: SeededFault) throws {
    var violation: LawViolation?
    var scripts = 0
    while violation == nil, scripts < 1_000 {
      do {
        _ = try run(script: scripts, fault: fault)
      } catch let error as LawViolation {
        violation = error
      }
      scripts += 1
    }
    let found = try #require(violation, "\(fault) was not found in \(scripts) scripts")
    #expect(found.law == fault.law, "\(fault): \(found)")
    #expect("\(found)".contains("law \(fault.law.rawValue) "))
    // Nodes of the same shape without a fault pass the same scripts.
    for script in 0..<scripts { _ = try run(script: script, fault: nil) }
  }

  @Test func theRightNodesPassManyScripts() throws {
    var tally = OperationTally<Edit>()
    for script in 0..<TestSeed.iterations(100) {
      for edit in try run(script: script, fault: nil) { tally.count(edit) }
    }
    try tally.check()
  }

  /// Makes a few random edits of a shelf with a mirror, and checks both after each edit; returns the edits made.
  private func run(script: Int, fault: SeededFault?) throws -> [Edit] {
    var generator = TestSeed.generator("seeded-faults", iteration: script)
    func random(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }
    var next = 0
    func fresh() -> Row {
      next += 1
      return Row(id: next)
    }
    let shelf = Shelf((0..<random(0..<8)).map { _ in fresh() }, fault: fault)
    let checker = NodeChecker<Row>(id: \.id)
    try checker.check(shelf)
    let mirror = Mirror(shelf, fault: fault)
    try checker.check(mirror)
    let shadows = [
      ShadowTree(of: mirror, checker: checker, minimality: .strict),
      ShadowTree(of: shelf, checker: checker, minimality: .strict),
    ]
    var made: [Edit] = []
    for _ in 0..<4 {
      let edit = Edit.allCases[random(0..<Edit.allCases.count)]
      // The count that the script believes. The node's own count may be faulty, and would lead the script astray.
      let count = shelf.elements.count
      if count == 0, edit != .insert, edit != .replace { continue }
      let (position, destination) = (random(0..<max(1, count)), random(0..<max(1, count)))
      let (new, range) = ((0..<random(1..<4)).map { _ in fresh() }, generator.range(in: count))
      made.append(edit)
      try shadows[0].checkTransaction {
        try shadows[1].checkTransaction {
          switch edit {
          case .insert: shelf.insert(new[0], at: destination)
          case .remove: shelf.remove(at: position)
          case .move: shelf.move(from: position, to: destination)
          case .update: shelf.update(at: position)
          case .replace: shelf.replace(range, with: new)
          }
        }
      }
      try checker.check(shelf)
      try checker.check(mirror)
    }
    return made
  }
}
