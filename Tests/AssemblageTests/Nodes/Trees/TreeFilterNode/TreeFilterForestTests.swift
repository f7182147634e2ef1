@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Tree filters of a forest, which keep none of its nodes. Branches leave, return, become leaves, and move elsewhere.
@Suite struct TreeFilterForestTests {
  private struct Cancellation: Error {}

  private func forest() throws -> ForestNode<Int> {
    try ForestNode(rows: [(0, 1), (1, 2), (2, 3), (1, 4), (0, 5), (1, 6)])
  }

  /// A filter of a forest, with held nodes of its children, and with the edits of the forest.
  private struct Script {
    let policy: TreeFilterPolicy
    var edits: ForestScript
    let filter: TreeFilterNode<Int>
    let shadow: ShadowTree<Int>
    let listening: NodeObservation
    var held: [TreeFilterNode<Int>] = []
    var rule = 2

    init(_ policy: TreeFilterPolicy, iteration: Int) throws {
      self.policy = policy
      edits = try ForestScript("tree filter of a forest \(policy)", iteration: iteration)
      filter = TreeFilterNode(edits.forest, policy: policy) { $0 % 2 == 0 }
      shadow = ShadowTree(of: filter, checker: NodeChecker<Int>(id: { $0 }).allowingEmptyLeaves())
      listening = filter.observe { _ in }
    }

    mutating func step() throws {
      switch Int.random(in: 0..<8, using: &edits.generator) {
      case 0:
        // Not in a transaction: if a view's own setting hides a row and shows it again, the row may be reported as
        // removed and inserted.
        rule = Int.random(in: 1...5, using: &edits.generator)
        let rule = rule
        filter.setPredicate { $0 % rule == 0 }
      case 1:
        guard filter.count > 0 else { return }
        let position = Int.random(in: 0..<filter.count, using: &edits.generator)
        if let child = filter.child(at: position) as? TreeFilterNode<Int> {
          held.append(child)
        } else if !held.isEmpty {
          held.removeFirst()
        }
      default: edits.step()
      }
      try check()
    }

    func check() throws {
      try shadow.check()
      let rule = rule
      let fresh = TreeFilterNode(edits.forest, policy: policy) { $0 % rule == 0 }
      try #require(NaiveTree(of: filter) == NaiveTree(of: fresh))
      try #require(filter.matchCount == fresh.matchCount)
      for node in held where node.value != nil {
        if policy == .keepingDescendants { continue }
        let same = TreeFilterNode(node.source, policy: policy) { $0 % rule == 0 }
        try #require(NaiveTree(of: node) == NaiveTree(of: same))
      }
    }
  }

  @Test(arguments: TreeFilterPolicy.allCases) func randomScriptsAgreeWithAFreshFilter(_ policy: TreeFilterPolicy) throws
  {
    for iteration in 0..<TestSeed.iterations(10) {
      var script = try Script(policy, iteration: iteration)
      for _ in 0..<30 { try script.step() }
    }
  }

  /// The branches get other handles, and the forest is then a part of another forest.
  @Test(arguments: [TreeFilterPolicy.keepingAncestors, .keepingDescendants])
  func theForestIsPutIntoAnotherOne(_ policy: TreeFilterPolicy) throws {
    let forest = try forest()
    let filter = TreeFilterNode(forest, policy: policy) { $0 % 3 == 0 }
    let shadow = ShadowTree(of: filter, id: { $0 })
    let other = try ForestNode(rows: [(0, 10), (1, 11), (0, 12)])
    forest.value = 0
    other.insert(forest, at: 1)
    try shadow.check()
    other.insert(9, at: [1, 0, 0, 0])
    forest.insert(8, at: [1, 0])
    try shadow.check()
    #expect(filter.matchCount == 3 && filter.child(at: 0)?.child(at: 0)?.elements == [9, 3])
    filter.setPredicate { $0 == 8 }
    try shadow.check()
    #expect(filter.elements == [5])
    #expect(TreeFilterNode(forest, policy: policy) { $0 == 8 }.elements == [5])
  }

