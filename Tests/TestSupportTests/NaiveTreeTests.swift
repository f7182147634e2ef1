import Foundation
import TestSupport
import Testing

@Suite struct NaiveTreeTests {
  /// `·(a(b c) d)`
  let tree = NaiveTree<String>(
    value: nil,
    children: [
      NaiveTree(value: "a", children: [NaiveTree(value: "b"), NaiveTree(value: "c")]),
      NaiveTree(value: "d"),
    ])

  @Test func isReadByPath() {
    #expect(tree.description == "·(a(b c) d)")
    #expect(tree[[]].value == nil)
    #expect(tree[[0, 1]].value == "c")
    #expect(tree.subtree(at: [1])?.value == "d")
    #expect(tree.subtree(at: [1, 0]) == nil)
    #expect(tree.paths == [[], [0], [0, 0], [0, 1], [1]])
    #expect(tree.nodeCount == 5 && tree.height == 2)
    #expect(NaiveTree(leaves: 1...2).description == "·(1 2)")
  }

  @Test func isEditedByPath() {
    var edited = tree
    edited.insert(NaiveTree(value: "x"), at: [0, 2])
    #expect(edited.description == "·(a(b c x) d)")
    #expect(edited.remove(at: [0, 0]).value == "b")
    #expect(edited.description == "·(a(c x) d)")
    edited.move(from: [0], to: [0, 0])
    #expect(edited.description == "·(d(a(c x)))")
    edited[[0, 0]].value = "y"
    #expect(edited.description == "·(d(y(c x)))")
  }

  @Test func everyEditIsLegalAndDifferent() {
    for forest in Exhaustive.forests(upTo: 4) {
      let edits = forest.everyEdit(leaf: -1)
      for edit in edits {
        var edited = forest
        edit.apply(to: &edited)
        let grown: Int
        switch edit {
        case .insert: grown = 1
        case .remove(let path): grown = -forest[path].nodeCount
        case .update, .move: grown = 0
        }
        #expect(edited.nodeCount == forest.nodeCount + grown)
      }
      for (index, edit) in edits.enumerated() {
        #expect(!edits[..<index].contains(edit))
      }
    }
  }
}
