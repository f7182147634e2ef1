@testable import Assemblage
import AssemblageTesting
import Foundation
import OffsetIndexing
import TestSupport
import Testing

/// Views of trees above each other. Each view knows the branches of the view below by handles.
@Suite struct TreeHandleTests {
  /// A forest, a filter of the forest, a sort of the filter, and an outline.
  private struct Pipeline {
    var edits: ForestScript
    let filter: TreeFilterNode<Int>
    let sorted: TreeSortNode<Int>
    let outline: OutlineNode<Int, Int>
    let shadows: [ShadowTree<Int>]
    var rule = 2
    var key = 7

    init(_ policy: TreeFilterPolicy, _ expansion: ExpansionPolicy, iteration: Int, isWatched: Bool) throws {
      edits = try ForestScript("handles \(policy) \(expansion) \(isWatched)", iteration: iteration)
      filter = TreeFilterNode(edits.forest, policy: policy) { $0 % 2 == 0 }
      sorted = TreeSortNode(filter) { ($0 * 7) % 31 < ($1 * 7) % 31 }
      outline = OutlineNode(sorted, expansion: ExpansionState(policy: expansion), id: { $0 })
      // An observer that follows a tree by paths receives the same changes as a follower by handles.
      let checker = NodeChecker<Int>(id: { $0 }).allowingEmptyLeaves()
      let trees: [any TreeNode<Int>] = isWatched ? [filter, sorted, outline] : [outline]
      shadows = trees.map { ShadowTree(of: $0, checker: checker) }
    }

    mutating func step() throws {
      switch Int.random(in: 0..<9, using: &edits.generator) {
      case 0:
        rule = Int.random(in: 1...5, using: &edits.generator)
        let rule = rule
        filter.setPredicate { $0 % rule == 0 }
      case 1:
        key = Int.random(in: 1...30, using: &edits.generator)
        let key = key
        sorted.setComparator { ($0 * key) % 31 < ($1 * key) % 31 }
      case 2:
        if outline.expansion.policy == .expanded {
          outline.collapseAll()
          outline.expandAll()
        } else if outline.count > 0 {
          outline.toggle(row: Int.random(in: 0..<outline.count, using: &edits.generator))
        }
      default: edits.step()
      }
      try check()
    }

    func check() throws {
      for shadow in shadows { try shadow.check() }
      let (rule, key) = (rule, key)
      let freshFilter = TreeFilterNode(edits.forest, policy: filter.policy) { $0 % rule == 0 }
      let freshSort = TreeSortNode(freshFilter) { ($0 * key) % 31 < ($1 * key) % 31 }
      try #require(NaiveTree(of: sorted) == NaiveTree(of: freshSort))
      let rows = outline.rows(in: 0..<outline.count)
      try #require((0..<outline.count).map { outline.row(at: $0) } == rows)
      try #require(outline.elements == rows.map(\.value))
      for row in 0..<outline.count {
        let path = outline.path(ofRow: row)
        try #require(sorted.child(at: path.dropLast())?.element(at: path.last!) == rows[row].value)
        try #require(rows[row].hasChildren == (sorted.child(at: path)?.hasChildren ?? false))
      }
      // Under another policy, the expansion depends on the ids, and on the places where they have been.
      guard outline.expansion.policy == .expanded else { return }
      let fresh = OutlineNode(freshSort, expansion: outline.expansion, id: { $0 })
      try #require(rows == fresh.rows(in: 0..<fresh.count))
    }
  }

  @Test(arguments: TreeFilterPolicy.allCases, [ExpansionPolicy.expanded, .depth(1), .collapsed])
  func randomScriptsAgreeWithFreshViews(_ policy: TreeFilterPolicy, _ expansion: ExpansionPolicy) throws {
    for isWatched in [false, true] {
      for iteration in 0..<TestSeed.iterations(2) {
        var pipeline = try Pipeline(policy, expansion, iteration: iteration, isWatched: isWatched)
        for _ in 0..<30 { try pipeline.step() }
      }
    }
  }

  // MARK: Making nodes

  @Test func noViewMakesANodeForABranch() throws {
    let forest = try ForestNode(rows: (0..<200).map { ($0 % 5, $0) })
    let filter = TreeFilterNode(forest) { $0 % 3 == 0 }
    let sorted = TreeSortNode(filter, by: >)
    let outline = OutlineNode(sorted, expansion: ExpansionState(policy: .expanded), id: { $0 })
    forest.insert(201, at: [0, 0, 0])
    outline.collapseAll()
    outline.expandAll()
    #expect(outline.count > 100 && outline.rows(in: 0..<outline.count).map(\.value) == outline.elements)
    #expect(forest.arena.memberCount == 0)
    #expect(filter.family.parts.value.members.isEmpty && sorted.family.parts.value.members.isEmpty)
    // A requested node is the same as long as it is held.
    let node = try #require(outline.node(atRow: 0))
    #expect(outline.node(atRow: 0) === node && node === sorted.child(at: 0))
  }

