import Assemblage
import Foundation
import Testing

/// The examples on the pages of types that no guide shows.
@Suite struct TypeExampleTests {
  @Test func following() {
    let selection = SelectionModel(of: ArrayNode(["a", "b"]))
    var heard = 0
    let token = selection.observe { heard += 1 }
    selection.select(1)
    #expect(heard == 1)
    token.cancel()
    selection.select(0)
    #expect(heard == 1)
  }

  @Test func selections() {
    let selection = SelectionModel(of: ArrayNode(["a", "b", "c"]))
    selection.select(0..<2)
    var last: SelectionChange?
    let token = selection.observe { last = $0 }
    selection.select(only: 2)
    #expect(last?.selected == [2..<3] && last?.deselected == [0..<2])
    token.cancel()
    let single = SelectionModel(of: ArrayNode(["a", "b"]), mode: .single)
    single.select(0)
    single.select(1)
    #expect(single.selectedRow == 1 && single.selectedCount == 1)
  }

  @Test func sectionsThatStay() {
    let numbers = ArrayNode([1, 2])
    let group = GroupNode(numbers, emptySections: .stay) { $0 % 2 }
    numbers.remove(at: 0)
    #expect((0..<group.count).map { group.section(at: $0).elements } == [[2], []])
  }

  private final class Folder {
    var names = ["a"]
    private(set) lazy var rows = PropertyNode(self, \.names, holding: .unowned)
  }

  @Test func modelsThatKeepTheirNodes() {
    weak var released: Folder?
    do {
      let folder = Folder()
      released = folder
      #expect(folder.rows.elements == ["a"])
    }
    #expect(released == nil)
  }

  @Test func rowsOfAnOutline() {
    let tree = BranchNode([.leaf("a"), .node(BranchNode(value: "b", leaves: ["c"]))])
    let outline = OutlineNode(tree, id: { $0 })
    outline.expand(row: 1)
    let row = outline.row(at: 2)
    #expect(row.value == "c" && row.depth == 1 && !row.hasChildren)
  }

  @Test func writing() {
    let rows = JoinNode([ArrayNode(["a"]), ArrayNode(["b", "c"])])
    let place = rows.owner(of: 2)
    #expect(place.position == 1 && place.member == 1)
    rows.remove(at: [2])
    #expect(place.node.elements == ["b"])
    let done = ArrayNode(["b"])
    let node: any TreeNode<String> = JoinNode([ArrayNode(["a"]), done])
    node.writer?.insert("c", at: 2)
    #expect(done.elements == ["b", "c"])
  }

  private final class Files: ResultsController {
    var names = ["a", "b"]
    let numberOfSections = 1
    func numberOfObjects(inSection section: Int) -> Int { names.count }
    func object(at path: IndexPath) -> String { names[path[1]] }
    func sectionName(at section: Int) -> String { "Files" }
  }

  @Test func controllers() {
    let files = Files()
    let node = ResultsNode(files, id: { $0 })
    node.willChange()
    files.names.append("c")
    node.note(.insert(at: [0, 2]))
    node.didChange()
    #expect(node[[0, 2]] == "c")
    #expect(node.section(at: 0).name == "Files" && node.section(at: 0).elements == ["a", "b", "c"])
  }
}
