import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import Testing

/// The code of Docs/Coordinators.md.
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

@Suite struct CoordinatorsGuideTests {
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

  @Test func drops() {
    let home = BranchNode([.node(BranchNode(value: "src", leaves: ["main.swift"])), .leaf("README.md")])
    let homeRows = ListCoordinator(OutlineNode(home, id: { $0 }))
    homeRows.behaviors = { _ in [WritingBehavior()] }
    #expect(homeRows.canMove([0, 0], onto: [0, 1]) == false)
    #expect(homeRows.move([0, 1], onto: [0, 0]) == true)
    #expect(home.child(at: 0)?.elements == ["main.swift", "README.md"])
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

  @Test func behaviors() {
    final class Inbox: DeletionBehavior {
      func allowsDeletion(at place: NodePlace) -> Bool { place.position > 0 }
    }

    let mails = ArrayNode(["Welcome", "Bill"])
    let inbox = ListCoordinator(SortNode(mails, by: <))
    inbox.addBehavior(Inbox(), to: mails)
    #expect(inbox.canDelete(at: [0, 1]) == false)
    inbox.delete(at: [0, 0])
    #expect(mails.elements == ["Welcome"])
  }

  @Test func closures() {
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
  }

  @Test func aListOfText() {
    let names = ArrayNode(["Bob", "Ada", "Alan"])
    let letters = GroupNode(names, sectionsBy: <) { String($0.prefix(1)) }
    let list = TextList(letters)
    #expect(list.sections == [["Ada", "Alan"], ["Bob"]])

    names.append("Cy")
    names[1] = "Barbara"
    #expect(list.sections == [["Alan"], ["Bob", "Barbara"], ["Cy"]])

    list.coordinator.suspend()
    names.removeAll { $0 == "Alan" }
    names.append("Ada")
    #expect(list.coordinator.element(at: [0, 0]) == nil)
    #expect(list.coordinator.count(ofSection: 0) == 1)
    list.coordinator.resume()
    #expect(list.sections == [["Ada"], ["Bob", "Barbara"], ["Cy"]])

    list.coordinator.show(BranchNode([ArrayNode(["Cy", "Dan"])]), id: { $0 })
    #expect(list.sections == [["Cy", "Dan"]])
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
}
