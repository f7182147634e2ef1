import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Children that move several times in one transaction. A parent does not report a child that left it and returned.
@Suite struct WaypointTests {
  private let checker = NodeChecker<Row>(id: \.id)

  private func follow(_ node: any TreeNode<Row>) -> ShadowTree<Row> {
    ShadowTree(of: node, checker: checker, minimality: [.survivors, .fewestMoves, .acrossParents])
  }

  private func rows(_ ids: Int...) -> [Row] { ids.map { Row(id: $0) } }

  @Test func aRowThatGoesAwayAndComesBackIsNoNews() throws {
    let (home, inn) = (ArrayNode(rows(1, 2, 3)), ArrayNode(rows(9)))
    let root = BranchNode([home, inn])
    let (shadow, log) = (follow(home), UndoLog(of: root))
    root.performUpdates {
      root.move(from: [0, 1], to: [1, 0])
      root.move(from: [1, 0], to: [0, 1])
    }
    try shadow.check()
    #expect(shadow.deliveryCount == 0)
    log.undo()
    log.redo()
    try shadow.check()
    #expect(shadow.deliveryCount == 0)
  }

  @Test func whatHappenedToItOnItsWayIsReported() throws {
    let home = BranchNode<Row>([.leaf(Row(id: 1)), .node(BranchNode(value: Row(id: 2), leaves: rows(3, 4)))])
    let inn = BranchNode<Row>(leaves: rows(9))
    let root = BranchNode([home, inn])
    let recorder = ChangeRecorder(of: home)
    let shadow = follow(home)
    root.performUpdates {
      root.move(from: [0, 1], to: [1, 0])
      root.replace(at: [1, 0, 1], with: Row(id: 4, version: 1))
      root.remove(at: [1, 0, 0])
      root.move(from: [1, 0], to: [0, 0])
      root.move(from: [0, 1], to: [1, 1])
      root.replace(at: [1, 1], with: Row(id: 1, version: 1))
      root.move(from: [1, 1], to: [0, 1])
    }
    try shadow.check()
    #expect(recorder.recording.changes.map(\.description) == ["[~1, 0→1; 0: [-0, ~0]]"])
  }

  @Test func aPartThatComesBackAloneSurvives() throws {
    let home = BranchNode<Row>([.leaf(Row(id: 1)), .node(BranchNode(value: Row(id: 2), leaves: rows(3, 4)))])
    let inn = BranchNode<Row>(leaves: rows(9))
    let root = BranchNode([home, inn])
    let shadow = follow(home)
    root.performUpdates {
      root.move(from: [0, 1], to: [1, 0])
      root.move(from: [1, 0, 1], to: [0, 0])
    }
    try shadow.check()
    #expect(home.elements == rows(4, 1))
  }

  @Test func aParentThatIsReachedByADetourIsNotifiedOfAMove() throws {
    let (home, inn, goal) = (ArrayNode(rows(1, 2)), ArrayNode<Row>([]), ArrayNode<Row>([]))
    let root = BranchNode([home, inn, goal])
    let shadow = follow(JoinNode([home, goal]))
    let recorder = ChangeRecorder(of: shadow.node)
    root.performUpdates {
      root.move(from: [0, 0], to: [1, 0])
      root.move(from: [1, 0], to: [2, 0])
    }
    try shadow.check()
    #expect(recorder.recording.changes.map(\.description) == ["[0→1]"])
  }

  @Test func aMoveThatIsTakenBackIsNoneOnTheWay() throws {
    struct Refusal: Error {}
    let (home, inn) = (ArrayNode(rows(1, 2)), ArrayNode<Row>([]))
    let root = BranchNode([home, inn])
    let shadow = follow(home)
    root.performUpdates {
      root.move(from: [0, 0], to: [1, 0])
      try? root.performUpdates {
        root.move(from: [1, 0], to: [0, 1])
        root.move(from: [0, 0], to: [1, 0])
        throw Refusal()
      }
      root.move(from: [1, 0], to: [0, 1])
    }
    try shadow.check()
    #expect(home.elements == rows(2, 1))
  }

