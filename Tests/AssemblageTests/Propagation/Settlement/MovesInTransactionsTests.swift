import Assemblage
import AssemblageTesting
import Foundation
import Testing

/// A child that moves in a transaction without reads is never reported as removed and inserted.
@Suite struct MovesInTransactionsTests {
  private static let all: Minimality = [.survivors, .fewestMoves, .acrossParents]

  /// The source of a tree: objects, or one node.
  enum Source: CaseIterable {
    case branches, forest

    func root(_ children: [TreeChild<Int>]) throws -> any WritableNode<Int> {
      let tree = BranchNode(children)
      return self == .branches ? tree : try ForestNode(TreeSnapshot(of: tree))
    }
  }

  /// A view that shows the whole tree.
  enum View: CaseIterable {
    case itself, keepingAncestors, keepingDescendants, hidingSubtrees, sort, map

    func node(of root: any TreeNode<Int>) -> any TreeNode<Int> {
      switch self {
      case .itself: root
      case .keepingAncestors: TreeFilterNode(root) { _ in true }
      case .keepingDescendants: TreeFilterNode(root, policy: .keepingDescendants) { _ in true }
      case .hidingSubtrees: TreeFilterNode(root, policy: .hidingSubtrees) { _ in true }
      case .sort: TreeSortNode(root, by: <)
      case .map: MapNode(root) { $0 }
      }
    }
  }

  private func folder(_ value: Int, _ children: [TreeChild<Int>] = []) -> TreeChild<Int> {
    .node(BranchNode(value: value, children))
  }

  // MARK: cases/law5.swift

  /// A child moves below another child. The node of their parent reports a transfer, like the node of the whole tree.
  @Test(arguments: View.allCases, Source.allCases) func aMoveBelowAChildIsATransfer(_ view: View, _ source: Source)
    throws
  {
    let root = try source.root([folder(10, [.leaf(11), folder(20, [.leaf(21)]), folder(30, [.leaf(31)])])])
    let whole = view.node(of: root)
    let child = whole.child(at: 0)!
    let shadows = [whole, child].map { ShadowTree(of: $0, id: { $0 }, minimality: Self.all) }
    let recorder = ChangeRecorder(of: child)
    root.move([0, 1], into: [0, 2], at: 0)
    root.move([0, 1, 0], into: [0], at: 1)
    for shadow in shadows { try shadow.check() }
    let transfers = recorder.recording.changes.map { $0.transfers.map { [$0.source, $0.destination] } }
    #expect(transfers == [[[[1], [1, 0]]], [[[1, 0], [1]]]])
  }

  /// A branch that leaves and returns in one transaction stays, also in a view of the branch that it left.
  @Test(arguments: View.allCases, Source.allCases) func aBranchThatReturnsStays(_ view: View, _ source: Source) throws {
    let root = try source.root([folder(10, [.leaf(11), folder(20, [.leaf(21)])]), folder(40)])
    let branch = root.child(at: 0)!
    let node = view.node(of: branch)
    let shadow = ShadowTree(of: node, id: { $0 }, minimality: Self.all)
    for position in [0, 1] {
      root.performUpdates {
        root.move([0, 1 - position], into: [1], at: 0)
        root.move([1, 0], into: [0], at: position)
      }
      try shadow.check()
    }
    #expect(shadow.deliveryCount == (view == .sort ? 0 : 2))
  }

  /// The rows of an outline of a child stay, too.
  @Test(arguments: [View.keepingAncestors, .sort, .map], Source.allCases)
  func theRowsOfAnOutlineOfAChildStay(_ view: View, _ source: Source) throws {
    let root = try source.root([folder(10, [.leaf(11), folder(20, [.leaf(21), .leaf(22)]), folder(30, [.leaf(31)])])])
    let outline = OutlineNode(
      view.node(of: root).child(at: 0)!, expansion: ExpansionState(policy: .expanded), id: { $0 })
    let shadow = ShadowTree(of: outline, id: { $0 }, minimality: Self.all)
    root.move([0, 1], into: [0, 2], at: 1)
    try shadow.check()
    root.performUpdates {
      root.move([0, 1, 1], into: [], at: 0)
      root.move([0], into: [1], at: 0)
    }
    try shadow.check()
  }

  /// A child ends in the parent where it began. Its own move is part of the parent's change: here, a removal and an
  /// insertion.
  ///
  /// Found by the fuzzer: seed 5108210, script 6900.
  @Test(arguments: Source.allCases) func aChildThatComesBackSharesWhatHappenedToItsParent(_ source: Source) throws {
    let root = try source.root([.leaf(0), folder(10, [folder(20, [.leaf(21)])])])
    let shadow = ShadowTree(of: root, id: { $0 }, minimality: [])
    let recorder = ChangeRecorder(of: root)
    root.performUpdates {
      root.move(from: [1, 0, 0], to: [0])
      root.insert(root.remove(at: [2]), at: 0)
      root.move(from: [1], to: [0, 0, 0])
    }
    try shadow.check()
    #expect(recorder.recording.changes.map(\.transfers.count) == [0])
    #expect(NaiveTree(of: root).description == "·(10(20(21)) 0)")
  }

