import Assemblage
import Testing

private struct Contact: Identifiable, Equatable {
  let id: Int
  var name: String
}

/// The code of Docs/FAQ.md.
@MainActor @Suite struct FAQGuideTests {
  @Test func aPredicateThatReadsOtherDataIsCalledAgain() {
    var text = "A"
    let found = FilterNode(ArrayNode(["Ada", "Bo"])) { $0.hasPrefix(text) }
    text = "B"
    #expect(found.elements == ["Ada"])
    found.refresh()
    #expect(found.elements == ["Bo"])
  }

  @Test func structsAreChangedWhereTheyAre() {
    let contacts = ArrayNode([Contact(id: 7, name: "Ada"), Contact(id: 8, name: "Grace")])
    let sorted = SortNode(contacts, by: \.name)
    contacts[0].name = "Hedy"
    #expect(sorted.map(\.id) == [8, 7])

    let index = IdentityIndex(of: sorted)
    index.update(id: 8) { $0.name = "Zoe" }
    #expect(contacts.map(\.name) == ["Hedy", "Zoe"])

    contacts.replaceAll(with: [Contact(id: 8, name: "Zoe"), Contact(id: 9, name: "Bo")])
    #expect(contacts.map(\.id) == [8, 9])

    let selection = SelectionModel(of: contacts)
    selection.select(1)
    let stored = selection.selectedIDs

    let restored = SelectionModel(of: contacts)
    restored.select(ids: stored)
    #expect(restored.selectedRow == 1)
  }

  @Test func aTransactionIsOneChangeAndOneStep() {
    let names = ArrayNode(["Ada", "Grace"])
    let short = FilterNode(names) { $0.count < 5 }
    var changes: [Delta] = []
    let token = short.observe { changes.append($0.delta) }
    names.performUpdates {
      names.append("Bo")
      names.append("Edsger")
      names.remove(at: 0)
    }
    #expect(changes == [Delta(removals: [0..<1], insertions: [0..<1])])

    let log = UndoLog(of: short)
    names.append("Al")
    log.undo()
    #expect(names.elements == ["Grace", "Bo", "Edsger"])
    log.redo()
    #expect(names.last == "Al")
    token.cancel()
  }
}
