import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import Testing

/// The code of Docs/Contacts.md, and the screens that a user of the contacts application sees.
@Suite struct ContactsTests {
  private func makeApp() -> ContactsApplication {
    ContactsApplication(
      device: [
        Contact(id: 1, name: "Bob", phone: "11"), Contact(id: 2, name: "Ada", phone: "12"),
        Contact(id: 3, name: "Alan"),
      ],
      company: [
        Contact(id: 4, name: "Anna", phone: "501"), Contact(id: 5, name: "Carl", phone: "502"),
        Contact(id: 6, name: "Albert"),
      ])
  }

  private let all = ["[A]", "Ada, 12", "Alan", "Anna, 501", "Albert", "[B]", "Bob, 11", "[C]", "Carl, 502"]

  private func names(_ contacts: ArrayNode<Contact>) -> [String] { contacts.map(\.name) }

  @Test func theGuide() {
    let app = ContactsApplication(
      device: [Contact(id: 1, name: "Bob", phone: "11"), Contact(id: 2, name: "Alan", phone: "12")],
      company: [Contact(id: 3, name: "Anna", phone: "501"), Contact(id: 4, name: "Carl")])
    #expect(app.lines == ["[A]", "Alan, 12", "Anna, 501", "[B]", "Bob, 11", "[C]", "Carl"])

    app.coordinator.select(at: [0, 0])
    app.search = "a"
    #expect(app.lines == ["[A]", "* Alan, 12", "Anna, 501", "[C]", "Carl"])
    app.search = "an"
    #expect(app.lines == ["[A]", "* Alan, 12", "Anna, 501"])
    app.search = "ann"
    #expect(app.lines == ["[A]", "Anna, 501"])

    app.rename(at: [0, 0], to: "Joanna")
    #expect(app.lines == ["[J]", "Joanna, 501"])
    #expect(app.company.map(\.name) == ["Joanna", "Carl"])
    app.undoLog.undo()
    app.search = ""
    #expect(app.lines == ["[A]", "* Alan, 12", "Anna, 501", "[B]", "Bob, 11", "[C]", "Carl"])

    app.coordinator.move([0, 0], into: [0], at: 2)
    #expect(app.lines == ["[A]", "Anna, 501", "* Alan, 12", "[B]", "Bob, 11", "[C]", "Carl"])
    #expect(app.device.map(\.name) == ["Bob"])
    #expect(app.company.map(\.name) == ["Anna", "Alan", "Carl"])
    #expect(app.table.log.last == "moves [0, 0]→[0, 1]")
  }

  @Test func aSearchIsFollowedKeyByKey() {
    let app = makeApp()
    #expect(app.lines == all)
    #expect(app.table.takeLog() == ["reload", "selection"])
    let keys: [(text: String, lines: [String], log: [String])] = [
      ("A", ["[A]", "Ada, 12", "Alan", "Anna, 501", "Albert", "[C]", "Carl, 502"], ["deletes [1]"]),
      ("AL", ["[A]", "Alan", "Albert"], ["deletes [0, 0], [0, 2], [1]"]),
      ("ALB", ["[A]", "Albert"], ["deletes [0, 0]"]),
      ("ALBX", [], ["deletes [0]"]),
      ("ALB", ["[A]", "Albert"], ["inserts [0]"]),
      ("alb", ["[A]", "Albert"], []),
      ("", all, ["inserts [0, 0], [0, 1], [0, 2], [1], [2]"]),
    ]
    for key in keys {
      app.search = key.text
      #expect(app.lines == key.lines)
      #expect(app.table.takeLog() == key.log)
    }
  }

  @Test func numbersAreFoundToo() {
    let app = makeApp()
    app.search = "5"
    #expect(app.lines == ["[A]", "Anna, 501", "[C]", "Carl, 502"])
    app.search = "502"
    #expect(app.lines == ["[C]", "Carl, 502"])
    app.search = "1"
    #expect(app.lines == ["[A]", "Ada, 12", "Anna, 501", "[B]", "Bob, 11"])
  }

