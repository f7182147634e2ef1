import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Nodes on a flat list whose source moves branches between depths: a section becomes a row, or a row becomes a
/// section.
@Suite struct FlattenDepthTests {
  enum Source: CaseIterable {
    case forest, branches

    func callAsFunction(_ children: [TreeSnapshot<Row>]) throws -> any WritableNode<Row> {
      let tree = TreeSnapshot(children: children)
      if self == .forest { return try ForestNode(tree) }
      return BranchNode(tree.children.map(child))
    }

    private func child(_ place: TreeSnapshot<Row>) -> TreeChild<Row> {
      place.isNode ? .node(BranchNode(value: place.value, place.children.map(child))) : .leaf(place.value!)
    }
  }

  private static let demands: Minimality = [.survivors, .acrossParents]

  private func branch(_ id: Int, _ children: [TreeSnapshot<Row>] = []) -> TreeSnapshot<Row> {
    TreeSnapshot(value: Row(id: id), children: children)
  }

  private func leaf(_ id: Int) -> TreeSnapshot<Row> { TreeSnapshot(leaf: Row(id: id)) }

  /// The row of 4 leaves on its own, and not as a part of 3, which leaves the source beside it.
  @Test(arguments: Source.allCases)
  func aNodeThatShowsATreeAndItsFlatListTellsEachMoveWhereItIs(source: Source) throws {
    let tree = try source([branch(1, [leaf(2), branch(3, [leaf(4)])])])
    let both = BranchNode<Row>([.node(tree), .node(FlattenNode(tree, levels: 2))])
    let shadow = ShadowTree(of: both, id: \.id)
    var received: [ChangeSet] = []
    let token = both.observe { received.append($0) }
    tree.move(from: [0, 1], to: [0])
    try shadow.check()
    #expect(
      received.map(\.transfers.count) == [1] && NaiveTree(of: both).children[1].children.map(\.value?.id) == [4, 2])
    withExtendedLifetime(token) {}
  }

  /// The row of 4 becomes a child of a row in both flat lists. Each list reports its own transfer.
  @Test(arguments: Source.allCases)
  func aRowThatGoesBelowAnotherStaysInItsFlatList(source: Source) throws {
    let tree = try source([branch(1, [branch(3, [leaf(4)])]), branch(5, [branch(6)])])
    let flat = (0..<2).map { _ in FlattenNode(tree, levels: 2) }
    let nodes = [tree, flat[0], flat[1]] as [any TreeNode<Row>]
    let shadow = ShadowTree(of: BranchNode<Row>(nodes), id: \.id)
    tree.move(from: [0, 0], to: [1, 0, 0])
    try shadow.check()
    #expect(flat.map { $0[[0, 0]]?.id } == [4, 4])
  }

  @Test(arguments: Source.allCases)
  func rowsThatComeBackBelowTheirSectionSurvive(source: Source) throws {
    let tree = try source([branch(1, [branch(2, [leaf(3)]), leaf(7)]), branch(4)])
    let rows = DescendantsNode<Row>(FlattenNode(tree))
    let shadow = ShadowTree(of: rows, id: \.id, minimality: Self.demands)
    var received: [Delta] = []
    let token = rows.observe { received.append($0.delta) }
    tree.move(from: [0], to: [0, 0])
    try shadow.check()
    #expect(received == [.insertion(0..<1)] && rows.elements.map(\.id) == [1, 2, 3, 7])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: Source.allCases)
  func rowsBelowARowSurviveThatBecomesASection(source: Source) throws {
    let tree = try source([
      branch(1, [branch(2), leaf(3)]), branch(4, [branch(5, [leaf(6), branch(7, [leaf(8)]), leaf(9)])]),
    ])
    let rows = DescendantsNode<Row>(FlattenNode(tree), .leaves)
    let outline = OutlineNode(FlattenNode(tree), expansion: ExpansionState(policy: .expanded), id: \.id)
    let nodes: [any TreeNode<Row>] = [rows, outline]
    let shadows = nodes.map { ShadowTree(of: $0, id: \.id, minimality: Self.demands) }
    var received: [Delta] = []
    let token = rows.observe { received.append($0.delta) }
    tree.move(from: [1, 0], to: [0])
    for shadow in shadows { try shadow.check() }
    #expect(received == [.move(1..<4, to: 0)] && outline.elements.map(\.id) == [6, 7, 8, 9, 2, 3])
    withExtendedLifetime(token) {}
  }

  /// 6 moves below 1, and 1 then moves to the former place of 6.
  @Test(arguments: Source.allCases)
  func rowsThatGoOnWithAnotherMoveSurvive(source: Source) throws {
    let tree = try source([branch(1), branch(2), branch(3, [branch(4, [branch(6, [leaf(7), leaf(8)])]), leaf(5)])])
    let flat = FlattenNode(tree, levels: 2)
    let rows = [DescendantsNode<Row>.Scope.all, .leaves].map { DescendantsNode(flat, $0) }
    let shadows = rows.map { ShadowTree(of: $0, id: \.id, minimality: Self.demands) }
    tree.performUpdates {
      tree.move([2, 0, 0], into: [0], at: 0)
      tree.move([0], into: [2, 0], at: 0)
    }
    for shadow in shadows { try shadow.check() }
    #expect(rows[1].elements.map(\.id) == [7, 8, 5])
  }

  /// 4 is a row of one list and a section of the other list. There it becomes a row for a while.
  @Test(arguments: Source.allCases)
  func whatTwoFlatListsShowStaysInEach(source: Source) throws {
    let tree = try source([branch(1), branch(2), branch(3, [branch(4, [branch(6)])])])
    let nodes: [any TreeNode<Row>] = [FlattenNode(tree), FlattenNode(tree, levels: 2)]
    let shadow = ShadowTree(of: BranchNode(nodes), id: \.id, minimality: Self.demands)
    tree.performUpdates {
      tree.move([2], into: [1], at: 0)
      tree.move([1, 0, 0], into: [1], at: 0)
    }
    try shadow.check()
    #expect(nodes.map { $0.elements.map(\.id) } == [[4, 3], [6]])
  }

  /// A child that leaves and returns is shown several times. Each place has rows of its own.
  @Test(arguments: Source.allCases)
  func aTreeThatIsShownTwiceMovesItsRowsTwice(source: Source) throws {
    let tree = try source([branch(1, [branch(2, [leaf(3)])]), branch(4)])
    let nodes: [any TreeNode<Row>] = [tree, tree, FlattenNode(tree), FlattenNode(tree)]
    let rows = DescendantsNode<Row>(BranchNode(nodes), .leaves)
    let shadow = ShadowTree(of: rows, id: \.id)
    for (from, to) in [([0, 0], [0]), ([0], [0, 0]), ([0], [0, 0])] as [(IndexPath, IndexPath)] {
      tree.move(from: from, to: to)
      try shadow.check()
      #expect(rows.elements.map(\.id) == [3, 3, 3, 3])
    }
  }

  @Test(arguments: Source.allCases)
  func whatStandsOnFlatListsSurvivesAnyMove(source: Source) throws {
    for iteration in 0..<TestSeed.iterations(30) {
      var generator = TestSeed.generator("flatten/depths of \(source)", iteration: iteration)
      var lastID = 0
      func tree(_ depth: Int) -> TreeSnapshot<Row> {
        lastID += 1
        if depth == 0 || Int.random(in: 0..<4, using: &generator) == 0 { return leaf(lastID) }
        return branch(lastID, (0..<Int.random(in: 0...2, using: &generator)).map { _ in tree(depth - 1) })
      }
      let root = try source((0..<3).map { _ in tree(3) })
      let flat = (1...2).map { FlattenNode(root, levels: $0) }
      let nodes: [any TreeNode<Row>] = [
        DescendantsNode(flat[0]), DescendantsNode(flat[0], .leaves), DescendantsNode(flat[1]),
        OutlineNode(flat[0], expansion: ExpansionState(policy: .expanded), id: \.id),
      ]
      let shadows =
        [ShadowTree(of: BranchNode<Row>([root, flat[0], flat[1]]), id: \.id)]
        + nodes.map { ShadowTree(of: $0, id: \.id, minimality: Self.demands) }
      for _ in 0..<6 {
        let paths = TreeSnapshot(of: root).paths.filter { !$0.isEmpty }
        let from = paths.randomElement(using: &generator)!
        let parents = paths.filter { root.child(at: $0) != nil && !$0.starts(with: from) } + [[]]
        let parent = parents.randomElement(using: &generator)!
        root.move(from, into: parent, at: Int.random(in: 0...root.count(at: parent)!, using: &generator))
        for shadow in shadows { try shadow.check() }
      }
    }
  }
}
