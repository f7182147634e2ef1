import Assemblage
import Foundation
import Testing

/// The code of Docs/Coordinates.md.
@Suite struct CoordinatesGuideTests {
  @Test func fromANodeToItsPlace() {
    let family = ArrayNode(["Dad", "Mum"])
    let friends = ArrayNode(["Best mate", "Bo"])
    let everyone = JoinNode([family, friends])
    let short = FilterNode(everyone) { $0.count < 4 }
    let tree = BranchNode([short])
    #expect(tree.path(of: short) == [0])
    #expect(tree.path(of: [1], in: friends) == [0, 2])
    #expect(tree.path(of: [0], in: friends) == nil)
    #expect(short.position(of: 1, in: friends) == 2)
    #expect(everyone.range(ofMember: 1) == 2..<4)
  }

  @Test func aMoveWithPathsBeforeIt() {
    let list = BranchNode([.leaf("x"), .node(BranchNode(leaves: ["y"]))])
    list.move([0], into: [1], at: 1)
    #expect(list[[0, 1]] == "x")
    #expect(list[[0, 0]] == "y" && list.count == 1)
  }

  @Test func whatCanBeWritten() {
    let rows = SortNode(ArrayNode(["b", "a"]), by: <)
    #expect(rows.allows(.remove, at: [0]) == true)
    #expect(rows.allows(.move(to: 1), at: [0]) == false)
    #expect(rows.allows(.insert, at: [3]) == false)
  }

  @Test func pathsBelowLeaves() {
    let folders = ForestNode(leaves: ["notes", "drafts"])
    let sorted = TreeSortNode(folders)
    #expect(sorted.allows(.insert, at: [1, 0]) == true)
    sorted.insert("a.md", at: [1, 0])
    #expect(folders[[0, 0]] == "a.md")
    let fixed = BranchNode(leaves: ["notes"])
    #expect(fixed.allows(.insert, at: [0, 0]) == false)
  }
}