  @Test func newContactsComeWhereTheyAreFound() {
    let app = makeApp()
    app.search = "al"
    app.company.append(Contact(id: 7, name: "Zoe"))
    app.company.append(Contact(id: 8, name: "Sally", phone: "508"))
    app.device.insert(Contact(id: 9, name: "Alma"), at: 0)
    #expect(app.lines == ["[A]", "Alma", "Alan", "Albert", "[S]", "Sally, 508"])
    app.search = ""
    #expect(app.lines.suffix(4) == ["[S]", "Sally, 508", "[Z]", "Zoe"])
  }

  @Test func theSelectionSurvivesASearchThatHidesIt() {
    let app = makeApp()
    app.coordinator.select(at: [0, 1])
    app.coordinator.select(at: [2, 0], .adding)
    app.search = "b"
    #expect(app.lines == ["[A]", "Albert", "[B]", "Bob, 11"])
    #expect(app.coordinator.selection.absentIDs == [3, 5])
    app.search = "al"
    #expect(app.lines == ["[A]", "* Alan", "Albert"])
    app.search = ""
    #expect(app.coordinator.selectedPaths == [[0, 1], [2, 0]])
    #expect(app.lines.filter { $0.hasPrefix("* ") } == ["* Alan", "* Carl, 502"])
  }

  @Test func aContactThatIsRenamedMovesToItsSection() {
    let app = makeApp()
    app.coordinator.select(at: [0, 3])
    app.search = "al"
    _ = app.table.takeLog()
    app.rename(at: [0, 1], to: "Palmer")
    #expect(app.lines == ["[A]", "Alan", "[P]", "* Palmer"])
    #expect(app.table.takeLog() == ["inserts [1]; reloads [0, 1]", "moves [0, 1]→[1, 0]"])
    #expect(names(app.company) == ["Anna", "Carl", "Palmer"])

    app.search = ""
    #expect(app.lines.suffix(2) == ["[P]", "* Palmer"])
    #expect(app.undoLog.undo())
    #expect(app.lines == all.map { $0 == "Albert" ? "* Albert" : $0 })
    #expect(names(app.company) == ["Anna", "Carl", "Albert"])
    #expect(app.undoLog.redo())
    #expect(app.lines == all.filter { $0 != "Albert" } + ["[P]", "* Palmer"])
    #expect(!app.table.log.contains("reload"))
  }

  @Test func aContactThatIsNoLongerFoundLeaves() {
    let app = makeApp()
    app.search = "ada"
    app.rename(at: [0, 0], to: "Grace")
    #expect(app.lines == [])
    #expect(names(app.device) == ["Bob", "Grace", "Alan"])
    app.search = "g"
    #expect(app.lines == ["[G]", "Grace, 12"])
  }

  @Test func deletionsGoToTheSourceOfEachContact() {
    let app = makeApp()
    app.search = "a"
    #expect(app.coordinator.delete(at: [1, 0]))
    #expect(names(app.company) == ["Anna", "Albert"])
    #expect(app.lines == ["[A]", "Ada, 12", "Alan", "Anna, 501", "Albert"])

    app.coordinator.select(at: [0, 1])
    app.coordinator.select(at: [0, 2], .extending)
    _ = app.table.takeLog()
    #expect(app.coordinator.deleteSelection() == 2)
    #expect(app.table.takeLog() == ["deletes [0, 1], [0, 2]", "selection"])
    #expect(names(app.device) == ["Bob", "Ada"] && names(app.company) == ["Albert"])

    app.search = ""
    #expect(app.undoLog.undoCount == 2)
    app.undoLog.undo()
    #expect(app.lines == ["[A]", "Ada, 12", "* Alan", "* Anna, 501", "Albert", "[B]", "Bob, 11"])
    app.undoLog.undo()
    #expect(app.lines == all.map { ["Alan", "Anna, 501"].contains($0) ? "* \($0)" : $0 })
    #expect(names(app.device) == ["Bob", "Ada", "Alan"] && names(app.company) == ["Anna", "Carl", "Albert"])
    app.undoLog.redo()
    app.undoLog.redo()
    #expect(app.lines == ["[A]", "Ada, 12", "Albert", "[B]", "Bob, 11"])
    #expect(!app.table.log.contains("reload"))
  }

