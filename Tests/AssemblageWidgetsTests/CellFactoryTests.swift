import AssemblageWidgets
import TestSupport
import Testing

/// Cells by type, by case and by closure.
@Suite struct CellFactoryTests: MisuseSuite {
  private final class Label {
    var text = ""
  }

  private enum Entry { case person(String), gap, other(Int) }

  private class Animal {}
  private final class Dog: Animal {}
  private final class Cat: Animal {}

  static let misuses = [
    Misuse("CellFactory: no cell is registered for a Cat; register one, or one for all other elements.") {
      var cells = CellFactory<Animal, Label>()
      cells.register("dog", for: Dog.self) { _, _ in }
      _ = cells.template(for: Cat())
    }
  ]

  @Test(arguments: misuses) func misuseTraps(_ misuse: Misuse) async { await expectTrap(misuse, of: Self.self) }

  @Test func theFirstRegistrationThatFitsCounts() {
    var cells = CellFactory<Entry, Label>()
    cells.register("person") { entry in
      if case .person(let name) = entry { name } else { nil }
    } configure: { label, name in
      label.text = name
    }
    cells.register("any") { label, entry in label.text = "\(entry)" }
    let label = Label()
    func show(_ entry: Entry) -> String {
      let template = cells.template(for: entry)
      template.configure(label)
      return "\(template.reuseIdentifier): \(label.text)"
    }
    #expect([.person("Ada"), .gap, .other(3)].map(show) == ["person: Ada", "any: gap", "any: other(3)"])
  }

  @Test func subclassesHaveCellsOfTheirOwn() {
    var cells = CellFactory<Animal, Label>()
    cells.register("dog", for: Dog.self) { _, _ in }
    cells.register("animal", for: Animal.self) { _, _ in }
    #expect([Dog(), Cat(), Animal()].map { cells.template(for: $0).reuseIdentifier } == ["dog", "animal", "animal"])
  }
}