  // MARK: Out of a folder

  /// The next edit of a folder after a child has left the folder.
  enum Fate: CaseIterable { case moves, leaves }

  /// A child leaves a folder that moves or is removed afterwards. The child is a transfer at the root, and in every
  /// view of it.
  @Test(arguments: View.allCases, Source.allCases)
  func aChildLeavesAFolderThatGoesToo(_ view: View, _ source: Source) throws {
    for fate in Fate.allCases {
      let root = try source.root([
        folder(10, [.leaf(11), folder(20, [.leaf(21)])]), folder(40, [.leaf(41)]), .leaf(50),
      ])
      let node = view.node(of: root)
      let outline = OutlineNode(node, expansion: ExpansionState(policy: .expanded), id: { $0 })
      let shadows = [node, outline].map { ShadowTree(of: $0, id: { $0 }, minimality: Self.all) }
      let recorder = ChangeRecorder(of: node)
      root.performUpdates {
        root.move(from: [0, 1], to: [1, 0])
        switch fate {
        case .moves: root.move(from: [0], to: [0, 2])
        case .leaves: root.remove(at: [0])
        }
      }
      for shadow in shadows { try shadow.check() }
      let change = try #require(recorder.recording.changes.last)
      let transfer = try #require(change.transfers.first { $0.source == [0, 1] }, "\(change)")
      #expect(node.element(at: transfer.destination) == 20)
      #expect(recorder.recording.changes.count == 1 && change.transfers.count == (fate == .moves ? 2 : 1))
    }
  }

  /// A child moves through several folders, and each of them is removed afterwards.
  @Test(arguments: View.allCases, Source.allCases)
  func aChildPassesThroughFoldersThatLeave(_ view: View, _ source: Source) throws {
    let root = try source.root([folder(10, [folder(20, [.leaf(21)])]), folder(30), folder(40), folder(50)])
    let node = view.node(of: root)
    let shadow = ShadowTree(of: node, id: { $0 }, minimality: Self.all)
    let recorder = ChangeRecorder(of: node)
    root.performUpdates {
      root.move(from: [0, 0], to: [1, 0])
      root.remove(at: [0])
      root.move(from: [0, 0], to: [1, 0])
      root.replace(at: [1, 0, 0], with: 21)
      root.remove(at: [0])
      root.move(from: [0, 0], to: [1, 0])
    }
    try shadow.check()
    let change = try #require(recorder.recording.changes.last)
    #expect(change.transfers.map(\.source) == [[0, 0]])
    #expect(change.transfers.first?.change.paths.updates == [[0]])
  }

  /// A child leaves a branch and returns after the branch became a leaf. The child stays.
  @Test(arguments: View.allCases) func aChildReturnsToABranchThatWasALeaf(_ view: View) throws {
    let forest = try ForestNode(
      TreeSnapshot(children: [TreeSnapshot(value: 10, leaves: [11]), TreeSnapshot(value: 20, children: [])]))
    let node = view.node(of: forest)
    let shadow = ShadowTree(of: node, id: { $0 }, minimality: Self.all)
    let recorder = ChangeRecorder(of: node)
    forest.performUpdates {
      forest.move(from: [0, 0], to: [1, 0])
      forest.turnIntoLeaf(at: 0)
      forest.move(from: [1, 0], to: [0, 0])
    }
    try shadow.check()
    #expect(recorder.recording.changes.allSatisfy { $0.transfers.isEmpty })
    #expect(NaiveTree(of: node).description == "·(10(11) 20)")
  }

  /// A forest becomes a branch of another forest, and a child leaves it afterwards or before. The child is a transfer.
  @Test(arguments: [true, false]) func aChildLeavesAForestThatJoinsAnother(_ leavesLater: Bool) throws {
    let taken = try ForestNode(TreeSnapshot(value: 10, leaves: [11]))
    let other = try ForestNode(TreeSnapshot<Int>(value: 20, children: []))
    let root = BranchNode<Int>([taken, ArrayNode(), other])
    let shadow = ShadowTree(of: root, id: { $0 }, minimality: Self.all)
    let recorder = ChangeRecorder(of: root)
    root.performUpdates {
      if !leavesLater { root.move(from: [0, 0], to: [1, 0]) }
      root.move(from: [0], to: [1, 0])
      if leavesLater { root.move(from: [1, 0, 0], to: [0, 0]) }
    }
    try shadow.check()
    let transfers = recorder.recording.changes.map { $0.transfers.map { [$0.source, $0.destination] } }
    #expect(transfers.count == 1 && Set(transfers[0]) == [[[0], [1, 0]], [[0, 0], [0, 0]]])
  }

