import Assemblage
import AssemblageWidgets
import Testing

/// The code of the first page of the documentation of `AssemblageWidgets`.
@Suite struct AssemblageWidgetsPageTests {
  @Test func aCoordinatorAnswersForSections() {
    let people = ArrayNode(["Ada", "Alan", "Grace"])
    let letters = GroupNode(people, sectionsBy: <) { String($0.prefix(1)) }
    let coordinator = SectionedListCoordinator(letters)
    #expect(coordinator.sectionCount == 2)
    #expect(coordinator.element(at: [0, 1]) == "Alan")
  }
}
