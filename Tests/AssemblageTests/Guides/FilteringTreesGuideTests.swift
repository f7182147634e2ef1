import Assemblage
import Foundation
import Testing

/// The code of Docs/FilteringTrees.md, and of the doc comments.
@Suite struct FilteringTreesGuideTests {
  @Test func whatIsFound() {
    let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
    let music = BranchNode(value: "music", leaves: ["pear.mp3"])
    let home = BranchNode(value: "home", [.leaf("apple.txt"), .node(notes), .node(music), .leaf("todo.txt")])

    let found = TreeFilterNode(home) { $0.contains("apple") }
    #expect(found.elements == ["apple.txt", "notes"])
    #expect(found.child(at: 1)?.elements == ["apple.md"])
    music.append(.leaf("apple.mp3"))
    music.remove(at: 1)

    let folders = TreeFilterNode(home, policy: .keepingDescendants) { $0 == "notes" }
    #expect(folders.child(at: 0)?.elements == ["apple.md", "pear.md"])
    let visible = TreeFilterNode(home, policy: .hidingSubtrees) { $0 != "notes" }
    #expect(visible.elements == ["apple.txt", "music", "todo.txt"])

    #expect(found.matchCount == 2)
    #expect(found.matchCount(at: [1]) == 1)
    #expect(found.isMatch(at: [1]) == false)
    #expect(found.sourcePath(of: [1, 0]) == [1, 0])

    found.setPredicate { $0.contains("pear") }
    #expect(found.elements == ["notes", "music"])

    found.setPredicate(hint: .stricter) { $0.contains("pear.") }
    #expect(found.matchCount == 2)

    let outline = OutlineNode(found, id: { $0 })
    outline.beginTemporaryExpansion()
    #expect(outline.elements == ["notes", "pear.md", "music", "pear.mp3"])
    outline.endTemporaryExpansion()
    #expect(outline.elements == ["notes", "music"])
  }

  @Test func observersHearOfFoldersThatComeAndLeave() {
    let music = BranchNode(value: "music", leaves: ["pear.mp3"])
    let found = TreeFilterNode(BranchNode(value: "home", [.node(music)])) { $0.contains("apple") }
    var heard: [String] = []
    let token = found.observe { heard.append($0.delta.description) }
    music.append(.leaf("apple.mp3"))
    #expect(found.child(at: 0)?.elements == ["apple.mp3"])
    music.remove(at: 1)
    #expect(heard == ["[+0]", "[-0]"])
    token.cancel()
  }

  @Test func theExampleOfTheTypeHolds() {
    let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
    let home = BranchNode(value: "home", [.leaf("apple.txt"), .node(notes), .leaf("todo.txt")])
    let found = TreeFilterNode(home) { $0.contains("apple") }
    #expect(found.elements == ["apple.txt", "notes"])
    #expect(found.child(at: 1)?.elements == ["apple.md"])
    #expect(found.matchCount == 2)
    #expect(found.matchCount(at: [1]) == 1)
    #expect(found.matchCount(at: [0]) == 0)
    #expect(found.matchCount(at: [7]) == nil)
    var heard: [ChangeSet] = []
    let token = found.observe { heard.append($0) }
    notes.replace(at: 0, with: "cherry.md")
    #expect(heard == [ChangeSet(.removal(1..<2))])
    token.cancel()
  }
}
