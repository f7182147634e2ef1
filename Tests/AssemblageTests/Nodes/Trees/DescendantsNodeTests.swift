@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// A list of descendants reports moves within its own tree. A child that arrives from another tree is new.
@Test func aBranchThatComesFromAnotherListIsInserted() throws {
  let folder = BranchNode(value: 1, [.leaf(2), .node(BranchNode(value: 3, leaves: [4]))])
  let sources = [BranchNode<Int>([folder]), BranchNode(leaves: [5])]
  let join = JoinNode(sources.map { DescendantsNode($0) })
  let recorder = ChangeRecorder(of: join)
  try recorder.expecting(["[-0..<4, +1..<5]"]) { JoinNode(sources).move(from: 0, to: 1) }
  #expect(join.elements == [5, 1, 2, 3, 4])
}

/// A row leaves a section that a window hides by then, and moves to a section that the window shows now.
@Test(arguments: [[1, 0], [1, 0, 0]] as [IndexPath])
func aRowSurvivesThatGoesOnFromWhereItIsHidden(path: IndexPath) throws {
  let nested = BranchNode(value: 3, [.leaf(4), .node(BranchNode(value: 5, leaves: [6]))])
  let (first, second) = (BranchNode<Int>([.node(nested), .leaf(2)]), BranchNode<Int>())
  let sections = BranchNode<Int>([.node(first)])
  let members = JoinNode([sections, BranchNode<Int>([second])])
  let rows = [DescendantsNode<Int>.Scope.all, .leaves].map {
    DescendantsNode(SliceNode(JoinNode([sections]), 0..<1), $0)
  }
  let shadows = rows.map { ShadowTree(of: $0, id: { $0 }, minimality: [.survivors, .acrossParents]) }
  sections.performUpdates {
    members.move(from: 1, to: 0)
    sections.move(path, into: [0], at: 0)
  }
  for shadow in shadows { try shadow.check() }
  #expect(rows[1].elements == (path.count == 2 ? [4, 6] : [4]))
}

