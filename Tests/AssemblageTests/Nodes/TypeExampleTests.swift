@_spi(NodeAuthors) import Assemblage
import Foundation
import Testing

/// The examples on the pages of types that appear in no guide.
@Suite struct TypeExampleTests {
  @Test func following() {
    let selection = SelectionModel(of: ArrayNode(["a", "b"]))
    var received = 0
    let token = selection.observe { received += 1 }
    selection.select(1)
    #expect(received == 1)
    token.cancel()
    selection.select(0)
    #expect(received == 1)
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
    let group = GroupNode(numbers, emptySections: .keep) { $0 % 2 }
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
    node.insert("c", at: [2])
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

  private final class Names: ResultsController {
    var sections: [[String]]
    init(_ sections: [[String]]) { self.sections = sections }
    var numberOfSections: Int { sections.count }
    func numberOfObjects(inSection section: Int) -> Int { sections[section].count }
    func object(at path: IndexPath) -> String { sections[path[0]][path[1]] }
    func sectionName(at section: Int) -> String { "\(section)" }
  }

  @Test func batchesOfAController() {
    let names = Names([["a", "b"], ["c"]])
    let node = ResultsNode(names, id: { $0 })
    node.onInconsistency = { Issue.record("\($0)") }
    names.sections = [[], ["b", "c"]]
    node.willChange()
    node.note(.delete(at: [0, 0]))
    node.note(.move(from: [0, 1], to: [1, 0]))
    node.didChange()
    #expect(node.section(at: 1).elements == ["b", "c"])
  }

  @Test func aControllerThatContradictsItself() {
    let names = Names([["a", "b"]])
    let node = ResultsNode(names, id: { $0 })
    var printed: [String] = []
    node.onInconsistency = { printed.append("\($0)") }
    names.sections = [["b"]]
    node.willChange()
    node.didChange()
    #expect(printed == ["The section 0 has 1 objects: of 2 there were, 0 left or moved, and 0 came or moved."])
    #expect(node.section(at: 0).count == 1)
  }

  @Test func segments() {
    let shown = SegmentNode<String>(policy: SegmentPolicy(first: .shown))
    shown.appendMember(ArrayNode(["Home"]))
    #expect(shown.selection == 0)
    let hidden = SegmentNode<String>(policy: SegmentPolicy(first: .hidden))
    hidden.appendMember(ArrayNode(["Home"]))
    #expect(hidden.selection == nil)
    for (replacement, elements) in [(SegmentPolicy.Replacement.next, ["Work"]), (.none, [])] {
      let tabs = SegmentNode<String>(policy: SegmentPolicy(first: .shown, replacement: replacement))
      for name in ["Home", "Work"] { tabs.appendMember(ArrayNode([name])) }
      tabs.removeMember(at: 0)
      #expect(tabs.elements == elements)
    }
  }

  @Test func reloading() {
    var files = ["home": ["notes"], "notes": ["a.md"]]
    let tree = HierarchyNode("home", id: { $0 }, children: { files[$0] ?? [] })
    #expect(tree.child(at: 0)?.elements == ["a.md"])
    files["notes"] = ["a.md", "b.md"]
    tree.reload(.children)
    #expect(tree.child(at: 0)?.elements == ["a.md"])
    tree.reload(.loaded)
    #expect(tree.child(at: 0)?.elements == ["a.md", "b.md"])
  }

  @Test func forestsOfRows() {
    do {
      let tree = try ForestNode(rows: [(0, "notes"), (2, "a.md")])
      Issue.record("The rows are a forest: \(tree)")
    } catch {
      #expect(error == .depth(row: 1, depth: 2, limit: 1))
    }
  }

  @Test func descendants() {
    let home = BranchNode([.leaf("x.txt"), .node(BranchNode(value: "notes", leaves: ["a.md"]))])
    #expect(DescendantsNode(home, .all).elements == ["x.txt", "notes", "a.md"])
    #expect(DescendantsNode(home, .leaves).elements == ["x.txt", "a.md"])
  }

  @Test func expanding() {
    let home = BranchNode([.node(BranchNode(value: "notes", leaves: ["a.md"]))])
    let open = OutlineNode(home, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(open.elements == ["notes", "a.md"])
    var received: [ChangeSet] = []
    let token = open.observe { received.append($0) }
    open.expansion.policy = .collapsed
    #expect(open.elements == ["notes"] && received == [ChangeSet(.removal(1..<2))])
    token.cancel()

    let outline = OutlineNode(home, id: { $0 })
    outline.expand(row: 0, by: .program)
    #expect(outline.elements == ["notes", "a.md"])
    outline.expansion.forgetChoices(by: .program)
    #expect(outline.elements == ["notes"])
  }

  @Test func filteringTrees() {
    let home = BranchNode([.node(BranchNode(value: "apples", leaves: ["red", "green"])), .leaf("red")])
    let found = TreeFilterNode(home, policy: .keepingAncestors) { $0 == "red" }
    #expect(found.elements == ["apples", "red"])
    #expect(found.child(at: 0)?.elements == ["red"])
    #expect(TreeFilterNode(home, policy: .hidingSubtrees) { $0 == "red" }.elements == ["red"])
    let named = TreeFilterNode(home, policy: .keepingDescendants) { $0 == "apples" }
    #expect(named.child(at: 0)?.elements == ["red", "green"])
  }

  @Test func typing() {
    var asked: [String] = []
    let found = FilterNode(ArrayNode(["Ada", "Al", "Bo"])) { $0.hasPrefix("A") }
    found.setPredicate(hint: .stricter) {
      asked.append($0)
      return $0.hasPrefix("Al")
    }
    #expect(found.elements == ["Al"] && asked == ["Ada", "Al"])
    asked = []
    found.setPredicate(hint: .looser) {
      asked.append($0)
      return $0.hasPrefix("A")
    }
    #expect(found.elements == ["Ada", "Al"] && asked == ["Ada", "Bo"])
  }
}
