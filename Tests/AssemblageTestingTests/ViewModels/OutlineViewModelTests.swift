import Assemblage
import AssemblageTesting
import Foundation
import Testing

@Suite struct OutlineViewModelTests {
  /// a (b (c), d), e
  private static let tree = TreeSnapshot(
    children: [
      TreeSnapshot(
        value: "a", children: [TreeSnapshot(value: "b", children: [TreeSnapshot(leaf: "c")]), TreeSnapshot(leaf: "d")]),
      TreeSnapshot(leaf: "e"),
    ])

  private static func source(_ tree: TreeSnapshot<String>) -> ViewDataSource<String> {
    ViewDataSource(count: { tree.count(at: $0) ?? 0 }, value: { tree.value(at: $0) })
  }

  @Test(arguments: [
    (ChangeSet.OutlineCall.remove(at: [1, 2], inParent: [0]), OutlineViewError.outOfRange(2, parent: [0], count: 2)),
    (.insert(at: [1, 4], inParent: [0]), .outOfRange(4, parent: [0], count: 4)),
    (.remove(at: [0], inParent: [2]), .noParent([2])),
    (.reload([1, 0]), .noParent([1, 0])),
    (.move(at: 2, inParent: [], to: 0, inNewParent: [0]), .outOfRange(2, parent: [], count: 2)),
    (.move(at: 0, inParent: [0], to: 2, inNewParent: [0]), .outOfRange(2, parent: [0], count: 2)),
    (.move(at: 0, inParent: [], to: 0, inNewParent: [0, 0]), .moveIntoItself([0])),
    (.insert(at: [0], inParent: [0]), .invalidCount([0], shown: 3, after: 2)),
  ])
  func refuses(_ call: ChangeSet.OutlineCall, _ error: OutlineViewError) {
    var view = OutlineViewModel(Self.tree)
    #expect(throws: error) { try view.perform([call], from: Self.source(Self.tree)) }
    #expect(view == OutlineViewModel(Self.tree))
    #expect(!error.description.isEmpty)
  }

  @Test func carriesOutOneCallAfterTheOther() throws {
    // c leaves b, which moves into e. Then e moves to the front, and x is inserted before it.
    let after = TreeSnapshot(
      children: [
        TreeSnapshot(leaf: "x"), TreeSnapshot(value: "e", children: [TreeSnapshot(leaf: "b")]),
        TreeSnapshot(value: "a", leaves: ["d"]),
      ])
    var view = OutlineViewModel(Self.tree)
    try view.perform(
      [
        .remove(at: [0], inParent: [0, 0]), .move(at: 0, inParent: [0], to: 0, inNewParent: [1]),
        .move(at: 1, inParent: [], to: 0, inNewParent: []), .insert(at: [0], inParent: []),
      ], from: Self.source(after))
    #expect(view == OutlineViewModel(after))
    #expect(view.count(at: []) == 3 && view.items[1].children.map(\.value) == ["b"])
  }

  @Test func namesBothParentsOfAMoveBeforeTheCall() throws {
    let after = TreeSnapshot(
      children: [TreeSnapshot(value: "e", children: [Self.tree.children[0]])])
    var view = OutlineViewModel(Self.tree)
    try view.perform([.move(at: 0, inParent: [], to: 0, inNewParent: [1])], from: Self.source(after))
    #expect(view == OutlineViewModel(after))
  }
}
