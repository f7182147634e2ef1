import AssemblageWidgets
import TestSupport
import Testing

/// Cells by type, by case and by closure.
@Suite struct CellFactoryTests: MisuseSuite {
  private class Label {
    var text = ""
  }
  private final class WideLabel: Label {
    var width = 0
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
    },
    Misuse("CellFactory: Animal is no subclass of Label.") {
      var cells = CellFactory<Int, Label>()
      cells.register(.class(Animal.self)) { _, _ in }
    },
    Misuse("CellFactory: the widget has made a Label for WideLabel: check the nib.") {
      var cells = CellFactory<Int, Label>()
      cells.register(.nib(WideLabel.self)) { _, _ in }
      cells.template(for: 1).configure(Label())
    },
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

  /// The closure receives a cell of its class. The widget registers the classes, in the order of the registrations.
  @Test func classesNameTheirCells() {
    var cells = CellFactory<Entry, Label>()
    #expect(cells.isEmpty)
    cells.register(.class(WideLabel.self)) { entry in
      if case .other(let width) = entry { width } else { nil }
    } configure: { label, width in
      label.width = width
    }
    cells.register(.nib(Label.self)) { label, _ in label.text = "?" }
    #expect(!cells.isEmpty && cells.kinds.map(\.origin) == [.class, .nib])
    #expect(cells.kinds.map(\.nibName) == ["WideLabel", "Label"])
    let template = cells.template(for: .other(3))
    let label = WideLabel()
    template.configure(label)
    #expect(label.width == 3 && template.reuseIdentifier == cells.kinds[0].reuseIdentifier)
    #expect(cells.template(for: .gap).reuseIdentifier == String(reflecting: Label.self))
    var animals = CellFactory<Animal, Label>()
    animals.register(.class(WideLabel.self), for: Dog.self) { _, _ in }
    animals.register("animal") { _, _ in }
    #expect(animals.kinds.count == 1 && animals.template(for: Cat()).reuseIdentifier == "animal")
  }
}
