import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import Testing

/// The code of Docs/ShowingANode.md, except for its stages.
@Suite struct ShowingANodeGuideTests {
  final class TextList: ListWidget {
    let coordinator: SectionedListCoordinator<String>
    private(set) var sections: [[String]] = []

    init(_ node: any TreeNode<String>) {
      coordinator = SectionedListCoordinator(node)
      coordinator.widget = self
    }

    func reload() {
      sections = (0..<coordinator.sectionCount).map(rows)
    }

    func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
      commit()
      var shown = sections  // the coordinator may ask for a count meanwhile
      batch.apply(to: &shown, rows: rows, row: text)
      sections = shown
    }

    func shownCount(at path: IndexPath) -> Int? {
      if path.isEmpty { return sections.count }
      return sections.indices.contains(path[0]) ? sections[path[0]].count : nil
    }

    private func rows(_ section: Int) -> [String] {
      (0..<coordinator.count(ofSection: section)).map { text(at: [section, $0]) }
    }

    private func text(at path: IndexPath) -> String { coordinator.element(at: path) ?? "" }
  }

  @Test func lists() {
    let names = ArrayNode(["Bob", "Ada", "Alan"])
    let list = ListCoordinator(SortNode(names, by: <))
    let table = WidgetModel<String>(.list)
    table.follow(list)

    names.append("Al")
    #expect(table.element(at: [0, 1]) == "Al")
    #expect(table.log == ["reload", "inserts [0, 1]"])

    let letters = GroupNode(names, sectionsBy: <, header: { $0 }) { String($0.prefix(1)) }
    let contacts = SectionedListCoordinator(letters)
    #expect(contacts.sectionCount == 2)
    #expect(contacts.header(ofSection: 1) == "B")
    #expect(contacts.count(ofSection: 0) == 3)
    #expect(contacts.element(at: [0, 0]) == "Ada")

    let guests = BranchNode(value: "Guests", leaves: ["Ada"])
    let house = BranchNode(
      value: "House", [BranchNode(value: "Kitchen", leaves: ["Bo"]), BranchNode(value: "Bar", leaves: [])])
    let rooms = SectionedListCoordinator(SectionsNode(BranchNode<String>([guests, house])))
    #expect((0..<3).map { rooms.header(ofSection: $0) } == ["Guests", "Kitchen", "Bar"])
    #expect(rooms.element(at: [1, 0]) == "Bo")

    let sections = WidgetModel<String>(.list)
    sections.follow(contacts)
    contacts.suspend()
    names.removeAll { $0 == "Ada" }
    names.append("Cy")
    #expect(contacts.element(at: [0, 0]) == nil)
    #expect(contacts.count(ofSection: 0) == 3)
    contacts.resume()
    #expect(contacts.count(ofSection: 0) == 2)
    #expect(sections.log == ["reload", "deletes [0, 0]; inserts [2]"])

    contacts.show(BranchNode([ArrayNode(["Cy", "Dan"])]), id: { $0 })
    #expect(sections.paths == [[0], [0, 0], [0, 1]])
    #expect(sections.element(at: [0, 0]) == "Cy")
  }

  @Test func outlines() {
    let folder = BranchNode(value: "src", leaves: ["main.swift"])
    let tree = BranchNode([.node(folder), .leaf("README.md")])
    let files = OutlineCoordinator(tree)
    let outline = WidgetModel<String>(.outline)
    outline.follow(files)
    tree.move(from: [1], to: [0, 0])
    #expect(outline.log == ["reload", "moves [1]→[0, 0]"])
    #expect(outline.element(at: [0, 1]) == "main.swift")

    files.keepSelection(id: { $0 })
    files.select(at: [0, 1])
    folder.insert("a.swift", at: 0)
    #expect(files.selectedPaths == [[0, 2]])
  }

  @Test func cells() {
    enum Entry { case person(String), gap }
    final class Label { var text = "" }

    var cells = CellFactory<Entry, Label>()
    cells.register("person") { (entry: Entry) -> String? in
      if case .person(let name) = entry { name } else { nil }
    } configure: { label, name in
      label.text = name
    }
    cells.register("gap") { label, _ in label.text = "" }

    let template = cells.template(for: .person("Ada"))
    let label = Label()
    template.configure(label)
    #expect(template.reuseIdentifier == "person")
    #expect(label.text == "Ada")
  }

  @Test func cellsOfClasses() {
    class View {}
    final class NameView: View { var name = "" }

    var views = CellFactory<String, View>()
    views.register(.class(NameView.self)) { view, name in view.name = name }
    let view = NameView()
    views.template(for: "Ada").configure(view)
    #expect(view.name == "Ada")
    #expect(views.kinds.map(\.nibName) == ["NameView"])

    var all = SectionCells<String, View, View>(rows: views)
    let (guests, staff) = (ArrayNode(["Ada"]), ArrayNode(["Bob"]))
    let hotel = SectionedListCoordinator(BranchNode([guests, staff]))
    var badges = CellFactory<String, View>()
    badges.register("badge") { _, _ in }
    all[staff] = SectionCells(rows: badges)
    #expect(hotel.template(at: [1, 0], in: all)?.reuseIdentifier == "badge")
  }

  @Test func selectionsAndActivations() {
    let (family, friends) = (ArrayNode(["Mum", "Dad"]), ArrayNode(["Ada", "Bob"]))
    let people = SectionedListCoordinator(BranchNode([SortNode(family, by: <), friends]))
    var greeted: [String] = []
    people.onSelect(in: family, .single) { position in greeted.append(family[position]) }
    people.select(at: [1, 0])
    people.select(at: [1, 1], .adding)
    people.select(at: [0, 0], .adding)
    people.select(at: [0, 1], .adding)
    #expect(greeted == ["Dad", "Mum"])
    #expect(people.selectedPaths == [[0, 1], [1, 0], [1, 1]])

    var called: [String] = []
    people.onActivate(in: friends) { position in called.append(friends[position]) }
    people.activate(at: [1, 1])
    #expect(called == ["Bob"])
  }

  @Test func deletionsAndSwipes() {
    final class Inbox: DeletionBehavior {
      func allowsDeletion(at place: NodePlace) -> Bool { place.position > 0 }
    }

    let mails = ArrayNode(["Welcome", "Bill"])
    let inbox = ListCoordinator(SortNode(mails, by: <))
    inbox.addBehavior(Inbox(), to: mails)
    #expect(inbox.canDelete(at: [0, 1]) == false)
    inbox.delete(at: [0, 0])
    #expect(mails.elements == ["Welcome"])

    struct Archiving: SwipeBehavior {
      let mails: ArrayNode<String>
      let archive: ArrayNode<String>

      func actions(at place: NodePlace, underSwipeFrom edge: SwipeEdge) -> [ContextAction] {
        if edge == .trailing { return [] }
        return [ContextAction("Archive") { archive.append(mails.remove(at: place.position)) }]
      }
    }

    let archive = ArrayNode<String>()
    inbox.addBehavior(Archiving(mails: mails, archive: archive), to: mails)
    #expect(inbox.actions(at: [0, 0], underSwipeFrom: .leading).map(\.title) == ["Archive"])
    inbox.actions(at: [0, 0], underSwipeFrom: .leading)[0].perform()
    #expect(archive.elements == ["Welcome"])
  }

  @Test func drops() {
    let home = BranchNode([.node(BranchNode(value: "src", leaves: ["main.swift"])), .leaf("README.md")])
    let homeRows = ListCoordinator(OutlineNode(home, id: { $0 }))
    homeRows.behaviors = { _ in [WritingBehavior()] }
    #expect(homeRows.canMove([0, 0], onto: [0, 1]) == false)
    #expect(homeRows.move([0, 1], onto: [0, 0]) == true)
    #expect(home.child(at: 0)?.elements == ["main.swift", "README.md"])
  }

  @Test func prefetches() {
    let photos = ArrayNode(0..<1000)
    let album = ListCoordinator(FilterNode(photos) { $0 >= 100 })
    var requested: [Range<Int>] = []
    album.onPrefetch(in: photos) { positions in requested.append(positions) }
    album.prefetch([[0, 3], [0, 4]], visible: [[0, 2]])  // a widget calls this while the user scrolls
    #expect(requested == [102..<105])
  }

  @Test func aWidgetOfText() {
    let fruits = ArrayNode(["pear", "apple", "plum"])
    let text = TextList(GroupNode(fruits, sectionsBy: <) { String($0.prefix(1)) })
    #expect(text.sections == [["apple"], ["pear", "plum"]])

    fruits.append("fig")
    fruits[0] = "peach"
    #expect(text.sections == [["apple"], ["fig"], ["peach", "plum"]])
  }

  @Test func ranges() {
    // ["a", "b", "c", "d"] becomes ["d", "a", "c"].
    let change = Delta(
      removals: [1..<2], insertions: [], updates: [], moves: [Delta.Move(from: 3..<4, to: 0..<1)])
    let splices = RowSplices(change)
    #expect(splices.map(\.description) == ["0: 0→1", "2: 1→0", "3: 1→0"])
    // After the first of them, the widget shows d, a, b, c, d.
    #expect(splices.row(after: 3, following: 1) == 2)
    #expect(splices.row(after: 2, following: 1) == nil)
  }
}
