import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

@Suite struct ResultsIndexTitleTests {
  @Test func theTitlesAreTheInitialsOfTheSections() {
    let controller = ResultsControllerModel<Int>(
      [("apples", [1]), ("Artichokes", [2]), ("", []), ("beans", [3])], id: { $0 })
    let node = ResultsNode(controller, id: { $0 })
    #expect(node.sectionIndexTitles == ["A", "B"])
    #expect((0..<2).map { node.section(forIndexTitleAt: $0) } == [0, 3])
    controller.change(to: [("apples", [1]), ("beans", [3]), ("corn", [4])], telling: node)
    #expect(node.sectionIndexTitles == ["A", "B", "C"])
    #expect((0..<3).map { node.section(forIndexTitleAt: $0) } == [0, 1, 2])
  }

  @Test func theyAreThoseOfWhatTheNodeShows() {
    let controller = ResultsControllerModel<Int>([("a", [1]), ("b", [2])], id: { $0 })
    let node = ResultsNode(controller, id: { $0 })
    var received: [[String]] = []
    let token = node.observe { _ in received.append(node.sectionIndexTitles) }
    controller.sections = [("b", [2])]
    #expect(node.sectionIndexTitles == ["A", "B"])
    node.refresh()
    #expect(received == [["B"]] && node.section(forIndexTitleAt: 0) == 0)
    token.cancel()
  }

  /// A controller with its own titles. One of them leads nowhere.
  private final class Months: ResultsController {
    var numberOfSections: Int { 2 }
    var sectionIndexTitles: [String] { ["Jan", "?", "Feb"] }
    func numberOfObjects(inSection section: Int) -> Int { 0 }
    func object(at path: IndexPath) -> Int { 0 }
    func sectionName(at section: Int) -> String { ["January", "February"][section] }
    func section(forIndexTitle title: String, at index: Int) -> Int { [0, 9, 1][index] }
  }

  @Test func aControllerMayHaveTitlesOfItsOwn() async {
    let node = ResultsNode(Months(), id: { $0 })
    #expect(node.sectionIndexTitles == ["Jan", "Feb"])
    #expect((0..<2).map { node.section(forIndexTitleAt: $0) } == [0, 1])
    expect(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ResultsNode(Months(), id: { $0 }).section(forIndexTitleAt: 2)
      }, says: "ResultsNode's section index titles: the position 2 is out of range 0..<2.")
  }
}
