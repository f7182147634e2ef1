@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct SectionsNodeTests: MisuseSuite {
  @Test func theExamplesHold() {
    let fruit = BranchNode(value: "fruit", leaves: ["apple", "pear"])
    let drinks = BranchNode([BranchNode(value: "hot", leaves: ["tea"]), BranchNode(value: "cold", leaves: ["milk"])])
    let root = BranchNode<String>([fruit, drinks])
    let sections = SectionsNode(root)
    #expect(sections.elements == ["fruit", "hot", "cold"] && sections[[1, 0]] == "tea")
    #expect(sections.child(at: 0) === fruit && sections.root === root && sections.value == nil)
    #expect(sections.path(ofSection: 2) == [1, 1] && sections.section(atPath: [1, 1]) == 2)
    #expect(sections.section(atPath: [1]) == nil && sections.section(atPath: [0, 0]) == nil)
    var reports: [ChangeSet] = []
    let token = sections.observe { reports.append($0) }
    drinks.remove(at: 0)
    fruit.append(.leaf("fig"))
    #expect(reports == [ChangeSet(.removal(1..<2)), ChangeSet(.insertion(2..<3)).wrapped(at: 0)])
    #expect(sections.elements == ["fruit", "cold"])
    token.cancel()
  }

  /// The tree `[S1, P[S2, S3], S4]`.
  private struct Pictured {
    let sections = [10, 20, 30, 40].map { BranchNode(value: $0, leaves: [$0 + 1, $0 + 2]) }
    let provider: BranchNode<Int>
    let root: BranchNode<Int>
    let list: SectionsNode<Int>
    let recorder: ChangeRecorder

    init() {
      provider = BranchNode([sections[1], sections[2]])
      root = BranchNode([sections[0], provider, sections[3]])
      list = SectionsNode(root)
      recorder = ChangeRecorder(of: list)
    }
  }

  @Test func sectionsAtAnyDepthAreFound() throws {
    let tree = Pictured()
    #expect(tree.list.elements == [10, 20, 30, 40])
    try tree.recorder.expecting(["[1→2]"]) { tree.root.move(from: [1, 0], to: [2]) }
    #expect(tree.list.elements == [10, 30, 20, 40])
    try tree.recorder.expecting(["[0→1]"]) { tree.root.move(tree.root.path(of: tree.provider)!, into: [], at: 0) }
    #expect(tree.list.elements == [30, 10, 20, 40])
    try tree.recorder.expecting(["[~1]"]) { tree.sections[0].value = 11 }
    try tree.recorder.expecting([]) { tree.provider.value = 5 }
    let inner = BranchNode<Int>([BranchNode(value: 50, leaves: [51]), BranchNode(value: 60, leaves: [])])
    try tree.recorder.expecting(["[+1..<3]"]) { tree.provider.append(inner) }
    try tree.recorder.expecting(["[-1..<3]"]) { tree.provider.remove(at: 1) }
    #expect(tree.list.elements == [30, 11, 20, 40])
  }

  /// With the path of each level, the search would take n² steps for n levels.
  @Test func aSectionAtTheEndOfAChainIsFound() {
    var node = BranchNode<Int>(value: 0, leaves: [1])
    for _ in 0..<(TestSeed.isSoak ? 100_000 : 4_000) { node = BranchNode<Int>([.node(node)]) }
    let sections = SectionsNode(node)
    #expect(sections.count == 1 && sections[[0, 0]] == 1)
  }

  @Test func rowsMoveFromSectionToSection() throws {
    let tree = Pictured()
    try tree.recorder.expecting(["[; 0: [-0]; 2: [+0]] {[0, 0]→[2, 0]}"]) {
      tree.root.move(from: [0, 0], to: [1, 1, 0])
    }
    try tree.recorder.expecting(["[2→0; 0: [-0]; 1: [+0]] {[2, 0]→[1, 0]}"]) {
      tree.root.performUpdates {
        tree.root.move(from: [1, 1, 0], to: [0, 0])
        tree.root.move(from: [1, 1], to: [0])
      }
    }
  }

  @Test func aNodeBecomesASectionAndCeasesToBeOne() throws {
    let tree = Pictured()
    try tree.recorder.expecting(["[-0, +0..<3] {[0, 0]→[0], [0, 1]→[1]}"]) {
      tree.sections[0].append(BranchNode(value: 9, leaves: [8]))
    }
    #expect(tree.list.elements == [11, 12, 9, 20, 30, 40])
    try tree.recorder.expecting(["[-0..<3, +0] {[0]→[0, 0], [1]→[0, 1]}"]) { tree.sections[0].remove(at: 2) }
    try tree.recorder.expecting(["[-1..<3, +1]"]) {
      tree.root.performUpdates { for _ in 0..<2 { tree.provider.remove(at: 0) } }
    }
    #expect(tree.list.elements == [10, 40] && tree.list.count == 3)
    try tree.recorder.expecting(["[-1]"]) {
      tree.root.performUpdates {
        tree.provider.rule = .nodes("sections")
        tree.root.replace(at: 1, with: .node(tree.provider))
      }
    }
  }

  @Test func anEmptyBranchGetsAnotherRule() throws {
    struct Stop: Error {}
    let branch = BranchNode<String>(value: "a")
    let list = SectionsNode(BranchNode<String>([branch]))
    let recorder = ChangeRecorder(of: list)
    try recorder.expecting(["[-0]"]) { branch.rule = .nodes("sections") }
    #expect(list.isEmpty)
    try recorder.expecting(["[+0]"]) { branch.rule = nil }
    try recorder.expecting([]) { branch.rule = .leaves() }
    try recorder.expecting([]) {
      #expect(throws: Stop.self) {
        try branch.performUpdates {
          branch.rule = .nodes()
          throw Stop()
        }
      }
    }
    #expect(list.elements == ["a"] && branch.allows(.insert, at: 0))
  }

  /// A branch gets children and another rule, and is empty again at the end of the transaction.
  @Test(arguments: [false, true]) func aBranchThatIsEmptyAgainGetsAnotherRule(_ throwsAnError: Bool) throws {
    struct Stop: Error {}
    let branch = BranchNode<String>(value: "a")
    let root = BranchNode<String>([branch])
    let list = SectionsNode(root)
    let shadow = ShadowTree(of: list, id: { $0 })
    try? root.performUpdates {
      branch.append(BranchNode(value: "b", leaves: ["c"]))
      branch.rule = .nodes("sections")
      if throwsAnError { throw Stop() }
      branch.remove(at: 0)
    }
    try shadow.check()
    #expect(list.elements == (throwsAnError ? ["a"] : []) && branch.allows(.insert, at: 0) == throwsAnError)
  }

  @Test func headersAreThoseOfTheSections() {
    let section = BranchNode(leaves: ["a"])
    (section.header, section.footer) = ("A", "B")
    let list = SectionsNode(BranchNode<String>([BranchNode([section])]))
    #expect(list.header(at: [0]) == "A" && list.footer(at: [0]) == "B" && list.path(of: section) == [0])
    #expect(list.path(of: [0], in: section) == [0, 0])
  }

  @Test func writingGoesToTheParents() {
    let tree = Pictured()
    tree.list.insert(BranchNode(value: 35), at: 3)
    #expect(tree.provider.elements == [20, 30, 35])
    tree.list.insert(BranchNode(value: 5), at: 0)
    tree.list.move(from: 2, to: 1)
    #expect(tree.list.elements == [5, 20, 10, 30, 35, 40] && tree.provider.elements == [30, 35])
    tree.list.remove(at: [5])
    tree.list.insert(7, at: [1, 0])
    #expect(tree.root.count == 4 && tree.sections[1].elements == [7, 21, 22])
    let empty = SectionsNode(BranchNode<Int>())
    empty.insert(BranchNode(value: 1), at: 0)
    #expect(empty.elements == [1] && empty.root.count == 1)
  }

  // MARK: Scripts

  private func model(_ tree: NaiveTree<Row>) -> [NaiveTree<Row>] {
    tree.children.flatMap { $0.children.allSatisfy(\.isLeaf) ? [$0] : model($0) }
  }

  private enum Operation: String, CaseIterable {
    case move, insertLeaf, insertTree, remove, value, several, refused, undo
  }

  @Test func scriptsAgreeWithAModel() throws {
    struct Refusal: Error {}
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(40) {
      let edits = TreeEdits("sections/script", iteration: iteration)
      func tree(_ height: Int) -> TreeChild<Row> {
        if height == 0 || edits.random(0...3) == 0 { return .leaf(edits.row()) }
        let leaves = edits.random(0...1) == 0
        return .node(
          BranchNode(value: edits.row(), (0..<edits.random(0...3)).map { _ in tree(leaves ? 0 : height - 1) }))
      }
      let root = BranchNode<Row>([tree(3), tree(3), tree(2), tree(2)])
      let list = SectionsNode(root)
      let flat = FlattenNode(list)
      let views: [any TreeNode<Row>] = [
        list, flat, FilterNode(list) { $0.id % 3 != 0 }, JoinNode([list, ArrayNode()]),
      ]
      let demands: Minimality = [.survivors, .fewestMoves, .acrossParents]
      let shadows = views.map { ShadowTree(of: $0, id: \.id, minimality: demands) }
      let checker = NodeChecker<Row>(id: \.id)
      let log = UndoLog(of: root)
      func edit(_ operation: Operation) -> Bool {
        switch operation {
        case .several: root.performUpdates { for _ in 0..<edits.random(2...4) { _ = edit(simple()) } }
        case .refused:
          try? root.performUpdates {
            for _ in 0..<edits.random(1...3) {
              _ = edit(simple())
              if edits.random(0...1) == 0 { _ = list.count }
            }
            throw Refusal()
          }
        case .undo: guard edits.random(0...1) == 0 ? log.undo() : log.redo() else { return false }
        default:
          let isMade = edits.make(TreeEdits.Edit(rawValue: operation.rawValue)!, in: root) { tree(2).node }
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
        let isPlain = operation != .several && operation != .refused && operation != .undo
        for shadow in shadows { shadow.minimality = isPlain ? demands : [.fewestMoves] }
        guard edit(operation) else { continue }
        let expected = model(NaiveTree(of: root))
        let comment: Comment = "script \(iteration), step \(step), \(operation)"
        try #require(NaiveTree(of: list).children == expected, comment)
        #expect(list.elements == expected.map(\.value), comment)
        for position in 0..<list.count {
          let path = list.path(ofSection: position)
          #expect(list.section(atPath: path) == position && list.child(at: position) === root.child(at: path))
        }
        try checker.check(list)
        for shadow in shadows { try shadow.check() }
      }
    }
    try tally.check()
  }

  // MARK: Misuse

  static let misuses = [
    Misuse("SectionsNode: the position 1 is out of range 0..<1.") {
      _ = SectionsNode(ArrayNode([1])).path(ofSection: 1)
    },
    Misuse("SectionsNode: the range 0..<2 is out of range 0..<1.") {
      SectionsNode(ArrayNode([1])).forEachSpan(in: 0..<2) { _, _ in }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }
}
