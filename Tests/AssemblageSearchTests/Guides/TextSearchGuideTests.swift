import Assemblage
import AssemblageSearch
import Foundation
import Testing

/// The code of Docs/TextSearch.md.
@Suite struct TextSearchGuideTests {
  @Test func whatIsFound() {
    let names = ArrayNode(["Ada Lovelace", "Lange Straße 7", "Οδός Ερμού", "Émilie du Châtelet"])
    let index = TextIndex(of: names)
    #expect(index.count(for: .substring("STRASSE")) == 1)
    #expect(index.paths(for: .substring("οδος")) == [])
    #expect(index.paths(for: .substring("οδός")) == [[2]])

    let found = FilterNode(names) { _ in true }
    found.setSearch(.words("love ada"), in: index)
    #expect(found.elements == ["Ada Lovelace"])
    names.append("Adam Loveday")
    #expect(found.elements == ["Ada Lovelace", "Adam Loveday"])

    let plain = TextFolding(marks: .ignored)
    let relaxed = TextIndex(of: names, folding: plain)
    #expect(relaxed.paths(for: .substring("οδος")) == [[2]])
    #expect(relaxed.paths(for: .words("emilie chatelet")) == [[3]])
    #expect(plain.folded("Châtelet") == "chatelet")

    let large = TextIndex(of: names, reading: .later)
    #expect(large.count(for: .substring("ada")) == 0)
    while large.readTexts(atMost: 2_000) {}
    #expect(large.count(for: .substring("ada")) == 2)

    found.setSearch(.substring("a"), in: index)
    found.setSearch(.substring("ad"), in: index)
    #expect(found.elements == ["Ada Lovelace", "Adam Loveday"])
    #expect(TextQuery.substring("ad").isNarrower(than: .substring("a")) == true)
  }

  @Test func whatFitsBest() {
    let commands = TextIndex(of: ArrayNode(["Calendar", "Ada Lovelace", "Alice"]))
    #expect(commands.best(for: .fuzzy("al")).map(\.number) == [2, 1, 0])
    #expect(commands.best(for: .fuzzy("al")).map(\.score) == [48, 45, 40])
  }

  @Test func whatIsHighlighted() {
    let text = "Lange Straße 7"
    #expect(TextQuery.words("str lange").ranges(in: text).map { text[$0] } == ["Lange", "Str"])
    #expect(TextQuery.substring("ss").ranges(in: text).map { text[$0] } == ["ß"])
  }

  @Test func trees() {
    let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
    let home = BranchNode(value: "home", [.leaf("Apple.txt"), .node(notes), .leaf("todo.txt")])
    let contents = TextIndex(of: home)
    let tree = TreeFilterNode(home) { _ in true }
    tree.setSearch(.substring("apple"), in: contents)
    #expect(tree.elements == ["Apple.txt", "notes"])
    #expect(contents.paths(for: .prefix("app")) == [[0], [1, 0]])
  }
}