  /// The branch has another node when it returns.
  @Test(arguments: TreeFilterPolicy.allCases)
  func aHiddenBranchBecomesALeafAndABranchAgain(_ policy: TreeFilterPolicy) throws {
    let forest = try ForestNode(rows: [(0, 1), (1, 2)])
    let visible = FilterNode(forest) { $0 < 100 }
    let filter = TreeFilterNode(visible, policy: policy) { _ in true }
    let shadow = ShadowTree(of: filter, checker: NodeChecker<Int>(id: { $0 % 100 }).allowingEmptyLeaves())
    let node = try #require(filter.child(at: 0))
    #expect(node.count == 1)
    forest.performUpdates {
      forest.replace(at: [0], with: 101)
      forest.remove(at: [0, 0])
      forest.turnIntoLeaf(at: 0)
      forest.turnIntoBranch(at: 0)
      forest.insert(3, at: [0, 0])
      forest.replace(at: [0], with: 1)
    }
    try shadow.check()
    #expect(NaiveTree(of: filter) == NaiveTree(of: forest))
    #expect(filter.child(at: 0) === node && node.elements == [3])
    forest.insert(4, at: [0, 1])
    try shadow.check()
    #expect(node.elements == [3, 4])
  }

  /// A branch that was read is still read after a rollback, so that edits in it are reported.
  @Test(arguments: TreeFilterPolicy.allCases)
  func aReadBranchComesBackByARollback(_ policy: TreeFilterPolicy) throws {
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (1, 3), (0, 4)])
    let filter = TreeFilterNode(forest, policy: policy) { _ in true }
    let shadow = ShadowTree(of: filter, id: { $0 })
    forest.performUpdates {
      try? forest.performUpdates { () throws -> Void in
        forest.remove(at: [0])
        throw Cancellation()
      }
      forest.insert(5, at: [0, 2])
    }
    try shadow.check()
    #expect(filter.matchCount == 5 && NaiveTree(of: filter) == NaiveTree(of: forest))
  }

  /// A branch was requested, but not its children. So a rollback has nothing to restore in it.
  @Test(arguments: TreeFilterPolicy.allCases)
  func aRemovalInABranchThatWasNotReadIsTakenBack(_ policy: TreeFilterPolicy) throws {
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (1, 3)])
    let filter = TreeFilterNode(forest, policy: policy) { _ in true }
    let node = try #require(filter.child(at: 0))
    let log = UndoLog(of: filter)
    forest.remove(at: [0, 0])
    log.undo()
    #expect(node.elements == [2, 3] && NaiveTree(of: filter) == NaiveTree(of: forest))
  }

  /// One change updates a branch and rows inside it. The branch was requested, but not its children.
  @Test(arguments: TreeFilterPolicy.allCases, [false, true])
  func anUpdateOfABranchThatWasNotReadMayReachInside(_ policy: TreeFilterPolicy, isObserved: Bool) throws {
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (2, 3), (1, 4), (0, 5), (1, 6)])
    let filter = TreeFilterNode(forest, policy: policy) { $0 != 2 }
    var received: [ChangeSet] = []
    let observation = isObserved ? filter.observe { received.append($0) } : nil
    let node = try #require(filter.child(at: 0))
    forest.update { $0 != 6 }
    #expect(received.map(\.level) == (isObserved ? [.update(0..<2)] : []))
    #expect(NaiveTree(of: filter) == NaiveTree(of: TreeFilterNode(forest, policy: policy) { $0 != 2 }))
    #expect(node.elements == (policy == .hidingSubtrees ? [4] : [2, 4]))
    withExtendedLifetime(observation) {}
  }

  /// Each branch of many arrives between two children that stay.
  @Test func manyBranchesArriveBetweenOthers() throws {
    let count = 10_000
    let branches = (0..<count).flatMap { [(1, $0), (2, count + $0)] }
    let leaves = (0..<count).map { (1, 2 * count + $0) }
    let forest = try ForestNode(rows: [(0, -1)] + branches + [(0, -2)] + leaves)
    let filter = TreeFilterNode(forest) { _ in true }
    var transferCount = 0
    let token = filter.observe { transferCount += $0.transfers.count }
    forest.performUpdates {
      for number in 0..<count { forest.move(from: [0, 0], to: [1, 2 * number]) }
    }
    #expect(transferCount == count && filter.count(at: [1]) == 2 * count)
    token.cancel()
  }

  @Test func aBranchCostsNoObject() throws {
    let forest = try ForestNode(rows: (0..<1_000).flatMap { [(0, $0), (1, $0)] })
    let filter = TreeFilterNode(forest) { $0 % 2 == 0 }
    filter.setPredicate { $0 % 3 == 0 }
    #expect(filter.count == 334 && forest.arena.memberCount == 0)
    let node = filter.child(at: 0)
    #expect(forest.arena.memberCount == 1 && node?.count == 1)
  }
}
