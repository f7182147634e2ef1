import Assemblage
import AssemblageTesting
import Testing

@testable import AssemblageFuzzing

@Suite struct PipelineIndicesTests {
  @Test func aDifferenceIsFound() {
    let tree = BranchNode<PipelineRow>([.leaf(3), .node(BranchNode(value: 4, leaves: [5, 3]))])
    let indices = PipelineIndices(of: tree)
    #expect(indices.difference(from: NaiveTree(of: tree)) == nil)
    let former = NaiveTree(of: tree)
    tree.insert(6, at: [1, 0])
    #expect(indices.difference(from: NaiveTree(of: tree)) == nil)
    #expect(indices.difference(from: former) == "the id at [1, 0] is 6")
    let other = NaiveTree<PipelineRow>(value: 1, children: NaiveTree(of: tree).children)
    #expect(indices.difference(from: other) == "the total at [] is 21 instead of 22")
  }
}