  /// A child arrives in a node that moves on. The search for the child passes through derived nodes, but not before
  /// they are notified of the move.
  @Test func aFilterThatReadsLateIsNotAskedInTheMiddleOfAMove() throws {
    let inner = TreeSnapshot(value: Row(id: 3), leaves: rows(4))
    let first = TreeSnapshot(value: Row(id: 1), children: [inner, TreeSnapshot(leaf: Row(id: 5))])
    let tree = try ForestNode(TreeSnapshot<Row>(children: [first, TreeSnapshot(value: Row(id: 2), leaves: [])]))
    let filter = TreeFilterNode(tree, policy: .hidingSubtrees) { _ in true }
    let log = UndoLog(of: tree)
    tree.performUpdates {
      tree.move(from: [0, 0], to: [1, 0])
      tree.move(from: [1, 0, 0], to: [0])
    }
    log.undo()
    #expect(NaiveTree(of: filter) == NaiveTree(of: tree))
    tree.performUpdates {
      tree.move(from: [0, 0], to: [1, 0])
      tree.move(from: [1, 0, 0], to: [0])
    }
    #expect(NaiveTree(of: filter) == NaiveTree(of: tree))
  }

  /// A row leaves a branch, while that branch is in another branch that is about to return.
  @Test(arguments: [false, true]) func aRowLeavesABranchOutOfSight(isUndone: Bool) throws {
    func node(_ id: Int, _ children: [TreeChild<Row>]) -> BranchNode<Row> { BranchNode(value: Row(id: id), children) }
    let inner = node(15, [.leaf(Row(id: 14))])
    let (home, inn) = (ArrayNode(rows(6, 7)), node(17, []))
    let goal = node(20, [.leaf(Row(id: 1)), .node(node(16, [.leaf(Row(id: 11)), .node(inner)]))])
    let root = BranchNode<Row>([home, inn, goal] as [any TreeNode<Row>])
    let log = UndoLog(of: root)
    let shadow = follow(JoinNode<Row>([home, goal]))
    root.performUpdates {
      root.move([2, 1], into: [1], at: 0)
      root.move([0, 0], into: [1, 0, 1], at: 0)
      root.move([1, 0, 1], into: [2], at: 0)
    }
    try shadow.check()
    if isUndone {
      log.undo()
    } else {
      root.performUpdates {
        root.move([2, 0], into: [1, 0], at: 1)
        root.move([1, 0, 1, 0], into: [0], at: 0)
        root.move([1, 0], into: [2], at: 1)
      }
    }
    try shadow.check()
  }

  // MARK: Random moves

  private enum Step: String, CaseIterable { case moveRow, moveNode, update, moveInside, undo }

  /// Sources of all kinds between which rows and branches can move, with views of them. Each view is followed strictly.
  private struct World {
    let root: BranchNode<Row>
    let log: UndoLog
    var shadows: [ShadowTree<Row>] = []

    init(_ generator: inout SeededGenerator, _ follow: (any TreeNode<Row>) -> ShadowTree<Row>) {
      var id = 0
      func rows(_ count: Int) -> [Row] {
        id += count
        return (id - count..<id).map { Row(id: $0) }
      }
      func branch(_ depth: Int) -> BranchNode<Row> {
        var children = rows(2).map { TreeChild<Row>.leaf($0) }
        if depth > 0 { children.append(.node(branch(depth - 1))) }
        return BranchNode(value: rows(1)[0], children)
      }
      let forest = ForestNode(leaves: rows(2))
      forest.insert(ForestNode(value: rows(1)[0], leaves: rows(2)), at: 0)
      let sources: [any TreeNode<Row>] = [
        ArrayNode(rows(3)), ArrayNode(rows(1)), branch(2), branch(0), forest,
      ]
      root = BranchNode(sources)
      log = UndoLog(of: root)
      for source in sources where generator.chance(1, in: 2) {
        shadows.append(follow(source))
        if generator.chance(1, in: 3) {
          shadows.append(follow(MapNode(source) { Row(id: $0.id + 1_000, version: $0.version) }))
        }
        if generator.chance(1, in: 3) { shadows.append(follow(FilterNode(source) { $0.id % 3 > 0 })) }
        if generator.chance(1, in: 3) { shadows.append(follow(DescendantsNode(source))) }
      }
      if generator.chance(1, in: 3) { shadows.append(follow(JoinNode([sources[0], sources[3]]))) }
      if generator.chance(1, in: 3), let inner = root.child(at: [2, 2]) { shadows.append(follow(inner)) }
      if generator.chance(1, in: 3), let inner = root.child(at: [4, 0]) { shadows.append(follow(inner)) }
    }

