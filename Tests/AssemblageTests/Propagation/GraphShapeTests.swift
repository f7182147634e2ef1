@testable import Assemblage
import Foundation
import TestSupport
import Testing

/// Links, levels, cycles, depth and lifetimes.
@Suite struct GraphShapeTests {
  @Test func levelsFollowTheLinks() {
    let leaf = ArrayNode([1])
    let inner = BranchNode<Int>()
    let outer = BranchNode<Int>([inner])
    let root = BranchNode<Int>([outer])
    inner.append(leaf)
    #expect(leaf.hub.level < inner.hub.level)
    #expect(inner.hub.level < outer.hub.level && outer.hub.level < root.hub.level)
    let side = FilterNode(root) { _ in true }
    let join = JoinNode([side, leaf])
    #expect(root.hub.level < side.hub.level && side.hub.level < join.hub.level)
  }

  /// Random links, made in random order, never leave a source as high as its dependent.
  @Test func levelsStayTopologicalUnderRandomLinks() {
    for iteration in 0..<TestSeed.iterations(40) {
      var generator = TestSeed.generator("levels", iteration: iteration)
      let nodes = (0..<20).map { _ in BranchNode<Int>() }
      let order = Array(nodes.indices).shuffled(using: &generator)
      var edges: [(Int, Int)] = []
      for _ in 0..<40 {
        let first = Int.random(in: 0..<20, using: &generator)
        let second = Int.random(in: 0..<20, using: &generator)
        guard first != second else { continue }
        let (source, dependent) = (min(first, second), max(first, second))
        nodes[order[dependent]].append(nodes[order[source]])
        edges.append((order[source], order[dependent]))
        let isTopological = edges.allSatisfy { nodes[$0.0].hub.level < nodes[$0.1].hub.level }
        #expect(isTopological)
      }
    }
  }

  @Test(.smallStack, arguments: [true, false])
  func aTallChainBuildsAnswersUpdatesAndIsReleased(isBuiltFromItsLeaf: Bool) {
    let depth = TallTree.depth
    let leaf = ArrayNode([1])
    var root: BranchNode<Int>
    if isBuiltFromItsLeaf {
      root = BranchNode([leaf])
      for _ in 1..<depth { root = BranchNode([root]) }
    } else {
      root = BranchNode<Int>()
      var deepest = root
      for _ in 1..<depth {
        let next = BranchNode<Int>()
        deepest.append(next)
        deepest = next
      }
      deepest.append(leaf)
    }
    var received: [Int] = []
    let token = root.observe { change in
      received.append(change.paths.insertions.first?.count ?? 0)
    }
    leaf.append(2)
    #expect(received == [depth + 1])
    let path = IndexPath(indexes: [Int](repeating: 0, count: depth) + [1])
    #expect(root[path] == 2)
    #expect(root.child(at: path) == nil && root.element(at: path) == 2)
    root.performUpdates {
      leaf.append(3)
      leaf.removeFirst()
    }
    #expect(received.count == 2)
    token.cancel()
  }

  @Test(.smallStack) func aChainOfDerivedNodesIsReleasedWithoutRecursion() {
    var node: any TreeNode<Int> = ArrayNode<Int>()
    // A new filter reads its source, with a call for each node below. An empty node ends these calls.
    for level in 0..<TallTree.depth / 2 {
      node = level % 2 == 0 ? JoinNode([node]) : FilterNode(node) { _ in true }
    }
    #expect(node.isEmpty)
  }

  /// A join knows that none of its children are nodes if a look at its members is cheaper than asking each child.
  @Test func aJoinOfLeavesIsKnown() {
    let arrays = (0..<10).map { ArrayNode([$0, $0 + 10]) }
    let join = JoinNode(arrays)
    #expect(join.hub.hasOnlyLeavesNow(sparing: 20) && !join.hub.hasOnlyLeavesNow(sparing: 9))
    #expect(SortNode(FilterNode(join) { $0 != 3 }, by: >).hub.hasOnlyLeavesNow(sparing: 10))
    // The members share the limit.
    let twice = JoinNode([join, join])
    #expect(twice.hub.hasOnlyLeavesNow(sparing: 20) && !twice.hub.hasOnlyLeavesNow(sparing: 19))
    #expect(JoinNode<Int>().hub.hasOnlyLeavesNow(sparing: 0))
    // A member with nodes may arrive later.
    #expect(!join.hub.hasOnlyLeaves)
    let outline = OutlineNode(twice, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(outline.count == 40 && outline.rows(in: 0..<40).allSatisfy { !$0.hasChildren })
    let branch = BranchNode([.node(BranchNode(value: 50, leaves: [51]))])
    join.appendMember(branch)
    #expect(!join.hub.hasOnlyLeavesNow(sparing: 100))
    #expect(outline.count == 44 && outline.rows(in: 20..<22).map(\.hasChildren) == [true, false])
    join.removeMember(at: 10)
    #expect(outline.count == 40 && join.hub.hasOnlyLeavesNow(sparing: 20))
  }
}
