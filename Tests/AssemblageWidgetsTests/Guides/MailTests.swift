import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation
import Testing

/// The mail part of Docs/Applications.md, and the screens that a user of the application sees.
@MainActor @Suite struct MailTests {
  private func message(
    _ id: Int, _ sender: String, _ text: String, hour: Int, answering parent: Int? = nil
  ) -> Message {
    Message(id: id, parent: parent, sender: sender, text: text, date: Date(timeIntervalSince1970: Double(hour) * 3600))
  }

  private func makeApp() -> MailApplication {
    MailApplication([
      message(1, "Ada", "lunch?", hour: 8), message(2, "Bob", "the plan", hour: 9),
      message(3, "Cy", "gladly", hour: 10, answering: 1), message(4, "Ada", "at noon", hour: 11, answering: 3),
    ])
  }

  @Test func theGuide() async {
    let app = makeApp()

    expectScreen(
      app.lines,
      """
      ▸ • Ada: lunch?
      • Bob: the plan
      """)
    app.toggle(row: 0)
    app.coordinator.activate(at: [0, 1])
    app.coordinator.select(at: [0, 1])
    expectScreen(
      app.lines,
      """
      ▾ • Ada: lunch?
        * ▸ Cy: gladly
      • Bob: the plan
      """)

    app.receive([message(5, "Ada", "good", hour: 12, answering: 2)])
    expectScreen(
      app.lines,
      """
      ▸ • Bob: the plan
      ▾ • Ada: lunch?
        * ▸ Cy: gladly
      """)
    #expect(app.table.log.suffix(2) == ["moves [0, 2]→[0, 0]; reloads [0, 0]", "reloads [0, 0]"])

    app.search = "noo"
    app.search = "noon"
    await app.searching?.value
    expectScreen(
      app.lines,
      """
      ▾ • Ada: lunch?
        * ▾ Cy: gladly
          • Ada: at noon
      """)

    app.search = ""
    app.showsOnlyUnread = true
    app.coordinator.activate(at: [0, 0])
    await app.searching?.value
    expectScreen(
      app.lines,
      """
      ▾ • Bob: the plan
        • Ada: good
      ▾ Ada: lunch?
        * ▾ Cy: gladly
          • Ada: at noon
      """)

    app.showsOnlyUnread = false
    await app.searching?.value
    app.archive(row: 0)
    expectScreen(
      app.lines,
      """
      ▾ Ada: lunch?
        * ▸ Cy: gladly
      """)
  }

  @Test func aMessageThatArrivesBeforeItsParentMovesBelowIt() {
    let app = MailApplication([message(1, "Ada", "old", hour: 1), message(2, "Bob", "new", hour: 5)])
    app.receive([message(4, "Cy", "answer", hour: 7, answering: 3)])
    #expect(app.lines == ["• Cy: answer", "• Bob: new", "• Ada: old"])
    app.receive([message(3, "Di", "question", hour: 4)])
    #expect(app.lines == ["▸ • Di: question", "• Bob: new", "• Ada: old"])
    app.receive([message(5, "Eve", "late", hour: 3, answering: 1)])
    #expect(app.lines == ["▸ • Di: question", "• Bob: new", "▸ • Ada: old"])
  }

  @Test func answersOfOneMessageAreInTheOrderOfTheirDates() {
    let app = MailApplication([
      message(1, "Ada", "question", hour: 1), message(2, "Bob", "second", hour: 3, answering: 1),
      message(3, "Cy", "first", hour: 2, answering: 1),
    ])
    app.toggle(row: 0)
    #expect(app.lines == ["▾ • Ada: question", "  • Cy: first", "  • Bob: second"])
  }

  @Test func aMessageThatIsOpenedLeavesTheUnreadOnes() async {
    let app = makeApp()
    app.showsOnlyUnread = true
    await app.searching?.value
    _ = app.table.takeLog()
    for row in [2, 1, 0] { app.coordinator.activate(at: [0, row]) }
    #expect(app.lines == ["• Bob: the plan"])
    #expect(!app.table.log.contains("reload"))
    #expect(app.messages.filter(\.isUnread).map(\.id) == [2])
  }

  @Test func theSelectionReturnsAfterASearchThatHidesIt() async {
    let app = makeApp()
    app.coordinator.select(at: [0, 0])
    app.search = "plan"
    await app.searching?.value
    #expect(app.lines == ["• Bob: the plan"])
    #expect(app.coordinator.selection.absentIDs == [1])
    app.search = ""
    await app.searching?.value
    #expect(app.lines == ["* ▸ • Ada: lunch?", "• Bob: the plan"])
  }

  @Test func messagesThatArriveDuringASearchAreFound() async {
    let app = makeApp()
    app.search = "plan"
    app.receive([message(5, "Di", "another plan", hour: 13, answering: 1)])
    await app.searching?.value
    #expect(app.lines == ["▾ • Ada: lunch?", "  • Di: another plan", "• Bob: the plan"])
    app.archive(row: 1)
    #expect(app.messages.map(\.id) == [2])
  }

  private enum Step: CaseIterable { case receive, archive, open, toggle, select, search, unread }

  /// After any actions, the table has the rows of a new application with the same messages.
  @Test func theTableShowsTheMessages() async throws {
    var tally = OperationTally<Step>()
    for iteration in 0..<TestSeed.iterations(20) {
      var generator = TestSeed.generator("mail", iteration: iteration)
      let app = makeApp()
      app.table.whileUpdating = { _ = app.lines }
      for step in 0..<25 {
        let operation = Step.allCases.randomElement(using: &generator)!
        let row = app.table.paths.filter { $0.count == 2 }.randomElement(using: &generator)
        switch (operation, row) {
        case (.receive, _):
          let parent = generator.chance(1, in: 3) ? nil : Int.random(in: 1..<10 + step, using: &generator)
          let sender = ["Ada", "Al", "Bab"].randomElement(using: &generator)!
          app.receive([message(10 + step, sender, "ann", hour: step * 7 % 25, answering: parent)])
        case (.archive, let row?): app.archive(row: row[1])
        case (.open, let row?): app.coordinator.activate(at: row)
        case (.toggle, let row?): app.toggle(row: row[1])
        case (.select, let row?): app.coordinator.select(at: row, .toggling)
        case (.search, _): app.search = ["", "a", "al", "b", "ann"].randomElement(using: &generator)!
        case (.unread, _): app.showsOnlyUnread.toggle()
        default: continue
        }
        tally.count(operation)
        if generator.chance(1, in: 2) { await app.searching?.value }
        try app.table.check(by: ==)
      }
      // A search expands all threads, so both applications show the same rows.
      let fresh = MailApplication(app.messages.elements)
      for app in [app, fresh] {
        app.search = "a"
        await app.searching?.value
      }
      fresh.showsOnlyUnread = app.showsOnlyUnread
      await fresh.searching?.value
      #expect(app.lines.map { $0.replacing("* ", with: "") } == fresh.lines, "script \(iteration)")
    }
    try tally.check()
  }
}
