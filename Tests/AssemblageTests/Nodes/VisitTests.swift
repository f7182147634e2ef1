@_spi(NodeAuthors) import Assemblage
import Testing

/// A closure that `forEachSpan(in:_:)` calls may change the node. The visit goes on with the contents at its beginning.
@Suite struct VisitTests {
  /// Visits a node, and changes it before the first piece is read. Compares the visited elements with the former
  /// elements.
  private func expectSteadyVisit<Element: Equatable>(
    of node: some TreeNode<Element>, sourceLocation: SourceLocation = #_sourceLocation, _ change: () -> Void
  ) {
    let former = node.elements
    var seen: [Element] = []
    node.forEachSpan(in: 0..<node.count) { _, span in
      if seen.isEmpty { change() }
      for index in span.indices { seen.append(span[index]) }
    }
    #expect(seen == former && node.elements != former, sourceLocation: sourceLocation)
  }

  private func join(_ counts: Int...) -> JoinNode<Int> { JoinNode(counts.map { ArrayNode(Array(0..<$0)) }) }

  @Test func ofTheMembersOfAJoin() {
    let join = join(3, 3)
    expectSteadyVisit(of: join) { while join.memberCount > 0 { join.removeMember(at: 0) } }
  }

  @Test func ofTheBitsOfAFilter() {
    let filter = FilterNode(join(300, 300)) { $0 % 3 == 0 }
    expectSteadyVisit(of: filter) { filter.setPredicate { $0 > 400 } }
  }

  @Test func ofTheBitsOfAUniqueNode() {
    let unique = UniqueNode(join(300, 600)) { $0 }
    expectSteadyVisit(of: unique) { unique.setID { $0 % 2 } }
  }

  @Test func ofTheOrderOfASortNode() {
    let sorted = SortNode(join(300, 300)) { $0 < $1 }
    expectSteadyVisit(of: sorted) { sorted.setComparator { $0 > $1 } }
  }

  @Test func ofTheSourceOfAMapNode() {
    let join = join(3, 3)
    let map = MapNode(join) { $0 + 1 }
    expectSteadyVisit(of: map) { while join.memberCount > 0 { join.removeMember(at: 0) } }
  }

  @Test func ofTheWindowOfASlice() {
    let slice = SliceNode(join(3, 3), 2..<5)
    expectSteadyVisit(of: slice) { slice.window = 0..<1 }
  }

  @Test func ofTheBitsOfATreeFilter() {
    let filter = TreeFilterNode(join(3, 3), policy: .hidingSubtrees) { $0 != 1 }
    expectSteadyVisit(of: filter) { filter.setPredicate { $0 > 5 } }
  }

  @Test func ofASortedTree() {
    let sort = TreeSortNode(join(3, 3), by: >)
    expectSteadyVisit(of: sort) { sort.setComparator(<) }
  }

  @Test func ofTheRowsOfAnOutline() {
    let root = BranchNode([.leaf(1), .node(BranchNode(value: 2, leaves: [3, 4])), .leaf(5)])
    let outline = OutlineNode(root, expansion: ExpansionState(policy: .expanded)) { $0 }
    expectSteadyVisit(of: outline) { outline.collapse(row: 1) }
  }

  @Test func ofTheMemberOfASegmentNode() {
    let segment = SegmentNode([ArrayNode([1, 2]), ArrayNode([3])], selection: 0)
    expectSteadyVisit(of: segment) { segment.selection = 1 }
  }

  @Test func ofTheMembersOfAFlatList() {
    let root = BranchNode([BranchNode(leaves: [1, 2]), BranchNode(leaves: [3, 4])])
    expectSteadyVisit(of: FlattenNode(root)) { while !root.isEmpty { root.remove(at: 0) } }
  }
}
