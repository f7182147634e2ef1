import Assemblage
import Foundation
import Testing

/// The code of Docs/ChoosingANode.md.
@Suite struct ChoosingANodeGuideTests {
  @Test func viewsReadFromLeftToRight() {
    let family = ArrayNode(["Mum", "Dad"])
    let friends = ArrayNode(["Best mate"])
    let short = family.joining(friends).filtering { $0.count < 4 }.sorting().mapping { $0.uppercased() }
    friends.append("Bo")
    #expect(short.elements == ["BO", "DAD", "MUM"])
  }

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

  @Test func aListIsNestedByParentIDs() {
    struct Task { var id: Int; var parent: Int?; var name: String }
    let tasks = ArrayNode([
      Task(id: 2, parent: 1, name: "paint"), Task(id: 1, parent: nil, name: "house"),
      Task(id: 3, parent: 7, name: "tiles"),
    ])
    let plan = NestNode(tasks, id: \.id, parent: \.parent)
    #expect(plan[[0, 0]]?.name == "paint")
    tasks.append(Task(id: 7, parent: 1, name: "roof"))
    #expect(plan[[0, 1, 0]]?.name == "tiles")
    tasks.update(at: 2) { $0.parent = 2 }
    #expect(plan.path(ofID: 3) == [0, 0, 0])
  }

  @Test func aFormIsValid() {
    let name = BranchNode(value: "name", leaves: ["Ada", ""])
    let form = BranchNode([name, BranchNode(value: "address", leaves: ["London"])])
    let invalid = AggregateIndex(of: form, .sum { $0.isEmpty ? 1 : 0 })
    #expect(invalid.total == 1)
    #expect(invalid.total(at: [1]) == 0)

    var path: IndexPath = []
    while let section = form.child(at: path),
      let next = (0..<section.count).first(where: { invalid.total(at: path + [$0]) > 0 })
    {
      path.append(next)
    }
    #expect(path == [0, 1])
    form.replace(at: path, with: "Lovelace")
    #expect(invalid.total == 0)
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
