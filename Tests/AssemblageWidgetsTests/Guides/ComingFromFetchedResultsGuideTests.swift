import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Testing

/// The code of Docs/ComingFromFetchedResults.md.
@MainActor @Suite struct ComingFromFetchedResultsGuideTests {
  enum Row: Equatable { case new, person(String) }

  @MainActor final class PeopleList {
    let coordinator: SectionedListCoordinator<Row>

    init(_ people: ResultsNode<String>) {
      coordinator = SectionedListCoordinator(
        JoinNode<Row>([BranchNode([SingleNode(Row.new)]), MapNode(people, Row.person)]))
    }
  }

  @Test func aRowIsAboveTheResults() {
    let controller = ResultsControllerModel([("A", ["Ada", "Al"]), ("B", ["Bo"])], id: { $0 })
    let people = ResultsNode(controller, id: { $0 })
    let list = PeopleList(people)
    let table = WidgetModel<Row>(.list)
    table.follow(list.coordinator)
    controller.change(to: [("A", ["Al"]), ("B", ["Bo"]), ("C", ["Cy"])], telling: people)
    #expect(table.log == ["reload", "deletes [1, 0]; inserts [3]"])
    #expect(table.element(at: [3, 0]) == .person("Cy"))
    #expect(people.section(at: 2).name == "C")
    #expect(FlattenNode(people).elements == ["Al", "Bo", "Cy"])
  }
}
