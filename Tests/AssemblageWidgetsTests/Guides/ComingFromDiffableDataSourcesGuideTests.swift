import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Testing

/// The code of Docs/ComingFromDiffableDataSources.md.
@MainActor @Suite struct ComingFromDiffableDataSourcesGuideTests {
  struct Contact: Identifiable {
    let id: Int
    var name: String
  }

  @MainActor final class ContactList {
    let contacts = ArrayNode<Contact>()
    let found: FilterNode<Contact>
    let coordinator: ListCoordinator<Contact>
    private let places: IdentityIndex<Contact, Contact.ID>
    var search = "" { didSet { found.setPredicate { [search] in search.isEmpty || $0.name.contains(search) } } }

    init() {
      found = FilterNode(contacts) { _ in true }
      coordinator = ListCoordinator(SortNode(found, by: \.name))
      places = IdentityIndex(of: contacts)
    }

    func rename(_ id: Contact.ID, to name: String) {
      guard let path = places.path(of: id) else { return }
      contacts.update(at: path[0]) { $0.name = name }
    }
  }

  @Test func aListIsSearchedAndRenamedWithoutASnapshot() {
    let list = ContactList()
    list.contacts.append(contentsOf: [Contact(id: 1, name: "Grace"), Contact(id: 2, name: "Ada")])
    let table = WidgetModel<Contact>(.list)
    table.follow(list.coordinator)
    list.rename(1, to: "Ada M")
    list.search = "M"
    #expect(table.element(at: [0, 0])?.name == "Ada M")
    #expect(table.log == ["reload", "reloads [0, 1]", "deletes [0, 0]"])
  }
}