  @Test func dragsGoToTheSources() {
    let app = makeApp()
    app.coordinator.select(at: [0, 1])
    app.search = "al"
    _ = app.table.takeLog()

    // Behind a contact of the company, Alan becomes a contact of the company, too.
    #expect(app.coordinator.move([0, 0], into: [0], at: 2))
    #expect(app.lines == ["[A]", "Albert", "* Alan"])
    #expect(app.table.takeLog() == ["moves [0, 0]→[0, 1]"])
    #expect(names(app.device) == ["Bob", "Ada"] && names(app.company) == ["Anna", "Carl", "Albert", "Alan"])

    // Within the contacts of the company, before contacts that the search hides.
    #expect(app.coordinator.move([0, 1], into: [0], at: 0))
    #expect(app.lines == ["[A]", "* Alan", "Albert"])
    #expect(names(app.company) == ["Anna", "Carl", "Alan", "Albert"])

    app.search = ""
    #expect(app.lines == ["[A]", "Ada, 12", "Anna, 501", "* Alan", "Albert", "[B]", "Bob, 11", "[C]", "Carl, 502"])
    app.undoLog.undo()
    #expect(app.lines == ["[A]", "Ada, 12", "Anna, 501", "Albert", "* Alan", "[B]", "Bob, 11", "[C]", "Carl, 502"])
    app.undoLog.undo()
    #expect(app.lines == all.map { $0 == "Alan" ? "* Alan" : $0 })
    #expect(names(app.device) == ["Bob", "Ada", "Alan"] && names(app.company) == ["Anna", "Carl", "Albert"])
    app.undoLog.redo()
    #expect(names(app.device) == ["Bob", "Ada"] && names(app.company) == ["Anna", "Carl", "Albert", "Alan"])
    #expect(!app.table.log.contains("reload"))
  }

  @Test func aDragWithinASourceStaysThere() {
    let app = makeApp()
    app.coordinator.move([0, 3], into: [0], at: 2)
    #expect(app.lines.prefix(5) == ["[A]", "Ada, 12", "Alan", "Albert", "Anna, 501"])
    #expect(names(app.device) == ["Bob", "Ada", "Alan"] && names(app.company) == ["Albert", "Anna", "Carl"])
    app.coordinator.move([0, 1], into: [0], at: 0)
    #expect(names(app.device) == ["Bob", "Alan", "Ada"] && names(app.company) == ["Albert", "Anna", "Carl"])
  }

  @Test func aContactChangesItsSourceOnlyPastOneOfTheOther() {
    func drag(_ row: Int, to position: Int) -> [[String]] {
      let app = ContactsApplication(
        device: [Contact(id: 1, name: "Ada"), Contact(id: 2, name: "Bob"), Contact(id: 3, name: "Al")],
        company: [Contact(id: 4, name: "Carl"), Contact(id: 5, name: "Anna"), Contact(id: 6, name: "Amy")])
      #expect(app.coordinator.move([0, row], into: [0], at: position))
      return [names(app.device), names(app.company)]
    }
    #expect(drag(0, to: 2) == [["Bob", "Al", "Ada"], ["Carl", "Anna", "Amy"]])
    #expect(drag(0, to: 3) == [["Bob", "Al"], ["Carl", "Anna", "Ada", "Amy"]])
    #expect(drag(3, to: 2) == [["Ada", "Bob", "Al"], ["Carl", "Amy", "Anna"]])
    #expect(drag(3, to: 1) == [["Ada", "Bob", "Amy", "Al"], ["Carl", "Anna"]])
  }

  @Test func aDragToAnotherLetterIsRefused() {
    let app = makeApp()
    _ = app.table.takeLog()
    #expect(app.coordinator.canMove(at: [0, 0]))
    #expect(!app.coordinator.canMove([0, 0], into: [1], at: 0))
    #expect(!app.coordinator.move([0, 0], into: [1], at: 1))
    #expect(!app.coordinator.canMove([1], into: [], at: 0) && !app.coordinator.canDelete(at: [1]))
    #expect(app.lines == all && app.table.log == [] && !app.undoLog.canUndo)
  }

