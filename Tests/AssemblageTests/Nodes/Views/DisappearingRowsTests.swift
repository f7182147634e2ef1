import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Rows that leave a view and return in one transaction have survived the transaction, and so have their children.
@Suite struct DisappearingRowsTests {
  private static let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]

  @Test func aChildThatLeavesARowThatVanishedHasMoved() throws {
    let parent = BranchNode(value: Row(id: 1), leaves: [Row(id: 2), Row(id: 3)])
    let root = BranchNode<Row>([.node(parent), .leaf(Row(id: 4))])
    let filter = FilterNode(JoinNode<Row>([root])) { $0.version == 0 }
    let shadow = ShadowTree(of: filter, id: \.id, minimality: Self.demands)
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    root.performUpdates {
      parent.value = Row(id: 1, version: 1)
      root.move(from: [0, 1], to: [1])
    }
    try shadow.check()
    #expect(received.count == 1 && received[0].transfers.map(\.source) == [[0, 1]])
    #expect(received[0].transfers.map(\.destination) == [[0]] && filter.elements.map(\.id) == [3, 4])
    withExtendedLifetime(token) {}
  }

  @Test func aChildThatMovesIntoARowThatVanishedComesBackWithIt() throws {
    let parent = BranchNode(value: Row(id: 1), leaves: [Row(id: 2)])
    let root = BranchNode<Row>([.node(parent), .leaf(Row(id: 3))])
    let filter = FilterNode(root) { $0.version == 0 }
    let shadow = ShadowTree(of: filter, id: \.id, minimality: Self.demands)
    var received: [ChangeSet] = []
    let token = filter.observe { received.append($0) }
    root.performUpdates {
      parent.value = Row(id: 1, version: 1)
      root.move(from: [1], to: [0, 0])
      parent.value = Row(id: 1)
    }
    try shadow.check()
    #expect(received.count == 1 && received[0].delta == Delta(removals: [1..<2], updates: [0..<1]))
    #expect(received[0].transfers.map(\.source) == [[1]] && received[0].transfers.map(\.destination) == [[0, 0]])
    withExtendedLifetime(token) {}
  }

  /// The way by which a row that is new in a hidden row is shown.
  enum Detour: CaseIterable { case none, otherRow, hiddenRow }

  /// A row that is new in a hidden row brings the rows that have moved into it.
  @Test(arguments: Detour.allCases) func whatIsNewInAHiddenRowTakesAlongWhatMovedIntoIt(_ detour: Detour) throws {
    let forest = ForestNode<Row>(leaves: [Row(id: 2), Row(id: 3)])
    for id in [11, 10] { forest.insert(ForestNode(value: Row(id: id), leaves: []), at: 0) }
    let filter = FilterNode(forest) { $0.version == 0 }
    let treeFilter = TreeFilterNode(forest, policy: .hidingSubtrees) { $0.version == 0 }
    let all = ExpansionState<Int>(policy: .expanded)
    let views: [any TreeNode<Row>] = [
      filter, treeFilter, OutlineNode(filter, expansion: all, id: \.id),
      OutlineNode(treeFilter, expansion: all, id: \.id),
    ]
    let shadows = views.map { ShadowTree(of: $0, id: \.id, minimality: Self.demands) }
    forest.performUpdates {
      for row in 0..<2 { forest.replace(at: [row], with: Row(id: 10 + row, version: 1)) }
      forest.insert(Row(id: 4), at: [0, 0])
      forest.insert(Row(id: 5), at: [0, 0, 0])
      forest.move(from: [2], to: [0, 0, 0])
      switch detour {
      case .none: forest.move(from: [0, 0], to: [2])
      case .otherRow:
        forest.move(from: [0, 0], to: [1, 0])
        forest.move(from: [1, 0], to: [2])
      case .hiddenRow:
        forest.replace(at: [0, 0], with: Row(id: 4, version: 1))
        forest.move(from: [0, 0], to: [2])
        forest.replace(at: [2], with: Row(id: 4))
      }
    }
    for shadow in shadows { try shadow.check() }
    #expect(filter.elements.map(\.id) == [4, 3] && filter.child(at: 0)?.elements.map(\.id) == [2, 5])
  }

  /// The same in a nest, where one change brings the row and the rows that move into it. (Fuzz, seed 678, script 6888.)
  @Test func whatIsNewInAHiddenRowOfANestTakesAlongWhatMovedIntoIt() throws {
    let array = ArrayNode([1, 2, 3, 4].map { Row(id: $0) })
    let parents = [2: 4]
    let nest = NestNode<Row, Int>(array, id: \.id, parent: { $0.version == 1 ? 1 : parents[$0.id] })
    let slice = SliceNode(nest, 1..<3)
    let shadow = ShadowTree(of: slice, id: \.id, minimality: Self.demands)
    let log = UndoLog(of: array)
    array.performUpdates {
      array[3] = Row(id: 4, version: 1)
      array.remove(at: 3)
    }
    #expect(slice.elements.map(\.id) == [2, 3])
    log.undo()
    try shadow.check()
    #expect(slice.elements.map(\.id) == [3, 4] && slice.child(at: 1)?.elements.map(\.id) == [2])
  }

  /// A row that left returns in an inner transaction. If that transaction is rolled back, the row returns again,
  /// permanently.
  @Test(arguments: [false, true]) func aRowThatComesBackInAnInnerTransactionStays(_ isTakenBack: Bool) throws {
    struct Stop: Error {}
    let array = ArrayNode([Row(id: 1), Row(id: 2)])
    let nodes: [any TreeNode<Row>] = [SliceNode(array, 0..<1), FilterNode(array) { $0.version == 0 }]
    let shadows = nodes.map { ShadowTree(of: $0, id: \.id, minimality: Self.demands) }
    func comeBack() {
      array[1].version = 0
      array.remove(at: 0)
    }
    array.performUpdates {
      array.insert(Row(id: 3), at: 0)
      array[1].version = 1
      try? array.performUpdates {
        comeBack()
        if isTakenBack { throw Stop() }
      }
      if isTakenBack { comeBack() }
    }
    for shadow in shadows { try shadow.check() }
    #expect(shadows[0].deliveryCount == 1)
  }

  /// A view of the rows 1, 10, 2 and 20, and the edits by which the row 10 leaves and returns.
  private struct Hiding {
    let name: String
    let view: any TreeNode<Row>
    let source: any WritableNode<Row>
    let hide: () -> Void
    let show: () -> Void

    static func all() -> [Hiding] {
      func array() -> ArrayNode<Row> { ArrayNode([1, 10, 2, 20].map { Row(id: $0) }) }
      func moving(_ name: String, _ view: (ArrayNode<Row>) -> any TreeNode<Row>) -> Hiding {
        let array = array()
        return Hiding(
          name: name, view: view(array), source: array, hide: { array.move(from: 1, to: 3) },
          show: { array.move(from: 3, to: 1) })
      }
      func updating(_ name: String, _ view: (ArrayNode<Row>) -> any TreeNode<Row>) -> Hiding {
        let array = array()
        return Hiding(
          name: name, view: view(array), source: array, hide: { array[1].version = 1 }, show: { array[1].version = 2 })
      }
      let folder = BranchNode<Row>(value: Row(id: 10), leaves: [Row(id: 30)])
      let sections = BranchNode([
        .node(BranchNode([.leaf(Row(id: 1)), .node(folder)])), .leaf(Row(id: 2)), .leaf(Row(id: 20)),
      ])
      let flat = Hiding(
        name: "flat list", view: FlattenNode(sections), source: sections,
        hide: { sections.move([0, 1], into: [], at: 0) }, show: { sections.move([0], into: [1], at: 1) })
      let file = BranchNode<Row>(value: Row(id: 10))
      let files = BranchNode([.leaf(Row(id: 1)), .node(file), .leaf(Row(id: 2)), .leaf(Row(id: 20))])
      let descendants = Hiding(
        name: "descendants", view: DescendantsNode(files), source: files, hide: { file.value = nil },
        show: { file.value = Row(id: 10) })
      let branch = BranchNode<Row>(value: Row(id: 10), leaves: [Row(id: 30)])
      let branches = BranchNode([.leaf(Row(id: 1)), .node(branch), .leaf(Row(id: 2)), .leaf(Row(id: 20))])
      let outline = Hiding(
        name: "outline",
        view: OutlineNode(
          FilterNode(branches) { $0.version != 1 }, expansion: ExpansionState(policy: .expanded), id: \.id),
        source: branches, hide: { branch.value = Row(id: 10, version: 1) },
        show: { branch.value = Row(id: 10, version: 2) })
      return [
        moving("slice") { SliceNode($0, 1..<2) },
        moving("slice of a filter") { SliceNode(FilterNode($0) { $0.id > 2 }, 0..<1) },
        moving("slice of a tree filter") {
          SliceNode(TreeFilterNode($0, policy: .hidingSubtrees) { $0.id > 2 }, 0..<1)
        },
        updating("filter") { FilterNode($0) { $0.version != 1 } },
        updating("filter of a filter") { FilterNode(FilterNode($0) { $0.id > 1 }) { $0.version != 1 } },
        updating("tree filter") { TreeFilterNode($0, policy: .hidingSubtrees) { $0.version != 1 } },
        updating("unique") { UniqueNode($0) { $0.version == 1 ? 1 : $0.id } },
        updating("group") { GroupNode($0) { $0.version == 1 } },
        updating("section") { GroupNode($0) { $0.version == 1 }.section(at: 0) },
        updating("sorted slice") {
          SliceNode(SortNode($0) { ($0.version == 1 ? 0 : 1) < ($1.version == 1 ? 0 : 1) }, 0..<2)
        },
        flat, descendants, outline,
      ]
    }
  }

  /// A hidden row that a rollback restores has survived, whatever happened to the row before.
  @Test func aHiddenRowSurvivesARollback() throws {
    struct Stop: Error {}
    typealias Edit = (Hiding) -> Void
    let clear: Edit = { while $0.source.count > 0 { $0.source.remove(at: 0) } }
    let move: Edit = { $0.source.move(from: 1, to: 2) }
    let insert: Edit = { $0.source.insert(Row(id: 40), at: Swift.min(1, $0.source.count)) }
    let show: Edit = { $0.show() }
    let hide: Edit = { $0.hide() }
    let fail: ([Edit]) -> Edit = { edits in
      { hiding in
        try? hiding.source.performUpdates {
          for edit in edits { edit(hiding) }
          throw Stop()
        }
      }
    }
    let pass: ([Edit]) -> Edit = { edits in
      { hiding in try! hiding.source.performUpdates { () throws -> Void in for edit in edits { edit(hiding) } } }
    }
    let scripts: [[Edit]] = [
      [fail([clear])], [fail([move, clear])], [fail([insert, clear, insert])], [fail([show])], [fail([show, clear])],
      [fail([show, hide, show])], [fail([fail([clear]), clear])], [fail([pass([clear])])],
      [fail([fail([show]), pass([show, hide]), clear])], [fail([show, hide, clear])],
      [fail([insert]), fail([clear]), fail([show])],
      [pass([fail([clear]), insert, fail([clear])])], [fail([clear]), show, hide, fail([show, clear])],
    ]
    for index in scripts.indices {
      for hiding in Hiding.all() {
        let shadow = ShadowTree(of: hiding.view, id: \.id, minimality: Self.demands)
        var change = ChangeSet()
        let token = hiding.view.observe { change = $0 }
        hiding.source.performUpdates {
          hide(hiding)
          for edit in scripts[index] { edit(hiding) }
          if hiding.source.count == 5 { hiding.source.remove(at: 1) }
          show(hiding)
        }
        #expect(throws: Never.self, "script \(index), \(hiding.name)") { try shadow.check() }
        #expect(!change.delta.movesPositions, "script \(index), \(hiding.name): \(change)")
        withExtendedLifetime(token) {}
      }
    }
  }

  /// Edits of a tree at any depth, with a filter and a slice, and with nodes on both.
  @Test func transactionsAreMinimalAcrossParents() throws {
    for iteration in 0..<TestSeed.iterations(100) {
      var generator = TestSeed.generator("views/disappearing", iteration: iteration)
      var lastID = 0
      func row() -> Row {
        lastID += 1
        return Row(id: lastID)
      }
      func tree(_ depth: Int) -> TreeChild<Row> {
        if depth == 0 || Int.random(in: 0..<3, using: &generator) == 0 { return .leaf(row()) }
        let value = row()
        return .node(
          BranchNode(value: value, (0..<Int.random(in: 0...3, using: &generator)).map { _ in tree(depth - 1) }))
      }
      // Edits read the sources only, so that each transaction is one settlement.
      let roots = [BranchNode<Row>((0..<4).map { _ in tree(2) }), BranchNode([tree(1)])]
      let all = BranchNode<Row>(roots)
      let join = JoinNode<Row>(roots)
      let filter = FilterNode(join) { ($0.id + $0.version) % 3 != 0 }
      let slice = SliceNode(join, 1..<3)
      let expanded = ExpansionState<Int>(policy: .expanded)
      let shadows = [
        filter, slice, FilterNode(slice) { ($0.id + $0.version) % 2 == 0 }, SliceNode(filter, 0..<2),
        OutlineNode(filter, expansion: expanded, id: \.id), OutlineNode(slice, expansion: expanded, id: \.id),
      ].map { (node: any TreeNode<Row>) in ShadowTree(of: node, id: \.id, minimality: Self.demands) }
      for _ in 0..<4 {
        all.performUpdates {
          for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let nodes = TreeSnapshot(of: all).paths.filter { all.child(at: $0) != nil && !$0.isEmpty }
            let paths = TreeSnapshot(of: all).paths.filter { $0.count > 1 }
            guard let path = paths.randomElement(using: &generator) else { continue }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
              let parent = nodes.randomElement(using: &generator)!
              all.insert(row(), at: parent + [Int.random(in: 0...all.count(at: parent)!, using: &generator)])
            case 1 where paths.count > 4: all.remove(at: path)
            case 2, 3:
              let value = all[path]!
              all.replace(at: path, with: Row(id: value.id, version: value.version + 1))
            default:
              let parent = nodes.filter { !$0.starts(with: path) }.randomElement(using: &generator)!
              all.move(path, into: parent, at: Int.random(in: 0...all.count(at: parent)!, using: &generator))
            }
          }
        }
        for shadow in shadows { try shadow.check() }
      }
    }
  }
}
