import Assemblage
import AssemblageTesting
import Foundation
import Testing

/// The code about stages of Docs/ShowingANode.md, and examples of the doc comments.
@Suite struct ShowingANodeStagesGuideTests {
  @Test func aRowMovesIntoASectionThatComes() {
    var printed: [String] = []
    func print(_ batch: ChangeSet.Batch) { printed.append(batch.description) }
    let change = ChangeSet(
      delta: .insertion(1..<2), children: [(0, ChangeSet(.removal(3..<4)))],
      transfers: [.init(from: [0, 3], to: [1, 2])])
    for case .batch(let batch) in change.stages() { print(batch) }
    #expect(printed == ["inserts [1]", "moves [0, 3]→[1, 2]"])
  }

  @Test func aSectionMovesAndARowInItChanges() {
    let change = ChangeSet(delta: .move(2..<3, to: 0), children: [(0, ChangeSet(.update(4..<5)))])
    let stages = change.stages().map { if case .batch(let batch) = $0 { batch.description } else { "reload" } }
    #expect(stages == ["moves [2]→[0]", "reloads [0, 4]"])
  }

  @Test func aTableFollows() {
    let tree = BranchNode([ArrayNode(["a", "b"]), ArrayNode(["c"])])
    var table = ListViewModel(tree.snapshot())
    let token = tree.observe { change in
      let after = tree.snapshot()
      for case .batch(let batch) in change.stages(countBefore: { table.count(at: $0) }) {
        try! table.perform(batch, from: ViewDataSource(after, after: batch))
      }
    }
    tree.performUpdates {
      tree.insert(.node(ArrayNode(["d"])), at: 0)
      tree.move(from: [1, 1], to: [0, 0])
    }
    #expect(table.sections.map(\.rows) == [["b", "d"], ["a"], ["c"]])
    withExtendedLifetime(token) {}
  }

  @Test func anOutlineFollows() {
    let tree = BranchNode([ArrayNode(["a", "b"]), ArrayNode(["c"])])
    var outline = OutlineViewModel(tree.snapshot())
    let token = tree.observe { change in
      let after = tree.snapshot()
      for case .batch(let batch) in change.stages(for: .outline, countBefore: { outline.count(at: $0) }) {
        try! outline.perform(batch, from: ViewDataSource(after, after: batch))
      }
    }
    tree.performUpdates {
      tree.insert(.node(ArrayNode(["d"])), at: 0)
      tree.move(from: [1, 1], to: [0, 0])
    }
    #expect(outline.items.map { $0.children.map(\.value) } == [["b", "d"], ["a"], ["c"]])
    withExtendedLifetime(token) {}
  }
}
