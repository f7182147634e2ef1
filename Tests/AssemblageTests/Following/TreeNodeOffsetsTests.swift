import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Edits at offsets, where one edit changes other positions.
@MainActor @Suite struct TreeNodeOffsetsTests {
  private struct Item: Identifiable, Equatable {
    var id: Int
    var group: Int
  }

  // MARK: Removing

  @Test func aRowThatIsShownTwiceIsRemovedOnce() {
    let items = ArrayNode([Item(id: 1, group: 0), Item(id: 2, group: 1), Item(id: 3, group: 0)])
    let rows = items.joining(items.filtering { $0.group == 0 })
    // Both rows show the item 1.
    rows.remove(atOffsets: [0, 3])
    #expect(items.map(\.id) == [2, 3])
    let letters: ArrayNode = ["x", "y"]
    JoinNode([letters, letters]).remove(atOffsets: [0, 2])
    #expect(letters.elements == ["y"])
  }

  @Test func childrenOfARemovedRootStay() {
    let items = ArrayNode([
      Item(id: 1, group: 0), Item(id: 2, group: 4), Item(id: 3, group: 0), Item(id: 4, group: 0),
    ])
    let nest = NestNode(items, parent: { $0.group == 0 ? nil : $0.group })
    nest.remove(atOffsets: [1, 2])
    #expect(items.map(\.id) == [1, 2])
  }

  @Test func doublesThatAppearStay() {
    let words: ArrayNode = ["b", "a", "c", "A"]
    let sorted = SortNode(words.uniquing { $0.lowercased() }, by: <)
    sorted.remove(atOffsets: [0, 1, 2])
    #expect(words.elements == ["A"])
  }

  @Test func removalsInATransactionAreOneChange() {
    let letters: ArrayNode = ["a", "b", "c", "d"]
    let shown = letters.filtering { $0 != "b" }
    var deltas: [Delta] = []
    let token = shown.observe { deltas.append($0.delta) }
    shown.performUpdates {
      letters.insert("e", at: 0)
      // e, a, c, d
      shown.remove(atOffsets: [0, 3])
    }
    #expect(letters.elements == ["a", "b", "c"])
    #expect(deltas == [.removal(2..<3)])
    token.cancel()
  }

  /// An array is edited directly, and a branch by anchors: both change in the same way.
  @Test func anArrayIsEditedLikeABranch() {
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("array-offsets", iteration: iteration)
      let count = Int.random(in: 0...30, using: &generator)
      let (array, branch) = (ArrayNode(Array(0..<count)), BranchNode(leaves: 0..<count))
      var (arrayChanges, branchChanges): ([Delta], [Delta]) = ([], [])
      let token = array.observe { arrayChanges.append($0.delta) }
      let branchToken = branch.observe { branchChanges.append($0.delta) }
      for _ in 0..<4 {
        let density = Int.random(in: 1...4, using: &generator)
        let offsets = IndexSet((0..<array.count).filter { _ in Int.random(in: 0...4, using: &generator) < density })
        if Bool.random(using: &generator) {
          array.remove(atOffsets: offsets)
          branch.remove(atOffsets: offsets)
        } else {
          let destination = Int.random(in: 0...array.count, using: &generator)
          array.move(fromOffsets: offsets, toOffset: destination)
          branch.move(fromOffsets: offsets, toOffset: destination)
        }
        #expect(array.elements == branch.elements)
        #expect(arrayChanges == branchChanges)
      }
      token.cancel()
      branchToken.cancel()
    }
  }

  // MARK: Moving

  private func outline() -> OutlineNode<String, String> {
    let forest = ForestNode(["a", "b"]) { $0.count == 1 ? [$0 + "1", $0 + "2"] : nil }
    return OutlineNode(forest, expansion: ExpansionState(policy: .expanded), id: { $0 })
  }

  @Test func rowsOfAnOutlineMoveWithTheRowsBelow() {
    let outline = outline()
    // a, a1, a2, b, b1, b2
    outline.move(fromOffsets: [0], toOffset: 6)
    #expect(outline.elements == ["b", "b1", "b2", "a", "a1", "a2"])
    #expect(outline.root.count == 2)
    outline.move(fromOffsets: [3, 4], toOffset: 0)
    #expect(outline.elements == ["a", "a1", "a2", "b", "b1", "b2"])
    #expect(outline.root.count == 2)
    // The row "a2" does not become a child of itself, and "a1" moves before it.
    outline.move(fromOffsets: [0, 5], toOffset: 2)
    #expect(outline.elements == ["a", "a1", "b2", "a2", "b", "b1"])
    #expect(outline.root.count(at: [0]) == 3)
  }

  /// The place between two rows belongs to the parent of the second one.
  @Test func rowsOfAnOutlineChangeTheirParentInPlace() {
    let outline = outline()
    outline.move(fromOffsets: [2], toOffset: 3)
    #expect(outline.elements == ["a", "a1", "a2", "b", "b1", "b2"])
    #expect(outline.path(ofRow: 2) == [1])
    outline.move(fromOffsets: [5], toOffset: 6)
    #expect(outline.path(ofRow: 5) == [3])
  }

  @Test func rowsOfAFilteredOutlineMoveWithTheRowsBelow() {
    let outline = outline()
    let shown = outline.filtering { $0 != "a1" }
    shown.move(fromOffsets: [0, 1], toOffset: 5)
    #expect(outline.elements == ["b", "b1", "b2", "a", "a1", "a2"])
    #expect(outline.root.count == 2)
  }

  @Test func leavesOfATreeStayBelowParents() {
    let tree = BranchNode([ArrayNode(["a"]), ArrayNode(["b", "c"])])
    let leaves = DescendantsNode(tree, .leaves)
    leaves.move(fromOffsets: [0], toOffset: 3)
    #expect(leaves.elements == ["b", "c", "a"])
    #expect(tree.count(at: [1]) == 3)
    leaves.move(fromOffsets: [1, 2], toOffset: 0)
    #expect(leaves.elements == ["c", "a", "b"])
  }

  @Test func aMovedRowThatIsHiddenIsSkipped() {
    let odd: ArrayNode = [1, 3, 5]
    let even: ArrayNode = [2, 4]
    let rows = JoinNode([odd.filtering { $0 % 2 == 1 }, even.filtering { $0 % 2 == 0 }])
    rows.move(fromOffsets: [0, 1, 2], toOffset: 4)
    #expect(rows.elements == [2, 4])
    #expect(odd.isEmpty && even.elements.sorted() == [1, 2, 3, 4, 5])
  }

  // MARK: Misuse

  @Test func offsetsThatAreOutOfRangeTrap() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { ArrayNode([1, 2]).remove(atOffsets: [0, 2]) }
    }
    expect(result, says: "ArrayNode<Int>: the position 2 is out of range 0..<2.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { ArrayNode([1, 2]).move(fromOffsets: [], toOffset: 9) }
    }
    expect(result, says: "ArrayNode<Int>: the destination 9 of a move is out of range 0...2.")
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await MainActor.run { ArrayNode([1, 2]).move(fromOffsets: [7], toOffset: 0) }
    }
    expect(result, says: "ArrayNode<Int>: the position 7 is out of range 0..<2.")
  }
}