  @Test func sortedContactsAreNotDragged() {
    let app = makeApp()
    app.coordinator.select(at: [0, 3])
    _ = app.table.takeLog()
    app.isSorted = true
    #expect(app.lines.prefix(5) == ["[A]", "Ada, 12", "Alan", "* Albert", "Anna, 501"])
    #expect(app.table.takeLog() == ["moves [0, 2]→[0, 3]", "selection"])
    #expect(!app.coordinator.move([0, 0], into: [0], at: 2))

    app.rename(at: [0, 0], to: "amy")
    #expect(app.lines.prefix(5) == ["[A]", "Alan", "* Albert", "amy, 12", "Anna, 501"])
    #expect(names(app.device) == ["Bob", "amy", "Alan"])
    app.undoLog.undo()
    app.isSorted = false
    #expect(app.lines == all.map { $0 == "Albert" ? "* Albert" : $0 })
    #expect(app.coordinator.canMove([0, 0], into: [0], at: 2))
    #expect(!app.table.log.contains("reload"))
  }

  @Test func aHeaderIsKnownBeforeItsFirstRow() {
    let app = makeApp()
    app.search = "bob"
    _ = app.table.takeLog()
    var seen: [[String]] = []
    app.table.whileUpdating = { seen.append(app.lines) }
    app.rename(at: [0, 0], to: "Kibob")
    #expect(app.table.log == ["inserts [1]", "moves [0, 0]→[1, 0]", "deletes [0]; reloads [1, 0]"])
    // The first section leaves, so its letter is gone. A real table has drawn the header before.
    #expect(seen == [["", "Bob, 11", "[K]"], ["", "[K]", "Bob, 11"], ["[K]", "Kibob, 11"]])
  }

  private enum Step: CaseIterable { case search, sort, rename, delete, drag, select, add, undo, redo }

  /// After any actions, the table has the rows of a new application with the same contacts.
  @Test func theTableShowsTheContacts() throws {
    var tally = OperationTally<Step>()
    let someNames = ["Ada", "alan", "Albert", "Bob", "Carl", ""]
    for iteration in 0..<TestSeed.iterations(60) {
      var generator = TestSeed.generator("contacts", iteration: iteration)
      let app = makeApp()
      app.table.whileUpdating = { _ = app.lines }
      var states = [(app.device.elements, app.company.elements)]
      for step in 0..<30 {
        let operation = Step.allCases.randomElement(using: &generator)!
        let name = someNames.randomElement(using: &generator)!
        let row = app.table.paths.filter { $0.count == 2 }.randomElement(using: &generator)
        let before = app.undoLog.undoCount
        switch (operation, row) {
        case (.search, _): app.search = ["", "a", "al", "b", "50"].randomElement(using: &generator)!
        case (.sort, _): app.isSorted.toggle()
        case (.rename, let row?): app.rename(at: row, to: name)
        case (.delete, let row?): #expect(app.coordinator.delete(at: row))
        case (.drag, let row?):
          let position = Int.random(in: 0...app.table.shownCount(at: [row[0]])!, using: &generator)
          #expect(app.coordinator.move(row, into: [row[0]], at: position) == !app.isSorted)
        case (.select, let row?): app.coordinator.select(at: row, .toggling)
        case (.add, _):
          let source = generator.chance(1, in: 2) ? app.device : app.company
          source.append(Contact(id: 10 + step, name: name))
        case (.undo, _): app.undoLog.undo()
        case (.redo, _): app.undoLog.redo()
        default: continue
        }
        tally.count(operation)
        let (count, state) = (app.undoLog.undoCount, (app.device.elements, app.company.elements))
        if operation == .undo || operation == .redo || count == before {
          #expect(state == states[count], "script \(iteration), step \(step)")
        } else {
          states = states.prefix(count) + [state]
        }
        try app.table.check(by: ==)
        let fresh = ContactsApplication(device: state.0, company: state.1)
        (fresh.search, fresh.isSorted) = (app.search, app.isSorted)
        let lines = app.lines.map { $0.hasPrefix("* ") ? String($0.dropFirst(2)) : $0 }
        #expect(lines == fresh.lines, "script \(iteration), step \(step), \(operation)")
        #expect(app.table.takeLog().dropFirst(step == 0 ? 1 : 0).allSatisfy { $0 != "reload" })
      }
    }
    try tally.check()
  }
}
