import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Rows that vanish from a view and come back in one transaction have survived it, and what is in them too.
@Suite struct DisappearingRowsTests {
  private static let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]

  @Test func aChildThatLeavesARowThatVanishedHasMoved() throws {
    let parent = BranchNode(value: Row(id: 1), leaves: [Row(id: 2), Row(id: 3)])
    let root = BranchNode<Row>([.node(parent), .leaf(Row(id: 4))])
    let filter = FilterNode(JoinNode<Row>([root])) { $0.version == 0 }
    let shadow = ShadowTree(of: filter, id: \.id, minimality: Self.demands)
    var heard: [ChangeSet] = []
    let token = filter.observe { heard.append($0) }
    root.performUpdates {
      parent.value = Row(id: 1, version: 1)
      root.move(from: [0, 1], to: [1])
    }
    try shadow.check()
    #expect(heard.count == 1 && heard[0].transfers.map(\.source) == [[0, 1]])
    #expect(heard[0].transfers.map(\.destination) == [[0]] && filter.elements.map(\.id) == [3, 4])
    withExtendedLifetime(token) {}
  }

  @Test func aChildThatMovesIntoARowThatVanishedComesBackWithIt() throws {
    let parent = BranchNode(value: Row(id: 1), leaves: [Row(id: 2)])
    let root = BranchNode<Row>([.node(parent), .leaf(Row(id: 3))])
    let filter = FilterNode(root) { $0.version == 0 }
    let shadow = ShadowTree(of: filter, id: \.id, minimality: Self.demands)
    var heard: [ChangeSet] = []
    let token = filter.observe { heard.append($0) }
    root.performUpdates {
      parent.value = Row(id: 1, version: 1)
      root.move(from: [1], to: [0, 0])
      parent.value = Row(id: 1)
    }
    try shadow.check()
    #expect(heard.count == 1 && heard[0].delta == Delta(removals: [1..<2], updates: [0..<1]))
    #expect(heard[0].transfers.map(\.source) == [[1]] && heard[0].transfers.map(\.destination) == [[0, 0]])
    withExtendedLifetime(token) {}
  }

  /// A row that left comes back in an inner transaction that may be rolled back, or is, and then comes back for good.
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

  /// A view of the rows 1, 10, 2 and 20, and how the row 10 leaves it and comes back.
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

  /// A hidden row that a rollback brings back has survived, whatever had happened to it.
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

  /// A row loses a child while it is hidden, is shown again, and that is taken back: with it, views that follow its branch.
  @Test(arguments: 0..<4, [false, true]) func whatAHiddenRowHasLostIsNotLostTwice(view: Int, isInner: Bool) throws {
    struct Stop: Error {}
    let source = ForestNode<Row>(leaves: [Row(id: 20)])
    source.insert(ForestNode(value: Row(id: 10), leaves: [Row(id: 11), Row(id: 12)]), at: 0)
    let slice = SliceNode(source, 0..<1)
    let outline = OutlineNode(slice, expansion: ExpansionState(policy: .expanded), id: \.id)
    let views: [any TreeNode<Row>] = [
      outline, TreeSortNode(slice) { $0.id < $1.id }, TreeFilterNode(slice) { $0.id != 13 }, FlattenNode(slice),
    ]
    let shadow = ShadowTree(of: views[view], id: \.id, minimality: Self.demands)
    func show(isTakenBack: Bool) {
      try? source.performUpdates {
        source.insert(Row(id: 30), at: 0)
        #expect(slice.elements.map(\.id) == [10] && slice.child(at: 0)?.count == 1)
        if isTakenBack { throw Stop() }
      }
    }
    if isInner {
      source.performUpdates {
        slice.window = 1..<2
        source.remove(at: [0, 0])
        show(isTakenBack: true)
        source.remove(at: [0, 0])
        source.child(at: [0])?.insert(Row(id: 14), at: 0)
        source.insert(Row(id: 30), at: 0)
      }
    } else {
      try? source.performUpdates {
        slice.window = 1..<2
        source.remove(at: [0, 0])
        show(isTakenBack: false)
        throw Stop()
      }
      #expect(slice.child(at: 0)?.elements.map(\.id) == [11, 12])
    }
    try shadow.check()
    try NodeChecker<Row>(id: \.id).check(views[view])
    #expect(outline.elements.map(\.id) == (isInner ? [10, 14] : [10, 11, 12]))
  }

  /// 4 becomes a section of a flat list, and a row with a child where it moves down a level; then all is taken back.
  @Test(arguments: SettingsInTransactionsTests.View.allCases)
  func aRowThatWasASectionForAWhileIsARowAgain(_ view: SettingsInTransactionsTests.View) throws {
    struct Stop: Error {}
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (2, 3), (0, 4)].map { ($0.0, Row(id: $0.1)) })
    let flat = FlattenNode(forest, levels: 2)
    let node = view.node(of: flat)
    let shadow = ShadowTree(of: node, id: \.id)
    let before = TreeSnapshot(of: node)
    try? forest.performUpdates {
      forest.insert(Row(id: 5), at: [1, 0])
      #expect(flat.elements.map(\.id) == [3, 5])
      forest.move(from: [1], to: [0, 0, 1])
      #expect(flat.elements.map(\.id) == [3, 4] && flat.child(at: 1)?.count == 1)
      throw Stop()
    }
    #expect(flat.elements.map(\.id) == [3, 4] && TreeSnapshot(of: node) == before)
    try shadow.check()
    try NodeChecker<Row>(id: \.id).check(node)
  }

  /// A section of a flat list is hidden in an inner transaction and in the outer one; all of it is taken back, and is no news.
  @Test func aSectionThatARollbackBringsBackTwiceIsNoNews() throws {
    struct Stop: Error {}
    let forest = try ForestNode(rows: [(0, Row(id: 1)), (1, Row(id: 2))])
    let filter = FilterNode(forest) { $0.version == 0 }
    let flat = FlattenNode(filter, levels: 2)
    var heard = 0
    let tokens = [filter, flat].map { (node: any TreeNode<Row>) in node.observe { _ in heard += 1 } }
    let others = [BranchNode<Row>([forest, filter, flat])]
    try? forest.performUpdates {
      try? forest.performUpdates {
        forest.replace(at: [0], with: Row(id: 1, version: 1))
        #expect(flat.count == 0)
        throw Stop()
      }
      filter.replace(at: [0], with: Row(id: 1, version: 1))
      #expect(flat.count == 0)
      throw Stop()
    }
    #expect(heard == 0 && flat.elements.map(\.id) == [2])
    withExtendedLifetime((tokens, others)) {}
  }

  /// A branch that a filter hides, with rows in an outline; meanwhile other things happen, and one of its children goes its own way.
  @Test func rowsOfAVanishedBranchSurviveInAnOutline() throws {
    let inner = BranchNode(value: Row(id: 3), leaves: [Row(id: 4), Row(id: 5)])
    let branch = BranchNode(value: Row(id: 1), [.leaf(Row(id: 2)), .node(inner), .leaf(Row(id: 6))])
    let root = BranchNode([.node(branch), .leaf(Row(id: 7))])
    let outline = OutlineNode(
      FilterNode(root) { $0.version != 1 }, expansion: ExpansionState(policy: .expanded), id: \.id)
    let shadow = ShadowTree(of: outline, id: \.id, minimality: Self.demands)
    var heard: [ChangeSet] = []
    let token = outline.observe { heard.append($0) }
    root.performUpdates {
      branch.value = Row(id: 1, version: 1)
      root.append(.leaf(Row(id: 8)))
      root.move(from: [0, 1], to: [0])
      inner.append(.leaf(Row(id: 9)))
      root.move(from: [1, 0], to: [2])
      inner.value = Row(id: 3, version: 1)
      root.append(.leaf(Row(id: 10)))
      inner.value = Row(id: 3, version: 2)
      branch.value = Row(id: 1, version: 2)
    }
    try shadow.check()
    #expect(outline.elements.map(\.id) == [3, 4, 5, 9, 1, 6, 2, 7, 8, 10])
    #expect(heard.count == 1 && heard[0].delta.removals.isEmpty && heard[0].delta.insertions.joined().count == 3)
    withExtendedLifetime(token) {}
  }

  /// The same where the branch is a leaf when it comes back, or has been one.
  @Test(arguments: [false, true]) func aVanishedBranchMayComeBackAsALeaf(_ isBranchInTheEnd: Bool) throws {
    let forest = ForestNode<Row>()
    for (row, path): (Int, IndexPath) in [(1, [0]), (2, [0, 0]), (3, [1])] {
      if path.count > 1 { forest.makeBranch(at: 0) }
      forest.insert(Row(id: row), at: path)
    }
    let outline = OutlineNode(
      FilterNode(forest) { $0.version != 1 }, expansion: ExpansionState(policy: .expanded), id: \.id)
    let shadow = ShadowTree(of: outline, id: \.id, minimality: Self.demands)
    forest.performUpdates {
      forest[0].version = 1
      forest.append(Row(id: 4))
      forest.remove(at: [0, 0])
      forest.makeLeaf(at: 0)
      if isBranchInTheEnd {
        forest.makeBranch(at: 0)
        forest.insert(Row(id: 5), at: [0, 0])
      }
      forest[0].version = 2
    }
    try shadow.check()
    #expect(outline.elements.map(\.id) == (isBranchInTheEnd ? [1, 5, 3, 4] : [1, 3, 4]))
  }

  /// A tree filter that hides whole subtrees forgets the hidden branch, whose handle the outline has, when it becomes a leaf. Another
  /// branch may get the same handle then.
  @Test(arguments: [false, true], [false, true])
  func aBranchThatATreeFilterHidMayComeBackAsALeaf(isUndo: Bool, isHandleGivenAgain: Bool) throws {
    let forest = ForestNode(leaves: [Row(id: 1), Row(id: 2, version: 1)])
    let filter = TreeFilterNode(forest, policy: .hidingSubtrees) { $0.version != 1 }
    let outline = OutlineNode(filter, expansion: ExpansionState(policy: .expanded), id: \.id)
    func begin() {
      forest.insert(Row(id: 3), at: [1, 0])
      forest[1].version = 2
      #expect(outline.elements.map(\.id) == [1, 2, 3])
    }
    let log = UndoLog(of: forest)
    if isUndo {
      forest.performUpdates { begin() }
    } else {
      begin()
    }
    let shadow = ShadowTree(of: outline, id: \.id)
    if isUndo {
      log.undo()
      #expect(outline.elements.map(\.id) == [1])
      if isHandleGivenAgain { forest.insert(Row(id: 4), at: [0, 0]) }
    } else {
      forest.performUpdates {
        forest[1].version = 1
        forest.remove(at: [1, 0])
        forest.makeLeaf(at: 1)
        if isHandleGivenAgain { forest.insert(Row(id: 4), at: [0, 0]) }
        forest[1].version = 0
      }
      #expect(outline.elements.map(\.id) == (isHandleGivenAgain ? [1, 4, 2] : [1, 2]))
    }
    try shadow.check()
    forest[1].version = 3
    forest.insert(Row(id: 5), at: [1, 0])
    try shadow.check()
    #expect(outline.elements.map(\.id).suffix(2) == [2, 5])
  }

  /// A flat list of a forest in which sections become rows, and the other way round, seen by a tree filter.
  @Test func rowsOfASectionSurviveInATreeFilter() throws {
    func tree(_ id: Int, _ children: [TreeSnapshot<Row>]) -> TreeSnapshot<Row> {
      TreeSnapshot(value: Row(id: id), children: children)
    }
    func leaf(_ id: Int) -> TreeSnapshot<Row> { TreeSnapshot(leaf: Row(id: id)) }
    func check(_ levels: Int, _ trees: [TreeSnapshot<Row>], from path: IndexPath, to destination: IndexPath) throws {
      let forest = try ForestNode(TreeSnapshot(children: trees))
      let filter = TreeFilterNode(FlattenNode(forest, levels: levels), policy: .hidingSubtrees) { $0.version == 0 }
      let shadow = ShadowTree(of: filter, id: \.id, minimality: Self.demands)
      forest.move(from: path, to: destination)
      try shadow.check()
      #expect(shadow.deliveryCount == 1)
    }
    // The row of a section's section leaves it, and is a row of the section then.
    try check(1, [tree(1, [tree(2, [leaf(3)])])], from: [0, 0], to: [0])
    // The rows of a section go along into a row.
    try check(
      2, [tree(1, [leaf(2), leaf(3)]), leaf(4), tree(5, [tree(6, [])])], from: [0], to: [1, 0, 0])
  }

  /// Edits of a tree at any depth, seen by a filter and a slice, and by what stands on them.
  @Test func transactionsAreMinimalAcrossParents() throws {
    for iteration in 0..<TestSeed.iterations(200) {
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
      let root = BranchNode<Row>((0..<4).map { _ in tree(2) })
      let join = JoinNode<Row>([root, BranchNode([tree(1)])])
      let filter = FilterNode(join) { ($0.id + $0.version) % 3 != 0 }
      let slice = SliceNode(join, 1..<3)
      let all = ExpansionState<Int>(policy: .expanded)
      let shadows = [
        filter, slice, FilterNode(slice) { ($0.id + $0.version) % 2 == 0 }, SliceNode(filter, 0..<2),
        OutlineNode(filter, expansion: all, id: \.id), OutlineNode(slice, expansion: all, id: \.id),
      ].map { (node: any TreeNode<Row>) in ShadowTree(of: node, id: \.id, minimality: Self.demands) }
      for _ in 0..<4 {
        join.performUpdates {
          for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let paths = TreeSnapshot(of: join).paths.filter { !$0.isEmpty }
            guard let path = paths.randomElement(using: &generator) else { continue }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
              let parents = paths.filter { join.child(at: $0) != nil } + [[]]
              let parent = parents.randomElement(using: &generator)!
              join.insert(row(), at: parent + [Int.random(in: 0...join.count(at: parent)!, using: &generator)])
            case 1 where paths.count > 4: join.remove(at: path)
            case 2, 3:
              let value = join[path]!
              join.replace(at: path, with: Row(id: value.id, version: value.version + 1))
            default:
              let parents = paths.filter { join.child(at: $0) != nil && !$0.starts(with: path) } + [[]]
              let parent = parents.randomElement(using: &generator)!
              join.move(path, into: parent, at: Int.random(in: 0...join.count(at: parent)!, using: &generator))
            }
          }
        }
        for shadow in shadows { try shadow.check() }
      }
    }
  }
}
