import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import Testing

/// The form part of Docs/Applications.md, and the screens that a user of the form sees.
@Suite struct FormTests {
  @Test func theGuide() {
    let app = FormApplication(Order(name: "Ada", street: "Main Street 1"))
    expectScreen(
      app.lines,
      """
      [Order]
      name: Ada
      street: Main Street 1
      gift: no
      """)
    app.enter("", at: [0, 0])
    expectScreen(
      app.lines,
      """
      [Order*] !
      name*: !
      street: Main Street 1
      gift: no
      """)
    #expect(app.isSaveEnabled == false)
    app.enter("Ada", at: [0, 0])
    #expect(app.changed.total == 0)

    app.enter("yes", at: [0, 2])
    expectScreen(
      app.lines,
      """
      [Order*]
      name: Ada
      street: Main Street 1
      gift*: yes
      [Gift] !
      for: !
      card: Enjoy!
      """)
    #expect(app.table.log.last == "inserts [1]; reloads [0, 2]")
    #expect(app.isSaveEnabled == false)

    app.enter("Bob", at: [1, 0])
    #expect(app.isSaveEnabled == true)
    app.save()
    expectScreen(
      app.lines,
      """
      [Order]
      name: Ada
      street: Main Street 1
      gift: yes
      [Gift]
      for: Bob
      card: Enjoy!
      """)
    #expect(app.isSaveEnabled == false)
    #expect(app.order.recipient == "Bob")
  }

  @Test func anInvalidFieldThatIsHiddenDoesNotPreventSaving() {
    let app = FormApplication(Order(name: "Ada", street: "Main Street 1", isGift: "yes", recipient: "Bob"))
    app.enter("", at: [1, 0])
    #expect(!app.isSaveEnabled)
    app.enter("no", at: [0, 2])
    #expect(app.isSaveEnabled && app.lines.count == 4)
    app.enter("maybe", at: [0, 2])
    #expect(!app.isSaveEnabled)
  }

  @Test func aFieldThatIsHiddenKeepsItsText() {
    let app = FormApplication(Order(name: "Ada", street: "Main Street 1", isGift: "yes", recipient: "Bob"))
    app.enter("Cy", at: [1, 0])
    app.enter("no", at: [0, 2])
    app.enter("yes", at: [0, 2])
    #expect(app.lines.suffix(3) == ["[Gift*]", "for*: Cy", "card: Enjoy!"])
    #expect(app.isSaveEnabled)
  }

  @Test func anInvalidFormIsNotSaved() {
    let app = FormApplication(Order(name: "Ada"))
    app.enter("Bob", at: [0, 0])
    app.save()
    #expect(app.order.name == "Ada" && app.lines.prefix(3) == ["[Order*] !", "name*: Bob", "street: !"])
  }

  @Test func theTitleOfASectionIsNotEdited() {
    let app = FormApplication(Order(name: "Ada", street: "Main Street 1"))
    app.enter("x", at: [0])
    #expect(!app.coordinator.canEdit(at: [0]) && app.coordinator.canEdit(at: [0, 0]))
    #expect(app.changed.total == 0)
  }

  private enum Step: CaseIterable { case enter, save }

  /// After any actions, the form is the form of the saved order, with the texts that were entered.
  @Test func theFormShowsTheOrder() throws {
    var tally = OperationTally<Step>()
    for iteration in 0..<TestSeed.iterations(10) {
      var generator = TestSeed.generator("form", iteration: iteration)
      let app = FormApplication(Order(name: "Ada", street: "Main Street 1"))
      app.table.whileUpdating = { _ = app.lines }
      for step in 0..<20 {
        let operation = Step.allCases.randomElement(using: &generator)!
        switch operation {
        case .enter:
          let path = app.table.paths.filter { $0.count == 2 }.randomElement(using: &generator)!
          app.enter(["", "Ada", "yes", "no", "yes"].randomElement(using: &generator)!, at: path)
        case .save: app.save()
        }
        tally.count(operation)
        try app.table.check { $0.text == $1.text && $0.saved == $1.saved && $0.isVisible == $1.isVisible }

        let fresh = FormApplication(app.order)
        for (section, position) in [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)] {
          let path: IndexPath = [section, position]
          // A new form has to show the section before its fields can be edited.
          if section == 1 && fresh.visible.count == 1 { continue }
          if let item = app.form.element(at: path) { fresh.enter(item.text, at: path) }
        }
        #expect(fresh.lines == app.lines, "script \(iteration), step \(step)")
        let texts = DescendantsNode(app.visible).elements
        let isChanged = DescendantsNode(app.form).contains { $0.isChanged }
        #expect(app.isSaveEnabled == (isChanged && texts.allSatisfy(\.isValid)))
      }
    }
    try tally.check()
  }
}
