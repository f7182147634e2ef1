import Assemblage
import Foundation
import Testing

/// The code of Docs/Outlines.md.
@Suite struct OutlinesGuideTests {
  @Test func rowsAndWhatIsExpanded() throws {
    let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
    let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes)])
    let outline = OutlineNode(home, id: { $0 })

    #expect(outline.elements == ["x.txt", "notes"])
    outline.expand(row: 1)
    #expect(outline.elements == ["x.txt", "notes", "a.md", "b.md"])
    notes.append(.leaf("c.md"))

    let row = outline.row(at: 2)
    #expect(row.value == "a.md")
    #expect(row.depth == 1)
    #expect(row.hasChildren == false)
    #expect(outline.rows(in: 1..<3).map(\.isExpanded) == [true, false])
    #expect(outline.path(ofRow: 2) == [1, 0])
    #expect(outline.row(ofPath: [1, 0]) == 2)
    #expect(outline.descendants(ofRow: 1) == 2..<5)

    let data = try JSONEncoder().encode(outline.expansion)
    let restored = try JSONDecoder().decode(ExpansionState<String>.self, from: data)
    #expect(OutlineNode(home, expansion: restored, id: { $0 }).count == 5)

    outline.insert("b2.md", at: [4])
    #expect(notes.elements == ["a.md", "b.md", "b2.md", "c.md"])
  }

  @Test func observersHearOfRows() {
    let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
    let outline = OutlineNode(BranchNode(value: "home", [.leaf("x.txt"), .node(notes)]), id: { $0 })
    var heard: [String] = []
    let token = outline.observe { heard.append($0.delta.description) }
    outline.expand(row: 1)
    notes.append(.leaf("c.md"))
    #expect(heard == ["[+2..<4]", "[+4]"])
    token.cancel()
  }

  @Test func treesThatAreAskedFor() {
    let disk = ["/": ["etc/", "readme"], "etc/": ["hosts"]]
    let tree = HierarchyNode("/", id: { $0 }, hasChildren: { $0.hasSuffix("/") }, children: { disk[$0] ?? [] })
    let files = OutlineNode(tree, id: { $0 })
    #expect(files.elements == ["etc/", "readme"])
    #expect(files.row(at: 0).hasChildren == true)
    files.expand(row: 0)
    #expect(files.elements == ["etc/", "hosts", "readme"])
  }

  @Test func aFileBrowserByName() {
    let notes = BranchNode(value: "notes", leaves: ["pear.md", "apple.md"])
    let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes)])
    let byName = TreeSortNode(home)
    let browser = OutlineNode(byName, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(browser.elements == ["notes", "apple.md", "pear.md", "x.txt"])
    byName.setComparator { $0.count > $1.count }
    #expect(browser.elements == ["x.txt", "notes", "apple.md", "pear.md"])
    notes.append(.leaf("pineapple.md"))
    #expect(browser.elements == ["x.txt", "notes", "pineapple.md", "apple.md", "pear.md"])
  }
}
