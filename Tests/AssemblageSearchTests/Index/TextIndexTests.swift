import Assemblage
@testable import AssemblageSearch
import Foundation
import TestSupport
import Testing

@Suite struct TextIndexTests: MisuseSuite {
  @Test func theExampleHolds() {
    let names = ArrayNode(["Ada Lovelace", "Straße", "Οδός", "Grace Hopper"])
    let index = TextIndex(of: names)
    #expect(index.count(for: .substring("strasse")) == 1)
    #expect(index.paths(for: .words("hopper gr")) == [[3]])
    names.insert("Lovelace Bridge", at: 0)
    #expect(index.paths(for: .substring("lovelace")) == [[0], [1]])
    let found = FilterNode(names) { _ in true }
    found.setSearch(.substring("love"), in: index)
    #expect(found.elements == ["Lovelace Bridge", "Ada Lovelace"])
    #expect("\(index)" == "TextIndex(5 elements)" && index.node === names)
  }

  @Test func theExamplesOfSearchingHold() {
    let index = TextIndex(of: ArrayNode(["Ada", "Adele", "Bob"]))
    #expect(Array(index.matches(for: .substring("ad")).ranges) == [0..<2])
    #expect(index.matches(for: .prefix("d")).isEmpty)
    let other = TextIndex(of: ArrayNode(["Calendar", "Ada Lovelace", "Alice"]))
    #expect(other.best(for: .fuzzy("al")).map(\.number) == [2, 1, 0])
    #expect(other.best(for: .fuzzy("al"), limit: 1).map(\.score) == [48])
    #expect(other.best(for: .substring("a"), limit: 2).map(\.number) == [0, 1])
    #expect(other.best(for: .fuzzy("al"), limit: 0).isEmpty && other.paths(for: .fuzzy("a"), limit: 0).isEmpty)
    #expect(other.paths(for: .substring("a"), limit: 2) == [[0], [1]])
  }

  @Test func equalScoresComeShorterTextsFirst() {
    let index = TextIndex(of: ArrayNode(["abxx", "abx", "xab", "aby", "ab"]))
    #expect(index.best(for: .fuzzy("ab")).map(\.number) == [4, 1, 3, 0, 2])
    #expect(index.best(for: .fuzzy("ab"), limit: 3).map(\.number) == [4, 1, 3])
  }

  @Test func treesAreSearchedInDocumentOrder() {
    let work = BranchNode(value: "Work", leaves: ["memo", "Wordlist"])
    let home = BranchNode(value: "Home", leaves: ["letter"])
    let tree = BranchNode(value: "wow", [work, home])
    let index = TextIndex(of: tree)
    #expect(index.count == 5 && index.paths(for: .prefix("wo")) == [[0], [0, 1]])
    #expect(index.path(ofNumber: 2) == [0, 1] && index.number(at: [1]) == 3)
    #expect(index.number(at: []) == nil && index.number(at: [0, 2]) == nil && index.number(at: [0, 0, 0]) == nil)
    tree.move(from: [0, 1], to: [1, 0])
    #expect(index.paths(for: .prefix("wo")) == [[0], [1, 0]])
    tree.value = "other"
    #expect(index.paths(for: .prefix("wo")) == [[0], [1, 0]])
    work.value = "Play"
    #expect(index.paths(for: .prefix("wo")) == [[1, 0]])
    index.checkInvariants()
  }

  @Test func childrenWithoutAValueAreNeverFound() {
    let tree = BranchNode<String>([.node(BranchNode(leaves: ["a"])), .leaf("a"), .node(BranchNode<String>())])
    let index = TextIndex(of: tree)
    #expect(index.count == 4)
    #expect(index.paths(for: .substring("")) == [[0, 0], [1]] && index.count(for: .words("")) == 2)
    #expect(index.paths(for: .substring("a")) == [[0, 0], [1]])
    #expect(index.paths(for: .fuzzy("")) == [[0, 0], [1]])
    // Children without a value pass a filter, although the search does not find them.
    let filter = FilterNode(tree) { _ in true }
    filter.setSearch(.substring("x"), in: index)
    #expect(filter.count == 2 && filter.element(at: 0) == nil && filter.element(at: 1) == nil)
    filter.setSearch(.substring("xy"), in: index)
    #expect(filter.count == 2)
  }

  @Test func aFoldingOfTheIndexIsThatOfItsQueries() {
    let names = ArrayNode(["Café", "cafe"])
    let index = TextIndex(of: names, folding: TextFolding(marks: .ignored))
    #expect(index.count(for: .substring("café")) == 2 && index.folding.marks == .ignored)
    let filter = FilterNode(names) { _ in false }
    filter.setSearch(.substring("café"), in: index)
    names.append("CAFÉ")
    #expect(filter.count == 3)
    #expect(TextIndex(of: names).count(for: .substring("café")) == 2)
  }

