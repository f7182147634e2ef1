import Assemblage
import AssemblageTesting
import TestSupport
import Testing

/// Random transactions that throw, at every point.
@Suite struct RollbackFuzzTests {
  struct Stop: Error {}

  /// Wherever a transaction stops, every node has its former contents. No observer was notified, unless the graph was
  /// settled inside.
  @Test func everyPointOfRandomTransactionsRollsBack() throws {
    var tally = OperationTally<EditPool.Kind>()
    for iteration in 0..<TestSeed.iterations(20) {
      let pool = EditPool(TestSeed.generator("rollback", iteration: iteration))
      pool.tally = tally
      for _ in 0..<TestSeed.length(12) {
        let anchor = pool.members[pool.random(0..<pool.members.count)].node
        let script = pool.generator
        for length in 0..<6 {
          // The same edits again, with one more each time. They find the same contents as before.
          pool.generator = script
          try expectRollback(of: pool) {
            try anchor.performUpdates {
              for _ in 0..<length { pool.edit() }
              throw Stop()
            }
          }
        }
        pool.edit()
        try pool.check()
      }
      tally = pool.tally
    }
    if !TestSeed.isResized { try tally.check() }
  }

  /// Some of the transactions inside other transactions throw. Each of them reverts its own part.
  @Test func nestedTransactionsRollBackTheirOwnPart() throws {
    for iteration in 0..<TestSeed.iterations(30) {
      let pool = EditPool(TestSeed.generator("nested-rollback", iteration: iteration))
      for _ in 0..<TestSeed.length(12) {
        try nest(pool, depth: 0)
        try pool.check()
      }
    }
  }

  /// Runs a transaction of random depth. A transaction that throws must restore all former contents.
  private func nest(_ pool: EditPool, depth: Int) throws {
    let anchor = pool.members[pool.random(0..<pool.members.count)].node
    let (state, predicates) = (pool.state, pool.predicates)
    let throwsAtEnd = pool.generator.chance(1, in: 2)
    do {
      try anchor.performUpdates {
        for _ in 0..<pool.random(1..<6) {
          if depth < 3, pool.generator.chance(1, in: 4) { try nest(pool, depth: depth + 1) } else { pool.edit() }
          // A new observer is notified of later changes. An observer that ends is not notified any more.
          if pool.generator.chance(1, in: 8) { pool.watch(pool.members[pool.random(0..<pool.members.count)]) }
          if pool.generator.chance(1, in: 8) { pool.dropShadow() }
        }
        if throwsAtEnd { throw Stop() }
      }
    } catch is Stop {
      pool.restore(predicates)
      let known = Array(pool.state.prefix(state.count))
      guard known == state else { throw NodeFault(description: "\(state) became \(known)") }
    }
  }

  /// Nodes of several graphs become one graph within transactions, and some sources cannot revert a change. Observers
  /// can follow in both cases.
  @Test func observersFollowWhateverCanBeTakenBack() throws {
    for iteration in 0..<TestSeed.iterations(30) {
      let pool = EditPool(TestSeed.generator("partial-rollback", iteration: iteration), isConnected: false)
      pool.areProvidersReversible = iteration % 2 == 0
      for _ in 0..<TestSeed.length(12) {
        try nestLoosely(pool, depth: 0)
        try pool.check()
      }
    }
  }

  private func nestLoosely(_ pool: EditPool, depth: Int) throws {
    let anchor = pool.members[pool.random(0..<pool.members.count)].node
    do {
      try anchor.performUpdates {
        for _ in 0..<pool.random(1..<6) {
          if depth < 3, pool.generator.chance(1, in: 3) { try nestLoosely(pool, depth: depth + 1) } else { pool.edit() }
          if pool.generator.chance(1, in: 8) { pool.watch(pool.members[pool.random(0..<pool.members.count)]) }
        }
        if pool.generator.chance(1, in: 2) { throw Stop() }
      }
    } catch is Stop {}
  }

  private func expectRollback(of pool: EditPool, _ body: () throws -> Void) throws {
    let (state, predicates) = (pool.state, pool.predicates)
    let received = pool.shadows.map(\.deliveryCount)
    pool.hasSettled = false
    #expect(throws: Stop.self) { try body() }
    pool.restore(predicates)
    // Nodes that were made in the meantime stay.
    let known = Array(pool.state.prefix(state.count))
    guard known == state else { throw NodeFault(description: "\(state) became \(known)") }
    for shadow in pool.shadows { try shadow.check() }
    guard pool.hasSettled || pool.shadows.map(\.deliveryCount) == received else {
      throw NodeFault(description: "somebody heard something")
    }
  }
}
