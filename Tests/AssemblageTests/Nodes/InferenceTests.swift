import Assemblage
import Testing

/// The types that the compiler infers if they are not written. These tests pass if they compile.
@Suite struct InferenceTests {
  /// Accepts only nodes of exactly this element.
  private func expectElement<Element>(_: Element.Type, in nodes: (any TreeNode<Element>)...) -> [Int] {
    nodes.map(\.count)
  }

  @Test func anEmptyBranchIsNotAmbiguous() {
    let plain: any TreeNode<Int> = BranchNode([])
    #expect(expectElement(Int.self, in: BranchNode<Int>([]), BranchNode(value: 1, []), plain) == [0, 0, 0])
    let join = JoinNode<String>([BranchNode([])])
    #expect(join.memberCount == 1 && join.isEmpty)
  }

  @Test func aValueIsNotTakenForAnOptionalOne() {
    let words = ["a", "b"]
    let leaves = words.map { BranchNode(value: $0, leaves: ["x"]) }
    let none = words.map { BranchNode(value: $0, leaves: []) }
    let nodes = words.map { BranchNode(value: $0, [ArrayNode([$0])]) }
    let children = words.map { BranchNode(value: $0, [.leaf($0)]) }
    let ranges = (1..<2).map { BranchNode(value: $0, leaves: 0..<$0) }
    #expect(expectElement(String.self, in: leaves[0], none[0], nodes[0], children[0]) == [1, 0, 1, 1])
    #expect(expectElement(Int.self, in: ranges[0]) == [1])
    let known: String? = "c"
    let branch = BranchNode(value: known, leaves: words)
    #expect(expectElement(String.self, in: branch) == [2])
  }

  @Test func arraysOfOneKindOfNodeAreTaken() {
    let arrays = [ArrayNode([1]), ArrayNode([2])]
    let mixed: [any TreeNode<Int>] = arrays
    let children = mixed.map { TreeChild.node($0) } + [.leaf(3)]
    let branches = (BranchNode(arrays), BranchNode(mixed), BranchNode(children))
    #expect(expectElement(Int.self, in: branches.0, branches.1, branches.2) == [2, 2, 3])
  }

  @Test func anIDMayBeTheElement() {
    let unique = UniqueNode(ArrayNode([1, 1, 2]), id: { $0 })
    #expect(expectElement(Int.self, in: unique) == [2])
    let initials: UniqueNode<String, Character>
    let words = UniqueNode(ArrayNode(["a", "", "ab"])) { $0.first }
    initials = words
    #expect(initials.count == 2)
  }
}
