@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct ForestNodeTests: MisuseSuite {
  /// notes[a, old[b]], x
  static func notes() -> ForestNode<String> {
    try! ForestNode(rows: [(0, "notes"), (1, "a"), (1, "old"), (2, "b"), (0, "x")])
  }

  // MARK: Building

  @Test func nestedValuesSayWhichOfThemAreBranches() {
    let tree = ForestNode(value: 0, [12]) { n in n == 1 ? nil : [2, 3].filter { n % $0 == 0 }.map { n / $0 } }
    #expect("\(TreeSnapshot(of: tree))" == "0[12[6[3[1], 2[1]], 4[2[1]]]]")
    let folders = ForestNode(["a", "b"]) { $0 == "a" ? [] : nil }
    #expect(folders.isBranch(at: 0) && !folders.isBranch(at: 1))
  }

  @Test func aPropertyHoldsTheChildren() {
    struct Folder { var name: String; var folders: [Folder] = []; var optional: [Folder]? }
    let folders = [Folder(name: "a", folders: [Folder(name: "b")]), Folder(name: "c", optional: [])]
    let plain = ForestNode(folders, children: \.folders)
    #expect(plain.child(at: [0])?.elements.map(\.name) == ["b"] && !plain.isBranch(at: 1))
    #expect(ForestNode(folders, children: \.optional).isBranch(at: 1))
  }

  @Test func rowsAreCheckedForTheirDepths() throws {
    #expect("\(TreeSnapshot(of: Self.notes()))" == "[notes[a, old[b]], x]")
    #expect(throws: ForestError.depth(row: 1, depth: 2, limit: 1)) {
      try ForestNode(rows: [(0, "a"), (2, "b")])
    }
    #expect(throws: ForestError.depth(row: 0, depth: 1, limit: 0)) { try ForestNode(rows: [(1, "a")]) }
    #expect(throws: ForestError.depth(row: 1, depth: -1, limit: 1)) { try ForestNode(rows: [(0, "a"), (-1, "b")]) }
    #expect(try ForestNode<String>(rows: []).isEmpty)
  }

  @Test func aSnapshotComesBackAsItWas() throws {
    let snapshot = TreeSnapshot(
      value: "home",
      children: [
        TreeSnapshot(value: "empty"), TreeSnapshot(leaf: "x"),
        TreeSnapshot(value: "notes", children: [TreeSnapshot(leaf: "a"), TreeSnapshot(value: "old", leaves: ["b"])]),
      ])
    let tree = try ForestNode(snapshot)
    #expect(TreeSnapshot(of: tree) == snapshot)
    let hole = TreeSnapshot<String>(children: [TreeSnapshot(leaf: "a"), TreeSnapshot(children: [])])
    #expect(throws: ForestError.missingValue(place: 2)) { try ForestNode(hole) }
  }

  // MARK: Reading

  @Test func pathsLeadThroughBranchesWithoutNodes() {
    let tree = Self.notes()
    #expect(tree[[0, 1, 0]] == "b" && tree[[0]] == "notes" && tree[[]] == nil)
    #expect(tree.element(at: [0, 1, 1]) == nil && tree.element(at: [1, 0]) == nil)
    #expect(tree.count(at: [0]) == 2 && tree.count(at: [1]) == nil && tree.count(at: []) == 2)
    #expect(tree.arena.memberCount == 0)
    #expect(tree.child(at: [0, 1])?.value == "old" && tree.child(at: [0, 0]) == nil)
  }

  @Test func aNodeIsFoundAgainWhileItLives() {
    let tree = Self.notes()
    let old = tree.child(at: [0, 1])
    #expect(tree.child(at: 0)?.child(at: 1) === old)
    #expect(tree.arena.memberCount == 1)
    #expect(tree.path(of: old!) == [0, 1])
  }

  @Test func spansAreAsLongAsLeavesStandSideBySide() {
    let tree = ForestNode(1...5_000, children: { $0 == 2_500 ? [-1, -2] : nil as [Int]? })
    var spans: [Range<Int>] = []
    tree.forEachSpan(in: 10..<4_990) { start, span in
      spans.append(start..<start + span.count)
      #expect(span[0] == start + 1)
    }
    #expect(spans.map(\.count).reduce(0, +) == 4_980 && spans.count <= 6)
    var all: [Int] = []
    tree.forEachDescendantSpan { span in for index in span.indices { all.append(span[index]) } }
    #expect(all == Array(1...2_500) + [-1, -2] + Array(2_501...5_000))
    #expect(tree.descendantCount == 5_002)
  }

  // MARK: Editing

  @Test func aLeafBecomesABranchWhereSomethingIsInsertedBelowIt() {
    let tree = Self.notes()
    let recorder = ChangeRecorder(of: tree)
    tree.insert("c", at: [1, 0])
    #expect("\(TreeSnapshot(of: tree))" == "[notes[a, old[b]], x[c]]")
    #expect(recorder.recording.map { "\($0)" } == ["[~1; 1: [+0]]"])
    tree.remove(at: [1, 0])
    #expect(tree.isBranch(at: 1))
    tree.turnIntoLeaf(at: 1)
    #expect(!tree.isBranch(at: 1))
  }

  @Test func whatIsTakenOutLivesOn() {
    let tree = Self.notes()
    let old = tree.child(at: [0, 1])!
    let taken = tree.remove(at: [0]).node as! ForestNode<String>
    #expect(tree.elements == ["x"] && taken.value == "notes" && taken.child(at: 1) === old)
    old.append("c")
    taken.value = "papers"
    tree.insert(taken, at: 1)
    #expect("\(TreeSnapshot(of: tree))" == "[x, papers[a, old[b, c]]]")
    #expect(tree.child(at: 1) === taken && tree.child(at: [1, 1]) === old)
    let other = ForestNode<String>(value: "other")
    other.append(tree.remove(at: [1]).node as! ForestNode<String>)
    #expect("\(TreeSnapshot(of: other))" == "other[papers[a, old[b, c]]]" && other.child(at: [0, 1]) === old)
    tree.insert(other, at: 0)
    #expect("\(TreeSnapshot(of: tree))" == "[other[papers[a, old[b, c]]], x]")
    tree.arena.storage.value.checkInvariants()
  }

  @Test func movesBetweenParentsAreTransfers() {
    let tree = Self.notes()
    let recorder = ChangeRecorder(of: tree)
    tree.move(from: [0, 1], to: [1])
    #expect("\(TreeSnapshot(of: tree))" == "[notes[a], old[b], x]")
    #expect(recorder.recording.map { "\($0)" } == ["[+1; 0: [-1]] {[0, 1]→[1]}"])
  }

  @Test func anObserverOfABranchReceivesItsChanges() {
    let tree = Self.notes()
    let old = tree.child(at: [0, 1])!
    let recorder = ChangeRecorder(of: old)
    tree.insert("c", at: [0, 1, 1])
    tree.replace(at: [0, 1], with: "older")
    tree.insert("y", at: [0])
    tree.remove(at: [1])
    old.remove(at: 0)
    #expect(recorder.recording.map { "\($0)" } == ["[+1]", "~[]", "[-0]"])
  }

  @Test func everythingIsTakenBack() {
    let tree = Self.notes()
    let former = TreeSnapshot(of: tree)
    let log = UndoLog(of: tree)
    let old = tree.child(at: [0, 1])!
    tree.performUpdates {
      tree.insert("c", at: [1, 0])
      let taken = tree.remove(at: [0]).node as! ForestNode<String>
      taken.append("d")
      old.removeAll()
      taken.turnIntoLeaf(at: 1)
      tree.insert(taken, at: 0)
      tree.removeSubrange(0..<2)
    }
    #expect(tree.isEmpty)
    log.undo()
    #expect(TreeSnapshot(of: tree) == former && tree.child(at: [0, 1]) === old)
    log.redo()
    #expect(tree.isEmpty)
    log.undo()
    #expect(TreeSnapshot(of: tree) == former && tree.child(at: [0, 1]) === old)
    tree.arena.storage.value.checkInvariants()
  }

  @Test func anUndoLogOfABranchNeedsNoObserver() {
    let tree = Self.notes()
    let old = tree.child(at: [0, 1])!
    let log = UndoLog(of: old)
    tree.insert("c", at: [0, 1, 0])
    old.remove(at: 1)
    #expect(old.elements == ["c"] && log.undoCount == 2)
    log.undo()
    log.undo()
    #expect(old.elements == ["b"])
  }

  @Test func aHiddenBranchThatBecomesALeafComesBackAsTheSame() throws {
    let tree = ForestNode(leaves: [2])
    let filter = TreeFilterNode(tree) { $0 % 2 == 0 }
    let shadow = ShadowTree(of: filter, id: { $0 / 10 * 10 + ($0 % 10) / 4 })
    let log = UndoLog(of: tree)
    tree.performUpdates {
      tree.replace(at: 0, with: 3)
      tree.insert(20, at: [0, 0])
    }
    #expect("\(TreeSnapshot(of: filter))" == "[3[20]]")
    log.undo()
    #expect(filter.elements == [2])
    try shadow.check()
  }

  @Test(.smallStack) func depthCostsNoStack() throws {
    let depth = min(20_000, TallTree.depth)
    let tree = try ForestNode(rows: (0..<depth).lazy.map { ($0, $0) })
    var bottom = tree
    for _ in 1..<depth { bottom = bottom.child(at: [0])! }
    let recorder = ChangeRecorder(of: tree)
    bottom.append(-1)
    #expect(recorder.recording.count == 1 && tree.descendantCount == depth + 1)
    #expect(tree.path(of: bottom)?.count == depth - 1)
    let taken = tree.remove(at: [0]).node!
    tree.insert(taken, at: 0)
    #expect(bottom.elements == [depth - 1, -1] && bottom.value == depth - 2)
  }

  /// A move that an edit would refuse is not allowed.
  @Test func aForestAcceptsOnlyForests() throws {
    func isAllowed(_ node: any TreeNode<String>) -> Bool {
      JoinNode<String>([BranchNode<String>([node]), ForestNode(leaves: ["z"])]).allows(.move(to: 1), at: 0)
    }
    #expect(!isAllowed(BranchNode(value: "n", leaves: ["x"])))
    #expect(!isAllowed(ForestNode<String>(leaves: ["x"])) && isAllowed(ForestNode(value: "n", leaves: ["x"])))
    // A branch becomes a root when it leaves its forest.
    let (tree, other) = (Self.notes(), ForestNode(leaves: ["z"]))
    let branch = try #require(tree.child(at: 0))
    #expect(!JoinNode<String>([tree, branch]).allows(.move(to: 2), at: 0))
    let join = JoinNode<String>([tree, other])
    #expect(join.allows(.move(to: 2), at: 0))
    join.move(from: 0, to: 2)
    #expect(other.child(at: 1) === branch && tree.elements == ["x"])
  }

  static let misuses = [
    Misuse("ForestNode: the position 3 of an insertion is out of range 0...2.") { notes().insert("y", at: 3) },
    Misuse("The path [0, 7] is out of range: there are 2 children at [0].") { notes().remove(at: [0, 7]) },
    Misuse("The path [0, 0, 0] leads through [0, 0], which is a leaf.") { notes().replace(at: [0, 0, 0], with: "y") },
    Misuse("ForestNode: it takes roots of forests as children, and not an ArrayNode<String>.") {
      notes().insert(ArrayNode(["y"]), at: 0)
    },
    Misuse("ForestNode: the node that is inserted is a branch of a forest; take it out of that first.") {
      notes().insert(notes().child(at: [0])!, at: 0)
    },
    Misuse("ForestNode: a forest cannot be inserted into itself.") {
      let tree = notes()
      tree.child(at: [0])!.insert(tree, at: 0)
    },
    Misuse("ForestNode: the root that is inserted has no value, and all elements of a forest have values.") {
      notes().insert(ForestNode(), at: 0)
    },
    Misuse("ForestNode: the value of a branch cannot become nil; all elements of a forest have values.") {
      notes().child(at: [0])!.value = nil
    },
    Misuse("ForestNode: its child 0 has 2 children; only a branch without is made a leaf.") {
      notes().turnIntoLeaf(at: 0)
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
