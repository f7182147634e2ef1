import Assemblage
import Foundation
import Testing

/// The texts that print, dump and a debugger show for a node.
@Suite struct NodeDescriptionTests {
  private let notes = BranchNode(value: "notes", leaves: ["a.md"])

  @Test func printShowsTheFirstChildren() {
    #expect("\(ArrayNode(1...12))" == "ArrayNode [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … 2 more]")
    let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes), .node(ArrayNode(["y", "z"]))])
    #expect("\(home)" == #"BranchNode "home" ["x.txt", "notes" (1 child), (2 children)]"#)
    #expect(String(reflecting: notes) == #"Assemblage.BranchNode<Swift.String> "notes" ["a.md"]"#)
    #expect("\(FilterNode(ArrayNode([1, 2, 3])) { $0 > 1 })" == "FilterNode [2, 3]")
    #expect("\(SegmentNode([ArrayNode([1])], selection: 0))" == "SegmentNode(member 0 of 1) [1]")
    let letters = GroupNode(ArrayNode(["bee", "ant", "bat"])) { $0.first }
    #expect("\(letters)" == "GroupNode [(2 children), (1 child)]")
    #expect("\(letters.section(at: 0))" == #"GroupSection("b") ["bee", "bat"]"#)
    #expect("\(ArrayNode<Int>())" == "ArrayNode []")
    #expect("\(ArrayNode([String(repeating: "x", count: 100)]))".count == 93)
  }

  @Test func dumpShowsTheTree() {
    var text = ""
    dump(BranchNode(value: "home", [.leaf("x.txt"), .node(notes)]), to: &text)
    #expect(
      text == """
        ▿ Assemblage.BranchNode<Swift.String> "home" ["x.txt", "notes" (1 child)] #0
          - value: "home"
          - [0]: "x.txt"
          ▿ [1]: Assemblage.BranchNode<Swift.String> "notes" ["a.md"] #1
            - value: "notes"
            - [0]: "a.md"

        """)
    let children = Array(Mirror(reflecting: ArrayNode(0..<1_000)).children)
    #expect(children.count == 101 && children.last?.value as? String == "900 more")
  }

  @Test func nothingIsLoaded() {
    var asked = 0
    let tree = HierarchyNode(
      "root", id: { $0 },
      children: { (name: String) -> [String] in
        asked += 1
        return [name + "a", name + "b"]
      })
    let map = MapNode(tree) { $0 + "!" }
    let found = TreeFilterNode(tree, policy: .hidingSubtrees) { _ in true }
    asked = 0
    #expect("\(tree)" == #"HierarchyNode "root" ["roota" (not loaded), "rootb" (not loaded)]"# && asked == 0)
    #expect("\(found)" == #"TreeFilterNode "root" ["roota" (not loaded), "rootb" (not loaded)]"#)
    #expect("\(map)" == #"MapNode "root!" ["roota!" (not loaded), "rootb!" (not loaded)]"# && asked == 0)
    #expect("\(HierarchyNode("x", id: { $0 }, children: { [$0] }))" == #"HierarchyNode "x" (not loaded)"#)
  }
}
