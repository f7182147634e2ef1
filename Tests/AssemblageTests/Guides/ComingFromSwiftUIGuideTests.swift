import Assemblage
import Foundation
import Observation
import Testing

/// The code of Docs/ComingFromSwiftUI.md.
@MainActor @Suite struct ComingFromSwiftUIGuideTests {
  struct Person: Identifiable {
    let id: Int
    var name: String
  }

  @MainActor @Observable final class Contacts {
    let people = ArrayNode<Person>()
    let shown: SortNode<Person>
    private let found: FilterNode<Person>
    var search = "" { didSet { found.setPredicate { [search] in search.isEmpty || $0.name.contains(search) } } }

    init() {
      found = FilterNode(people) { _ in true }
      shown = SortNode(found, by: \.name)
    }
  }

  @Test func aModelWithNodesIsSearchedAndEdited() {
    let contacts = Contacts()
    contacts.people.append(contentsOf: [Person(id: 1, name: "Grace"), Person(id: 2, name: "Ada")])
    contacts.search = "a"
    contacts.shown.remove(atOffsets: [0])
    #expect(contacts.shown.map(\.name) == ["Grace"])
    #expect(contacts.people.map(\.id) == [1])
  }

  @Test func aReaderIsNotifiedOnlyOfItsRows() {
    let contacts = Contacts()
    contacts.people.append(contentsOf: [Person(id: 1, name: "Grace"), Person(id: 2, name: "Ada")])
    let shown = ObservableNode(contacts.shown)
    nonisolated(unsafe) var isStale = false
    withObservationTracking {
      #expect(shown[0]?.name == "Ada")
    } onChange: {
      unsafe isStale = true
    }
    contacts.people.append(Person(id: 3, name: "Zoe"))
    #expect(unsafe !isStale)
    contacts.people.update(at: 1) { $0.name = "Al" }
    #expect(unsafe isStale)
  }

  @Test func aMoveCountsAsOnMoveDoes() {
    let names = ArrayNode(["a", "b", "c"])
    names.move([0], into: [], at: 2)
    #expect(names.elements == ["b", "a", "c"])
  }
}