  /// A branch of a forest is a child of the forest and of another node. It leaves the other node only.
  @Test func aBranchThatLeavesAnotherNodeStaysInItsForest() throws {
    let forest = try ForestNode(rows: [(0, 1), (1, 2), (1, 3)])
    let other = BranchNode([.node(forest.child(at: 0)!)])
    let nodes: [any TreeNode<Int>] = [forest, other]
    let shadows = nodes.map { ShadowTree(of: $0, id: { $0 }, minimality: Self.all) }
    forest.performUpdates {
      forest.move(from: [0, 0], to: [0])
      other[0] = .leaf(4)
    }
    for shadow in shadows { try shadow.check() }
    #expect(NaiveTree(of: forest).description == "·(2 1(3))")
  }

  /// One node holds a part of a view and a branch of the source. A child that moves from one to the other has other
  /// children there, so it is no transfer.
  @Test(arguments: [View.hidingSubtrees, .sort], Source.allCases)
  func aBranchShowsOtherChildrenInAViewThanInItsSource(_ view: View, _ source: Source) throws {
    let root = try source.root([folder(10, [folder(20, [.leaf(21), .leaf(22)])]), folder(30)])
    let whole: any TreeNode<Int> =
      view == .sort ? TreeSortNode(root) { $0 > $1 } : TreeFilterNode(root, policy: .hidingSubtrees) { $0 != 21 }
    let part = try #require(whole.child(at: view == .sort ? 1 : 0))
    let holder = BranchNode([.node(part), .node(root.child(at: 1)!)])
    let shadow = ShadowTree(of: holder, id: { $0 }, minimality: .fewestMoves)
    root.move(from: [0, 0], to: [1, 0])
    try shadow.check()
    #expect(NaiveTree(of: holder).description == "·(10 30(20(21 22)))")
  }

  /// The change inside a branch is reported with the move of the branch.
  @Test func manyBranchesMoveAndChange() throws {
    let count = 10_000
    let branches = (0..<count).flatMap { [(1, $0), (2, count + $0)] }
    let forest = try ForestNode(rows: [(0, -1)] + branches + [(0, -2)])
    var received: [ChangeSet] = []
    let token = forest.observe { received.append($0) }
    forest.performUpdates {
      for position in 0..<count {
        forest.move(from: [0, 0], to: [1, position])
        forest.remove(at: [1, position, 0])
      }
    }
    let changes = received.flatMap(\.transfers).map(\.change)
    #expect(changes == Array(repeating: ChangeSet(.removal(0..<1)), count: count))
    token.cancel()
  }

  // MARK: Undo

  /// Undo and redo of moves restore the former and the later contents, in one change each.
  @Test(arguments: View.allCases, Source.allCases) func movesAreUndoneAndRedone(_ view: View, _ source: Source) throws {
    let root = try source.root([folder(10, [.leaf(11), folder(20, [.leaf(21)])]), folder(40, [.leaf(41)]), .leaf(50)])
    let node = view.node(of: root)
    let child = view == .itself ? root.child(at: 0)! : node.child(at: 0)!
    // The inverse of a move is a move only where a source reports it as a move.
    let shadows = [node, child].map { ShadowTree(of: $0, id: { $0 }, minimality: []) }
    let log = UndoLog(of: root)
    let before = NaiveTree(of: node)
    root.performUpdates {
      root.move(from: [0, 1], to: [1, 0])
      root.move(from: [1, 0], to: [0, 0])
      root.move(from: [0, 1], to: [1, 1])
      root.move(from: [2], to: [1, 0])
      root.move(from: [1], to: [0, 1])
      root.move(from: [0, 0], to: [0])
    }
    let after = NaiveTree(of: node)
    #expect(before != after && log.undoCount == 1)
    for _ in 0..<2 {
      for (isUndone, expected) in [(true, before), (false, after)] {
        let former = shadows.map(\.deliveryCount)
        #expect(isUndone ? log.undo() : log.redo())
        #expect(NaiveTree(of: node) == expected)
        for (shadow, former) in zip(shadows, former) {
          try shadow.check()
          #expect(shadow.deliveryCount <= former + 1)
        }
      }
    }
  }

  /// Moves that are undone inside a transaction with other edits.
  @Test(arguments: Source.allCases) func anUndoIsPartOfATransaction(_ source: Source) throws {
    let root = try source.root([folder(10, [.leaf(11), .leaf(12)]), folder(20)])
    let filter = TreeFilterNode(root) { $0 != 12 }
    let shadow = ShadowTree(of: filter, id: { $0 }, minimality: [])
    let log = UndoLog(of: root)
    root.performUpdates {
      root.move(from: [0, 0], to: [1, 0])
      root.move(from: [0, 0], to: [1, 1])
    }
    #expect(log.undo())
    #expect(NaiveTree(of: root).description == "·(10(11 12) 20)")
    #expect(NaiveTree(of: filter).description == "·(10(11) 20)")
    try shadow.check()
  }
}
