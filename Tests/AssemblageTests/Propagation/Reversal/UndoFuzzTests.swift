import Assemblage
import TestSupport
import Testing

/// Random edits, undone and redone.
@Suite struct UndoFuzzTests {
  struct Stop: Error {}

  /// Undo and redo restore exactly the former states, in thousands of steps.
  @Test func undoAndRedoBringBackEveryState() throws {
    var tally = OperationTally<EditPool.Kind>()
    var undone = 0
    for iteration in 0..<TestSeed.iterations(10) {
      let pool = EditPool(TestSeed.generator("undo", iteration: iteration))
      pool.tally = tally
      let root = pool.members[iteration % pool.members.count].node
      let log = UndoLog(of: root)
      /// The states before the steps that can be undone, and the states after the steps that can be redone.
      var past: [String] = []
      var future: [String] = []
      for _ in 0..<TestSeed.length(120) {
        let state = pool.state(below: root)
        switch pool.random(0..<8) {
        case 0, 1:
          guard log.undo() else { break }
          undone += 1
          future.append(state)
          try expect(pool.state(below: root), past.removeLast())
        case 2:
          guard log.redo() else { break }
          past.append(state)
          try expect(pool.state(below: root), future.removeLast())
        default:
          let redoable = log.redoCount
          step(pool, root)
          if log.undoCount > past.count {
            // Also where only a node changed that an earlier step has removed.
            past.append(state)
            future = []
          } else {
            try expect(pool.state(below: root), state)
            #expect(log.redoCount == redoable)
          }
        }
        #expect(log.undoCount == past.count && log.redoCount == future.count)
        if log.undoCount != past.count { return }
        try pool.check()
      }
      while log.undo() { try expect(pool.state(below: root), past.removeLast()) }
      try pool.check()
      tally = pool.tally
    }
    if !TestSeed.isResized {
      try tally.check()
      #expect(undone > 100)
    }
  }

  /// Makes an edit, or a transaction of several edits that may throw.
  private func step(_ pool: EditPool, _ root: any TreeNode<Row>) {
    switch pool.random(0..<4) {
    case 0: root.performUpdates { for _ in 0..<pool.random(0..<5) { pool.edit() } }
    case 1:
      try? root.performUpdates {
        for _ in 0..<pool.random(0..<5) { pool.edit() }
        try? root.performUpdates {
          pool.edit()
          if pool.generator.chance(1, in: 2) { throw Stop() }
        }
        if pool.generator.chance(1, in: 2) { throw Stop() }
      }
    default: pool.edit()
    }
  }

  private func expect(_ state: String, _ expected: String) throws {
    if state != expected { throw NodeFault(description: "it is\n\(state)\nbut was\n\(expected)") }
  }
}
