@_spi(NodeAuthors) import Assemblage
import Foundation
import Testing

@Suite struct EditingByPathTests {
  @Test func leavesAndNodesAreEditedAlike() {
    let notes = BranchNode(value: "notes", leaves: ["a"])
    let root = BranchNode<String>()
    var received: [ChangeSet] = []
    let token = root.observe { received.append($0) }
    root.append("x")
    root.append(notes)
    root.append(.leaf("y"))
    #expect(received == [0, 1, 2].map { ChangeSet(.insertion($0..<$0 + 1)) })
    root.insert(ArrayNode(["b"]), at: [1, 1])
    #expect(received.last?.paths.insertions == [[1, 1]] && root[[1, 1, 0]] == "b")

    let removed = root.remove(at: [1])
    #expect(removed.node === notes && removed.value == "notes" && root.elements == ["x", "y"])
    root.insert(removed, at: 0)
    root.replace(at: 0, with: "docs")
    #expect(notes.value == "docs" && received.last == ChangeSet(.update(0..<1)), "the branch has another value")
    root.replace(at: 0, with: .leaf("z"))
    #expect(received.last == ChangeSet(Delta(removals: [0..<1], insertions: [0..<1])), "another child")
    withExtendedLifetime(token) {}
  }

  @Test func viewsGiveBackWhatTheSourceHeld() {
    let folder = BranchNode(value: "folder", leaves: ["a"])
    let root = BranchNode([.leaf("x"), .node(folder), .leaf("y")])
    let rest = FilterNode(JoinNode([root])) { $0 != "x" }
    #expect(rest.remove(at: 0).node === folder && rest.remove(at: [0]).value == "y" && root.elements == ["x"])
    let upper = MapNode(root, { $0.uppercased() }, inverse: { $0.lowercased() })
    #expect(upper.writer?.remove(at: 0).value == "X" && root.isEmpty)
  }
}
