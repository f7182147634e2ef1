import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Sections of a flat list that move from one parent to another keep their rows.
@Suite struct FlattenCrossingTests {
  /// A node between the join and the flat list.
  enum Between: CaseIterable {
    case nothing, filter, map, slice, sort, branch

    func callAsFunction(_ source: any TreeNode<Row>) -> any TreeNode<Row> {
      switch self {
      case .nothing: source
      case .filter: FilterNode(source) { $0.id > 0 }
      case .map: MapNode(source) { $0 }
      case .slice: SliceNode(source, 0...)
      case .sort: SortNode(source) { $0.id < $1.id }
      case .branch: FlattenNode(BranchNode([source]))
      }
    }
  }

  private static let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]

  private func section(_ ids: ClosedRange<Int>) -> ArrayNode<Row> { ArrayNode(ids.map { Row(id: $0) }) }

  @Test(arguments: Between.allCases)
  func aSectionThatMovesBetweenTwoParentsTakesItsRows(between: Between) throws {
    let join = JoinNode<Row>([BranchNode([section(1...2)]), BranchNode([section(3...3)])])
    let flat = FlattenNode(between(join))
    let rows = FilterNode(flat) { $0.id != 2 }
    let shadows = [ShadowTree(of: flat, id: \.id, minimality: Self.demands)]
    var received: [ChangeSet] = []
    let tokens = [flat.observe { received.append($0) }, rows.observe { received.append($0) }]
    join.move(from: 0, to: 1)
    for shadow in shadows { try shadow.check() }
    #expect(
      received.map(\.delta) == [.move(2..<3, to: 0), .move(1..<2, to: 0)] && flat.elements.map(\.id) == [3, 1, 2])
    withExtendedLifetime(tokens) {}
  }

  @Test func flatListsOfFlatListsAreMinimal() throws {
    let first = BranchNode<Row>([BranchNode([section(1...2), section(3...3)])])
    let second = BranchNode<Row>([BranchNode([section(4...4)])])
    let join = JoinNode<Row>([first, second])
    let flat = FlattenNode(FlattenNode(join))
    let shadow = ShadowTree(of: flat, id: \.id, minimality: Self.demands)
    var received: [Delta] = []
    let token = flat.observe { received.append($0.delta) }
    // A section of sections moves, and then one of its sections.
    join.move(from: [0], to: [1])
    join.move(from: [1, 0], to: [0, 0])
    try shadow.check()
    #expect(received == [.move(3..<4, to: 0), .move(1..<3, to: 0)] && flat.elements.map(\.id) == [1, 2, 4, 3])
    withExtendedLifetime(token) {}
  }

  /// A deeper row becomes a section, which is no row, and then a row again. In between, its children are rows.
  @Test func aRowThatIsASectionForAWhileSurvives() throws {
    let folder = BranchNode<Row>(value: Row(id: 2), leaves: [Row(id: 3), Row(id: 4)])
    let root = BranchNode<Row>([.node(BranchNode([.leaf(Row(id: 1)), .node(folder)])), .leaf(Row(id: 5))])
    let flat = FlattenNode(root)
    let shadows = [
      ShadowTree(of: flat, id: \.id, minimality: Self.demands),
      ShadowTree(of: FilterNode(flat) { $0.id != 5 }, id: \.id, minimality: Self.demands),
    ]
    var received: [ChangeSet] = []
    let token = flat.observe { received.append($0) }
    root.performUpdates {
      root.move([0, 1], into: [], at: 0)
      root.move([0], into: [1], at: 1)
    }
    #expect(received.isEmpty && flat.elements.map(\.id) == [1, 2, 5])
    root.performUpdates {
      root.move([0, 1], into: [], at: 0)
      folder.value = Row(id: 2, version: 1)
      folder.remove(at: 0)
      root.insert(.leaf(Row(id: 6)), at: 0)
      folder.append(.leaf(Row(id: 7)))
      root.move([1], into: [2], at: 0)
    }
    #expect(flat.elements.map(\.id) == [6, 2, 1, 5])
    for shadow in shadows { try shadow.check() }
    let inside = ChangeSet(Delta(removals: [0..<1], insertions: [1..<2]))
    #expect(
      received == [
        ChangeSet(
          delta: Delta(insertions: [0..<1], updates: [1..<2], moves: [Delta.Move(from: 1..<2, to: 1..<2)]),
          children: [(1, inside)])
      ])
    token.cancel()
  }

  /// A row moves into a row that a slice hides. That row becomes a section, then a row of the slice, and then a row
  /// again.
  @Test func whatMovesIntoAHiddenRowSurvives() throws {
    func node(_ id: Int, _ children: [TreeChild<Row>]) -> TreeChild<Row> {
      .node(BranchNode(value: Row(id: id), children))
    }
    let rows = (0..<6).map { TreeChild.leaf(Row(id: $0)) }
    let source = BranchNode<Row>([.node(BranchNode([node(10, [rows[2]]), rows[4]])), rows[5], node(11, [])])
    let flat = FlattenNode(source)
    let slice = SliceNode(flat, 1..<5)
    let shadows = [
      ShadowTree(of: flat, id: \.id, minimality: Self.demands),
      ShadowTree(of: slice, id: \.id, minimality: Self.demands),
    ]
    var received: [ChangeSet] = []
    let token = slice.observe { received.append($0) }
    source.performUpdates {
      source.move([0, 1], into: [0, 0], at: 0)
      source.move([0, 0], into: [], at: 2)
      source.move([2], into: [3], at: 0)
    }
    for shadow in shadows { try shadow.check() }
    #expect(received.map { $0.transfers.count } == [1] && slice.elements.map(\.id) == [10])
    token.cancel()
  }

  /// The row of 11 moves into a row that the slice then hides, and leaves that row together with the row of 5.
  @Test func whatWentIntoARowComesBackWithAnotherOne() throws {
    func node(_ id: Int, _ children: [TreeChild<Row>]) -> TreeChild<Row> {
      .node(BranchNode(value: Row(id: id), children))
    }
    let rows = (0..<15).map { TreeChild.leaf(Row(id: $0)) }
    let source = BranchNode<Row>([
      node(1, [rows[14]]), node(5, [rows[11]]), node(12, [node(2, [node(6, [rows[7]])]), rows[13]]),
    ])
    let slice = SliceNode(FlattenNode(source), 1..<5)
    let shadow = ShadowTree(of: slice, id: \.id, minimality: Self.demands)
    var received: [ChangeSet] = []
    let token = slice.observe { received.append($0) }
    source.performUpdates {
      source.move([1], into: [2, 0, 0], at: 0)
      source.move([0, 0], into: [1], at: 1)
      source.move([1, 0, 0], into: [], at: 2)
    }
    try shadow.check()
    #expect(received.map { $0.transfers.count } == [2] && slice.elements.map(\.id) == [14, 13, 5, 7])
    token.cancel()
  }

  /// Nodes move from any depth to any other: they are a section, a row with children, or lie below a row.
  @Test func nodesThatChangeTheirDepthTakeTheirChildren() throws {
    for iteration in 0..<TestSeed.iterations(80) {
      var generator = TestSeed.generator("flatten/depths", iteration: iteration)
      var lastID = 0
      func tree(_ depth: Int) -> TreeChild<Row> {
        lastID += 1
        if depth == 0 || Int.random(in: 0..<4, using: &generator) == 0 { return .leaf(Row(id: lastID)) }
        let value = Row(id: lastID)
        return .node(
          BranchNode(value: value, (0..<Int.random(in: 0...3, using: &generator)).map { _ in tree(depth - 1) }))
      }
      let roots = (0..<2).map { _ in BranchNode<Row>((0..<2).map { _ in tree(3) }) }
      // Edits read the sources only, so that each transaction is one settlement.
      let all = BranchNode<Row>(roots)
      let join = JoinNode<Row>(roots)
      let flat = FlattenNode(Between.allCases.randomElement(using: &generator)!(join))
      let slice = SliceNode(flat, 1..<5)
      // A row may become a section, which the list does not show, and a section may become a row.
      let shadows = [
        ShadowTree(of: flat, id: \.id, minimality: Self.demands),
        ShadowTree(of: FilterNode(flat) { $0.id % 3 != 0 }, id: \.id, minimality: Self.demands),
        ShadowTree(of: slice, id: \.id, minimality: Self.demands),
      ]
      for _ in 0..<4 {
        all.performUpdates {
          for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let paths = TreeSnapshot(of: all).paths.filter { !$0.isEmpty }
            guard let from = paths.filter({ $0.count > 1 }).randomElement(using: &generator) else { continue }
            let parents = paths.filter { all.child(at: $0) != nil && !$0.starts(with: from) }
            let parent = parents.randomElement(using: &generator)!
            all.move(from, into: parent, at: Int.random(in: 0...all.count(at: parent)!, using: &generator))
          }
        }
        for shadow in shadows { try shadow.check() }
      }
    }
  }

  /// A row becomes a section. The row's own row moves into another row, whose section then becomes a row.
  @Test(arguments: Between.allCases)
  func aRowOfARowThatBecomesASectionIsFollowed(between: Between) throws {
    func node(_ id: Int, _ children: [TreeChild<Row>]) -> TreeChild<Row> {
      .node(BranchNode(value: Row(id: id), children))
    }
    let source = BranchNode<Row>([node(1, []), node(7, [node(21, []), node(8, [.leaf(Row(id: 9))])])])
    let flat = FlattenNode(between(source))
    let shadow = ShadowTree(of: flat, id: \.id, minimality: Self.demands)
    var received: [ChangeSet] = []
    let token = flat.observe { received.append($0) }
    source.performUpdates {
      source.move([1, 1], into: [], at: 1)
      source.move([1, 0], into: [2, 0], at: 0)
      source.move([2], into: [0], at: 0)
    }
    try shadow.check()
    #expect(received.map { $0.transfers.count } == [2])
    token.cancel()
  }

  /// d was the child of the row c. c becomes a section inside b, and then a section at the top level. d is a row of
  /// both.
  @Test func aRowBelowTwoThatBecomeSectionsIsFollowed() throws {
    let items = ArrayNode<NestItem>(["a", "b<a", "c<b", "d<c"])
    let flat = FlattenNode(NestItem.nest(items), levels: 2)
    let shadow = ShadowTree(of: flat, id: \.id, minimality: Self.demands)
    var received: [ChangeSet] = []
    let token = flat.observe { received.append($0) }
    flat.performUpdates {
      items[0] = "x"
      #expect(flat.elements.map(\.id) == ["x", "d"])
      items[2] = "c"
    }
    #expect(flat.elements.map(\.id) == ["x", "b", "d"])
    #expect(
      received == [
        ChangeSet(
          delta: Delta(removals: [0..<1], insertions: [0..<3]), children: [], transfers: [.init(from: [0, 0], to: [2])])
      ])
    try shadow.check()
    token.cancel()
  }
}
