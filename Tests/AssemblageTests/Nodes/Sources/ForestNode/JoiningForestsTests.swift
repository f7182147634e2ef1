import Assemblage
import AssemblageTesting
import Testing

/// A forest becomes a branch of another forest: its branches get other handles, and its followers nodes.
@Suite struct JoiningForestsTests {
  typealias View = MovesInTransactionsTests.View

  private func shadow(_ node: any TreeNode<Int>, id: @escaping (Int) -> Int = { $0 }) -> ShadowTree<Int> {
    ShadowTree(of: node, id: id, minimality: [.survivors, .fewestMoves, .acrossParents])
  }

  /// A view of the forest that moves follows the forest by other means afterwards. That settles nothing.
  @Test(arguments: View.allCases) func aForestWithAnOutlineJoinsAnother(_ view: View) throws {
    let taken = try ForestNode(TreeSnapshot(value: 10, children: [TreeSnapshot(value: 11, leaves: [12])]))
    let other = try ForestNode(TreeSnapshot<Int>(value: 20, children: []))
    let root = BranchNode<Int>([taken, other])
    let outline = OutlineNode(view.node(of: taken), expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadows = [shadow(root), shadow(outline)]
    root.move(from: [0], to: [0, 0])
    taken.move(from: [0, 0], to: [0])
    for shadow in shadows { try shadow.check() }
    #expect(shadows.map(\.deliveryCount) == [2, view == .sort ? 0 : 1])
    #expect(outline.elements == (view == .sort ? [11, 12] : [12, 11]))
  }

  /// A branch leaves a forest, which then joins another one; both return at once. A view of the forest, which knows
  /// nothing of that, still shows the branch.
  @Test(arguments: View.allCases, [true, false])
  func aBranchReturnsToAForestThatReturns(_ view: View, inARollback isRolledBack: Bool) throws {
    let taken = try ForestNode(TreeSnapshot(value: 10, children: [TreeSnapshot(value: 11, leaves: [12])]))
    let other = try ForestNode(TreeSnapshot<Int>(value: 20, children: []))
    let root = BranchNode<Int>([taken, other])
    let outline = OutlineNode(view.node(of: taken), expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadows = [shadow(root), shadow(outline)]
    try? root.performUpdates {
      root.move(from: [0, 0], to: [1, 0])
      root.move(from: [0], to: [0, 0])
      if isRolledBack { throw CancellationError() }
      root.move(from: [0, 0], to: [0])
      root.move(from: [1, 0], to: [0, 0])
    }
    for shadow in shadows { try shadow.check() }
    #expect(shadows.map(\.deliveryCount) == [0, 0] && outline.elements == [11, 12])
    taken.insert(13, at: [0, 0])
    for shadow in shadows { try shadow.check() }
    #expect(shadows.map(\.deliveryCount) == [1, 1])
  }

  /// The new value of a forest's root arrives with the forest.
  @Test func aForestWithANewValueJoinsAnother() throws {
    let taken = try ForestNode(TreeSnapshot(value: 10, leaves: [11]))
    let other = try ForestNode(TreeSnapshot<Int>(value: 20, children: []))
    let root = BranchNode<Int>([taken, other])
    let shadow = shadow(root) { $0 % 100 }
    root.performUpdates {
      root.replace(at: 0, with: 110)
      root.move(from: [0], to: [0, 0])
    }
    try shadow.check()
    #expect(shadow.deliveryCount == 1 && root[[0, 0]] == 110)
  }

  /// The forest that takes another one has a graph of its own, which knows nothing of the transaction so far.
  @Test func theTakingForestLearnsWhatIsPending() throws {
    let taken = ForestNode(value: 1, leaves: [2])
    let view = FilterNode(taken) { _ in true }
    let other = ForestNode<Int>()
    taken.performUpdates {
      taken.remove(at: [0])
      try? taken.performUpdates {
        other.insert(taken, at: 0)
        throw CancellationError()
      }
    }
    #expect(taken.isEmpty && view.isEmpty && other.isEmpty)
  }

  @Test func theTakingForestLearnsWhatHasMoved() throws {
    let taken = try ForestNode(value: 0, rows: [(0, 1), (1, 2), (0, 3), (1, 4), (0, 5), (1, 6)])
    let outline = OutlineNode(taken, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = shadow(outline)
    let other = ForestNode<Int>()
    taken.performUpdates {
      taken.move([0], into: [1], at: 0)
      taken.move(from: [0, 0, 0], to: [1, 0])
      other.insert(taken, at: 0)
    }
    try shadow.check()
    #expect(outline.elements == [3, 1, 4, 5, 2, 6])
  }

  /// A branch becomes a leaf, and its node a branch elsewhere; both are undone.
  @Test func anUndoneBranchLeavesNoTrace() {
    let forest = ForestNode(leaves: [1])
    forest.turnIntoBranch(at: 0)
    let branch = forest.child(at: [0])!
    let log = UndoLog(of: forest)
    forest.turnIntoLeaf(at: 0)
    forest.insert(branch, at: 1)
    log.undo()
    log.undo()
    for row in 1...4 {
      forest.append(row * 10)
      forest.insert(row * 10 + 1, at: [row, 0])
    }
    #expect((1...4).map { forest.child(at: [$0])!.elements } == [[11], [21], [31], [41]])
    #expect(forest.child(at: [0]) === branch && branch.isEmpty)
  }

  /// A branch becomes a leaf, and its former node is changed in the same transaction. The undo reverts both.
  @Test func aBranchThatIsUndoneReportsToItsOwnObservers() throws {
    let forest = ForestNode(leaves: [1])
    forest.turnIntoBranch(at: 0)
    let branch = forest.child(at: [0])!
    let view = FilterNode(branch) { _ in true }
    let shadows = [shadow(forest), shadow(branch), shadow(view)]
    let log = UndoLog(of: forest)
    forest.performUpdates {
      forest.turnIntoLeaf(at: 0)
      branch.insert(2, at: [0])
      branch.value = 3
    }
    for shadow in shadows { try shadow.check() }
    #expect(view.elements == [2])
    log.undo()
    for shadow in shadows { try shadow.check() }
    #expect(view.isEmpty && branch.value == 1)
  }

  /// A view follows a forest by handles. An undo makes the forest a branch again, and then another forest takes it.
  @Test func aForestThatIsABranchAgainHasNoFollowers() throws {
    let forest = ForestNode(value: 1, leaves: [2])
    forest.turnIntoBranch(at: 0)
    let branch = forest.child(at: [0])!
    let log = UndoLog(of: forest)
    forest.turnIntoLeaf(at: 0)
    let outline = OutlineNode(branch, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = shadow(outline)
    log.undo()
    branch.insert(ForestNode(value: 3, leaves: [4]), at: 0)
    let other = try ForestNode(rows: (0..<8).flatMap { [(0, 10 * $0 + 20), (1, 10 * $0 + 21)] })
    other.insert(forest, at: 0)
    try shadow.check()
    #expect(outline.elements == [3, 4])
  }

  /// A root gets its first value, and becomes a branch of another forest. Both are undone and redone.
  @Test func aForestHasNoValueAgain() throws {
    let forest = try ForestNode<Int>(rows: [(0, 1), (1, 2), (0, 3)])
    let (branch, other) = (forest.child(at: [0])!, ForestNode<Int>(leaves: [4]))
    let filter = TreeFilterNode(forest) { $0 < 9 }
    let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadows = [shadow(forest), shadow(branch), shadow(other), shadow(filter), shadow(outline)]
    let log = UndoLog(of: forest)
    for _ in 0..<3 {
      forest.value = 0
      other.insert(forest, at: 1)
      branch.insert(5, at: 1)
      for shadow in shadows { try shadow.check() }
      while log.undo() {}
      for shadow in shadows { try shadow.check() }
      #expect(forest.value == nil && other.count == 1 && outline.elements == [1, 2, 3])
      while log.redo() {}
      for shadow in shadows { try shadow.check() }
      #expect(outline.elements == [1, 2, 5, 3] && other.count == 2)
      while log.undo() {}
    }
    #expect(forest.child(at: [0]) === branch)
    forest.append(6)
    for shadow in shadows { try shadow.check() }
  }

  /// The same in a transaction that is rolled back, where the children have changed, too.
  @Test func aRollbackTakesTheFirstValueAway() throws {
    let forest = try ForestNode<Int>(rows: [(0, 1), (1, 2), (0, 3)])
    let (branch, other) = (forest.child(at: [0])!, ForestNode<Int>(leaves: [4]))
    let outline = OutlineNode(forest, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadows = [shadow(forest), shadow(branch), shadow(other), shadow(outline)]
    forest.performUpdates {
      forest.append(7)
      branch.append(8)
      try? forest.performUpdates {
        forest.value = 0
        other.insert(forest, at: 0)
        branch.append(9)
        forest.append(10)
        throw CancellationError()
      }
      forest.append(11)
    }
    for shadow in shadows { try shadow.check() }
    #expect(forest.value == nil && outline.elements == [1, 2, 8, 3, 7, 11])
  }
}
