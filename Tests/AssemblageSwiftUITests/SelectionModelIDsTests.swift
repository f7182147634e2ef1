import Assemblage
import AssemblageSwiftUI
import TestSupport
import Testing

@MainActor @Suite struct SelectionModelIDsTests {
  private let names = ArrayNode(["Ada", "Bo", "Cy", "Di"])

  @Test func idsAreReadAndSet() {
    let selection = SelectionModel(of: names, id: { $0 })
    selection.ids = ["Bo", "Di", "Zoe"]
    #expect(selection.selectedRanges == [1..<2, 3..<4] && selection.absentIDs == ["Zoe"])
    #expect(selection.ids == ["Bo", "Di", "Zoe"] && selection.singleID == "Bo")
    selection.singleID = "Cy"
    #expect(selection.selectedRanges == [2..<3] && selection.ids == ["Cy"])
    selection.singleID = nil
    #expect(selection.ids == [] && selection.singleID == nil)
  }

  /// As SwiftUI does it: it returns what it was given, with a row more or less.
  @Test func aSelectionSurvivesEdits() {
    let found = FilterNode(names) { _ in true }
    let selection = SelectionModel(of: found, id: { $0 })
    selection.ids.insert("Ada")
    selection.ids.insert("Cy")
    names.insert("Abe", at: 0)
    #expect(selection.selectedRanges == [1..<2, 3..<4])
    found.setPredicate { $0.count == 2 }
    #expect(selection.ids == ["Ada", "Cy"] && selection.selectedIDs == ["Cy"])
    selection.ids.insert("Bo")
    found.setPredicate { _ in true }
    #expect(selection.selectedIDs == ["Ada", "Bo", "Cy"])
    found.setPredicate { $0.count == 2 }
    selection.ids = ["Di"]
    found.setPredicate { _ in true }
    #expect(selection.selectedIDs == ["Di"])
  }

  @Test func readersAreNotified() {
    let selection = SelectionModel(of: names, id: { $0 })
    func reader() -> Reader { Reader { _ = selection.ids } }
    var former = reader()
    func wasNotified() -> Bool {
      defer { former = reader() }
      return former.notificationCount == 1
    }
    names.append("Ed")
    #expect(!wasNotified())
    selection.select(1)
    #expect(wasNotified())
    selection.select(1)
    selection.ids = ["Bo"]
    #expect(!wasNotified())
    selection.performEdits {
      selection.select(2)
      selection.select(3)
    }
    #expect(wasNotified())
    names.remove(at: 1)
    #expect(wasNotified() && selection.absentIDs == ["Bo"])
    selection.ids.remove("Bo")
    #expect(wasNotified() && selection.ids == ["Cy", "Di"])
    selection.ids = ["Cy", "Di", "Zoe"]
    #expect(wasNotified())
    selection.forgetAbsentIDs()
    #expect(wasNotified())
    let (row, range) = (Reader { _ = selection.isSelected(0) }, Reader { _ = selection.selectedRanges })
    names.insert("Abe", at: 0)
    #expect(row.isNotified && range.isNotified)
    selection.deselectAll()
    #expect(wasNotified() && selection.ids == [])
  }

  @Test func nothingIsKeptAlive() throws {
    try withLifetimeTracking { tracker in
      let selection = SelectionModel(of: ArrayNode(tracker.track(0..<2)), id: { $0.payload })
      tracker.expectRelease(of: selection, "the selection")
      _ = Reader { _ = selection.ids }
    }
  }
}
