import Assemblage
import AssemblageTesting
import Foundation
import Testing

/// The examples of Docs/ListViews.md and of the doc comments, but for those that need an Apple platform.
@Suite struct ListViewsGuideTests {
  private func printed(_ change: ChangeSet) -> [String] {
    change.stages().map { if case .batch(let batch) = $0 { batch.description } else { "reload" } }
  }

  @Test func aRowMovesIntoASectionThatComes() {
    let change = ChangeSet(
      delta: .insertion(1..<2), children: [(0, ChangeSet(.removal(3..<4)))],
      transfers: [.init(from: [0, 3], to: [1, 2])])
    #expect(printed(change) == ["inserts [1]", "moves [0, 3]→[1, 2]"])
  }

  @Test func aSectionMovesAndARowInItChanges() {
    let change = ChangeSet(delta: .move(2..<3, to: 0), children: [(0, ChangeSet(.update(4..<5)))])
    #expect(printed(change) == ["moves [2]→[0]", "reloads [0, 4]"])
  }

  @Test func models() {
    let tree = BranchNode([ArrayNode(["a", "b"]), ArrayNode(["c"])])
    var table = ListViewModel(TreeSnapshot(of: tree))
    var outline = OutlineViewModel(TreeSnapshot(of: tree))
    let token = tree.observe { change in
      let after = TreeSnapshot(of: tree)
      for case .batch(let batch) in change.stages(countBefore: { table.count(at: $0) }) {
        try! table.perform(batch, from: ViewDataSource(after, after: batch))
      }
      for case .batch(let batch) in change.stages(for: .outline, countBefore: { outline.count(at: $0) }) {
        try! outline.perform(batch, from: ViewDataSource(after, after: batch))
      }
    }
    tree.performUpdates {
      tree.insert(.node(ArrayNode(["d"])), at: 0)
      tree.move(from: [1, 1], to: [0, 0])
    }
    #expect(table.sections.map(\.rows) == [["b", "d"], ["a"], ["c"]])
    #expect(outline.items.map { $0.children.map(\.value) } == [["b", "d"], ["a"], ["c"]])
    withExtendedLifetime(token) {}
  }
}
