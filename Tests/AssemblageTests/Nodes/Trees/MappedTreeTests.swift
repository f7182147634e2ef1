@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Views of maps of a tree. The views know the branches by the handles of the tree.
@Suite struct MappedTreeTests {
  enum Kind: CaseIterable { case outline, filter, sort }

  /// A forest, one map of it or several, a view of the last map, and an outline of that view.
  private struct Pipeline {
    var edits: ForestScript
    let kind: Kind
    /// The number of maps.
    let count: Int
    let view: any TreeNode<Int>
    let outline: OutlineNode<Int, Int>
    let shadows: [ShadowTree<Int>]

    init(_ kind: Kind, count: Int, iteration: Int, isWatched: Bool) throws {
      edits = try ForestScript("maps \(kind) \(count) \(isWatched)", iteration: iteration)
      (self.kind, self.count) = (kind, count)
      var tree: any TreeNode<Int> = edits.forest
      for _ in 0..<count { tree = MapNode(tree) { $0 + 1 } }
      let map = tree
      view =
        switch kind {
        case .outline: map
        case .filter: TreeFilterNode(map) { $0 % 3 != 0 }
        case .sort: TreeSortNode(map) { $0 * 7 % 31 < $1 * 7 % 31 }
        }
      outline = OutlineNode(view, expansion: ExpansionState(policy: .expanded), id: { $0 })
      // An observer that follows a tree by paths receives the same changes as a follower by handles.
      let checker = NodeChecker<Int>(id: { $0 }).allowingEmptyLeaves()
      let trees: [any TreeNode<Int>] = isWatched ? [map, view, outline] : [outline]
      shadows = trees.map { ShadowTree(of: $0, checker: checker) }
    }

    /// Returns the expected tree of the view, made anew of the forest's tree.
    private func model(_ tree: NaiveTree<Int>) -> NaiveTree<Int> {
      var result = tree
      result.value = tree.value.map { $0 + count }
      result.children = tree.children.map(model)
      switch kind {
      case .outline: break
      case .filter: result.children.removeAll { $0.children.isEmpty && $0.value! % 3 == 0 }
      case .sort:
        let order = result.children.enumerated().sorted {
          ($0.element.value! * 7 % 31, $0.offset) < ($1.element.value! * 7 % 31, $1.offset)
        }
        result.children = order.map(\.element)
      }
      return result
    }

    private func rows(_ tree: NaiveTree<Int>, depth: Int = 0) -> [[Int]] {
      tree.children.flatMap { child in
        [[child.value!, depth, child.children.isEmpty ? 0 : 1]] + rows(child, depth: depth + 1)
      }
    }

    func check() throws {
      for shadow in shadows { try shadow.check() }
      let model = model(NaiveTree(of: edits.forest))
      let rows = outline.rows(in: 0..<outline.count)
      try #require(rows.map { [$0.value!, $0.depth, $0.hasChildren ? 1 : 0] } == self.rows(model))
      try #require((0..<outline.count).map { outline.row(at: $0) } == rows)
      try #require(outline.elements == rows.map(\.value))
      try #require(NaiveTree(of: view) == model)
    }
  }

  @Test(arguments: Kind.allCases, [1, 2]) func randomScriptsAgreeWithAModel(_ kind: Kind, count: Int) throws {
    for isWatched in [false, true] {
      for iteration in 0..<TestSeed.iterations(2) {
        var pipeline = try Pipeline(kind, count: count, iteration: iteration, isWatched: isWatched)
        for _ in 0..<TestSeed.length(40) {
          pipeline.edits.step()
          try pipeline.check()
        }
      }
    }
  }

  // MARK: Making nodes and following trees

  @Test func noMappedNodeIsMadeForABranch() throws {
    let forest = try ForestNode(rows: (0..<200).map { ($0 % 5, $0) })
    let map = MapNode(MapNode(forest) { $0 * 2 }) { "\($0)" }
    var outline: OutlineNode? = OutlineNode(map, expansion: ExpansionState(policy: .expanded), id: { $0 })
    do {
      let recorder = ChangeRecorder(of: outline!)
      forest.insert(201, at: [0, 0, 0])
      #expect(recorder.recording.changes.map(\.description) == ["[+2]"])
    }
    #expect(outline!.count == 201 && outline!.row(at: 2).value == "402")
    #expect(forest.arena.memberCount == 0)
    // A requested node is the same as long as it is held.
    let node = try #require(outline!.node(atRow: 0))
    #expect(outline!.node(atRow: 0) === node && node === map.child(at: 0) && forest.arena.memberCount == 1)
    #expect(!forest.state.value.followers.isEmpty)
    outline = nil
    #expect(forest.state.value.followers.isEmpty)
    forest.remove(at: [0, 0, 0])
    #expect(map.child(at: [0, 0])?.count == 1 && node.count == 1)
  }