@Suite struct DescendantsNodeTests: MisuseSuite {
  @Test func theExamplesHold() {
    let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
    let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes), .node(BranchNode(value: "empty"))])
    let all = DescendantsNode(home)
    #expect(all.elements == ["x.txt", "notes", "a.md", "b.md", "empty"] && all.value == "home")
    let files = DescendantsNode(home, .leaves)
    #expect(files.elements == ["x.txt", "a.md", "b.md"] && files.descendants == .leaves && files.root === home)
    #expect(files.path(ofRow: 2) == [1, 1] && files.row(ofPath: [1, 1]) == 2 && files.row(ofPath: [1]) == nil)
    #expect(all.row(ofPath: [1]) == 1 && all.row(ofPath: []) == nil && all.row(ofPath: [5]) == nil)
    var received: [ChangeSet] = []
    let token = files.observe { received.append($0) }
    notes.append(.leaf("c.md"))
    #expect(received == [ChangeSet(.insertion(3..<4))])
    home.move(from: 1, to: 0)
    #expect(received.last == ChangeSet(.move(0..<1, to: 3)) && files.elements == ["a.md", "b.md", "c.md", "x.txt"])
    token.cancel()
  }

  @Test func severalLevelsAreTakenAway() {
    let pages = BranchNode([BranchNode(leaves: [1, 2]), BranchNode(leaves: [3])])
    let library = BranchNode([.node(pages), .leaf(4), .node(BranchNode(leaves: [5]))])
    let flat = FlattenNode(library, levels: 2)
    #expect(flat.elements == [1, 2, 3, 4, 5] && flat.source.count == 4 && flat.locate(2) == (member: 1, position: 0))
    #expect(FlattenNode(library, levels: 1).count == 4 && FlattenNode(library, levels: 9).elements == flat.elements)
    #expect(flat.elements == DescendantsNode(library, .leaves).elements)
  }

  @Test func sectionsWithoutAValueAreNoElements() {
    let section = BranchNode(leaves: [1, 2])
    let list = DescendantsNode(BranchNode([.node(section), .leaf(3)]))
    var received: [ChangeSet] = []
    let token = list.observe { received.append($0) }
    #expect(list.elements == [1, 2, 3])
    section.value = 9
    section.value = 8
    section.value = nil
    #expect(received == [ChangeSet(.insertion(0..<1)), ChangeSet(.update(0..<1)), ChangeSet(.removal(0..<1))])
    token.cancel()
  }

  // MARK: Scripts

  /// Returns the rows that a list should show of a tree.
  private func rows(of tree: NaiveTree<Row>, _ descendants: DescendantsNode<Row>.Scope) -> [Row] {
    tree.children.flatMap { child in
      (child.isLeaf || (descendants == .all && child.value != nil) ? [child.value!] : []) + rows(of: child, descendants)
    }
  }

  /// Returns the rows that a flat list should show of a tree.
  private func flattened(_ children: [NaiveTree<Row>], levels: Int) -> [NaiveTree<Row>] {
    levels == 0 ? children : flattened(children.flatMap { $0.isLeaf ? [$0] : $0.children }, levels: levels - 1)
  }

  private enum Operation: String, CaseIterable {
    case move, insertLeaf, insertTree, remove, value, several, refused, undo
  }

  /// Every kind of edit of a tree, followed by lists of all its elements, of its leaves and of its rows at a depth.
  @Test func scriptsAgreeWithAModel() throws {
    struct Refusal: Error {}
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(6) {
      let edits = TreeEdits("descendants/script", iteration: iteration)
      func tree(_ height: Int) -> TreeChild<Row> {
        if height == 0 || edits.random(0...2) == 0 { return .leaf(edits.row()) }
        return .node(
          BranchNode(
            value: edits.random(0...3) == 0 ? nil : edits.row(), (0..<edits.random(0...3)).map { _ in tree(height - 1) }
          ))
      }
      let join = JoinNode<Row>((0..<2).map { _ in BranchNode((0..<2).map { _ in tree(3) }) })
      let lists = [DescendantsNode(join), DescendantsNode(join, .leaves)]
      let flat = [FlattenNode(join, levels: 2), FlattenNode(join, levels: 3)]
      let views: [any TreeNode<Row>] = lists + flat + lists.map { list in FilterNode(list) { $0.id % 3 != 0 } }
      let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]
      let shadows = views.map { ShadowTree(of: $0, id: \.id, minimality: demands) }
      let checker = NodeChecker<Row>(id: \.id)
      let log = UndoLog(of: join)
      func edit(_ operation: Operation) -> Bool {
        switch operation {
        case .value:
          // Values of branches come and go.
          let branches = TreeSnapshot(of: join).paths.compactMap { join.child(at: $0) as? BranchNode<Row> }
          guard let branch = branches.randomElement(using: &edits.generator) else { return false }
          branch.value =
            branch.value.map { edits.random(0...2) == 0 ? nil : Row(id: $0.id, version: edits.random(0...9)) }
            ?? edits.row()
        case .several: join.performUpdates { for _ in 0..<edits.random(2...4) { _ = edit(simple()) } }
        case .refused:
          try? join.performUpdates {
            for _ in 0..<edits.random(1...3) { _ = edit(simple()) }
            throw Refusal()
          }
        case .undo: guard edits.random(0...1) == 0 ? log.undo() : log.redo() else { return false }
        default:
          let isMade = edits.make(TreeEdits.Edit(rawValue: operation.rawValue)!, in: join) { tree(2).node }
          guard isMade else { return false }
        }
        tally.count(operation)
        return true
      }
      func simple() -> Operation {
        [.move, .move, .insertLeaf, .insertTree, .remove, .value].randomElement(using: &edits.generator)!
      }
      for step in 0..<TestSeed.length(40) {
        let operation = tally.random(using: &edits.generator)
        // A child that is removed and inserted again, by an inverse or with another id, is no survivor.
        let isPlain = operation == .move || operation == .insertLeaf || operation == .insertTree
        for shadow in shadows { shadow.minimality = isPlain ? demands : [.fewestMoves] }
        guard edit(operation) else { continue }
        let contents = NaiveTree(of: join)
        for list in lists {
          #expect(
            list.elements == rows(of: contents, list.descendants), "script \(iteration), step \(step), \(operation)")
          for row in 0..<list.count { #expect(list.row(ofPath: list.path(ofRow: row)) == row) }
          try checker.check(list)
        }
        for (list, levels) in zip(flat, 2...) {
          #expect(NaiveTree(of: list).children == flattened(contents.children, levels: levels))
        }
        for shadow in shadows { try shadow.check() }
      }
    }
    try tally.check()
  }

  /// Nodes move from any depth to any other in one transaction, and back. Survivors are not reported as removed.
  @Test func movesAreReportedAsMoves() throws {
    for iteration in 0..<TestSeed.iterations(75) {
      var generator = TestSeed.generator("descendants/moves", iteration: iteration)
      var lastID = 0
      func tree(_ height: Int) -> TreeChild<Row> {
        lastID += 1
        let row = Row(id: lastID)
        if height == 0 || generator.chance(1, in: 4) { return .leaf(row) }
        return .node(
          BranchNode(value: row, (0..<Int.random(in: 0...3, using: &generator)).map { _ in tree(height - 1) }))
      }
      // Edits read the sources only, so that each transaction is one settlement.
      let all = BranchNode<Row>((0..<2).map { _ in BranchNode((0..<2).map { _ in tree(3) }) })
      let join = JoinNode<Row>((0..<2).map { all.child(at: $0)! })
      let lists = [DescendantsNode(join), DescendantsNode(join, .leaves)]
      let views: [any TreeNode<Row>] =
        lists + lists.map { list in SliceNode(list, 1..<5) } + [
          FlattenNode(join, levels: 2), FlattenNode(join, levels: 3),
        ]
      let shadows = views.map {
        ShadowTree(of: $0, id: \.id, minimality: [.survivors, .fewestMoves, .acrossParents])
      }
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

  // MARK: Leaves that become nodes

  /// A node that reports an update of its last child when the child becomes a node or a leaf.
  private final class Switch: TreeNode {
    private let author = NodeAuthor()
    var port: NodePort { author.port }
    var node: ArrayNode<Int>?
    var count: Int { 2 }
    init() { author.attach(to: self) }
    func element(at position: Int) -> Int? { position < 2 ? position + 1 : nil }
    func child(at position: Int) -> (any TreeNode<Int>)? { position == 1 ? node : nil }
    func set(_ node: ArrayNode<Int>?) {
      author.prepareForChange()
      self.node = node
      author.publish(ChangeSet(.update(1..<2)))
    }
  }

  @Test func aLeafMayBecomeANode() throws {
    let source = Switch()
    let (all, leaves) = (DescendantsNode(source), DescendantsNode(source, .leaves))
    var received: [ChangeSet] = []
    let tokens = [all.observe { received.append($0) }, leaves.observe { received.append($0) }]
    source.set(ArrayNode([3, 4]))
    #expect(all.elements == [1, 2, 3, 4] && leaves.elements == [1, 3, 4])
    #expect(
      received.map(\.delta) == [
        Delta(insertions: [2..<4], updates: [1..<2]), Delta(removals: [1..<2], insertions: [1..<3]),
      ])
    received = []
    source.performUpdates {
      source.set(nil)
      #expect(all.elements == [1, 2] && leaves.elements == [1, 2])
      source.set(ArrayNode([5]))
      source.set(nil)
    }
    #expect(
      received.map(\.delta) == [
        Delta(removals: [2..<4], updates: [1..<2]), Delta(removals: [1..<3], insertions: [1..<2]),
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test func nodesAreFoundInTheirRows() {
    let inner = BranchNode(value: 2, leaves: [3])
    let root = BranchNode<Int>([.leaf(1), .node(inner)])
    let (all, leaves) = (DescendantsNode(root), DescendantsNode(root, .leaves))
    #expect(all.path(of: inner) == [1] && all.path(of: [0], in: inner) == [2])
    #expect(leaves.path(of: inner) == nil && leaves.path(of: [0], in: inner) == [1])
  }

  // MARK: Writing

  @Test func writingGoesToTheParents() {
    let inner = BranchNode(value: 10, leaves: [11, 12])
    let root = BranchNode<Int>([.leaf(1), .node(inner), .leaf(2)])
    let (all, leaves) = (DescendantsNode(root), DescendantsNode(root, .leaves))
    leaves.insert(13, at: 3)
    #expect(inner.elements == [11, 12, 13], "behind a leaf stands a leaf")
    all.insert(14, at: 2)
    all.insert(0, at: 0)
    #expect(
      inner.elements == [14, 11, 12, 13] && root.elements == [0, 1, 10, 2], "behind a branch stands its first child")
    leaves.replace(at: 2, with: 15)
    leaves.remove(at: [3])
    #expect(inner.elements == [15, 12, 13])
    var received: [ChangeSet] = []
    let token = leaves.observe { received.append($0) }
    leaves.move(from: 0, to: 3)
    #expect(inner.elements == [15, 12, 0, 13] && received == [ChangeSet(.move(0..<1, to: 3))])
    all.move(from: 1, to: 6)
    #expect(all.elements == [1, 2] + [10, 15, 12, 0, 13] && leaves.elements == [1, 2, 15, 12, 0, 13])
    #expect(received.count == 2 && received[1].delta.removals.isEmpty)
    token.cancel()
  }

  // MARK: Misuse

  static let misuses = [
    Misuse("DescendantsNode: the position 1 is out of range 0..<1.") {
      _ = DescendantsNode(ArrayNode([1])).path(ofRow: 1)
    },
    Misuse("DescendantsNode: the position 2 of an insertion is out of range 0...1.") {
      DescendantsNode(ArrayNode([1])).insert(2, at: 2)
    },
    Misuse("DescendantsNode: the range 0..<2 is out of range 0..<1.") {
      DescendantsNode(ArrayNode([1])).forEachSpan(in: 0..<2) { _, _ in }
    },
    Misuse("DescendantsNode: its member 0 is a ProviderNode<Int>, which cannot be written.") {
      DescendantsNode(ProviderNode(count: 1) { $0 }).remove(at: 0)
    },
    Misuse("A cycle:") {
      let branch = BranchNode<Int>()
      branch.append(DescendantsNode(branch))
    },
    Misuse("FlattenNode: it takes at least 1 level away, not 0.") { _ = FlattenNode(ArrayNode([1]), levels: 0) },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
