import Assemblage
import Foundation
import Testing

/// The code of Docs/ChoosingANode.md.
@Suite struct ChoosingANodeGuideTests {
  @Test func aWholeTreeIsOneNode() {
    struct Folder { var name: String; var folders: [Folder] = [] }
    let folders = [Folder(name: "notes", folders: [Folder(name: "old")]), Folder(name: "music")]
    let tree = ForestNode(folders, children: \.folders)
    tree.insert(Folder(name: "jazz"), at: [1, 0])
    tree.move(from: [0, 0], to: [1, 1])
    #expect(tree.child(at: [1])?.elements.map(\.name) == ["jazz", "old"])
    let music = tree.remove(at: [1]).node
    tree.insert(music!, at: [0, 0])
    #expect(tree[[0, 0, 1]]?.name == "old")
  }

  @Test func severalNodesAreOneTransaction() {
    let inbox = ArrayNode(["a", "b"])
    let archive = ArrayNode(["c"])
    performUpdates(on: [inbox, archive]) {
      archive.append(inbox.remove(at: 0))
    }
    #expect(archive.elements == ["c", "a"])
    #expect(inbox.elements == ["b"])
  }
}
