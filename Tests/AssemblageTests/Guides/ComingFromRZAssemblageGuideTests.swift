import Assemblage
import AssemblageTesting
import Foundation
import Testing

/// The code of Docs/ComingFromRZAssemblage.md.
@Suite struct ComingFromRZAssemblageGuideTests {
  final class Person {
    let name: String
    var friends: [Person] = []
    var enemies: [Person] = []
    init(_ name: String) { self.name = name }
  }

  @Test func propertiesAreSections() {
    let bob = Person("Bob")
    bob.friends = ["Al", "Bo"].map(Person.init)
    let friends = PropertyNode(bob, objects: \.friends)
    let enemies = PropertyNode(bob, objects: \.enemies)
    let data = BranchNode([friends, enemies])
    #expect(data[[0, 1]]?.name == "Bo")
    data.move(from: [0, 1], to: [1, 0])
    #expect(bob.enemies.map(\.name) == ["Bo"])
    bob.friends.append(Person("Cy"))
    friends.refresh()
    #expect(data.count(at: [0]) == 2)
  }

  final class Folder {
    var name: String
    var folders: [Folder]
    init(_ name: String, _ folders: [Folder] = []) { (self.name, self.folders) = (name, folders) }
  }

  @Test func propertiesAreTreesAndRows() {
    let home = Folder("home", [Folder("notes", [Folder("2024"), Folder("2025")]), Folder("music")])
    let folders = PropertyNode(home, repeating: PropertyLevel(objects: \Folder.folders))
    #expect(folders[[0, 1]]?.name == "2025")
    #expect(folders.value?.name == "home")
    let rows = FieldsNode(home, [\.name])
    rows.replace(at: 0, with: "Home")
    #expect(home.name == "Home")
  }

  final class Company {
    var departments: [Department] = [Department(), Department()]
  }

  final class Department {
    var people = [Person("Ada")]
  }

  /// The table's statement about properties that descend.
  @Test func propertiesDescend() {
    let company = Company()
    let tree = PropertyNode<AnyObject>(
      company, levels: [PropertyLevel(objects: \Company.departments), PropertyLevel(objects: \Department.people)])
    tree.insert(Person("Bo"), at: [1, 0])
    #expect(company.departments[1].people.map(\.name) == ["Bo", "Ada"])
  }

  @Test func staticRowsStandAboveResults() {
    let controller = ResultsControllerModel([("A", ["Ada", "Al"]), ("B", ["Bo"])], id: { $0 })
    let people = ResultsNode(controller, id: { $0 })
    #expect(people[[1, 0]] == "Bo")
    let list = JoinNode<String>([ArrayNode(["Row 1", "Row 2"]), FlattenNode(people)])
    #expect(list.elements == ["Row 1", "Row 2", "Ada", "Al", "Bo"])
    #expect(list.locate(2).member == 1)
  }

  @Test func filtersWorkAtEveryDepth() {
    let notes = BranchNode(value: "notes", leaves: ["apple.md", "pear.md"])
    let tree = BranchNode([notes])
    let filtered = TreeFilterNode(tree, policy: .hidingSubtrees) { $0 != "pear.md" }
    #expect(filtered.count(at: [0]) == 1)
    #expect(filtered.child(at: 0)?.elements == ["apple.md"])
    filtered.setPredicate { _ in true }
    #expect(filtered.count(at: [0]) == 2)

    let snapshot = tree.snapshot()
    #expect(snapshot.paths.compactMap { snapshot.value(at: $0) } == ["notes", "apple.md", "pear.md"])
  }

  @Test func batchesAreReceivedOnce() {
    let first = ArrayNode(["a", "b"])
    let second = ArrayNode(["c"])
    let sections = BranchNode([first, second])
    var changes: [ChangeSet.Paths] = []
    let token = sections.observe { changes.append($0.paths) }
    sections.performUpdates {
      sections.insert("d", at: [1, 1])
      sections.move(from: [0, 0], to: [1, 0])
    }
    #expect(changes.count == 1)
    #expect(changes[0].insertions == [[1, 2]])
    #expect(changes[0].moves.map(\.source) == [[0, 0]])
    #expect(changes[0].moves.map(\.destination) == [[1, 0]])
    token.cancel()
  }
}