  @Test func aHierarchyLoadsNoMoreThanIsShown() {
    var asked: [Int] = []
    let hierarchy = HierarchyNode(
      0, id: { $0 }, hasChildren: { $0 < 1_000 },
      children: { value in
        asked.append(value)
        return (1...3).map { value * 10 + $0 }
      })
    let sorted = TreeSortNode(hierarchy, by: >)
    let outline = OutlineNode(sorted, id: { $0 })
    #expect(outline.elements == [3, 2, 1] && asked == [0])
    #expect(outline.rows(in: 0..<3).allSatisfy(\.hasChildren) && asked == [0])
    outline.expand(row: 1)
    #expect(outline.elements == [3, 2, 23, 22, 21, 1] && asked == [0, 2])
  }

  // MARK: Survivors

  /// The branch has no rows below it. It leaves with a branch that has rows, and returns alone into that branch.
  @Test(arguments: [false, true]) func aBranchWithoutRowsMovesOutOfOneThatVanishes(isSorted: Bool) throws {
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (2, 3), (3, 4)])
    let filter = TreeFilterNode(forest) { $0 == 4 }
    let tree: any TreeNode<Int> = isSorted ? TreeSortNode(filter, by: <) : filter
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 })
    filter.setPredicate { $0 == 3 }
    let recorder = ChangeRecorder(of: outline)
    performUpdates(on: [forest]) { forest.move([0, 0, 0], into: [0], at: 0) }
    #expect(outline.elements == [1, 3] && recorder.recording.changes.map(\.description) == ["[-1]"])
  }

  /// The leaf leaves with a branch that is hidden, becomes a branch there, and returns alone.
  @Test(arguments: [false, true]) func aLeafThatBecomesABranchOnItsWayStays(isWatched: Bool) throws {
    let forest = try ForestNode(rows: [(0, 10), (1, 5), (0, 15), (1, 20)])
    let filter = TreeFilterNode(forest, policy: .hidingSubtrees) { $0 % 5 == 0 }
    let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let listening = isWatched ? filter.observe { _ in } : nil
    let shadow = ShadowTree(of: outline, id: { $0 })
    performUpdates(on: [forest]) {
      forest.replace(at: [0], with: 11)
      forest.child(at: [0])!.turnIntoBranch(at: 0)
      forest.move([0, 0], into: [1], at: 0)
    }
    try shadow.check()
    #expect(outline.elements == [15, 5, 20])
    withExtendedLifetime(listening) {}
  }

  /// The row's folder moves below a collapsed folder. The row moves out of it, at once or through another hidden place.
  @Test(arguments: [false, true]) func aRowThatLeavesAFolderThatIsNotShownStays(takesTwoSteps: Bool) throws {
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (1, 6)])
    let outline = OutlineNode(forest, id: { $0 })
    for row in 0..<3 { outline.expand(row: row) }
    #expect(outline.elements == [1, 2, 3, 4, 5])
    let shadow = ShadowTree(of: outline, id: { $0 })
    let recorder = ChangeRecorder(of: outline)
    performUpdates(on: [forest]) {
      forest.move([0, 0], into: [1], at: 0)
      if takesTwoSteps { forest.move([1, 0, 0], into: [1], at: 1) }
      forest.move(takesTwoSteps ? [1, 1] : [1, 0, 0], into: [0], at: 0)
    }
    try shadow.check()
    #expect(outline.elements == [1, 3, 4, 5] && recorder.recording.changes.map(\.description) == ["[-1]"])
  }

  // MARK: Handles that change

  @Test func aForestThatBecomesAPartIsSortedOn() throws {
    let forest = try ForestNode(TreeSnapshot(value: 1, children: [TreeSnapshot(value: 2, leaves: [4, 3])]))
    let sorted = TreeSortNode(forest, by: <)
    let outline = OutlineNode(sorted, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    #expect(outline.elements == [2, 3, 4])
    let whole = try ForestNode(rows: [(0, 10), (1, 11), (1, 12)])
    whole.insert(forest, at: [0, 0])
    #expect(outline.elements == [2, 3, 4])
    whole.insert(5, at: [0, 0, 0, 1])
    forest.insert(0, at: 0)
    #expect(outline.elements == [0, 2, 3, 4, 5])
    try shadow.check()
  }

  /// There are so many views that nested calls would not fit on the stack. So the upper views hold nodes.
  @Test func manyViewsOneAboveTheOtherShowTheSame() throws {
    let forest = try ForestNode(rows: (0..<60).map { ($0 % 4, $0) })
    var tree: any TreeNode<Int> = forest
    for number in 0..<40 {
      tree = number % 2 == 0 ? TreeSortNode(tree, by: <) : TreeFilterNode(tree) { $0 != number }
    }
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    let count = outline.count
    forest.insert(100, at: [0, 0, 0])
    forest.remove(at: [1])
    try shadow.check()
    #expect(count > 20 && Set(outline.elements).contains(100))
    #expect(outline.rows(in: 0..<outline.count).map(\.value) == outline.elements)
  }
}