    /// Returns the paths of all nodes, and of all rows that are no nodes, without the paths of the root's own children.
    func paths() -> (nodes: [IndexPath], leaves: [IndexPath]) {
      var (nodes, leaves): ([IndexPath], [IndexPath]) = ([], [])
      func add(_ node: any TreeNode<Row>, _ path: IndexPath) {
        nodes.append(path)
        for position in 0..<node.count {
          if let child = node.child(at: position) {
            add(child, path.appending(position))
          } else {
            leaves.append(path.appending(position))
          }
        }
      }
      for position in 0..<root.count { add(root.child(at: position)!, [position]) }
      return (nodes, leaves)
    }

    func step(_ step: Step, using generator: inout SeededGenerator) -> Bool {
      let (nodes, leaves) = paths()
      func move(_ path: IndexPath, into goals: [IndexPath]) -> Bool {
        let goals = goals.filter { !$0.starts(with: path) && $0 != path.dropLast() }
        guard let goal = goals.randomElement(using: &generator) else { return false }
        let count = root.child(at: goal)!.count
        root.move(path, into: goal, at: Int.random(in: 0...count, using: &generator))
        return true
      }
      switch step {
      case .moveRow:
        guard let leaf = leaves.randomElement(using: &generator) else { return false }
        return move(leaf, into: nodes)
      case .moveNode:
        let branches = nodes.filter { root.child(at: $0) is BranchNode<Row> }
        guard let path = branches.filter({ $0.count > 1 }).randomElement(using: &generator) else { return false }
        return move(path, into: branches)
      case .moveInside:
        guard let path = nodes.filter({ root.child(at: $0)!.count > 1 }).randomElement(using: &generator) else {
          return false
        }
        let count = root.child(at: path)!.count
        root.move(
          from: path.appending(Int.random(in: 0..<count, using: &generator)),
          to: path.appending(Int.random(in: 0..<count, using: &generator)))
      case .update:
        guard let leaf = leaves.randomElement(using: &generator) else { return false }
        var row = root[leaf]!
        row.version += 1
        root.replace(at: leaf, with: row)
      case .undo: return false
      }
      return true
    }
  }

  @Test func randomMovesAreMinimalEverywhere() throws {
    var tally = OperationTally<Step>()
    let steps: [Step] = [.moveRow, .moveRow, .moveRow, .moveNode, .moveNode, .update, .moveInside]
    for iteration in 0..<TestSeed.iterations(80) {
      var generator = TestSeed.generator("waypoints", iteration: iteration)
      let world = World(&generator, follow)
      for _ in 0..<6 {
        let count = world.log.undoCount
        world.root.performUpdates {
          for _ in 0..<Int.random(in: 2...3, using: &generator) {
            let step = steps.randomElement(using: &generator)!
            if world.step(step, using: &generator) { tally.count(step) }
          }
        }
        for shadow in world.shadows { try shadow.check() }
        guard world.log.undoCount > count, generator.chance(1, in: 2) else { continue }
        tally.count(.undo)
        world.log.undo()
        for shadow in world.shadows { try shadow.check() }
        if generator.chance(1, in: 2) { world.log.redo() }
        for shadow in world.shadows { try shadow.check() }
      }
    }
    try tally.check()
  }
}