  @Test func aMapIsFollowedByHandlesAndByPathsAtOnce() throws {
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (2, 3), (0, 4)])
    let map = MapNode(forest) { $0 * 10 }
    let outlines = [ExpansionPolicy.expanded, .collapsed].map {
      OutlineNode(map, expansion: ExpansionState(policy: $0), id: { $0 })
    }
    let descendants = DescendantsNode(map)
    let child = try #require(map.child(at: [0, 0]))
    let recorders = [
      ChangeRecorder(of: outlines[0]), ChangeRecorder(of: outlines[1]), ChangeRecorder(of: descendants),
      ChangeRecorder(of: child),
    ]
    forest.insert(5, at: [0, 0, 1])
    #expect(recorders.map { $0.recording.changes.map(\.description) } == [["[+3]"], [], ["[+3]"], ["[+1]"]])
    #expect(outlines[0].elements == [10, 20, 30, 50, 40] && descendants.elements == outlines[0].elements)
    #expect(outlines[1].elements == [10, 40] && child.elements == [30, 50])
  }

  @Test func aHierarchyLoadsNoMoreThanIsShown() {
    var asked: [Int] = []
    let hierarchy = HierarchyNode(
      0, id: { $0 }, hasChildren: { $0 < 1_000 },
      children: { value in
        asked.append(value)
        return (1...3).map { value * 10 + $0 }
      })
    let outline = OutlineNode(MapNode(hierarchy) { "\($0)" }, id: { $0 })
    #expect(outline.elements == ["1", "2", "3"] && asked == [0])
    #expect(outline.rows(in: 0..<3).allSatisfy(\.hasChildren) && asked == [0])
    outline.expand(row: 1)
    #expect(outline.elements == ["1", "2", "21", "22", "23", "3"] && asked == [0, 2])
  }

  // MARK: Handles that change

  @Test(arguments: [1, 2]) func aForestThatBecomesAPartIsShownOn(count: Int) throws {
    let forest = try ForestNode(TreeSnapshot(value: 1, children: [TreeSnapshot(value: 2, leaves: [4, 3])]))
    var map: any TreeNode<Int> = forest
    for _ in 0..<count { map = MapNode(map) { -$0 } }
    let sign = count == 1 ? -1 : 1
    let outline = OutlineNode(map, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    let whole = try ForestNode(rows: [(0, 10), (1, 11), (1, 12)])
    whole.insert(forest, at: [0, 0])
    #expect(outline.elements == [2, 4, 3].map { $0 * sign })
    whole.insert(5, at: [0, 0, 0, 1])
    forest.insert(6, at: 0)
    #expect(outline.elements == [6, 2, 4, 5, 3].map { $0 * sign })
    // A new outline follows nodes, and after that handles again.
    let later = OutlineNode(map, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(later.elements == outline.elements)
    whole.remove(at: [0, 0])
    let last = OutlineNode(map, expansion: ExpansionState(policy: .expanded), id: { $0 })
    forest.insert(7, at: [1, 0])
    #expect(outline.elements == [6, 2, 7, 4, 5, 3].map { $0 * sign })
    #expect(later.elements == outline.elements && last.elements == outline.elements)
    try shadow.check()
  }

  /// There are so many views that nested calls would not fit on the stack. So the upper views hold nodes.
  @Test func manyMapsOneAboveTheOtherShowTheSame() throws {
    let forest = try ForestNode(rows: (0..<60).map { ($0 % 4, $0) })
    var tree: any TreeNode<Int> = forest
    for number in 0..<40 { tree = number % 3 == 0 ? TreeSortNode(tree, by: <) : MapNode(tree) { $0 + 1 } }
    let outline = OutlineNode(tree, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 })
    forest.insert(100, at: [0, 0, 0])
    forest.remove(at: [1])
    try shadow.check()
    #expect(Set(outline.elements).contains(126) && outline.count == 57)
    #expect(outline.rows(in: 0..<outline.count).map(\.value) == outline.elements)
  }
}