  @Test func objectsAreSearchedByTheirProperties() {
    final class Person {
      var name: String
      init(_ name: String) { self.name = name }
    }
    let people = ArrayNode(["Ada", "Bob"].map(Person.init))
    let index = TextIndex(of: people, text: \.name)
    #expect(index.count(for: .substring("ad")) == 1)
    people[1].name = "Adam"
    #expect(index.count(for: .substring("ad")) == 1)
    people.update(at: 1)
    #expect(index.count(for: .substring("ad")) == 2)
  }

  @Test func theIndexIsNeverBehind() {
    let names = ArrayNode(["Ada"])
    let filter = FilterNode(names) { _ in true }
    var received: [Int] = []
    // The observation begins before the index's own, so it is called first.
    var index: TextIndex<String>?
    let token = names.observe { _ in received.append(index?.count(for: .substring("ad")) ?? -1) }
    index = TextIndex(of: names)
    names.performUpdates {
      names.append("Adam")
      names.insert("Bob", at: 0)
      #expect(index?.paths(for: .substring("ad")) == [[1], [2]])
      filter.setSearch(.substring("ad"), in: index!)
      #expect(filter.elements == ["Ada", "Adam"])
      names.remove(at: 1)
      #expect(filter.elements == ["Adam"] && index?.count == 2)
      filter.setSearch(.substring("b"), in: index!)
      #expect(filter.elements == ["Bob"])
    }
    #expect(received == [1])
    names.append("Adele")
    #expect(received == [1, 2])
    index?.checkInvariants()
    token.cancel()
  }

  @Test func theClosureMayReadTheIndex() {
    let names = ArrayNode(["a"])
    var seen: [Int] = []
    var index: TextIndex<String>?
    index = TextIndex(of: names) { element in
      if let index { seen.append(index.count(for: .substring("a"))) }
      return element
    }
    names.append("a")
    names[0] = "b"
    #expect(index?.count(for: .substring("a")) == 1 && seen == [1, 2])
    index = nil
  }

  @Test func everythingIsReleased() throws {
    try withLifetimeTracking { tracker in
      let node = ArrayNode<Tracked<String>>([tracker.track("Ada"), tracker.track("Bob")])
      let filter = FilterNode(node) { _ in true }
      do {
        let index = TextIndex(of: node, text: \.payload)
        filter.setSearch(.substring("b"), in: index)
        node.append(tracker.track("Abe"))
      }
      // The filter does not keep the index.
      node.append(tracker.track("Bo"))
      #expect(filter.elements.map(\.payload) == ["Bob", "Abe", "Bo"])
    }
  }

  @Test func aFormerSearchInAnIndexThatIsGoneSaysNothing() {
    let names = ArrayNode(["Ada", "Adam"])
    let filter = FilterNode(names) { _ in true }
    filter.setSearch(.substring("adam"), in: TextIndex(of: names) { _ in "adam" })
    #expect(filter.count == 2)
    filter.setSearch(.substring("adam"), in: TextIndex(of: names))
    #expect(filter.elements == ["Adam"])
  }

  static let misuses = [
    Misuse("FilterNode: the search is set in an index of another node than the filter's source.") {
      FilterNode(ArrayNode(["a"])) { _ in true }.setSearch(.substring("a"), in: TextIndex(of: ArrayNode(["a"])))
    },
    Misuse("TreeFilterNode: the search is set in an index of another node than the source of the filtered tree.") {
      TreeFilterNode(ArrayNode(["a"])) { _ in true }.setSearch(.substring("a"), in: TextIndex(of: ArrayNode(["a"])))
    },
    Misuse("TextIndex: the limit -1 is negative.") {
      _ = TextIndex(of: ArrayNode(["a"])).paths(for: .fuzzy(""), limit: -1)
    },
    Misuse("TextIndex: the limit -2 is negative.") {
      _ = TextIndex(of: ArrayNode(["a"])).best(for: .fuzzy(""), limit: -2)
    },
    Misuse("TextIndex: the position 1 is out of range 0..<1.") {
      _ = TextIndex(of: ArrayNode(["a"])).path(ofNumber: 1)
    },
    Misuse("ArrayNode<String> was changed from a closure that must only read") {
      let names = ArrayNode(["a"])
      _ = TextIndex(of: names) { element in
        names.append("b")
        return element
      }
    },
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test(.smallStack) func aTallChainIsSearchedAndReleased() {
    let depth = TallTree.depth
    let bottom = BranchNode(value: "bottom")
    var node = bottom
    for _ in 1..<depth { node = BranchNode(value: "x", [.node(node)]) }
    let index = TextIndex(of: node)
    #expect(index.count(for: .substring("x")) == depth - 2 && index.paths(for: .prefix("bot"))[0].count == depth - 1)
    bottom.append(.leaf("leaf"))
    #expect(index.count(for: .prefix("leaf")) == 1)
    node.insert(.leaf("first"), at: 0)
    node.remove(at: 1)
    #expect(index.count == 1 && index.count(for: .substring("first")) == 1)
    index.checkInvariants()
  }
}
