import Assemblage
import Foundation
import Testing

/// The code of Docs/Trees.md, and of the doc comment of `TreeFilterNode`.
@Suite struct TreesGuideTests {
  @Test func rowsAppearWhenANodeIsExpanded() throws {
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

    let empty = BranchNode<String>(value: "empty", leaves: [])
    home.append(empty)
    var redrawn: [Range<Int>] = []
    let token = outline.observeDrawing { redrawn = Array($0.delta.updates) }
    empty.append(.leaf("first.md"))
    #expect(redrawn == [5..<6])
    token.cancel()
    home.remove(at: 2)

    outline.collapseAll()
    #expect(outline.elements == ["x.txt", "notes"])
    #expect(outline.reveal([1, 2]) == 4)
    #expect(outline.elements == ["x.txt", "notes", "a.md", "b.md", "c.md"])
    outline.expansion.forgetChoices(by: .program)
    #expect(outline.elements == ["x.txt", "notes"])

    outline.expand(row: 1)
    let data = try JSONEncoder().encode(outline.expansion)
    let restored = try JSONDecoder().decode(ExpansionState<String>.self, from: data)
    #expect(OutlineNode(home, expansion: restored, id: { $0 }).count == 5)

    outline.insert("b2.md", at: [4])
    #expect(notes.elements == ["a.md", "b.md", "b2.md", "c.md"])
  }

  @Test func anOutlineReportsRows() {
    let notes = BranchNode(value: "notes", leaves: ["a.md", "b.md"])
    let outline = OutlineNode(BranchNode(value: "home", [.leaf("x.txt"), .node(notes)]), id: { $0 })
    var reports: [String] = []
    let token = outline.observe { reports.append($0.delta.description) }
    outline.expand(row: 1)
    notes.append(.leaf("c.md"))
    #expect(reports == ["[+2..<4]", "[+4]"])
    token.cancel()
  }

  @Test func aSearchShowsMatchesInTheirFolders() {
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

  @Test func aFilterReportsFoldersThatArriveAndLeave() {
    let music = BranchNode(value: "music", leaves: ["pear.mp3"])
    let found = TreeFilterNode(BranchNode(value: "home", [.node(music)])) { $0.contains("apple") }
    var reports: [String] = []
    let token = found.observe { reports.append($0.delta.description) }
    music.append(.leaf("apple.mp3"))
    #expect(found.child(at: 0)?.elements == ["apple.mp3"])
    music.remove(at: 1)
    #expect(reports == ["[+0]", "[-0]"])
    token.cancel()
  }

  @Test func anotherComparatorSortsEveryFolder() {
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

  @Test func foldersAreSortedByTheirSizes() {
    let letters = BranchNode(value: 0, leaves: [5, 7])
    let disk = BranchNode([.leaf(9), .leaf(10), .node(letters)])
    let sizes = AggregateIndex(of: disk, .sum { $0 })
    let largestFirst = TreeSortNode(disk, by: sizes, order: .reverse)
    #expect(largestFirst.elements == [0, 10, 9])
    #expect(largestFirst.child(at: 0)?.elements == [7, 5])
    letters.remove(at: 1)
    #expect(largestFirst.elements == [10, 9, 0])
    #expect(sizes.total == 24)
  }

  @Test func anEditOfARowEditsTheSource() {
    let notes = BranchNode(value: "notes", leaves: ["pear.md", "apple.md", "plan.txt"])
    let home = BranchNode(value: "home", [.leaf("x.txt"), .node(notes)])
    let found = TreeFilterNode(home) { $0.hasSuffix(".md") }
    let byName = TreeSortNode(found)
    let rows = OutlineNode(byName, expansion: ExpansionState(policy: .expanded), id: { $0 })
    #expect(rows.elements == ["notes", "apple.md", "pear.md"])

    rows.replace(at: 2, with: "fig.md")
    #expect(notes.elements == ["fig.md", "apple.md", "plan.txt"])
    rows.insert("date.md", at: 2)
    #expect(rows.elements == ["notes", "apple.md", "date.md", "fig.md"])
    rows.remove(at: 1)
    #expect(notes.elements == ["fig.md", "date.md", "plan.txt"])

    let work = BranchNode(value: "work", leaves: ["plan.md"])
    home.append(.node(work))
    #expect(rows.elements == ["notes", "date.md", "fig.md", "work", "plan.md"])
    rows.move(from: 1, to: 3)
    #expect(work.elements == ["plan.md", "date.md"])
    #expect(rows.elements == ["notes", "fig.md", "work", "date.md", "plan.md"])

    let path = rows.path(ofRow: 3)
    #expect(path == [1, 0])
    #expect(byName.sourcePath(of: path).flatMap(found.sourcePath) == [2, 1])
    #expect(home.element(at: [2, 1]) == "date.md")
    #expect(rows.position(of: 1, in: work) == 3)
    #expect(rows.position(of: 0, in: home) == nil)

    let former = rows.elements
    rows.insert("plan2.txt", at: 1)
    #expect(notes.elements.contains("plan2.txt") && rows.elements == former)
  }

  @Test func aMoveToAnotherFolderIsReportedAsOneMove() {
    let notes = BranchNode(value: "notes", leaves: ["a.md"])
    let work = BranchNode(value: "work", leaves: ["b.md"])
    let rows = OutlineNode(
      BranchNode(value: "home", [.node(notes), .node(work)]), expansion: ExpansionState(policy: .expanded),
      id: { $0 })
    var reports: [String] = []
    let token = rows.observe { reports.append($0.delta.description) }
    rows.move(from: 1, to: 2)
    #expect(work.elements == ["a.md", "b.md"])
    #expect(reports == ["[1→2]"])
    rows.insert("c.md", at: 4)
    #expect(rows.root.elements == ["notes", "work", "c.md"])
    token.cancel()
  }

  @Test func childrenAreReadWhenANodeIsExpanded() {
    let disk = ["/": ["etc/", "readme"], "etc/": ["hosts"]]
    let tree = HierarchyNode("/", id: { $0 }, hasChildren: { $0.hasSuffix("/") }, children: { disk[$0] ?? [] })
    let files = OutlineNode(tree, id: { $0 })
    #expect(files.elements == ["etc/", "readme"])
    #expect(files.row(at: 0).hasChildren == true)
    files.expand(row: 0)
    #expect(files.elements == ["etc/", "hosts", "readme"])
  }

  @Test func theExampleOfTheFilterHolds() {
    let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
    let home = BranchNode(value: "home", [.leaf("apple.txt"), .node(notes), .leaf("todo.txt")])
    let found = TreeFilterNode(home) { $0.contains("apple") }
    #expect(found.elements == ["apple.txt", "notes"])
    #expect(found.child(at: 1)?.elements == ["apple.md"])
    #expect(found.matchCount == 2)
    #expect(found.matchCount(at: [1]) == 1)
    #expect(found.matchCount(at: [0]) == 0)
    #expect(found.matchCount(at: [7]) == nil)
    var reports: [ChangeSet] = []
    let token = found.observe { reports.append($0) }
    notes.replace(at: 0, with: "cherry.md")
    #expect(reports == [ChangeSet(.removal(1..<2))])
    token.cancel()
  }
}
