import Assemblage
import AssemblageWidgets
import CheckedSwiftUI
import CheckedUIKit
import Foundation
import SwiftUIStub
import Testing
import UIKitStub

// The code of Docs/SwiftUI.md.

struct Person: Identifiable {
  let id: Int
  var name: String
}

struct PeopleList: View {
  let found: FilterNode<Person>

  var body: some View {
    List(Rows(found)) { person in Text(person.name) }
  }
}

struct EditableList: View {
  let people: ArrayNode<Person>

  var body: some View {
    let rows = Rows(people, animation: .default)
    List {
      ForEach(rows) { person in Text(person.name) }
        .onDelete(perform: rows.remove(atOffsets:))
        .onMove(perform: rows.move(fromOffsets:toOffset:))
    }
  }
}

struct SectionList: View {
  let letters: GroupNode<Person, Character>

  var body: some View {
    List {
      ForEach(Rows.sections(of: letters)) { section in
        Section(section.first.map { String($0.name.prefix(1)) } ?? "") {
          ForEach(section) { person in Text(person.name) }
            .onDelete(perform: section.remove(atOffsets:))
        }
      }
    }
  }
}

struct SelectableList: View {
  let found: FilterNode<Person>
  let selection: SelectionModel<Person, Int>

  var body: some View {
    List(Rows(found), selection: Bindable(selection).ids) { person in Text(person.name) }
  }
}

struct FolderList: View {
  let outline: OutlineNode<String, String>

  var body: some View {
    List(OutlineRows(outline), id: \.value) { row in
      HStack {
        if row.hasChildren { Button(row.isExpanded ? "▾" : "▸") { row.isExpanded.toggle() } }
        Text(row.value)
      }
      .padding(.leading, 16 * CGFloat(row.depth))
    }
  }
}

struct PeopleTable: UIViewRepresentable {
  let people: any TreeNode<Person>

  final class Coordinator {
    var adapter: TableViewAdapter<Person>?
  }

  func makeCoordinator() -> Coordinator { Coordinator() }

  func makeUIView(context: Context) -> UITableView {
    let table = UITableView()
    table.register(UITableViewCell.self, forCellReuseIdentifier: "name")
    var cells = CellFactory<Person, UITableViewCell>()
    cells.register("name") { cell, person in cell.textLabel?.text = person.name }
    context.coordinator.adapter = TableViewAdapter(table, ListCoordinator(people), cells: cells)
    return table
  }

  func updateUIView(_ table: UITableView, context: Context) {}
}

@MainActor @Suite struct SwiftUIGuideTests {
  @Test func rowsAreValues() {
    let people = ArrayNode([Person(id: 1, name: "Ada"), Person(id: 2, name: "Bo")])
    let found = FilterNode(people) { $0.name.count < 6 }
    let rows = Rows(found)
    people.append(Person(id: 3, name: "Cy"))
    #expect(rows.count == 2)
    #expect(Rows(found).count == 3)

    #expect(drawing(of: PeopleList(found: found)) == ["Ada", "Bo", "Cy"])
    #expect(drawing(of: EditableList(people: people)) == ["Ada", "Bo", "Cy"])
    let letters = GroupNode(found) { $0.name.first! }
    #expect(drawing(of: SectionList(letters: letters)) == ["# A", "Ada", "# B", "Bo", "# C", "Cy"])
    let selection = SelectionModel(of: found)
    #expect(drawing(of: SelectableList(found: found, selection: selection)) == ["Ada", "Bo", "Cy"])
    let table = PeopleTable(people: people)
    let context = UIViewRepresentableContext(table)
    let view = table.makeUIView(context: context)
    table.updateUIView(view, context: context)
    people.remove(at: 0)
    #expect(view.texts == [["Bo", "Cy"]])
  }

  @Test func outlines() {
    let notes = BranchNode(value: "notes", leaves: ["a.md"])
    let outline = OutlineNode(BranchNode([.node(notes), .leaf("x.txt")]), id: { $0 })
    OutlineRows(outline)[0].isExpanded = true
    #expect(drawing(of: FolderList(outline: outline)) == ["▾ notes", "  a.md", "x.txt"])
  }
}
