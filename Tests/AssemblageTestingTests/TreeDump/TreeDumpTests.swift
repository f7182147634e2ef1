import Assemblage
import AssemblageTesting
import TestSupport
import Testing

@Suite struct TreeDumpTests {
  @Test func theExampleHolds() {
    let family = ArrayNode(["Dad", "Mum"])
    let friends = ArrayNode(["Best mate", "Bo"])
    let dump = TreeDump(of: FilterNode(JoinNode([family, friends])) { $0.count < 4 && $0 != "Dad" })
    #expect(
      dump.description == """
        #1 FilterNode (2 children)
           shows 2 of 4 children of #2 at 0..<2
           [0] ← #2[1] ← #3[1]: Mum
           [1] ← #2[3] ← #4[1]: Bo
        #2 JoinNode (4 children)
           shows 2 of 2 children of #3 at 0..<2
           shows 2 of 2 children of #4 at 2..<4
           [0] ← #3[0]: Dad
           [1] ← #3[1]: Mum
           [2] ← #4[0]: Best mate
           [3] ← #4[1]: Bo
        #3 ArrayNode (2 children)
           [0]: Dad
           [1]: Mum
        #4 ArrayNode (2 children)
           [0]: Best mate
           [1]: Bo
        """)
  }

  @Test func nodesBelowHaveOffsetsAndSizes() {
    let notes = BranchNode(value: "notes", leaves: ["a", "b", "c"])
    let home = BranchNode(value: "home", [.leaf("x"), .node(notes), .node(notes), .node(JoinNode([notes]))])
    #expect(
      TreeDump(of: home, childLimit: 2).description == """
        #1 BranchNode (4 children): home
           [0]: x
           [1] = #2 (offset 1, size 3): notes
           … 2 more
        #2 BranchNode (3 children): notes
           [0]: a
           [1]: b
           … 1 more
        #3 JoinNode (3 children)
           shows 3 of 3 children of #2 at 0..<3
           [0] ← #2[0]: a
           [1] ← #2[1]: b
           … 1 more
        """)
  }

  @Test func placesOfASourceThatStandApartAreReported() {
    let array = ArrayNode([1, 2])
    let join = JoinNode<Int>([array, ArrayNode([3]), array])
    let filter = FilterNode(join) { $0 != 2 }
    let lines = TreeDump(of: filter, childLimit: 0).description.split(separator: "\n")
    #expect(lines.contains("   shows 3 of 5 children of #2 at 0..<3"))
    #expect(lines.contains("   shows 2 of 2 children of #3 at 3..<5"))
  }

  /// There are 2^70 places, more than an `Int` can count.
  @Test(.smallStack) func manyPlacesAndManyLevelsArePrinted() {
    var wide = BranchNode(leaves: [1])
    for _ in 0..<70 { wide = BranchNode([.node(wide), .node(wide)]) }
    #expect(TreeDump(of: wide).description.contains("size \(Int.max)"))
    var deep = BranchNode(leaves: [1])
    let depth = min(20_000, TallTree.depth)
    for level in 0..<depth { deep = BranchNode(value: level, [.node(deep)]) }
    #expect(TreeDump(of: deep).description.contains("[0] = #2 (offset 0, size \(depth)): \(depth - 2)"))
  }
}
