@_spi(NodeAuthors) import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// The changes of an outline's rows as a widget draws them.
@Suite struct OutlineDrawingTests {
  @Test func theExampleHolds() {
    let notes = BranchNode<String>(value: "notes", leaves: [])
    let outline = OutlineNode(BranchNode([.leaf("x.txt"), .node(notes)]), id: { $0 })
    var (drawn, plain): ([ChangeSet], [ChangeSet]) = ([], [])
    let tokens = [outline.observeDrawing { drawn.append($0) }, outline.observe { plain.append($0) }]
    notes.append(.leaf("a.md"))
    #expect(drawn == [ChangeSet(.update(1..<2))] && plain.isEmpty)
    outline.expand(row: 1)
    #expect(drawn.last == ChangeSet(Delta(insertions: [2..<3], updates: [1..<2])))
    #expect(plain == [ChangeSet(.insertion(2..<3))])
    outline.root.insert("last", at: [2])
    #expect(
      drawn.last == ChangeSet(Delta(insertions: [3..<4], updates: [1..<2])), "notes is no longer the last sibling")
    tokens[0].cancel()
    outline.collapse(row: 1)
    #expect(drawn.count == 3 && plain.count == 3)
  }

  /// The rows stay in their order, and one of them leaves its folder.
  @Test func aRowThatOnlyChangesItsDepthIsDrawnAgain() {
    let folder = BranchNode(value: 1, leaves: [2, 3])
    let outline = OutlineNode(BranchNode<Int>([folder]), expansion: ExpansionState(policy: .expanded), id: { $0 })
    var drawn: [ChangeSet] = []
    let token = outline.observeDrawing { drawn.append($0) }
    outline.root.move([0, 1], into: [], at: 1)
    #expect(outline.elements == [1, 2, 3] && outline.row(at: 2).depth == 0)
    #expect(drawn == [ChangeSet(.update(0..<3))])
    token.cancel()
  }

  /// The observer has a change to receive when the outline is released.
  @Test(arguments: [false, true]) func anOutlineIsReleasedBeforeItsObserverIsCalled(inTransaction: Bool) {
    let tree = BranchNode(value: "r", leaves: ["a"])
    var outline: OutlineNode<String, String>?
    var calls = 0
    let token = tree.observe { _ in outline = nil }
    outline = OutlineNode(tree, id: { $0 })
    let catchUp = outline!.observeDrawingWhileAlive { _ in calls += 1 }
    weak let released = outline
    if inTransaction {
      tree.performUpdates {
        tree.append(.leaf("b"))
        // The outline is brought up to date, and notes the change for its observer.
        let count = outline?.count
        #expect(count == 2)
        outline = nil
      }
    } else {
      tree.append(.leaf("b"))
    }
    catchUp()
    #expect(released == nil && calls == 0)
    token.cancel()
  }

  @Test func aTokenIsReleasedBeforeItsObserverIsCalled() {
    let tree = BranchNode(value: "r", leaves: ["a"])
    var drawing: NodeObservation?
    var calls = 0
    let token = tree.observe { _ in drawing = nil }
    drawing = OutlineNode(tree, id: { $0 }).observeDrawing { _ in calls += 1 }
    tree.append(.leaf("b"))
    #expect(drawing == nil && calls == 0)
    token.cancel()
  }

  private enum Operation: String, CaseIterable {
    case move, insertLeaf, insertTree, remove, value, toggle, toggleByPath, reveal, policy, several, refused
  }

  private enum Kind: CaseIterable { case objects, forest, filter }

  /// Each row that looks different is reported. A row that looks the same is reported only after a move, a value, or
  /// several edits.
  @Test(arguments: Kind.allCases) private func scriptsAgreeWithTheRows(_ kind: Kind) throws {
    struct Refusal: Error {}
    var tally = OperationTally<Operation>()
    for iteration in 0..<TestSeed.iterations(30) {
      let edits = TreeEdits("outline-drawing/\(kind)", iteration: iteration)
      func tree(_ height: Int) -> TreeChild<Row> {
        if height == 0 || edits.random(0...2) == 0 { return .leaf(edits.row()) }
        return .node(BranchNode(value: edits.row(), (0..<edits.random(0...3)).map { _ in tree(height - 1) }))
      }
      let start = BranchNode<Row>([tree(3), tree(3), tree(2)])
      let root: any TreeNode<Row> = kind == .objects ? start : try ForestNode(start.snapshot())
      let shown: any TreeNode<Row> = kind == .filter ? TreeFilterNode(root) { $0.id % 4 != 0 } : root
      let outline = OutlineNode(shown, id: \.id)
      var drawn = ChangeSet()
      let token = outline.observeDrawing { drawn = drawn.composed(with: $0) }
      let shadow = ShadowTree(of: outline, id: \.id)
      shadow.minimality = []
      func edit(_ operation: Operation) -> Bool {
        switch operation {
        case .toggle:
          guard outline.count > 0 else { return false }
          outline.toggle(row: edits.random(0...outline.count - 1))
        case .toggleByPath, .reveal:
          let paths = TreeSnapshot(of: shown).paths.filter { !$0.isEmpty }
          guard let path = paths.randomElement(using: &edits.generator) else { return false }
          if operation == .reveal {
            outline.reveal(path)
          } else {
            outline.setExpanded(edits.random(0...1) == 0, at: path)
          }
        case .policy: outline.expand(toDepth: edits.random(0...3))
        case .several: outline.performUpdates { for _ in 0..<edits.random(2...4) { _ = edit(simple()) } }
        case .refused:
          try? outline.performUpdates {
            for _ in 0..<edits.random(1...3) {
              _ = edit(simple())
              if edits.random(0...1) == 0 { _ = outline.count }
            }
            throw Refusal()
          }
        default:
          let isMade = edits.make(TreeEdits.Edit(rawValue: operation.rawValue)!, in: root) {
            let node = tree(2).node
            return kind == .objects ? node : node.map { try! ForestNode($0.snapshot()) }
          }
          guard isMade else { return false }
        }
        tally.count(operation)
        return true
      }
      func simple() -> Operation {
        [.move, .insertLeaf, .insertTree, .remove, .value, .toggle, .toggleByPath, .policy].randomElement(
          using: &edits.generator)!
      }
      for step in 0..<TestSeed.length(60) {
        let operation = tally.random(using: &edits.generator)
        let former = outline.rows(in: 0..<outline.count)
        drawn = ChangeSet()
        guard edit(operation) else { continue }
        let rows = outline.rows(in: 0..<outline.count)
        let comment: Comment = "script \(iteration), step \(step), \(operation): \(drawn)"
        try #require(rows.count - former.count == drawn.delta.countChange, comment)
        for (position, row) in rows.enumerated() {
          guard let before = drawn.delta.position(before: position) else { continue }
          let isReported = drawn.delta.updates.contains { $0.contains(position) }
          if row != former[before] {
            try #require(isReported, "row \(position), \(comment)")
          } else if ![.move, .value, .several, .refused].contains(operation) {
            try #require(!isReported, "row \(position) looks the same, \(comment)")
          }
        }
        try shadow.check()
      }
      token.cancel()
    }
    try tally.check()
  }
}
