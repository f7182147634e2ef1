import Assemblage
import Foundation
import Testing

/// The code of Docs/ComingFromComposed.md.
@Suite struct ComingFromComposedGuideTests {
  enum Contact: Hashable {
    case person(String)
    case business(String)
  }

  @Test func sectionsAreNodes() {
    let family = ArrayNode(["Dad", "Mum"].map(Contact.person))
    let businesses = ArrayNode([Contact.business("ACME Inc.")])
    let contacts = BranchNode([family, businesses])
    #expect(contacts.count == 2)
    #expect(contacts.count(at: [1]) == 1)
    #expect(contacts[[0, 1]] == .person("Mum"))

    let flat = JoinNode([family, businesses])
    #expect(flat.count == 3)
    #expect(flat.locate(2).member == 1)
    #expect(flat.range(ofMember: 0) == 0..<2)

    let status = SingleNode<Contact>()
    #expect(status.count == 0)
    status.content = .person("Me")
    #expect(status.count == 1)
  }

  @Test func sectionsOfOtherElementsAreMapped() {
    let names = ArrayNode(["apple", "pear"])
    let prices = ArrayNode([3, 5])
    let rows = JoinNode<String>([names, MapNode(prices) { "\($0) €" }])
    #expect(rows.elements == ["apple", "pear", "3 €", "5 €"])
  }

  protocol ListItem {}

  struct Person: ListItem { var name: String }

  struct Shop: ListItem { var address: String }

  @Test func sectionsOfSeveralTypesAreOneList() {
    let people = ArrayNode([Person(name: "Ada"), Person(name: "Bob")])
    let shops = ArrayNode([Shop(address: "1 High Street")])
    let list = BranchNode<any ListItem>([
      people.erasing { $0 as any ListItem }, shops.erasing { $0 as any ListItem },
    ])
    #expect(list.count(at: [0]) == 2)
    #expect(list.child(at: [0], of: Person.self)?.element(at: 0)?.name == "Ada")
    people[0].name = "Eve"
    list.move(from: [0, 0], to: [0, 1])
    #expect(people[1].name == "Eve")
  }

  @Test func sectionsAreFoundAtAnyDepth() {
    let s1 = ArrayNode(["1"]), s2 = ArrayNode(["2"]), s3 = ArrayNode(["3"]), s4 = ArrayNode(["4"])
    let provider = BranchNode([s2, s3])
    let outermost = BranchNode<String>([s1, provider, s4])
    let found = SectionsNode(outermost)
    #expect(found.count == 4)
    #expect(found[[2, 0]] == "3")
    #expect(found.child(at: 2)?.elements == ["3"])
    #expect(found.path(ofSection: 2) == [1, 1])
    provider.remove(at: 0)
    outermost.move(from: [1, 0], to: [2])
    #expect(found.count == 4)

    // The guide's statement about the rule.
    provider.rule = .nodes("sections")
    #expect(SectionsNode(outermost).count == 3)
  }

  @Test func providersAreBranchesJoinsAndSegments() {
    let home = BranchNode([ArrayNode(["a"]), ArrayNode(["b", "c"])])
    let work = BranchNode([ArrayNode(["d"])])
    let all = JoinNode<String>([home, work])
    #expect(all.count == 3)
    #expect(all[[2, 0]] == "d")
    #expect(all.range(ofMember: 1) == 2..<3)
    home.append(ArrayNode(["e"]))
    #expect(all[[3, 0]] == "d")

    let tabs = SegmentNode<String>([home, work], selection: 0)
    #expect(tabs.count == 3)
    tabs.selection = 1
    #expect(tabs[[0, 0]] == "d")

    // The guide's statement about single sections.
    let section = ArrayNode(["f"])
    #expect(JoinNode<String>([BranchNode([section]), work])[[0, 0]] == "f")
  }

  @Test func updatesAreReceivedOnce() {
    let sections = BranchNode([ArrayNode(["x", "y"]), ArrayNode(["z"])])
    var received: [ChangeSet.Paths] = []
    let token = sections.observe { received.append($0.paths) }
    sections.performUpdates {
      sections.insert(.node(ArrayNode(["w"])), at: 0)
      sections.remove(at: [1, 0])
      sections.move(from: [2, 0], to: [1, 0])
    }
    #expect(received.count == 1)
    #expect(received[0].insertions == [[0]])
    #expect(received[0].removals == [[0, 0]])
    #expect(received[0].moves.map(\.source) == [[1, 0]])
    #expect(received[0].moves.map(\.destination) == [[1, 0]])
    token.cancel()
  }

  @Test func headersAndSelectionBelongToSections() {
    let fruit = BranchNode(leaves: ["apple", "pear"])
    fruit.header = "Fruit"
    let table = BranchNode([fruit])
    #expect(table.header(at: [0]) == "Fruit")
    #expect(table.footer(at: [0]) == nil)

    let selection = SelectionModel(of: fruit)
    selection.select(1)
    table.insert("fig", at: [0, 0])
    #expect(selection.selectedRanges == [2..<3])
  }
}
