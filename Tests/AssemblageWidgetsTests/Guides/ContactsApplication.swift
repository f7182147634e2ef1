import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation

/// A person with a phone number.
struct Contact: Hashable {
  let id: Int
  var name: String
  var phone = ""

  /// The letter of the section that shows the contact.
  var letter: String { name.first?.uppercased() ?? "#" }

  /// Whether a search for a text in lower case finds the contact.
  func matches(_ text: String) -> Bool {
    text.isEmpty || name.lowercased().contains(text) || phone.contains(text)
  }
}

/// The actions that the user may perform with the contacts of one letter.
///
/// Contacts can be edited, deleted and dragged. A drag ends where it began, because the letter follows from the name.
struct LetterBehavior: EditingBehavior, DeletionBehavior, MovingBehavior {
  func allowsMoving(from origin: NodePlace, to place: NodePlace) -> Bool {
    origin.node === place.node
  }
}

/// The view of a row or of a header.
final class Label {
  var text = ""
}

/// The contacts of a device and of a company, in one table with a section for each letter.
final class ContactsApplication {
  /// The contacts on this device, in the user's order.
  let device: ArrayNode<Contact>
  /// The contacts of the company, in the user's order.
  let company: ArrayNode<Contact>
  /// The widget.
  let table = WidgetModel<Contact>(.list)
  /// The user's actions on rows go through the coordinator.
  let coordinator: SectionedListCoordinator<Contact>
  /// Undoes and redoes the changes of the contacts.
  let undoLog: UndoLog

  private let found: FilterNode<Contact>
  private var letters: GroupNode<Contact, String>
  private var cells = CellFactory<Contact, Label>()
  private var headers = CellFactory<String, Label>()

  init(device: [Contact], company: [Contact]) {
    self.device = ArrayNode(device)
    self.company = ArrayNode(company)
    found = FilterNode(JoinNode([self.device, self.company])) { _ in true }
    letters = Self.letters(of: found, sorted: false)
    undoLog = UndoLog(of: found)
    coordinator = SectionedListCoordinator(letters)
    coordinator.behaviors = { $0 is GroupSection<Contact, String> ? [LetterBehavior()] : [] }
    coordinator.keepSelection(id: \.id)
    cells.register("name and number") { (contact: Contact) in
      contact.phone.isEmpty ? nil : contact
    } configure: { label, contact in
      label.text = "\(contact.name), \(contact.phone)"
    }
    cells.register("name") { label, contact in label.text = contact.name }
    headers.register("letter") { label, letter in label.text = "[\(letter)]" }
    table.follow(coordinator)
  }

  private static func letters(of contacts: FilterNode<Contact>, sorted: Bool) -> GroupNode<Contact, String> {
    let byName = { (a: Contact, b: Contact) in a.name.lowercased() < b.name.lowercased() }
    return GroupNode(contacts, sectionsBy: <, rowsBy: sorted ? byName : nil, by: \.letter)
  }

  /// The text of the search field, which is set at every key press.
  var search = "" {
    didSet {
      let (text, former) = (search.lowercased(), oldValue.lowercased())
      let hint: FilterHint =
        text.hasPrefix(former) ? .stricter : former.hasPrefix(text) ? .looser : .different
      found.setPredicate(hint: hint) { $0.matches(text) }
    }
  }

  /// Whether the contacts of a letter are in the order of their names. Contacts in the user's order can be dragged.
  var isSorted = false {
    didSet {
      letters = Self.letters(of: found, sorted: isSorted)
      coordinator.show(letters, id: \.id)
    }
  }

  /// The user gives a contact another name.
  func rename(at path: IndexPath, to name: String) { coordinator.edit(at: path) { $0.name = name } }

  /// The table as text, with a star before each row that is selected.
  var lines: [String] {
    let selection = Set(table.selectedPaths)
    return table.paths.map { path in
      let label = Label()
      if let contact = table.element(at: path) {
        cells.template(for: contact).configure(label)
      } else if let section = coordinator.nodePath(of: path)?.first, let letter = letters.key(ofSection: section) {
        headers.template(for: letter).configure(label)
      }
      return (selection.contains(path) ? "* " : "") + label.text
    }
  }
}
