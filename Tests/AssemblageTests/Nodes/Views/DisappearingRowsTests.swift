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
      let shadows = [filter, slice, FilterNode(slice) { ($0.id + $0.version) % 2 == 0 }, SliceNode(filter, 0..<2)]
        .map { (node: any TreeNode<Row>) in ShadowTree(of: node, id: \.id, minimality: Self.demands) }
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
